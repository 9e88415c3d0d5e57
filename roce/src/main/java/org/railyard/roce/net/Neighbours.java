package org.railyard.roce.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.railyard.verbs.card.cm.Reach;

/**
 * Who is there on the network: the routes of the operating system, and the neighbours it knows, as Linux shows them.
 */
public final class Neighbours {
    private static final System.Logger LOG = System.getLogger(Neighbours.class.getName());

    /** What is sent there is thrown away; it makes the system ask for the neighbour. */
    private static final int DISCARD_PORT = 9;

    private static final int ADDRESS_COLUMN = 0;
    private static final int FLAGS_COLUMN = 2;
    private static final int DEVICE_COLUMN = 5;
    private static final int COMPLETE = 2;
    private static final int LOOPBACK_NET = 127;

    private final Path table;

    /** Makes one that reads the table of neighbours from a file, usually {@code /proc/net/arp}. */
    public Neighbours(Path table) {
        this.table = table;
    }

    /** Tells whether there is a way from an interface to an address; asks for the neighbour that has it. */
    public Reach reach(LocalInterface from, int ip) {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(LocalInterface.address(from.ip()), 0));
            // Sends nothing, but fails without a route.
            channel.connect(new InetSocketAddress(LocalInterface.address(ip), DISCARD_PORT));
            if (!from.reaches(ip) || isHere(ip)) {
                return Reach.YES;
            }
            Reach known = look(from.systemName(), LocalInterface.text(ip));
            if (known == Reach.WAIT) {
                channel.write(ByteBuffer.allocate(1));
            }
            return known;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, () -> "no route to " + LocalInterface.text(ip) + ": " + e.getMessage());
            return Reach.NO;
        }
    }

    /** Tells whether an address is one of this machine, on whatever interface: nobody answers for it on the network. */
    private static boolean isHere(int ip) throws SocketException {
        return ip >>> Integer.SIZE - Byte.SIZE == LOOPBACK_NET
                || NetworkInterface.getByInetAddress(LocalInterface.address(ip)) != null;
    }

    private Reach look(String device, String address) {
        List<String> lines;
        try {
            lines = Files.readAllLines(table);
        } catch (IOException e) {
            // Not Linux: there is no table to look at.
            return Reach.YES;
        }
        return lines.stream()
                        .map(line -> line.split("\\s+"))
                        .filter(words -> words.length > DEVICE_COLUMN
                                && words[ADDRESS_COLUMN].equals(address)
                                && words[DEVICE_COLUMN].equals(device))
                        .anyMatch(words -> (Integer.decode(words[FLAGS_COLUMN]) & COMPLETE) != 0)
                ? Reach.YES
                : Reach.WAIT;
    }
}
