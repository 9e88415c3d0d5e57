package org.railyard.cli.decode;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.railyard.cli.decode.capture.CaptureReader;
import org.railyard.cli.decode.capture.CapturedPacket;
import org.railyard.cli.decode.capture.NotACaptureException;
import org.railyard.cli.decode.capture.Problems;
import org.railyard.cli.decode.tcp.ConnectionListener;
import org.railyard.cli.decode.tcp.PacketParser;
import org.railyard.cli.decode.tcp.TcpConnection;
import org.railyard.cli.decode.tcp.TcpSegment;
import org.railyard.cli.decode.tcp.TcpTracker;

/** Decodes a whole capture. */
final class CaptureDecoder implements ConnectionListener {
    /** Most elements of one capture; what comes later is left out and reported. */
    static final int MAX_ELEMENTS = 1_000_000;

    /**
     * What is in a capture.
     *
     * @param connections in the order of the capture
     * @param elements in the order of the packets with their first bytes
     * @param startTime time of the first packet, ns since 1970
     * @param packets how many packets the capture has
     * @param skippedConnections how many connections go to other ports
     */
    record Result(
            List<TcpConnection> connections,
            List<Element> elements,
            long startTime,
            long packets,
            int skippedConnections) {}

    private final Problems problems;
    private final List<TcpConnection> connections = new ArrayList<>();
    private final List<Element> elements = new ArrayList<>();
    private boolean full;

    private CaptureDecoder(Problems problems) {
        this.problems = problems;
    }

    /**
     * Decodes a capture.
     *
     * @param file the file
     * @param ports connections with one of these ports at either end are decoded
     * @param problems learns what is wrong with the file
     * @throws NotACaptureException if the file is no capture
     */
    static Result decode(MemorySegment file, Set<Integer> ports, Problems problems) throws NotACaptureException {
        CaptureReader reader = CaptureReader.open(file, problems);
        CaptureDecoder decoder = new CaptureDecoder(problems);
        PacketParser parser = new PacketParser(problems);
        TcpTracker tracker = new TcpTracker(ports, decoder, problems);
        long startTime = 0;
        long packets = 0;
        for (CapturedPacket packet = reader.next(); packet != null; packet = reader.next()) {
            startTime = packets == 0 ? packet.time() : startTime;
            packets++;
            TcpSegment segment = parser.parse(packet);
            if (segment != null) {
                tracker.add(segment);
            }
        }
        tracker.end();
        decoder.elements.sort(Comparator.comparingLong(Element::packet));
        return new Result(
                List.copyOf(decoder.connections),
                List.copyOf(decoder.elements),
                startTime,
                packets,
                tracker.skippedConnections());
    }

    @Override
    public Listeners opened(TcpConnection connection) {
        connections.add(connection);
        return new Listeners(
                new StreamDecoder(connection, true, this::add), new StreamDecoder(connection, false, this::add));
    }

    @Override
    public void flag(TcpConnection connection, boolean fromInitiator, Flag flag, TcpSegment segment) {
        add(new Element(
                segment.packet(), segment.time(), connection.number(), fromInitiator, -1, new Element.Tcp(flag)));
    }

    private void add(Element element) {
        if (elements.size() < MAX_ELEMENTS) {
            elements.add(element);
        } else if (!full) {
            full = true;
            problems.report(
                    0,
                    "more than " + MAX_ELEMENTS + " elements in this capture",
                    "a shorter capture; the rest is left out");
        }
    }
}
