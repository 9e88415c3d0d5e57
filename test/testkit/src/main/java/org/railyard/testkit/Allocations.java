package org.railyard.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * How much the calling thread has allocated. By reflection, since modules under test do not read the management
 * modules.
 */
public final class Allocations {
    private final Object threads;
    private final Method bytes;

    /** Finds the JVM's counter. */
    public Allocations() {
        try {
            threads = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
            bytes = Class.forName("com.sun.management.ThreadMXBean").getMethod("getCurrentThreadAllocatedBytes");
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("this JVM does not count allocated bytes", e);
        }
    }

    /** Returns the bytes allocated since the thread started; asking allocates a few hundred. */
    public long bytes() {
        try {
            return (long) bytes.invoke(threads);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new LinkageError("this JVM does not count allocated bytes", e);
        }
    }
}
