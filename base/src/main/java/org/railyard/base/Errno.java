package org.railyard.base;

import java.util.Locale;

/** Error numbers of the stack: the Linux errno values that specifications and tools speak of. */
public enum Errno {
    EPERM(1, "operation not permitted"),
    ENOENT(2, "no such entry"),
    ESRCH(3, "no match"),
    EINTR(4, "interrupted"),
    EIO(5, "input/output error"),
    ECHILD(10, "belongs to another"),
    EAGAIN(11, "try again"),
    ENOMEM(12, "out of memory"),
    EFAULT(14, "bad address"),
    EBUSY(16, "busy"),
    EEXIST(17, "exists already"),
    ENODEV(19, "no such device"),
    EINVAL(22, "invalid argument"),
    ENFILE(23, "too many open files in the system"),
    EMFILE(24, "too many open files"),
    EFBIG(27, "too large"),
    ENOSPC(28, "no space left"),
    ERANGE(34, "out of range"),
    ECHRNG(44, "number out of range"),
    ENODATA(61, "no data"),
    EPROTO(71, "protocol error"),
    EBADMSG(74, "bad message"),
    ENOTUNIQ(76, "name not unique"),
    EUSERS(87, "in use by others"),
    EMSGSIZE(90, "message too long"),
    EPROTONOSUPPORT(93, "protocol not supported"),
    EOPNOTSUPP(95, "not supported"),
    EADDRINUSE(98, "address in use"),
    EADDRNOTAVAIL(99, "address not available"),
    ENETDOWN(100, "network is down"),
    ENETUNREACH(101, "network unreachable"),
    ENETRESET(102, "connection reset by network"),
    ECONNABORTED(103, "connection aborted"),
    ECONNRESET(104, "connection reset by peer"),
    ENOBUFS(105, "no buffer space"),
    ESHUTDOWN(108, "shut down"),
    ETIMEDOUT(110, "timed out"),
    ECONNREFUSED(111, "connection refused"),
    EHOSTDOWN(112, "host is down"),
    EHOSTUNREACH(113, "no route to host"),
    EALREADY(114, "already in progress"),
    ESTALE(116, "stale"),
    ECANCELED(125, "cancelled");

    private final int number;
    private final String text;

    Errno(int number, String text) {
        this.number = number;
        this.text = text;
    }

    /** Returns the positive number. */
    public int number() {
        return number;
    }

    /** Returns the number as a status: negative. */
    public int status() {
        return -number;
    }

    /** Returns what it means, in a few words. */
    public String text() {
        return text;
    }

    /** Returns the error of a negative status; a status without a constant here becomes {@link #EIO}. */
    public static Errno ofStatus(int status) {
        for (Errno errno : values()) {
            if (errno.number == -status) {
                return errno;
            }
        }
        return EIO;
    }

    /** Returns name and meaning of a status for people, or {@code ok} for 0. */
    public static String describe(int status) {
        if (status >= 0) {
            return "ok";
        }
        Errno errno = ofStatus(status);
        return errno.number == -status
                ? String.format(Locale.ROOT, "%s (%s)", errno.name(), errno.text)
                : String.format(Locale.ROOT, "errno %d", -status);
    }
}
