package org.railyard.roce.net;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.UdpRoute;
import org.railyard.verbs.card.cm.Reach;

/**
 * UDP sockets of the operating system as Java has them, with one selector: one call for each packet. They are not
 * connected and do not fragment: then the IP header has identification 0 (spec 23 §5.1).
 */
public final class UdpDatagrams implements Datagrams {
    private static final System.Logger LOG = System.getLogger(UdpDatagrams.class.getName());

    /** Room for what arrives while the thread does something else, bytes; the system may give less. */
    private static final int BUFFER_BYTES = 4 << 20;

    private static final int NANOS_PER_MILLI = 1_000_000;

    private final Selector selector;
    private final Neighbours neighbours = new Neighbours(Path.of("/proc/net/arp"));

    /** Makes one without sockets. */
    public UdpDatagrams() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new ErrnoException(Errno.EIO, "no selector: " + e.getMessage());
        }
    }

    @Override
    public Socket open(LocalInterface at, int udpPort, RoceCounters counters) {
        InetSocketAddress address = new InetSocketAddress(LocalInterface.address(at.ip()), udpPort);
        try {
            DatagramChannel channel = DatagramChannel.open();
            try {
                channel.configureBlocking(false);
                channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
                channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
                channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
                channel.bind(address);
                SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
                int room = channel.getOption(StandardSocketOptions.SO_RCVBUF);
                return new UdpSocket(channel, key, room, new UdpRoute(0, 0, at.ip(), udpPort), counters);
            } catch (IOException e) {
                channel.close();
                throw e;
            }
        } catch (BindException e) {
            throw new ErrnoException(
                    Errno.EADDRINUSE,
                    "UDP port " + udpPort + " of " + LocalInterface.text(at.ip()) + " can not be had: " + e.getMessage()
                            + "; is a soft-RoCE device (rdma_rxe) or another provider using it?");
        } catch (IOException e) {
            throw new ErrnoException(
                    Errno.EIO, "no UDP socket on " + LocalInterface.text(at.ip()) + ": " + e.getMessage());
        }
    }

    @Override
    public Link look(LocalInterface which) {
        return SystemInterfaces.look(which);
    }

    @Override
    public Reach reach(LocalInterface from, int ip) {
        return neighbours.reach(from, ip);
    }

    @Override
    public void attach(Runnable wake) {
        // It waits by itself.
    }

    @Override
    public boolean await(long nanos) {
        try {
            long millis = (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
            if (millis <= 0) {
                selector.selectNow(UdpDatagrams::isReady);
            } else {
                selector.select(UdpDatagrams::isReady, millis);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "waiting for datagrams: " + e.getMessage());
        }
        return true;
    }

    private static void isReady(SelectionKey key) {
        // All sockets are asked in each turn; those that were busy, to send.
        if (key.isValid() && key.isWritable()) {
            key.interestOps(SelectionKey.OP_READ);
        }
    }

    @Override
    public void wakeup() {
        selector.wakeup();
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing the selector", e);
        }
    }

    private static final class UdpSocket implements Socket {
        /** Most peers whose addresses are kept. */
        private static final int MAX_ADDRESSES = 65_536;

        private final DatagramChannel channel;
        private final SelectionKey key;
        private final Frame outgoing = new Frame();
        private final int room;

        /** Whom what comes is for. */
        private final UdpRoute here;

        private final RoceCounters counters;
        private final Map<UdpRoute, InetSocketAddress> addresses = new LinkedHashMap<>();
        private @Nullable InetSocketAddress lastSender;
        private @Nullable UdpRoute lastRoute;

        UdpSocket(DatagramChannel channel, SelectionKey key, int room, UdpRoute here, RoceCounters counters) {
            this.channel = channel;
            this.key = key;
            this.room = room;
            this.here = here;
            this.counters = counters;
        }

        private InetSocketAddress address(UdpRoute route) {
            InetSocketAddress known = addresses.get(route);
            if (known == null) {
                if (addresses.size() == MAX_ADDRESSES) {
                    addresses.clear();
                }
                known = new InetSocketAddress(LocalInterface.address(route.destinationIp()), route.destinationPort());
                addresses.put(route, known);
            }
            return known;
        }

        @Override
        public int room() {
            return room;
        }

        @Override
        public Frame outgoing() {
            return outgoing;
        }

        @Override
        public Sent send(UdpRoute route, Unsent unsent, int psn) {
            try {
                if (channel.send(outgoing.finish(route), address(route)) > 0) {
                    return Sent.YES;
                }
                key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                return Sent.BUSY;
            } catch (IOException e) {
                // No route, no buffers, too long for the path: as if it were lost. Whoever waits for an answer finds
                // out.
                counters.add(RoceCounters.Counter.SEND_FAILURES);
                return Sent.NO;
            }
        }

        @Override
        public void flush() {
            // Each packet has left by itself.
        }

        @Override
        public @Nullable UdpRoute receive(Frame into) {
            try {
                into.clear();
                InetSocketAddress sender = (InetSocketAddress) channel.receive(into.datagram());
                if (sender == null) {
                    return null;
                }
                // The channel returns the same object as long as the sender is the same.
                if (sender != lastSender || lastRoute == null) {
                    lastSender = sender;
                    lastRoute = new UdpRoute(
                            ByteBuffer.wrap(sender.getAddress().getAddress()).getInt(),
                            sender.getPort(),
                            here.destinationIp(),
                            here.destinationPort());
                }
                return lastRoute;
            } catch (IOException e) {
                // An error that an earlier datagram met, as the system tells of it.
                counters.add(RoceCounters.Counter.SEND_FAILURES);
                return null;
            }
        }

        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "closing a socket", e);
            }
        }
    }
}
