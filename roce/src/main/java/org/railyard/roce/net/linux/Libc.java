package org.railyard.roce.net.linux;

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
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The functions of the C library. Pointers are passed as numbers, so that a call allocates nothing; their memory lives
 * as long as those who call.
 */
@SuppressWarnings("restricted") // Calls of a C library are what this class is for; only made where they are allowed.
final class Libc implements SocketCalls {
    /** What has to be there, beside what every C library has. */
    static final List<String> FUNCTIONS = List.of(
            "socket",
            "bind",
            "setsockopt",
            "getsockopt",
            "eventfd",
            "close",
            "sendmmsg",
            "recvmmsg",
            "ppoll",
            "read",
            "write");

    /** Processors whose calls have the numbers that are used here. */
    private static final List<String> PROCESSORS = List.of("amd64", "x86_64", "aarch64");

    private static final int AF_INET = 2;
    private static final int SOCK_DGRAM = 2;
    private static final int NON_BLOCKING = 0x800;
    private static final int CLOSE_ON_EXEC = 0x8_0000;
    private static final int MSG_DONTWAIT = 0x40;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    /** Found when the first one is made. Constants, so that the JVM compiles the calls into their callers. */
    private static final class Handles {
        private static final Linker.Option[] KEEP_ERRNO = {Linker.Option.captureCallState("errno")};
        private static final Linker.Option[] NO_OPTIONS = {};

        static final MethodHandle SOCKET = find("socket", FunctionDescriptor.of(INT, INT, INT, INT));
        static final MethodHandle BIND = find("bind", FunctionDescriptor.of(INT, INT, LONG, INT));
        static final MethodHandle SET_OPTION =
                find("setsockopt", FunctionDescriptor.of(INT, INT, INT, INT, ValueLayout.ADDRESS, INT));
        static final MethodHandle GET_OPTION =
                find("getsockopt", FunctionDescriptor.of(INT, INT, INT, INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
        static final MethodHandle EVENTFD = find("eventfd", FunctionDescriptor.of(INT, INT, INT));
        static final MethodHandle CLOSE = find("close", FunctionDescriptor.of(INT, INT));
        static final MethodHandle SEND = find("sendmmsg", FunctionDescriptor.of(INT, INT, LONG, INT, INT));
        static final MethodHandle SEND_WITHOUT_ERRNO =
                find("sendmmsg", FunctionDescriptor.of(INT, INT, LONG, INT, INT), NO_OPTIONS);
        static final MethodHandle RECEIVE = find("recvmmsg", FunctionDescriptor.of(INT, INT, LONG, INT, INT, LONG));
        static final MethodHandle POLL = find("ppoll", FunctionDescriptor.of(INT, LONG, LONG, LONG, LONG));
        static final MethodHandle READ = find("read", FunctionDescriptor.of(LONG, INT, LONG, LONG));
        static final MethodHandle WRITE = find("write", FunctionDescriptor.of(LONG, INT, LONG, LONG));

        private Handles() {}

        private static MethodHandle find(String name, FunctionDescriptor descriptor) {
            return find(name, descriptor, KEEP_ERRNO);
        }

        private static MethodHandle find(String name, FunctionDescriptor descriptor, Linker.Option[] options) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor, options);
        }
    }

    /** Of the one thread that calls. */
    private final MemorySegment state = Arena.ofAuto().allocate(CALL_STATE);

    /** Of other threads, which do not look at it. */
    private final MemorySegment noState = Arena.ofAuto().allocate(CALL_STATE);

    /** Makes one, where {@link #obstacle()} finds none. */
    Libc() {}

    /** Returns why the C library can not be called here, as the end of a sentence; empty if it can. */
    static Optional<String> obstacle() {
        return obstacle(
                System.getProperty("os.name", ""),
                System.getProperty("os.arch", ""),
                Libc.class.getModule().isNativeAccessEnabled(),
                () -> Linker.nativeLinker().defaultLookup());
    }

    /** Returns why it can not be called on a system like this one. */
    static Optional<String> obstacle(String system, String processor, boolean allowed, Supplier<SymbolLookup> library) {
        if (!system.equals("Linux")) {
            return Optional.of("only Linux takes many packets in one call, and this is " + system);
        }
        if (!PROCESSORS.contains(processor)) {
            return Optional.of("the numbers of system calls are known for " + String.join(", ", PROCESSORS)
                    + ", and this processor is " + processor);
        }
        if (!allowed) {
            return Optional.of("the JVM does not let it call the C library; start java with"
                    + " --enable-native-access=org.railyard.roce, ALL-UNNAMED on a class path");
        }
        SymbolLookup symbols = library.get();
        List<String> missing =
                FUNCTIONS.stream().filter(name -> symbols.find(name).isEmpty()).toList();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("the C library has no function " + String.join(", ", missing));
    }

    private int result(long value) {
        return value < 0 ? -(int) ERRNO.get(state, 0L) : (int) value;
    }

    private static LinkageError broken(String name, Throwable cause) {
        return new LinkageError(name + " of the C library can not be called", cause);
    }

    @Override
    public int socket() {
        try {
            int type = SOCK_DGRAM | NON_BLOCKING | CLOSE_ON_EXEC;
            return result((int) Handles.SOCKET.invokeExact(state, AF_INET, type, 0));
        } catch (Throwable e) {
            throw broken("socket", e);
        }
    }

    @Override
    public int bind(int fd, long address, int length) {
        try {
            return result((int) Handles.BIND.invokeExact(state, fd, address, length));
        } catch (Throwable e) {
            throw broken("bind", e);
        }
    }

    @Override
    public int setOption(int fd, int level, int option, int value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocateFrom(INT, value);
            return result((int) Handles.SET_OPTION.invokeExact(state, fd, level, option, number, (int) INT.byteSize()));
        } catch (Throwable e) {
            throw broken("setsockopt", e);
        }
    }

    @Override
    public int option(int fd, int level, int option) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(INT);
            MemorySegment length = arena.allocateFrom(INT, (int) INT.byteSize());
            int status = result((int) Handles.GET_OPTION.invokeExact(state, fd, level, option, number, length));
            return status < 0 ? status : number.get(INT, 0);
        } catch (Throwable e) {
            throw broken("getsockopt", e);
        }
    }

    @Override
    public int eventfd() {
        try {
            return result((int) Handles.EVENTFD.invokeExact(state, 0, NON_BLOCKING | CLOSE_ON_EXEC));
        } catch (Throwable e) {
            throw broken("eventfd", e);
        }
    }

    @Override
    public int close(int fd) {
        try {
            return result((int) Handles.CLOSE.invokeExact(state, fd));
        } catch (Throwable e) {
            throw broken("close", e);
        }
    }

    @Override
    public int sendMessages(int fd, long messages, int count) {
        try {
            // Keeping errno allocates until the call is compiled by C2. A call that fails has sent nothing, and is made
            // again to learn why.
            int sent = (int) Handles.SEND_WITHOUT_ERRNO.invokeExact(fd, messages, count, MSG_DONTWAIT);
            return sent >= 0 ? sent : result((int) Handles.SEND.invokeExact(state, fd, messages, count, MSG_DONTWAIT));
        } catch (Throwable e) {
            throw broken("sendmmsg", e);
        }
    }

    @Override
    public int receiveMessages(int fd, long messages, int count) {
        try {
            return result((int) Handles.RECEIVE.invokeExact(state, fd, messages, count, MSG_DONTWAIT, 0L));
        } catch (Throwable e) {
            throw broken("recvmmsg", e);
        }
    }

    @Override
    public int poll(long files, int count, long timeout) {
        try {
            return result((int) Handles.POLL.invokeExact(state, files, (long) count, timeout, 0L));
        } catch (Throwable e) {
            throw broken("ppoll", e);
        }
    }

    @Override
    public int read(int fd, long to, int bytes) {
        try {
            return result((long) Handles.READ.invokeExact(state, fd, to, (long) bytes));
        } catch (Throwable e) {
            throw broken("read", e);
        }
    }

    @Override
    public void write(int fd, long from, int bytes) {
        try {
            long _ = (long) Handles.WRITE.invokeExact(noState, fd, from, (long) bytes);
        } catch (Throwable e) {
            throw broken("write", e);
        }
    }
}
