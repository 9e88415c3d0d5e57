package org.railyard.mad.umad;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/**
 * The functions of libibumad that are used (spec 40 §8.1). The library is loaded when this class is asked for the first
 * time, and never given back.
 */
@SuppressWarnings("restricted") // Calls of a C library are what this class is for.
final class UmadLibrary {
    /** Bytes of a device name. */
    static final int NAME_BYTES = 20;

    private static final String FILE = "libibumad.so.3";
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final AddressLayout POINTER = ValueLayout.ADDRESS;

    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static @Nullable UmadLibrary loaded;

    private final Linker linker = Linker.nativeLinker();
    private final SymbolLookup symbols;
    private final MethodHandle casNames;
    private final MethodHandle getPort;
    private final MethodHandle releasePort;
    private final MethodHandle openPort;
    private final MethodHandle closePort;
    private final MethodHandle size;
    private final MethodHandle register;
    private final MethodHandle unregister;
    private final MethodHandle send;
    private final MethodHandle recv;

    private @Nullable Issm issm;

    private UmadLibrary(SymbolLookup symbols) {
        this.symbols = symbols;
        MethodHandle init = function("umad_init", FunctionDescriptor.of(INT));
        casNames = function("umad_get_cas_names", FunctionDescriptor.of(INT, POINTER, INT));
        getPort = function("umad_get_port", FunctionDescriptor.of(INT, POINTER, INT, POINTER));
        releasePort = function("umad_release_port", FunctionDescriptor.of(INT, POINTER));
        openPort = function("umad_open_port", FunctionDescriptor.of(INT, POINTER, INT));
        closePort = function("umad_close_port", FunctionDescriptor.of(INT, INT));
        size = function("umad_size", FunctionDescriptor.of(LONG));
        register = function("umad_register", FunctionDescriptor.of(INT, INT, INT, INT, ValueLayout.JAVA_BYTE, POINTER));
        unregister = function("umad_unregister", FunctionDescriptor.of(INT, INT, INT));
        // Pointers as numbers: a segment of a shared arena would keep the arena from closing, anew in each call.
        send = function("umad_send", FunctionDescriptor.of(INT, INT, INT, LONG, INT, INT, INT));
        recv = function("umad_recv", FunctionDescriptor.of(INT, INT, LONG, LONG, INT));
        call(() -> (int) init.invokeExact());
    }

    /**
     * Returns the library.
     *
     * @throws ErrnoException ENOENT if it is not installed, EOPNOTSUPP if it lacks a function
     */
    static synchronized UmadLibrary load() {
        UmadLibrary library = loaded;
        if (library == null) {
            library = load(FILE);
            loaded = library;
        }
        return library;
    }

    static UmadLibrary load(String file) {
        SymbolLookup symbols;
        try {
            symbols = SymbolLookup.libraryLookup(file, Arena.global());
        } catch (IllegalArgumentException e) {
            throw new ErrnoException(
                    Errno.ENOENT,
                    file
                            + " can not be loaded: it comes with the Debian package libibumad3, or with libibumad of"
                            + " others",
                    e);
        }
        return new UmadLibrary(symbols);
    }

    private MethodHandle function(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        MemorySegment symbol = symbols.find(name)
                .orElseThrow(() -> new ErrnoException(
                        Errno.EOPNOTSUPP, FILE + " has no function " + name + ": a newer version is needed"));
        return linker.downcallHandle(symbol, descriptor, options);
    }

    /** A call into the library. */
    private interface NativeCall {
        @SuppressWarnings("ProhibitedExceptionDeclared") // MethodHandle.invokeExact declares it.
        long call() throws Throwable;
    }

    private static long call(NativeCall call) {
        try {
            return call.call();
        } catch (Throwable e) {
            throw notCalled(e);
        }
    }

    private static LinkageError notCalled(Throwable why) {
        return new LinkageError("a function of " + FILE + " can not be called", why);
    }

    int deviceNames(MemorySegment names, int count) {
        return (int) call(() -> (int) casNames.invokeExact(names, count));
    }

    int getPort(MemorySegment name, int port, MemorySegment description) {
        return (int) call(() -> (int) getPort.invokeExact(name, port, description));
    }

    void releasePort(MemorySegment description) {
        call(() -> (int) releasePort.invokeExact(description));
    }

    int openPort(MemorySegment name, int port) {
        return (int) call(() -> (int) openPort.invokeExact(name, port));
    }

    void closePort(int fd) {
        call(() -> (int) closePort.invokeExact(fd));
    }

    /** Returns the bytes before a MAD; only true when a port is open. */
    long headerBytes() {
        return call(() -> (long) size.invokeExact());
    }

    int register(int fd, int mgmtClass, int version, int rmppVersion, MemorySegment methods) {
        return (int) call(() -> (int) register.invokeExact(fd, mgmtClass, version, (byte) rmppVersion, methods));
    }

    void unregister(int fd, int agent) {
        call(() -> (int) unregister.invokeExact(fd, agent));
    }

    // Two calls for each MAD: without an object for each. Memory is given by its address, and has to outlive the call.

    int send(int fd, int agent, long umad, int length, int timeoutMillis, int retries) {
        try {
            return (int) send.invokeExact(fd, agent, umad, length, timeoutMillis, retries);
        } catch (Throwable e) {
            throw notCalled(e);
        }
    }

    int receive(int fd, long umad, long length, int timeoutMillis) {
        try {
            return (int) recv.invokeExact(fd, umad, length, timeoutMillis);
        } catch (Throwable e) {
            throw notCalled(e);
        }
    }

    /**
     * Opens the device that marks a port as that of an SM while it is open.
     *
     * @return a file descriptor, or a negative errno
     */
    int openIssm(MemorySegment name, int port) {
        Issm issm = issm();
        try (Arena arena = Arena.ofConfined()) {
            int bytes = 256;
            MemorySegment path = arena.allocate(bytes);
            int status = (int) call(() -> (int) issm.path.invokeExact(name, port, path, bytes));
            if (status < 0) {
                return status;
            }
            MemorySegment state = arena.allocate(CALL_STATE);
            int nonBlocking = 0x800;
            int fd = (int) call(() -> (int) issm.open.invokeExact(state, path, nonBlocking));
            return fd < 0 ? -(int) ERRNO.get(state, 0L) : fd;
        }
    }

    /** Closes what {@link #openIssm} has opened. */
    void close(int fd) {
        Issm issm = issm();
        call(() -> (int) issm.close.invokeExact(fd));
    }

    /** Loads what {@link #openIssm} needs, which otherwise loads it. */
    void loadIssm() {
        issm();
    }

    private synchronized Issm issm() {
        Issm made = issm;
        if (made == null) {
            made = new Issm();
            issm = made;
        }
        return made;
    }

    /** Functions that only a subnet manager needs. Those of C are as the process sees them (spec 40 §8.3). */
    private final class Issm {
        private final MethodHandle path =
                function("umad_get_issm_path", FunctionDescriptor.of(INT, POINTER, INT, POINTER, INT));
        private final MethodHandle open = linker.downcallHandle(
                global("open"),
                FunctionDescriptor.of(INT, POINTER, INT),
                Linker.Option.firstVariadicArg(2),
                Linker.Option.captureCallState("errno"));
        private final MethodHandle close = linker.downcallHandle(global("close"), FunctionDescriptor.of(INT, INT));
    }

    /** Returns a function as the whole process sees it, not as the C library has it: a simulator may take its place. */
    private MemorySegment global(String name) {
        MethodHandle dlsym = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("dlsym"), FunctionDescriptor.of(POINTER, POINTER, POINTER));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(name);
            MemorySegment found = (MemorySegment) dlsym.invokeExact(MemorySegment.NULL, text);
            if (found.address() == 0) {
                throw new ErrnoException(Errno.EOPNOTSUPP, "the process has no function " + name);
            }
            return found;
        } catch (ErrnoException e) {
            throw e;
        } catch (Throwable e) {
            throw new LinkageError("dlsym can not be called", e);
        }
    }
}
