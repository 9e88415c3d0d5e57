package org.railyard.decode.tcp;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.decode.capture.CaptureProblems;

/** Sorts the segments of a capture into connections to the watched ports. Not thread-safe. */
public final class TcpTracker {
    /** Most connections that are followed, and most that are counted as skipped. */
    public static final int MAX_CONNECTIONS = 65_536;

    /** The two ends in an order that does not depend on the direction of a packet. */
    private record Pair(TcpEndpoint lower, TcpEndpoint higher) {
        static Pair of(TcpSegment segment) {
            int order = compare(segment.from(), segment.to());
            return order < 0 ? new Pair(segment.from(), segment.to()) : new Pair(segment.to(), segment.from());
        }

        private static int compare(TcpEndpoint a, TcpEndpoint b) {
            int ports = Integer.compare(a.port(), b.port());
            return ports != 0 ? ports : compare(a.address(), b.address());
        }

        private static int compare(IpAddress a, IpAddress b) {
            int high = Long.compareUnsigned(a.high(), b.high());
            return high != 0 ? high : Long.compareUnsigned(a.low(), b.low());
        }
    }

    private static final class Tracked {
        final TcpConnection connection;
        final TcpStream fromInitiator;
        final TcpStream fromAcceptor;
        boolean initiatorFinished;
        boolean acceptorFinished;

        Tracked(TcpConnection connection, ConnectionListener.Listeners listeners) {
            this.connection = connection;
            this.fromInitiator = new TcpStream(listeners.fromInitiator());
            this.fromAcceptor = new TcpStream(listeners.fromAcceptor());
        }

        void end() {
            fromInitiator.end();
            fromAcceptor.end();
        }
    }

    private final Set<Integer> ports;
    private final ConnectionListener listener;
    private final CaptureProblems problems;
    private final Map<Pair, Tracked> current = new LinkedHashMap<>();
    private final Set<Pair> skipped = new HashSet<>();
    private int connections;
    private boolean full;

    /**
     * Makes a tracker.
     *
     * @param ports connections with one of these ports at either end are followed
     */
    public TcpTracker(Set<Integer> ports, ConnectionListener listener, CaptureProblems problems) {
        this.ports = Set.copyOf(ports);
        this.listener = listener;
        this.problems = problems;
    }

    /** Takes the next segment of the capture. */
    public void add(TcpSegment segment) {
        Pair pair = Pair.of(segment);
        if (!ports.contains(segment.from().port())
                && !ports.contains(segment.to().port())) {
            if (skipped.size() < MAX_CONNECTIONS) {
                skipped.add(pair);
            }
            return;
        }
        Tracked tracked = connectionOf(pair, segment);
        if (tracked == null) {
            return;
        }
        boolean fromInitiator = segment.from().equals(tracked.connection.initiator());
        TcpStream stream = fromInitiator ? tracked.fromInitiator : tracked.fromAcceptor;
        if (segment.has(TcpSegment.SYN)) {
            ConnectionListener.Flag flag =
                    stream.isOpen() ? ConnectionListener.Flag.SYN_AGAIN : ConnectionListener.Flag.SYN;
            if (!stream.isOpen()) {
                stream.open(segment.sequence());
            }
            if (fromInitiator) {
                listener.flag(tracked.connection, true, flag, segment);
            }
            return;
        }
        if (segment.payload().byteSize() + segment.missing() > 0
                && !segment.has(TcpSegment.RST)
                && !stream.add(segment)) {
            problems.report(
                    segment.offset(),
                    "sequence number " + Integer.toUnsignedString(segment.sequence()),
                    "one near those of the connection");
        }
        noteEnd(tracked, fromInitiator, segment);
    }

    private void noteEnd(Tracked tracked, boolean fromInitiator, TcpSegment segment) {
        if (segment.has(TcpSegment.RST)) {
            listener.flag(tracked.connection, fromInitiator, ConnectionListener.Flag.RST, segment);
            return;
        }
        boolean finished = fromInitiator ? tracked.initiatorFinished : tracked.acceptorFinished;
        if (segment.has(TcpSegment.FIN) && !finished) {
            if (fromInitiator) {
                tracked.initiatorFinished = true;
            } else {
                tracked.acceptorFinished = true;
            }
            listener.flag(tracked.connection, fromInitiator, ConnectionListener.Flag.FIN, segment);
        }
    }

    private @Nullable Tracked connectionOf(Pair pair, TcpSegment segment) {
        boolean opens = segment.has(TcpSegment.SYN) && !segment.has(TcpSegment.ACK);
        Tracked tracked = current.get(pair);
        if (tracked != null && !(opens && isAnother(tracked, segment))) {
            return tracked;
        }
        if (tracked != null) {
            tracked.end();
            current.remove(pair);
        }
        if (connections == MAX_CONNECTIONS) {
            if (!full) {
                full = true;
                problems.report(
                        segment.offset(),
                        "one connection more",
                        "at most " + MAX_CONNECTIONS + "; later ones are left out");
            }
            return null;
        }
        connections++;
        TcpConnection connection = isFromInitiator(segment)
                ? new TcpConnection(connections, segment.from(), segment.to(), opens)
                : new TcpConnection(connections, segment.to(), segment.from(), false);
        Tracked fresh = new Tracked(connection, listener.opened(connection));
        current.put(pair, fresh);
        return fresh;
    }

    /** Tells whether an opening SYN is not just the one that opened this connection, sent again. */
    private static boolean isAnother(Tracked tracked, TcpSegment syn) {
        return !syn.from().equals(tracked.connection.initiator()) || !tracked.fromInitiator.startedAt(syn.sequence());
    }

    /** Guesses, without a SYN, from the ports who opened the connection. */
    private boolean isFromInitiator(TcpSegment segment) {
        if (segment.has(TcpSegment.SYN)) {
            return !segment.has(TcpSegment.ACK);
        }
        return ports.contains(segment.to().port());
    }

    /** Ends all connections; call at the end of the capture. */
    public void end() {
        current.values().forEach(Tracked::end);
        current.clear();
    }

    /** Returns how many connections to other ports were seen, counted up to {@link #MAX_CONNECTIONS}. */
    public int skippedConnections() {
        return skipped.size();
    }
}
