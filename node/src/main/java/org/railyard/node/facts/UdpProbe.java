package org.railyard.node.facts;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import jdk.net.ExtendedSocketOptions;
import org.railyard.doctor.HostFacts.Passage;
import org.railyard.doctor.HostFacts.Path;

/**
 * Tries whether packets of a size get to another machine, by datagrams to a port where nobody listens: a machine that
 * gets one says so by ICMP, which needs no privilege to hear. They must not be cut on the way.
 */
final class UdpProbe {
    /** As traceroute does: a port that nobody uses. */
    private static final int PORT = 33_434;

    private static final int SMALL = 64;
    private static final int UDP_HEADER = 8;
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int TRIES = 3;
    private static final long WAIT_MILLIS = 300;
    private static final int LONGEST = 65_535;

    private UdpProbe() {}

    /** Tries one path; takes at most two seconds. */
    static Passage tryOut(Path path) {
        boolean four = path.from().getAddress().length == 4;
        int room = Math.min(path.bytes(), LONGEST) - UDP_HEADER - (four ? IPV4_HEADER : IPV6_HEADER);
        try (DatagramChannel channel =
                        DatagramChannel.open(four ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
                Selector selector = Selector.open()) {
            channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            channel.bind(new InetSocketAddress(path.from(), 0));
            channel.connect(new InetSocketAddress(path.to(), PORT));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            Passage small = send(channel, selector, Math.min(SMALL, Math.max(0, room)));
            if (small != Passage.FITS) {
                return small == Passage.TOO_LONG ? Passage.UNKNOWN : Passage.SILENT;
            }
            return send(channel, selector, Math.max(0, room));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            // No such address here, or no way at all: other checks tell of that.
            return Passage.UNKNOWN;
        }
    }

    private static Passage send(DatagramChannel channel, Selector selector, int length) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            try {
                channel.write(ByteBuffer.allocate(length));
                if (hears(channel, selector)) {
                    return Passage.FITS;
                }
            } catch (PortUnreachableException e) {
                return Passage.FITS;
            } catch (IOException e) {
                if (String.valueOf(e.getMessage()).contains("too long")) {
                    return Passage.TOO_LONG;
                }
                throw e;
            }
        }
        return Passage.LOST;
    }

    /** Waits for the answer; somebody who listens there after all is one, too. */
    private static boolean hears(DatagramChannel channel, Selector selector) throws IOException {
        selector.selectedKeys().clear();
        if (selector.select(WAIT_MILLIS) == 0) {
            return false;
        }
        return channel.read(ByteBuffer.allocate(1)) >= 0;
    }
}
