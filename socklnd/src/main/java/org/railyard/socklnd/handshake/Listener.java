package org.railyard.socklnd.handshake;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.socklnd.io.FileDescriptors;
import org.railyard.socklnd.io.Selectable;
import org.railyard.socklnd.io.SocketErrors;
import org.railyard.socklnd.io.SocketTuning;
import org.railyard.socklnd.stats.HandshakeRefusal;

/** One listening socket. Callers go to the connector. */
final class Listener implements Selectable, AutoCloseable {
    /** Callers accepted before other channels are served. */
    private static final int MAX_ACCEPTS = 64;

    private static final System.Logger LOG = System.getLogger("org.railyard.socklnd");

    private final Connector connector;
    private final ServerSocketChannel channel;
    private final int port;

    /**
     * Listens.
     *
     * @param port 0 for any free one
     * @throws ErrnoException EADDRINUSE, EADDRNOTAVAIL or EPERM if it can not, with what to do about it
     */
    Listener(Connector connector, InetAddress address, int port, int backlog) {
        this.connector = connector;
        try {
            this.channel = ServerSocketChannel.open();
            try {
                channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                new SocketTuning(connector.context().config(), -1).beforeListen(channel);
                channel.bind(new InetSocketAddress(address, port), backlog);
                channel.configureBlocking(false);
                this.port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
            } catch (IOException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            throw failure(address, port, e);
        }
    }

    private static ErrnoException failure(InetAddress address, int port, IOException e) {
        Errno errno = SocketErrors.of(e);
        String advice = switch (errno) {
            case EPERM ->
                "; grant CAP_NET_BIND_SERVICE, or set sysctl net.ipv4.ip_unprivileged_port_start, or choose other"
                        + " ports with accept_port and accept_port_bulk";
            case EADDRINUSE -> "; another node, or the kernel's LNet, runs here already";
            default -> "";
        };
        return new ErrnoException(
                errno,
                String.format(
                        Locale.ROOT,
                        "can not listen on %s port %d: %s%s",
                        address.getHostAddress(),
                        port,
                        e.getMessage(),
                        advice),
                e);
    }

    void start() {
        connector.loop().execute(() -> {
            try {
                if (channel.isOpen()) {
                    channel.register(connector.loop().selector(), SelectionKey.OP_ACCEPT, this);
                }
            } catch (ClosedChannelException e) {
                LOG.log(System.Logger.Level.DEBUG, "listener closed before it began", e);
            }
        });
    }

    /** Returns the port it listens on. */
    int port() {
        return port;
    }

    @Override
    public void ready(SelectionKey key) {
        for (int i = 0; i < MAX_ACCEPTS; i++) {
            try {
                SocketChannel caller = channel.accept();
                if (caller == null) {
                    return;
                }
                take(caller);
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                if (SocketErrors.isLackOfDescriptors(SocketErrors.of(e))) {
                    refuse(key, e);
                } else {
                    // A caller that went away; the listener stays.
                    connector.context().refuse(HandshakeRefusal.GONE, () -> "caller not accepted: " + e.getMessage());
                }
                return;
            }
        }
    }

    /** There is no file descriptor left for a caller. */
    private void refuse(SelectionKey key, IOException cause) {
        connector
                .context()
                .refuse(
                        HandshakeRefusal.NO_DESCRIPTORS,
                        () -> "callers are refused: " + cause.getMessage() + "; " + FileDescriptors.ADVICE);
        try {
            if (!connector.descriptors().refuse(channel)) {
                // It would be ready again at once, and nothing could be done about it.
                key.interestOps(0);
                connector.later(() -> resume(key));
            }
        } catch (IOException e) {
            connector.context().refuse(HandshakeRefusal.GONE, () -> "caller not accepted: " + e.getMessage());
        }
    }

    private static void resume(SelectionKey key) {
        if (key.isValid()) {
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    private void take(SocketChannel caller) throws IOException {
        try {
            connector.accepted(caller);
        } catch (IOException e) {
            caller.close();
            throw e;
        }
    }

    @Override
    public void abandon(Throwable cause) {
        LOG.log(System.Logger.Level.ERROR, "internal failure while taking in a caller", cause);
    }

    @Override
    public void close() {
        connector.loop().close(channel);
    }
}
