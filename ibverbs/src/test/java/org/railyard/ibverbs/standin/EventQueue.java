package org.railyard.ibverbs.standin;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Events that wait behind a file descriptor, which is readable as long as there are any. */
@SuppressWarnings("restricted") // File descriptors are of C.
final class EventQueue<E> {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle EVENTFD = handle("eventfd", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    private static final MethodHandle READ =
            handle("read", ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
    private static final MethodHandle WRITE =
            handle("write", ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
    private static final MethodHandle CLOSE = handle("close", ValueLayout.JAVA_INT);
    private static final MethodHandle PIPE = handle("pipe", ValueLayout.ADDRESS);
    private static final MethodHandle DUP = handle("dup", ValueLayout.JAVA_INT);
    private static final MethodHandle DUP2 = handle("dup2", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    private static final int NON_BLOCKING = 04000;

    private final ArrayDeque<E> waiting = new ArrayDeque<>();
    private final int fd;

    EventQueue() {
        try {
            fd = (int) (long) EVENTFD.invokeExact(0, NON_BLOCKING);
        } catch (Throwable e) {
            throw new LinkageError("eventfd", e);
        }
    }

    private static MethodHandle handle(String name, MemoryLayout... types) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name), FunctionDescriptor.of(ValueLayout.JAVA_LONG, types));
    }

    int fd() {
        return fd;
    }

    private void transfer(MethodHandle function) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
            long _ = (long) function.invokeExact(fd, one, 8L);
        } catch (Throwable e) {
            throw new LinkageError("eventfd", e);
        }
    }

    void add(E event) {
        waiting.add(event);
        transfer(WRITE);
    }

    @Nullable
    E poll() {
        E event = waiting.poll();
        if (waiting.isEmpty()) {
            transfer(READ);
        }
        return event;
    }

    /** Takes out events that nobody has read. */
    List<E> removeAll(Predicate<E> which) {
        List<E> found = waiting.stream().filter(which).toList();
        if (!found.isEmpty()) {
            waiting.removeIf(which);
            if (waiting.isEmpty()) {
                transfer(READ);
            }
        }
        return found;
    }

    /** Nothing is told any more: it is a pipe that nobody reads, for which poll says POLLERR. */
    void breakOff() {
        waiting.clear();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pipe = arena.allocate(ValueLayout.JAVA_INT, 2);
            long _ = (long) PIPE.invokeExact(pipe);
            int old = (int) (long) DUP.invokeExact(fd);
            int end = pipe.getAtIndex(ValueLayout.JAVA_INT, 1);
            long _ = (long) CLOSE.invokeExact(pipe.getAtIndex(ValueLayout.JAVA_INT, 0));
            long _ = (long) DUP2.invokeExact(end, fd);
            long _ = (long) CLOSE.invokeExact(end);
            // Who waits for the old one looks again.
            MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
            long _ = (long) WRITE.invokeExact(old, one, 8L);
            long _ = (long) CLOSE.invokeExact(old);
        } catch (Throwable e) {
            throw new LinkageError("pipe", e);
        }
    }

    void close() {
        try {
            long _ = (long) CLOSE.invokeExact(fd);
        } catch (Throwable e) {
            throw new LinkageError("close", e);
        }
    }
}
