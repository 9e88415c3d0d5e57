package org.railyard.host;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Asks the C library which CPU the calling thread is on, where the JVM lets this module call it ({@code
 * --enable-native-access}).
 */
final class CurrentCpu {
    private static final @Nullable MethodHandle SCHED_GETCPU = find();

    private CurrentCpu() {}

    @SuppressWarnings("restricted") // Only called where it is allowed.
    private static @Nullable MethodHandle find() {
        if (!CurrentCpu.class.getModule().isNativeAccessEnabled()) {
            return null;
        }
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find("sched_getcpu")
                .map(symbol -> linker.downcallHandle(
                        symbol, FunctionDescriptor.of(ValueLayout.JAVA_INT), Linker.Option.critical(false)))
                .orElse(null);
    }

    /** Returns the number of the CPU, −1 if that can not be found out. */
    static int get() {
        if (SCHED_GETCPU == null) {
            return -1;
        }
        try {
            return (int) SCHED_GETCPU.invokeExact();
        } catch (Throwable e) {
            throw new LinkageError("sched_getcpu can not be called", e);
        }
    }
}
