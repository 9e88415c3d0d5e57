package org.railyard.socklnd.io;

import java.io.EOFException;
import java.io.IOException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.nio.channels.ClosedChannelException;
import java.util.Locale;
import org.railyard.base.Errno;
import org.railyard.lnet.lnd.HealthStatus;

/** Error numbers of socket exceptions, and what a failed connect means for health (spec 02 §11). */
public final class SocketErrors {
    private SocketErrors() {}

    /** Returns the errno behind an exception; EIO if it can not be told. */
    public static Errno of(IOException e) {
        if (e instanceof NoRouteToHostException || e instanceof PortUnreachableException) {
            return Errno.EHOSTUNREACH;
        }
        if (e instanceof ClosedChannelException) {
            return Errno.ECONNABORTED;
        }
        if (e instanceof EOFException) {
            return Errno.EPROTO;
        }
        String text = e.getMessage() == null ? "" : e.getMessage().toLowerCase(Locale.ROOT);
        // The JDK gives no number, only the text of strerror.
        if (text.contains("too many open files")) {
            return text.contains("in system") ? Errno.ENFILE : Errno.EMFILE;
        } else if (text.contains("refused")) {
            return Errno.ECONNREFUSED;
        } else if (text.contains("timed out")) {
            return Errno.ETIMEDOUT;
        } else if (text.contains("reset") || text.contains("broken pipe")) {
            return Errno.ECONNRESET;
        } else if (text.contains("network is unreachable")) {
            return Errno.ENETUNREACH;
        } else if (text.contains("network is down")) {
            return Errno.ENETDOWN;
        } else if (text.contains("host is down")) {
            return Errno.EHOSTDOWN;
        } else if (text.contains("no route")
                || text.contains("host is unreachable")
                || text.contains("protocol not available")
                || text.contains("not on the network")) {
            // The last two: ICMP's "protocol unreachable", as firewalls send it, and "source host isolated".
            return Errno.EHOSTUNREACH;
        } else if (text.contains("in use")) {
            return Errno.EADDRINUSE;
        } else if (text.contains("assign requested") || text.contains("not available")) {
            return Errno.EADDRNOTAVAIL;
        } else if (text.contains("permission denied") || text.contains("not permitted")) {
            return Errno.EPERM;
        } else if (text.contains("invalid argument")) {
            return Errno.EINVAL;
        }
        return Errno.EIO;
    }

    /** Tells whether the process, or the machine, has no file descriptor left. */
    public static boolean isLackOfDescriptors(Errno errno) {
        return errno == Errno.EMFILE || errno == Errno.ENFILE;
    }

    /**
     * Returns the health status of messages whose connection could not be made. What a peer answers is no evidence
     * against our NI.
     */
    public static HealthStatus healthOfConnect(Errno errno) {
        return switch (errno) {
            case ETIMEDOUT -> HealthStatus.NETWORK_TIMEOUT;
            case EPROTO, EALREADY -> HealthStatus.REMOTE_ERROR;
            // EINVAL: no way leads from our address to that one, such as from the loopback device to another machine.
            case EINVAL, ENETDOWN, ECONNRESET -> HealthStatus.REMOTE_DROPPED;
            default -> isOfTheWay(errno) ? HealthStatus.REMOTE_DROPPED : HealthStatus.LOCAL_ERROR;
        };
    }

    /**
     * Tells whether an error is one that a route, a router or a firewall reports for one peer's address: for a call, or
     * for an idle connection too. EPERM is what a route or a firewall says that prohibits the address.
     */
    private static boolean isOfTheWay(Errno errno) {
        return switch (errno) {
            case EHOSTUNREACH, EHOSTDOWN, ENETUNREACH, ECONNREFUSED, EPERM -> true;
            default -> false;
        };
    }

    /**
     * Tells whether a connection could not be made, or broke, for reasons of this node alone: that is no evidence
     * against the peer.
     *
     * @param health of what was on its way, or waited for the connection
     */
    public static boolean isOurs(Errno errno, HealthStatus health) {
        return errno == Errno.ENETDOWN
                || switch (health) {
                    case LOCAL_INTERRUPT, LOCAL_DROPPED, LOCAL_ABORTED, LOCAL_NO_ROUTE, LOCAL_ERROR, LOCAL_TIMEOUT ->
                        true;
                    case OK, REMOTE_ERROR, REMOTE_DROPPED, REMOTE_TIMEOUT, NETWORK_TIMEOUT -> false;
                };
    }

    /**
     * Returns the health status of what a broken connection did not carry any more; surely the peer has not processed
     * it (spec 10 §22).
     */
    public static HealthStatus healthOfBreak(Errno errno) {
        return switch (errno) {
            case ETIMEDOUT -> HealthStatus.NETWORK_TIMEOUT;
            case ECONNRESET, EPROTO, ESTALE -> HealthStatus.REMOTE_DROPPED;
            case ENETDOWN -> HealthStatus.LOCAL_NO_ROUTE;
            default -> isOfTheWay(errno) ? HealthStatus.REMOTE_DROPPED : HealthStatus.LOCAL_ERROR;
        };
    }

    /** Returns the health status of a message whose writing failed. */
    public static HealthStatus healthOfWrite(Errno errno) {
        return errno == Errno.ETIMEDOUT ? HealthStatus.REMOTE_TIMEOUT : healthOfBreak(errno);
    }

    /**
     * Returns the health status of a message of which no byte had left, from that of one that was on its way (spec 10
     * §22).
     */
    public static HealthStatus healthOfUnsent(HealthStatus underWay) {
        return underWay == HealthStatus.NETWORK_TIMEOUT || underWay == HealthStatus.REMOTE_TIMEOUT
                ? HealthStatus.LOCAL_TIMEOUT
                : underWay;
    }

    /**
     * Returns the health status of a message that left and that the peer did not acknowledge: it may have been
     * processed.
     */
    public static HealthStatus healthOfUnacknowledged(HealthStatus underWay) {
        return switch (underWay) {
            case NETWORK_TIMEOUT, REMOTE_TIMEOUT -> HealthStatus.REMOTE_TIMEOUT;
            case REMOTE_DROPPED, REMOTE_ERROR -> HealthStatus.REMOTE_ERROR;
            default -> HealthStatus.LOCAL_ERROR;
        };
    }
}
