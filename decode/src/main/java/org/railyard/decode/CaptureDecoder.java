package org.railyard.decode;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.railyard.decode.capture.CaptureBytes;
import org.railyard.decode.capture.CaptureProblems;
import org.railyard.decode.capture.CaptureReader;
import org.railyard.decode.capture.CapturedPacket;
import org.railyard.decode.capture.NotACaptureException;
import org.railyard.decode.tcp.ConnectionListener;
import org.railyard.decode.tcp.PacketParser;
import org.railyard.decode.tcp.TcpConnection;
import org.railyard.decode.tcp.TcpSegment;
import org.railyard.decode.tcp.TcpTracker;

/** Decodes a capture, of which it keeps nothing: what it finds goes to an {@link Output} at once. Not thread-safe. */
final class CaptureDecoder implements ConnectionListener {
    /** Most elements of one capture that are kept; what comes later is left out and reported. */
    static final int MAX_ELEMENTS = 1_000_000;

    /** Takes what is found. */
    interface Output {
        /**
         * Learns of the first packet.
         *
         * @param time when it was captured, ns since 1970
         */
        void started(long time);

        /** Learns of a connection, before its elements. */
        void opened(TcpConnection connection);

        /** Takes an element when it is complete; {@link Element#packet} tells where it began. */
        void element(Element element);
    }

    /**
     * How much a capture has.
     *
     * @param packets how many packets
     * @param skippedConnections how many connections go to other ports
     */
    record Totals(long packets, int skippedConnections) {}

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

    private final Output output;

    private CaptureDecoder(Output output) {
        this.output = output;
    }

    /**
     * Decodes a capture as it comes.
     *
     * @param bytes the capture
     * @param ports connections with one of these ports at either end are decoded
     * @param problems learns what is wrong with the capture
     * @throws NotACaptureException if it is none
     */
    static Totals decode(CaptureBytes bytes, Set<Integer> ports, CaptureProblems problems, Output output)
            throws NotACaptureException {
        CaptureReader reader = CaptureReader.open(bytes, problems);
        PacketParser parser = new PacketParser(problems);
        TcpTracker tracker = new TcpTracker(ports, new CaptureDecoder(output), problems);
        long packets = 0;
        for (CapturedPacket packet = reader.next(); packet != null; packet = reader.next()) {
            if (packets++ == 0) {
                output.started(packet.time());
            }
            TcpSegment segment = parser.parse(packet);
            if (segment != null) {
                tracker.add(segment);
            }
        }
        tracker.end();
        return new Totals(packets, tracker.skippedConnections());
    }

    /**
     * Decodes a whole capture and puts what it finds into order.
     *
     * @param file the file
     * @param ports connections with one of these ports at either end are decoded
     * @param filter which elements are kept
     * @param problems learns what is wrong with the file
     * @throws NotACaptureException if the file is no capture
     */
    static Result decode(MemorySegment file, Set<Integer> ports, ElementFilter filter, CaptureProblems problems)
            throws NotACaptureException {
        Collected collected = new Collected(filter, problems);
        Totals totals = decode(CaptureBytes.of(file), ports, problems, collected);
        collected.elements.sort(Comparator.comparingLong(Element::packet));
        return new Result(
                List.copyOf(collected.connections),
                List.copyOf(collected.elements),
                collected.startTime,
                totals.packets(),
                totals.skippedConnections());
    }

    @Override
    public Listeners opened(TcpConnection connection) {
        output.opened(connection);
        return new Listeners(
                new StreamDecoder(connection, true, output::element),
                new StreamDecoder(connection, false, output::element));
    }

    @Override
    public void flag(TcpConnection connection, boolean fromInitiator, Flag flag, TcpSegment segment) {
        output.element(new Element(
                segment.packet(), segment.time(), connection.number(), fromInitiator, -1, new Element.Tcp(flag)));
    }

    private static final class Collected implements Output {
        private final ElementFilter filter;
        private final CaptureProblems problems;
        private final List<TcpConnection> connections = new ArrayList<>();
        private final List<Element> elements = new ArrayList<>();
        private long startTime;
        private boolean full;

        Collected(ElementFilter filter, CaptureProblems problems) {
            this.filter = filter;
            this.problems = problems;
        }

        @Override
        public void started(long time) {
            startTime = time;
        }

        @Override
        public void opened(TcpConnection connection) {
            connections.add(connection);
        }

        @Override
        public void element(Element element) {
            if (!filter.shows(element)) {
                return;
            }
            if (elements.size() < MAX_ELEMENTS) {
                elements.add(element);
            } else if (!full) {
                full = true;
                problems.report(
                        0,
                        "more than " + MAX_ELEMENTS + " elements in this capture",
                        "a shorter capture, a filter, or standard input, which is printed as it comes; the rest is"
                                + " left out");
            }
        }
    }
}
