package org.railyard.socklnd.io;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A file descriptor kept in reserve. When there are no others, a caller can only be turned away with one; left alone,
 * its call would wait in the system's queue and wake the listener again and again. Runs on the connector's thread only.
 */
public final class FileDescriptors {
    /** What to do about a lack of them. */
    public static final String ADVICE =
            "raise the limit (ulimit -n, LimitNOFILE of a service) or lower max_connections";

    private @Nullable SocketChannel reserve = open();

    private static @Nullable SocketChannel open() {
        try {
            return SocketChannel.open();
        } catch (IOException e) {
            // None left; the next call tries again.
            return null;
        }
    }

    /**
     * Takes one caller in with the reserve and closes at once.
     *
     * @return false if there was no reserve, or another thread was faster: the caller still waits
     */
    public boolean refuse(ServerSocketChannel listener) throws IOException {
        SocketChannel kept = reserve;
        if (kept == null) {
            reserve = open();
            return false;
        }
        reserve = null;
        kept.close();
        try {
            SocketChannel caller = listener.accept();
            if (caller != null) {
                caller.close();
            }
            return true;
        } catch (IOException e) {
            if (!SocketErrors.isLackOfDescriptors(SocketErrors.of(e))) {
                throw e;
            }
            return false;
        } finally {
            reserve = open();
        }
    }

    /** Gives the reserve back. */
    public void close() {
        SocketChannel kept = reserve;
        reserve = null;
        if (kept != null) {
            try {
                kept.close();
            } catch (IOException e) {
                System.getLogger("org.railyard.socklnd")
                        .log(System.Logger.Level.DEBUG, "close of a reserved descriptor", e);
            }
        }
    }
}
