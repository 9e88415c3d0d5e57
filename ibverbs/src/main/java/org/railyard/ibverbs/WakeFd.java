package org.railyard.ibverbs;

import org.railyard.ibverbs.ffi.NativeVerbs;

/** A file descriptor that other threads wake a loop with. Thread-safe. */
final class WakeFd {
    private final NativeVerbs verbs;
    private final int fd;
    private boolean closed;

    WakeFd(NativeVerbs verbs, int fd) {
        this.verbs = verbs;
        this.fd = fd;
    }

    int fd() {
        return fd;
    }

    /** Ends the present wait or the next one. The lock keeps the number from being that of another file by then. */
    synchronized void signal() {
        if (!closed) {
            verbs.signal(fd);
        }
    }

    synchronized void close() {
        if (!closed) {
            closed = true;
            verbs.close(fd);
        }
    }
}
