package org.railyard.softverbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.route.PathSls;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.CmListener;
import org.railyard.verbs.CmRejectReason;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.PathRecord;
import org.railyard.verbs.Pd;
import org.railyard.verbs.PrivateData;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;

/** One end of a connection on a simulated fabric: the state machine between its user and the messages of the managers. */
final class SoftCmId implements CmId {
    private static final CmAddress NOWHERE = new CmAddress(0, 0);
    private static final int ENETUNREACH = 101;
    private static final int ETIMEDOUT = 110;
    private static final int REJECT_TIMEOUT = 4;
    private static final int PSN_BITS = 24;

    /** How long the numbers of a queue pair stay out of use, ns. */
    private static final long TIME_WAIT_NANOS = 1_000_000_000L;

    private enum State {
        IDLE,
        LISTENING,
        RESOLVING_ADDRESS,
        ADDRESS_KNOWN,
        RESOLVING_ROUTE,
        ROUTE_KNOWN,
        CONNECTING,
        REQUESTED,
        ACCEPTED,
        ESTABLISHED,
        DISCONNECTING,
        OVER
    }

    private final SoftManager manager;
    private final SoftNode node;
    private final int number;
    private final SoftLoop loop;
    private final CmListener listener;
    private State state = State.IDLE;
    private CmAddress local = NOWHERE;
    private CmAddress remote = NOWHERE;
    private boolean bound;
    private @Nullable SoftPort ownPort;
    private @Nullable SoftPort remotePort;
    private int remoteNumber;
    private @Nullable PathRecord path;
    private @Nullable SoftQp qp;
    private CmMessage.Offer theirs = CmMessage.Offer.NONE;
    private long ownPsn;
    private @Nullable CmMessage unanswered;
    private int tries;
    private Timeline.@Nullable Cancel timer;
    private boolean closed;

    SoftCmId(SoftManager manager, SoftNode node, int number, SoftLoop loop, CmListener listener) {
        this.manager = manager;
        this.node = node;
        this.number = number;
        this.loop = loop;
        this.listener = listener;
    }

    int number() {
        return number;
    }

    SoftLoop loop() {
        return loop;
    }

    CmListener listener() {
        return listener;
    }

    /** Tells the user, in the loop. */
    void tell(CmEvent event) {
        loop.execute(() -> {
            if (!closed) {
                listener.onCmEvent(this, event);
            }
        });
    }

    private void expect(String what, State... states) {
        loop.check(this);
        if (closed || !Arrays.asList(states).contains(state)) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    what + " is not possible while the connection is " + (closed ? "closed" : state));
        }
    }

    @Override
    public void bind(CmAddress wanted, boolean reuse) {
        expect("to bind", State.IDLE);
        if (bound) {
            throw new VerbsException(VerbsException.Code.EINVAL, "it is bound to " + local);
        }
        local = manager.bind(wanted, reuse);
        bound = true;
        SoftInterface own = node.find(wanted.ip());
        ownPort = wanted.ip() == 0 || own == null ? null : own.port();
    }

    @Override
    public void listen() {
        expect("to listen", State.IDLE);
        manager.listen(this);
        state = State.LISTENING;
    }

    @Override
    public CmAddress localAddress() {
        return local;
    }

    @Override
    public CmAddress remoteAddress() {
        return remote;
    }

    @Override
    public @Nullable VerbsDevice device() {
        return ownPort == null ? null : ownPort.device();
    }

    @Override
    public int port() {
        return ownPort == null ? 0 : ownPort.number();
    }

    @Override
    public @Nullable PathRecord path() {
        return path;
    }

    /** Lets something happen later, unless the connection was closed or is in another state by then. */
    private void later(long delayNanos, State expected, Runnable happening) {
        Timeline time = node.fabric().time();
        time.at(time.now() + delayNanos, () -> {
            if (!closed && state == expected) {
                happening.run();
            }
        });
    }

    @Override
    public void resolveAddress(CmAddress destination, long timeoutNanos) {
        expect("to resolve an address", State.IDLE);
        state = State.RESOLVING_ADDRESS;
        remote = destination;
        SoftFabric fabric = node.fabric();
        SoftInterface own = node.find(local.ip());
        long delay = fabric.settings().managerDelay();
        if (own == null || !fabric.subnet().isUp(own.port().fabricPort())) {
            later(delay, State.RESOLVING_ADDRESS, () -> fall(CmEvent.failed(CmEvent.Type.ADDRESS_ERROR, ENETUNREACH)));
            return;
        }
        if (!bound) {
            local = manager.bind(new CmAddress(own.ip(), 0), true);
            bound = true;
        }
        SoftInterface other = fabric.find(destination.ip());
        if (other == null || !fabric.subnet().isUp(other.port().fabricPort())) {
            later(
                    timeoutNanos,
                    State.RESOLVING_ADDRESS,
                    () -> fall(CmEvent.failed(CmEvent.Type.ADDRESS_ERROR, ETIMEDOUT)));
            return;
        }
        later(delay, State.RESOLVING_ADDRESS, () -> {
            ownPort = own.port();
            remotePort = other.port();
            state = State.ADDRESS_KNOWN;
            tell(CmEvent.of(CmEvent.Type.ADDRESS_RESOLVED));
        });
    }

    /** Tells of a failure after which nothing more can be done with this end. */
    private void fall(CmEvent event) {
        state = State.OVER;
        stopTimer();
        tell(event);
    }

    @Override
    public void resolveRoute(int typeOfService, long timeoutNanos) {
        expect("to resolve a route", State.ADDRESS_KNOWN);
        SoftPort own = known(ownPort);
        SoftPort other = known(remotePort);
        state = State.RESOLVING_ROUTE;
        later(node.fabric().settings().managerDelay(), State.RESOLVING_ROUTE, () -> {
            path = find(own, other, typeOfService);
            if (path == null) {
                fall(CmEvent.failed(CmEvent.Type.ROUTE_ERROR, ENETUNREACH));
            } else {
                state = State.ROUTE_KNOWN;
                tell(CmEvent.of(CmEvent.Type.ROUTE_RESOLVED));
            }
        });
    }

    private @Nullable PathRecord find(SoftPort own, SoftPort other, int typeOfService) {
        Subnet subnet = node.fabric().subnet();
        int sl = subnet.sl(own.fabricPort(), other.fabricPort(), typeOfService);
        return sl == PathSls.NO_SL ? null : record(own, other, sl);
    }

    private @Nullable PathRecord record(SoftPort own, SoftPort other, int sl) {
        Transit transit = node.fabric().subnet().transit(own.fabricPort(), other.fabricPort(), sl);
        return transit.arrives()
                ? new PathRecord(
                        own.lid(), other.lid(), sl, node.fabric().settings().mtu(), transit.slowestLink())
                : null;
    }

    private static SoftPort known(@Nullable SoftPort port) {
        if (port == null) {
            throw new VerbsException(VerbsException.Code.EINVAL, "the port is not known yet");
        }
        return port;
    }

    @Override
    public Qp createQp(Pd pd, Cq cq, QpCapabilities capabilities) {
        expect("to make a queue pair", State.ADDRESS_KNOWN, State.ROUTE_KNOWN, State.REQUESTED);
        SoftDevice own = known(ownPort).device();
        if (qp != null
                || !(pd instanceof SoftPd ownPd)
                || !(cq instanceof SoftCq ownCq)
                || ownPd.device() != own
                || ownCq.device() != own
                || ownCq.loop() != loop) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    qp != null
                            ? "there is a queue pair"
                            : "protection domain, completion queue and loop must be those of " + own);
        }
        SoftQp made = own.createQp(ownPd, ownCq, capabilities);
        qp = made;
        return made;
    }

    private SoftQp needQp() {
        if (qp == null) {
            throw new VerbsException(VerbsException.Code.EINVAL, "there is no queue pair");
        }
        return qp;
    }

    private static byte[] checked(MemorySegment data, int limit) {
        if (data.byteSize() > limit) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL, data.byteSize() + " bytes of private data, at most " + limit + " fit");
        }
        return data.toArray(ValueLayout.JAVA_BYTE);
    }

    private static MemorySegment padded(byte[] data, int bytes) {
        return MemorySegment.ofArray(Arrays.copyOf(data, bytes)).asReadOnly();
    }

    private CmMessage message(Kind kind, boolean answer, CmMessage.Offer offer, int reason, byte[] data) {
        return new CmMessage(
                kind, answer, known(ownPort), known(remotePort), number, remoteNumber, offer, reason, data);
    }

    @Override
    public void connect(ConnectParameters parameters, MemorySegment privateData) {
        expect("to connect", State.ROUTE_KNOWN);
        byte[] data = checked(privateData, PrivateData.REQUEST_BYTES);
        PathRecord way = path;
        int sl = way == null ? 0 : way.sl();
        ownPsn = node.fabric().random().nextLong(1L << PSN_BITS);
        CmMessage.Offer offer = new CmMessage.Offer(local, remote, needQp().number(), ownPsn, sl, parameters);
        theirs = offer;
        state = State.CONNECTING;
        insist(message(Kind.CM_REQUEST, false, offer, 0, data));
    }

    /** Sends a message again and again until it is answered. */
    private void insist(CmMessage message) {
        unanswered = message;
        tries = 0;
        manager.send(message);
        startTimer();
    }

    private void startTimer() {
        Timeline time = node.fabric().time();
        timer = time.at(time.now() + node.fabric().settings().managerTimeout(), this::noAnswer);
    }

    private void stopTimer() {
        unanswered = null;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void noAnswer() {
        CmMessage message = unanswered;
        if (message == null) {
            return;
        }
        if (tries++ < node.fabric().settings().managerRetries()) {
            manager.send(message);
            startTimer();
        } else if (state == State.DISCONNECTING) {
            end();
        } else {
            fall(CmEvent.failed(CmEvent.Type.UNREACHABLE, ETIMEDOUT));
        }
    }

    static CmEvent requestEvent(CmMessage request, SoftCmId id) {
        return new CmEvent(CmEvent.Type.CONNECT_REQUEST, 0, padded(request.data(), PrivateData.REQUEST_BYTES), id);
    }

    /** It was made for a request. */
    void requested(CmMessage request) {
        state = State.REQUESTED;
        local = request.offer().destination();
        remote = request.offer().source();
        ownPort = request.to();
        remotePort = request.from();
        remoteNumber = request.fromId();
        theirs = request.offer();
        path = record(request.to(), request.from(), theirs.sl());
    }

    /** The request came again: maybe the answer to it was lost. */
    void requestedAgain() {
        CmMessage message = unanswered;
        if (state == State.ACCEPTED && message != null) {
            manager.send(message);
        }
    }

    @Override
    public void accept(ConnectParameters parameters, MemorySegment privateData) {
        expect("to accept", State.REQUESTED);
        byte[] data = checked(privateData, PrivateData.REPLY_BYTES);
        SoftQp accepted = needQp();
        ownPsn = node.fabric().random().nextLong(1L << PSN_BITS);
        // How often to try is what the side says that asks.
        join(accepted, theirs.qpn(), theirs.psn(), theirs.parameters());
        state = State.ACCEPTED;
        CmMessage.Offer offer = new CmMessage.Offer(remote, local, accepted.number(), ownPsn, theirs.sl(), parameters);
        insist(message(Kind.CM_REPLY, false, offer, 0, data));
    }

    private void join(SoftQp joined, int remoteQpn, long sendPsn, ConnectParameters parameters) {
        joined.connect(
                new Peering(known(ownPort), known(remotePort), remoteQpn, theirs.sl(), sendPsn, ownPsn, parameters));
    }

    @Override
    public void reject(MemorySegment privateData) {
        expect("to reject", State.REQUESTED);
        byte[] data = checked(privateData, PrivateData.REJECT_BYTES);
        state = State.OVER;
        manager.send(message(Kind.CM_REJECT, false, CmMessage.Offer.NONE, CmRejectReason.CONSUMER_DEFINED, data));
    }

    /** A message about this connection came. */
    void receive(CmMessage message) {
        switch (message.kind()) {
            case CM_REPLY -> accepted(message);
            case CM_REJECT -> rejected(message);
            case CM_READY -> communicationKnown();
            case CM_DISCONNECT -> disconnected(message);
            case CM_REQUEST, DATA, ACK ->
                throw new IllegalStateException(message.kind() + " is not about a connection");
        }
    }

    private void accepted(CmMessage reply) {
        SoftQp joined = qp;
        if (state == State.CONNECTING && joined != null) {
            stopTimer();
            remoteNumber = reply.fromId();
            join(joined, reply.offer().qpn(), reply.offer().psn(), theirs.parameters());
            joined.setKnownToBeUp();
            state = State.ESTABLISHED;
            tell(new CmEvent(CmEvent.Type.ESTABLISHED, 0, padded(reply.data(), PrivateData.REPLY_BYTES), null));
        }
        if (state == State.ESTABLISHED) {
            manager.send(message(Kind.CM_READY, false, CmMessage.Offer.NONE, 0, new byte[0]));
        }
    }

    private void rejected(CmMessage reject) {
        if (state == State.CONNECTING || state == State.ACCEPTED) {
            if (qp != null) {
                qp.fail();
            }
            fall(new CmEvent(
                    CmEvent.Type.REJECTED, reject.reason(), padded(reject.data(), PrivateData.REJECT_BYTES), null));
        } else if (state == State.REQUESTED) {
            fall(CmEvent.failed(CmEvent.Type.CONNECT_ERROR, ETIMEDOUT));
        }
    }

    private void communicationKnown() {
        if (state == State.ACCEPTED) {
            stopTimer();
            state = State.ESTABLISHED;
            if (qp != null) {
                qp.setKnownToBeUp();
            }
            tell(new CmEvent(CmEvent.Type.ESTABLISHED, 0, padded(new byte[0], PrivateData.REPLY_BYTES), null));
        }
    }

    @Override
    public void communicationEstablished() {
        loop.check(this);
        communicationKnown();
    }

    @Override
    public void disconnect() {
        loop.check(this);
        if (state == State.ESTABLISHED || state == State.ACCEPTED) {
            stopTimer();
            breakQp();
            state = State.DISCONNECTING;
            insist(message(Kind.CM_DISCONNECT, false, CmMessage.Offer.NONE, 0, new byte[0]));
        }
    }

    private void breakQp() {
        if (qp != null) {
            qp.fail();
        }
    }

    static CmMessage disconnectAnswer(CmMessage to) {
        return new CmMessage(
                Kind.CM_DISCONNECT,
                true,
                to.to(),
                to.from(),
                to.toId(),
                to.fromId(),
                CmMessage.Offer.NONE,
                0,
                new byte[0]);
    }

    private void disconnected(CmMessage message) {
        if (!message.answer()) {
            manager.send(disconnectAnswer(message));
        }
        boolean up = state == State.ESTABLISHED || state == State.ACCEPTED;
        if (state == State.DISCONNECTING || up && !message.answer()) {
            end();
        }
    }

    private void end() {
        stopTimer();
        breakQp();
        state = State.OVER;
        tell(CmEvent.of(CmEvent.Type.DISCONNECTED));
        later(TIME_WAIT_NANOS, State.OVER, () -> tell(CmEvent.of(CmEvent.Type.TIMEWAIT_EXIT)));
    }

    @Override
    public void close() {
        loop.check(this);
        if (closed) {
            return;
        }
        switch (state) {
            case CONNECTING ->
                manager.send(message(Kind.CM_REJECT, false, CmMessage.Offer.NONE, REJECT_TIMEOUT, new byte[0]));
            case REQUESTED ->
                manager.send(message(
                        Kind.CM_REJECT, false, CmMessage.Offer.NONE, CmRejectReason.CONSUMER_DEFINED, new byte[0]));
            case ESTABLISHED, ACCEPTED ->
                manager.send(message(Kind.CM_DISCONNECT, false, CmMessage.Offer.NONE, 0, new byte[0]));
            default -> {
                // The peer knows of nothing, or knows that it is over.
            }
        }
        die();
        manager.forget(this);
    }

    /** Ends without a word. */
    void die() {
        closed = true;
        stopTimer();
        if (bound) {
            manager.unbind(local);
        }
        if (qp != null) {
            qp.close();
        }
    }

    @Override
    public String toString() {
        return "connection " + number + " of " + node + ", " + state;
    }
}
