package org.railyard.itest.recorded;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.decode.capture.CaptureBytes;
import org.railyard.decode.capture.CaptureProblems;
import org.railyard.decode.capture.CaptureReader;
import org.railyard.decode.capture.CapturedPacket;
import org.railyard.decode.capture.NotACaptureException;
import org.railyard.decode.tcp.ConnectionListener;
import org.railyard.decode.tcp.PacketParser;
import org.railyard.decode.tcp.StreamListener;
import org.railyard.decode.tcp.TcpConnection;
import org.railyard.decode.tcp.TcpEndpoint;
import org.railyard.decode.tcp.TcpSegment;
import org.railyard.decode.tcp.TcpTracker;
import org.railyard.itest.talk.Item;
import org.railyard.itest.talk.ItemReader;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.MessageType;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.ProtocolVersion;

/**
 * What kernel nodes said in a capture, in the order of its packets.
 *
 * @param name the capture
 * @param connections the connections, by number
 * @param lines what was said
 */
record Recording(String name, Map<Integer, Connection> connections, List<Line> lines) {
    /** A connection. */
    record Connection(int number, TcpEndpoint from, TcpEndpoint to) {
        /** Returns the NID, on tcp, of the address that opened it. */
        Nid initiator() {
            return Nid.parse(from.address() + "@tcp");
        }

        /** Returns the NID, on tcp, of the address that was called. */
        Nid acceptor() {
            return Nid.parse(to.address() + "@tcp");
        }

        /** Returns sender and receiver, with ports, as {@code a 1 b 2}. */
        String direction(boolean fromInitiator) {
            TcpEndpoint sender = fromInitiator ? from : to;
            TcpEndpoint receiver = fromInitiator ? to : from;
            return sender.address() + " " + sender.port() + " " + receiver.address() + " " + receiver.port();
        }
    }

    /**
     * One thing said.
     *
     * @param seconds time since the first packet, s
     */
    record Line(double seconds, int connection, boolean fromInitiator, Item item) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT, "%.6f s, c%d %s %s", seconds, connection, fromInitiator ? ">" : "<", item);
        }
    }

    /** Copies. */
    Recording {
        connections = Map.copyOf(connections);
        lines = List.copyOf(lines);
    }

    /** Loads a capture of kernel nodes from the test resources. */
    static Recording load(String name) {
        try (InputStream in = Recording.class.getResourceAsStream("/captures/" + name + ".pcap.gz")) {
            return read(name, new GZIPInputStream(Objects.requireNonNull(in, name)).readAllBytes(), 988);
        } catch (IOException | WireFormatException | NotACaptureException e) {
            throw new IllegalStateException("capture " + name + " can not be read", e);
        }
    }

    /** Reads a capture. */
    static Recording read(String name, byte[] capture, int port)
            throws NotACaptureException, IOException, WireFormatException {
        CaptureProblems problems = new CaptureProblems(problem -> {
            throw new IllegalStateException(name + ": " + problem);
        });
        Collector collector = new Collector();
        CaptureReader reader = CaptureReader.open(CaptureBytes.of(MemorySegment.ofArray(capture)), problems);
        PacketParser parser = new PacketParser(problems);
        TcpTracker tracker = new TcpTracker(Set.of(port), collector, problems);
        long start = -1;
        for (CapturedPacket packet = reader.next(); packet != null; packet = reader.next()) {
            start = start < 0 ? packet.time() : start;
            TcpSegment segment = parser.parse(packet);
            if (segment != null) {
                tracker.add(segment);
            }
        }
        tracker.end();
        return collector.recording(name, start);
    }

    /**
     * Returns the recording without messages on other portals than LNet's own, and without what only belongs to these.
     */
    Recording ofPortal0() {
        Set<Item.Handle> handles = lines.stream()
                .map(Line::item)
                .filter(Item.Message.class::isInstance)
                .map(Item.Message.class::cast)
                .filter(message -> message.isRequest() && message.header().portal() == Wire.RESERVED_PORTAL)
                .map(Item.Message::handle)
                .collect(Collectors.toSet());
        return filtered(line -> switch (line.item()) {
            case Item.Message message -> handles.contains(message.handle());
            case Item.Noop noop -> false;
            default -> true;
        });
    }

    /** Returns the recording up to a time. */
    Recording until(double seconds) {
        return filtered(line -> line.seconds() < seconds);
    }

    /** Returns the recording up to and with the first ACK. */
    Recording upToFirstAck() {
        int end = 0;
        while (!(lines.get(end).item() instanceof Item.Message message
                && message.header().type() == MessageType.ACK)) {
            end++;
        }
        return new Recording(name, connections, lines.subList(0, end + 1));
    }

    private Recording filtered(Predicate<Line> wanted) {
        return new Recording(name, connections, lines.stream().filter(wanted).toList());
    }

    /** A direction of a connection: its bytes, and which segment brought which. */
    private static final class Side implements StreamListener {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final TreeMap<Long, TcpSegment> segments = new TreeMap<>();

        @Override
        public void data(long offset, MemorySegment data, TcpSegment segment, boolean segmentStart) {
            segments.put((long) bytes.size(), segment);
            bytes.writeBytes(data.toArray(ValueLayout.JAVA_BYTE));
        }

        @Override
        public void gap(long offset, long length, TcpSegment noticed) {
            throw new IllegalStateException(length + " bytes are missing at packet " + noticed.packet());
        }

        @Override
        public void end() {}
    }

    private record Placed(long packet, long time, int connection, boolean fromInitiator, Item item) {}

    private static final class Collector implements ConnectionListener {
        private record Sides(Side initiator, Side acceptor) {}

        private final Map<Integer, Connection> connections = new TreeMap<>();
        private final Map<Integer, Sides> sides = new TreeMap<>();
        private final List<Placed> placed = new ArrayList<>();

        @Override
        public Listeners opened(TcpConnection connection) {
            connections.put(
                    connection.number(),
                    new Connection(connection.number(), connection.initiator(), connection.acceptor()));
            Sides both = new Sides(new Side(), new Side());
            sides.put(connection.number(), both);
            return new Listeners(both.initiator, both.acceptor);
        }

        @Override
        public void flag(TcpConnection connection, boolean fromInitiator, Flag flag, TcpSegment segment) {
            Item item = switch (flag) {
                case SYN -> new Item.Open();
                case FIN -> new Item.End("FIN");
                case SYN_AGAIN, RST -> null;
            };
            if (item != null) {
                placed.add(new Placed(segment.packet(), segment.time(), connection.number(), fromInitiator, item));
            }
        }

        Recording recording(String name, long start) throws IOException, WireFormatException {
            for (Map.Entry<Integer, Sides> entry : sides.entrySet()) {
                ProtocolVersion version = readSide(entry.getKey(), false, entry.getValue().acceptor, null);
                readSide(entry.getKey(), true, entry.getValue().initiator, version);
            }
            placed.sort(Comparator.comparingLong(Placed::packet));
            return new Recording(
                    name,
                    connections,
                    placed.stream()
                            .map(p -> new Line((p.time - start) / 1e9, p.connection, p.fromInitiator, p.item))
                            .toList());
        }

        /** Reads one side of a connection; returns the version it speaks. */
        private ProtocolVersion readSide(int connection, boolean initiator, Side side, @Nullable ProtocolVersion agreed)
                throws IOException, WireFormatException {
            ItemReader reader = new ItemReader(new ByteArrayInputStream(side.bytes.toByteArray()));
            if (initiator) {
                place(connection, true, side, 0, reader.readRequest());
            }
            long at = reader.position();
            Item.Greeting greeting = reader.readHello();
            place(connection, initiator, side, at, greeting);
            ProtocolVersion version = agreed != null ? agreed : greeting.hello().version();
            if (greeting.hello().type() == ConnectionType.NONE) {
                return version;
            }
            while (true) {
                at = reader.position();
                Item item = reader.readFrame(version);
                if (item instanceof Item.End) {
                    return version;
                }
                place(connection, initiator, side, at, item);
            }
        }

        private void place(int connection, boolean fromInitiator, Side side, long offset, Item item) {
            TcpSegment segment = side.segments.floorEntry(offset).getValue();
            placed.add(new Placed(segment.packet(), segment.time(), connection, fromInitiator, item));
        }
    }
}
