package org.railyard.ibverbs.standin;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** C functions that are made in Java, by their names; what has no name here comes from the C library. */
@SuppressWarnings("restricted") // It makes functions for C.
final class FunctionTable implements SymbolLookup {
    /** A function of C. */
    @FunctionalInterface
    interface Function {
        long call(long[] arguments);
    }

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle CALL;
    private static final MethodHandle ERRNO_LOCATION = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("__errno_location"), FunctionDescriptor.of(ValueLayout.ADDRESS));

    static {
        try {
            CALL = MethodHandles.lookup()
                    .findVirtual(Function.class, "call", MethodType.methodType(long.class, long[].class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Arena arena;
    private final Map<String, MemorySegment> functions = new LinkedHashMap<>();
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();
    private final Map<String, Integer> calls = new ConcurrentHashMap<>();

    FunctionTable(Arena arena) {
        this.arena = arena;
    }

    /** Makes a function, and returns its address. */
    long put(String name, int count, Function function) {
        MemoryLayout[] types = new MemoryLayout[count];
        Arrays.fill(types, ValueLayout.JAVA_LONG);
        Function checked = arguments -> {
            calls.merge(name, 1, Integer::sum);
            Integer errno = failures.get(name);
            return errno == null ? function.call(arguments) : fail(name, errno);
        };
        MemorySegment stub = LINKER.upcallStub(
                CALL.bindTo(checked).asCollector(long[].class, count),
                FunctionDescriptor.of(ValueLayout.JAVA_LONG, types),
                arena);
        functions.put(name, stub);
        return stub.address();
    }

    /** Returns how often a function was called. */
    int calls(String name) {
        return calls.getOrDefault(name, 0);
    }

    /** Returns how often all functions were called. */
    int calls() {
        return calls.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Lets a function fail from now on; with errno 0, work again. */
    void fails(String name, int errno) {
        if (errno == 0) {
            failures.remove(name);
        } else {
            failures.put(name, errno);
        }
    }

    private static long fail(String name, int errno) {
        setErrno(errno);
        boolean givesErrno = name.equals("ibv_query_device")
                || name.equals("ibv_query_port")
                || name.startsWith("ibv_de")
                || name.equals("ibv_modify_qp")
                || name.startsWith("post_")
                || name.equals("dealloc_mw");
        boolean givesPointer = name.equals("rdma_get_devices")
                || name.equals("rdma_create_event_channel")
                || name.startsWith("ibv_create")
                || name.startsWith("ibv_alloc")
                || name.equals("ibv_reg_mr")
                || name.equals("alloc_mw")
                || name.equals("ibv_get_device_list");
        return givesErrno ? errno : givesPointer ? 0 : -1;
    }

    /** Takes a function away, as if the library were older. */
    void remove(String name) {
        functions.put(name, MemorySegment.NULL);
    }

    static long minusOne(int errno) {
        setErrno(errno);
        return -1;
    }

    static long nothing(int errno) {
        setErrno(errno);
        return 0;
    }

    private static void setErrno(int errno) {
        try {
            MemorySegment location = (MemorySegment) ERRNO_LOCATION.invokeExact();
            location.reinterpret(Integer.BYTES).set(ValueLayout.JAVA_INT, 0, errno);
        } catch (Throwable e) {
            throw new LinkageError("errno can not be set", e);
        }
    }

    @Override
    public Optional<MemorySegment> find(String name) {
        MemorySegment own = functions.get(name);
        if (own != null) {
            return own.address() == 0 ? Optional.empty() : Optional.of(own);
        }
        return LINKER.defaultLookup().find(name);
    }
}
