package org.railyard.lab.net;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.engine.SimEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;

/**
 * The sending end of a connection from an NI to a NID. Sends each frame again until it is acknowledged; gives every
 * message back once, with a status that tells where it was when the connection broke.
 */
final class SendChannel {
    /**
     * From this size on, a message over TCP is complete when the other LND says so, and not when the socket has taken
     * it.
     */
    private static final int ZERO_COPY_BYTES = 16 << 10;

    private static final int WINDOW_BYTES = 4 << 20;
    private static final int HANDSHAKE_BYTES = 60;
    private static final long FIRST_CONNECT_NANOS = 1_000_000_000L;
    private static final long MAX_CONNECT_NANOS = 16_000_000_000L;
    private static final long UNREACHABLE_NANOS = 3_000_000_000L;
    private static final long FIRST_REPEAT_NANOS = 20_000_000L;
    private static final long MAX_REPEAT_NANOS = 2_000_000_000L;
    private static final int BURST = 32;

    /** The limit for a message whose stack sets none, ns. */
    private static final long TIMEOUT_NANOS = 50_000_000_000L;

    private enum State {
        CONNECTING,
        OPEN,
        CLOSED
    }

    private final SimEndpoint endpoint;
    private final SimNetwork network;
    private final EventQueue queue;
    private final Nid to;
    private final @Nullable SimDevice target;
    private final boolean completesOnAck;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final FrameRing posted = new FrameRing();
    private final Retransmitter repeater = new Retransmitter();
    private final Watchdog watchdog = new Watchdog();
    private State state = State.CONNECTING;
    private @Nullable Inbound inbound;
    private long connectWait = FIRST_CONNECT_NANOS;
    private long nextSequence;
    private long received;
    private long consumed;
    private long postedBytes;
    private long receivedBytes;
    private long recoverUntil;
    private long repeatStart;
    private long lastHeard;

    SendChannel(SimEndpoint endpoint, Nid to) {
        this.endpoint = endpoint;
        this.network = endpoint.network;
        this.queue = endpoint.network.queue;
        this.to = to;
        this.target = network.deviceOf(to);
        this.completesOnAck = to.typeNumber() != NetType.TCP.number();
    }

    /** A message that has not been sent. */
    private record Waiting(LndMessage message, long deadline) {}

    Nid from() {
        return endpoint.nid();
    }

    Nid to() {
        return to;
    }

    SimDevice device() {
        return endpoint.device;
    }

    /** Tells whether messages of all sizes wait for the other LND. */
    boolean completesOnAck() {
        return completesOnAck;
    }

    /** Sends the longest unacknowledged frames again. */
    private final class Retransmitter extends SimEvent {
        private long retryTimer = FIRST_REPEAT_NANOS;
        private long since;

        void begin() {
            if (!isScheduled()) {
                since = queue.now();
                queue.schedule(this, since + retryTimer);
            }
        }

        void progress() {
            since = queue.now();
            retryTimer = FIRST_REPEAT_NANOS;
        }

        @Override
        protected void run() {
            if (state != State.OPEN || received >= nextSequence) {
                return;
            }
            if (since + retryTimer > queue.now()) {
                queue.schedule(this, since + retryTimer);
                return;
            }
            retryTimer = Math.min(2 * retryTimer, MAX_REPEAT_NANOS);
            since = queue.now();
            recoverUntil = nextSequence;
            repeatStart = queue.now();
            repeat(1);
            queue.schedule(this, since + retryTimer);
        }
    }

    /** Breaks the connection when a message is not through in time. */
    private final class Watchdog extends SimEvent {
        void watch(long deadline) {
            if (!isScheduled() || deadline < time()) {
                queue.schedule(this, deadline);
            }
        }

        @Override
        protected void run() {
            if (state == State.CLOSED) {
                return;
            }
            long earliest = Long.MAX_VALUE;
            for (int i = 0; i < posted.size(); i++) {
                earliest = Math.min(earliest, posted.get(i).deadline);
            }
            for (Waiting each : waiting) {
                earliest = Math.min(earliest, each.deadline());
            }
            if (earliest <= queue.now()) {
                breakUp(BreakCause.TIMEOUT);
            } else if (earliest < Long.MAX_VALUE) {
                queue.schedule(this, earliest);
            }
        }
    }

    void connect() {
        SimDevice there = target;
        if (there == null) {
            queue.at(queue.now() + UNREACHABLE_NANOS, () -> breakUp(BreakCause.UNREACHABLE));
            return;
        }
        attempt(there);
    }

    private void attempt(SimDevice there) {
        if (state != State.CONNECTING) {
            return;
        }
        if (!device().isUp() || !device().rail().reaches(there.rail())) {
            queue.at(queue.now(), () -> breakUp(BreakCause.NO_ROUTE));
            return;
        }
        long arrival = network.pass(device(), there, HANDSHAKE_BYTES);
        if (arrival != SimNetwork.LOST) {
            queue.at(arrival, () -> knock(there));
        }
        queue.at(queue.now() + connectWait, () -> attempt(there));
        connectWait = Math.min(2 * connectWait, MAX_CONNECT_NANOS);
    }

    /** The request for a connection arrives at the other machine. */
    private void knock(SimDevice there) {
        if (state != State.CONNECTING || !there.passes() || there.machine().power() == SimMachine.Power.OFF) {
            return;
        }
        long arrival = network.pass(there, device(), HANDSHAKE_BYTES);
        SimEndpoint listener = there.endpoint(to);
        if (listener == null) {
            if (arrival != SimNetwork.LOST) {
                queue.at(arrival, () -> heard(() -> breakUp(BreakCause.REFUSED)));
            }
            return;
        }
        Inbound made = listener.accept(this);
        inbound = made;
        if (arrival != SimNetwork.LOST) {
            queue.at(arrival, () -> heard(this::opened));
        }
    }

    private void heard(Runnable then) {
        if (state == State.CONNECTING && device().passes()) {
            then.run();
        }
    }

    private void opened() {
        state = State.OPEN;
        lastHeard = queue.now();
        network.listener.connected(device().machine(), from(), to);
        post();
    }

    /** Takes a message. */
    void send(LndMessage message) {
        long timeout = message.timeoutNanos() > 0 ? message.timeoutNanos() : TIMEOUT_NANOS;
        long deadline = queue.now() + timeout;
        watchdog.watch(deadline);
        if (state == State.OPEN && waiting.isEmpty() && hasRoom()) {
            transmit(message, deadline);
        } else {
            waiting.add(new Waiting(message, deadline));
        }
    }

    private boolean hasRoom() {
        return postedBytes - receivedBytes < WINDOW_BYTES;
    }

    /** Sends what waits, as far as the window lets it. */
    private void post() {
        while (state == State.OPEN && !waiting.isEmpty() && hasRoom()) {
            Waiting next = waiting.poll();
            transmit(next.message(), next.deadline());
        }
    }

    private void transmit(LndMessage message, long deadline) {
        SimFrame frame = network.takeFrame();
        frame.hold();
        frame.load(message);
        frame.sequence = nextSequence++;
        frame.deadline = deadline;
        postedBytes += frame.wireBytes();
        posted.add(frame);
        boolean early = !completesOnAck && frame.length < ZERO_COPY_BYTES;
        if (early) {
            frame.keep(network.payloads);
        }
        put(frame);
        repeater.begin();
        if (early) {
            endpoint.stack.complete(message, 0, HealthStatus.OK);
        }
    }

    /** Puts a frame on the wire, for the first time or again. */
    private void put(SimFrame frame) {
        SimDevice there = target;
        Inbound end = inbound;
        if (there == null || end == null) {
            throw new IllegalStateException("a frame is sent on a connection without another end");
        }
        frame.lastSent = queue.now();
        long arrival = network.pass(device(), there, frame.wireBytes());
        if (arrival == SimNetwork.LOST) {
            network.listener.lost(from(), to);
            return;
        }
        network.deliver(frame, end, arrival);
        if (network.repeats(device())) {
            network.deliver(frame, end, arrival + FIRST_REPEAT_NANOS / 2);
        }
    }

    private void repeat(int most) {
        if (posted.isEmpty()) {
            return;
        }
        long first = posted.get(0).sequence;
        for (int i = (int) Math.max(0, received - first), sent = 0; i < posted.size() && sent < most; i++) {
            SimFrame frame = posted.get(i);
            if (frame.sequence >= recoverUntil) {
                break;
            }
            if (frame.lastSent < repeatStart || frame.sequence == received && most == 1) {
                put(frame);
                sent++;
            }
        }
    }

    /**
     * The other end tells how many frames have arrived, and how many of them its stack has taken.
     *
     * @return whether this is still a connection with that end
     */
    boolean acknowledged(Inbound by, long nowReceived, long nowBytes, long nowConsumed) {
        if (state != State.OPEN || by != inbound) {
            return false;
        }
        lastHeard = queue.now();
        boolean progress = nowReceived > received;
        received = Math.max(received, nowReceived);
        receivedBytes = Math.max(receivedBytes, nowBytes);
        consumed = Math.max(consumed, nowConsumed);
        if (progress) {
            repeater.progress();
            if (received < recoverUntil) {
                repeat(BURST);
            }
        }
        while (state == State.OPEN && !posted.isEmpty() && isThrough(posted.get(0))) {
            SimFrame frame = posted.poll();
            LndMessage message = frame.message;
            frame.message = null;
            network.letGo(frame);
            if (message != null) {
                endpoint.stack.complete(message, 0, HealthStatus.OK);
            }
        }
        post();
        return true;
    }

    private boolean isThrough(SimFrame frame) {
        return frame.sequence < (frame.message == null ? received : consumed);
    }

    /** The other end resets the connection; this end learns it when that arrives. */
    void resetFrom(SimDevice there) {
        if (state == State.CLOSED) {
            return;
        }
        long arrival = network.pass(there, device(), HANDSHAKE_BYTES);
        if (arrival != SimNetwork.LOST) {
            queue.at(arrival, () -> {
                if (device().passes()) {
                    breakUp(BreakCause.RESET);
                }
            });
        }
    }

    /** Ends the connection and gives back every message on it. No effect if it has ended. */
    void breakUp(BreakCause cause) {
        if (state == State.CLOSED) {
            return;
        }
        List<LndMessage> sent = new ArrayList<>();
        List<LndMessage> arrived = new ArrayList<>();
        while (!posted.isEmpty()) {
            SimFrame frame = posted.poll();
            if (frame.message != null) {
                (frame.sequence < received ? arrived : sent).add(frame.message);
            }
            network.abandon(frame);
        }
        List<Waiting> queued = List.copyOf(waiting);
        vanish(true);
        network.listener.broken(device().machine(), from(), to, cause);
        int status = cause.errno().status();
        arrived.forEach(message -> endpoint.stack.complete(message, status, cause.unacknowledged()));
        sent.forEach(message -> endpoint.stack.complete(message, status, cause.posted()));
        queued.forEach(each -> endpoint.stack.complete(each.message(), status, cause.queued()));
        if (cause != BreakCause.SHUTDOWN && cause != BreakCause.LINK_DOWN && cause != BreakCause.NO_ROUTE) {
            endpoint.stack.notifyPeer(endpoint.ni, to, false, false, lastHeard);
        }
    }

    /** Ends the connection without a word to the stack; the other end is told if there is power for it. */
    void vanish(boolean tell) {
        state = State.CLOSED;
        endpoint.remove(this);
        queue.cancel(repeater);
        queue.cancel(watchdog);
        waiting.clear();
        while (!posted.isEmpty()) {
            network.abandon(posted.poll());
        }
        Inbound end = inbound;
        SimDevice there = target;
        if (tell && end != null && there != null) {
            long arrival = network.pass(device(), there, HANDSHAKE_BYTES);
            if (arrival != SimNetwork.LOST) {
                queue.at(arrival, () -> {
                    if (there.passes()) {
                        end.close(false);
                    }
                });
            }
        }
    }
}
