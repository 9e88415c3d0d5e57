package org.railyard.roce.net.linux;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Ends a wait in {@code ppoll}, from any thread: a counter of the kernel that is waited for like a socket. */
final class Wakeup {
    private final SocketCalls calls;
    private final int fd;
    private final MemorySegment one = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_LONG, 1);
    private final MemorySegment read = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);

    @GuardedBy("this")
    private boolean closed;

    @GuardedBy("this")
    private boolean raised;

    Wakeup(SocketCalls calls, int fd) {
        this.calls = calls;
        this.fd = fd;
    }

    int fd() {
        return fd;
    }

    /** Ends the present wait or the next one. The lock keeps the number from being that of another file by then. */
    synchronized void raise() {
        if (!closed && !raised) {
            raised = true;
            calls.write(fd, one.address(), Long.BYTES);
        }
    }

    /** The wait is over. */
    synchronized void lower() {
        raised = false;
        calls.read(fd, read.address(), Long.BYTES);
    }

    synchronized void close() {
        if (!closed) {
            closed = true;
            calls.close(fd);
        }
    }
}
