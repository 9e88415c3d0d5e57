package org.railyard.ibverbs.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Calls of C functions by their addresses. One handle for each number of arguments serves all of them: pointers and
 * numbers alike travel as 64 bits, whose upper half means nothing in an {@code int} result (spec 24 §2).
 */
@SuppressWarnings("restricted") // Calls of C libraries are what this class is for.
final class NativeCall {
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");

    private static final MethodHandle CALL0 = handle(0, CAPTURE);
    private static final MethodHandle CALL1 = handle(1, CAPTURE);
    private static final MethodHandle CALL2 = handle(2, CAPTURE);
    private static final MethodHandle CALL3 = handle(3, CAPTURE);
    private static final MethodHandle CALL4 = handle(4, CAPTURE);
    private static final MethodHandle CALL5 = handle(5, CAPTURE);

    /** Those of the fast path do not set errno. */
    private static final MethodHandle FAST2 = handle(2);

    private static final MethodHandle FAST3 = handle(3);

    /** Where errno of the last call of a thread is. */
    private static final ThreadLocal<MemorySegment> STATES =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

    private NativeCall() {}

    private static MethodHandle handle(int arguments, Linker.Option... options) {
        MemoryLayout[] types = new MemoryLayout[arguments];
        Arrays.fill(types, ValueLayout.JAVA_LONG);
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(ValueLayout.JAVA_LONG, types), options);
    }

    private static LinkageError failed(Throwable e) {
        return new LinkageError("a C function can not be called", e);
    }

    /** Returns errno as the last call of this thread left it. */
    static int errno() {
        return (int) ERRNO.get(STATES.get(), 0L);
    }

    static long call(MemorySegment function) {
        try {
            return (long) CALL0.invokeExact(function, STATES.get());
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    static long call(MemorySegment function, long a) {
        try {
            return (long) CALL1.invokeExact(function, STATES.get(), a);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    static long call(MemorySegment function, long a, long b) {
        try {
            return (long) CALL2.invokeExact(function, STATES.get(), a, b);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    static long call(MemorySegment function, long a, long b, long c) {
        try {
            return (long) CALL3.invokeExact(function, STATES.get(), a, b, c);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    static long call(MemorySegment function, long a, long b, long c, long d) {
        try {
            return (long) CALL4.invokeExact(function, STATES.get(), a, b, c, d);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    static long call(MemorySegment function, long a, long b, long c, long d, long e) {
        try {
            return (long) CALL5.invokeExact(function, STATES.get(), a, b, c, d, e);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    static int fast(long function, long a, long b) {
        try {
            return (int) (long) FAST2.invokeExact(MemorySegment.ofAddress(function), a, b);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    static int fast(long function, long a, long b, long c) {
        try {
            return (int) (long) FAST3.invokeExact(MemorySegment.ofAddress(function), a, b, c);
        } catch (Throwable e) {
            throw failed(e);
        }
    }
}
