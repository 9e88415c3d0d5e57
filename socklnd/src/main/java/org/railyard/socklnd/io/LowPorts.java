package org.railyard.socklnd.io;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/** The ports that peers trust: 1023 downwards to 512 (spec 02 §2.2). */
public final class LowPorts {
    /** The highest port that is trusted. */
    public static final int HIGHEST = 1023;

    /** The lowest port to dial from. */
    public static final int LOWEST = 512;

    private LowPorts() {}

    /**
     * Opens an unconnected, non-blocking channel that is bound to a local address, and begins to connect it. Starts
     * with the highest trusted port and goes down while ports are taken, here or on the way to this peer.
     *
     * @param trusted whether the port has to be a trusted one
     * @throws BindException if no port is free
     */
    public static SocketChannel connect(
            InetAddress local, InetSocketAddress remote, boolean trusted, SocketTuning tuning) throws IOException {
        for (int port = trusted ? HIGHEST : 0; trusted ? port >= LOWEST : port == 0; port--) {
            SocketChannel channel = SocketChannel.open();
            try {
                channel.configureBlocking(false);
                tuning.beforeConnect(channel);
                // One port can serve many peers.
                channel.setOption(StandardSocketOptions.SO_REUSEPORT, trusted);
                channel.bind(new InetSocketAddress(local, port));
                channel.connect(remote);
                return channel;
            } catch (IOException e) {
                channel.close();
                Errno errno = SocketErrors.of(e);
                if (errno != Errno.EADDRINUSE && errno != Errno.EADDRNOTAVAIL) {
                    throw e;
                }
            } catch (RuntimeException | Error e) {
                channel.close();
                throw e;
            }
        }
        throw new BindException(
                "address already in use: no free port " + HIGHEST + "…" + LOWEST + " on " + local.getHostAddress());
    }

    /**
     * Checks that low ports can be bound at all.
     *
     * @throws ErrnoException EPERM if not, with what to do about it
     */
    public static void check(InetAddress local) {
        try (SocketChannel channel = SocketChannel.open()) {
            channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            channel.bind(new InetSocketAddress(local, HIGHEST));
        } catch (IOException e) {
            Errno errno = SocketErrors.of(e);
            if (errno == Errno.EPERM) {
                throw new ErrnoException(
                        Errno.EPERM,
                        "no right to dial from ports " + HIGHEST + "…" + LOWEST + " on " + local.getHostAddress()
                                + ", which other nodes expect; grant CAP_NET_BIND_SERVICE, or set sysctl"
                                + " net.ipv4.ip_unprivileged_port_start="
                                + LOWEST + ", or use any source port if every peer accepts that (accept=all)",
                        e);
            }
            if (errno == Errno.EADDRNOTAVAIL) {
                throw new ErrnoException(
                        Errno.EADDRNOTAVAIL, "address " + local.getHostAddress() + " is not on this machine", e);
            }
            // A port that is taken says nothing about the others.
        }
    }
}
