package org.railyard.softverbs;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
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
import org.railyard.verbs.card.CardPd;
import org.railyard.verbs.card.CmState;
import org.railyard.verbs.card.PrivateBytes;

/**
 * One end of a connection on a simulated fabric: the state machine between its user and the messages of the managers.
 */
final class SoftCmId implements CmId {
    private static final CmAddress NOWHERE = new CmAddress(0, 0);
    private static final int ENETUNREACH = 101;
    private static final int ETIMEDOUT = 110;
    private static final int REJECT_TIMEOUT = 4;
    private static final int PSN_BITS = 24;

    /** How long the numbers of a queue pair stay out of use, ns. */
    private static final long TIME_WAIT_NANOS = 1_000_000_000L;

    private final SoftManager manager;
    private final SoftNode node;
    private final int number;
    private final SoftLoop loop;
    private final CmListener listener;
    private final CmRetransmitter insistence;
    private CmState state = CmState.IDLE;
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
    private boolean closed;

    SoftCmId(SoftManager manager, SoftNode node, int number, SoftLoop loop, CmListener listener) {
        this.manager = manager;
        this.node = node;
        this.number = number;
        this.loop = loop;
        this.listener = listener;
        this.insistence = new CmRetransmitter(manager, node.fabric(), this::givenUp);
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

    private void expect(String what, CmState... states) {
        loop.check(this);
        if (closed || !Arrays.asList(states).contains(state)) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    what + " is not possible while the connection is " + (closed ? "closed" : state));
        }
    }

    @Override
    public void bind(CmAddress wanted, boolean reuse) {
        expect("to bind", CmState.IDLE);
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
        expect("to listen", CmState.IDLE);
        manager.listen(this);
        state = CmState.LISTENING;
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
    private void later(long delayNanos, CmState expected, Runnable happening) {
        Timeline time = node.fabric().time();
        time.at(time.now() + delayNanos, () -> {
            if (!closed && state == expected) {
                happening.run();
            }
        });
    }

    @Override
    public void resolveAddress(CmAddress destination, long timeoutNanos) {
        expect("to resolve an address", CmState.IDLE);
        state = CmState.RESOLVING_ADDRESS;
        remote = destination;
        SoftFabric fabric = node.fabric();
        SoftInterface own = node.find(local.ip());
        if (own == null || !fabric.subnet().isUp(own.port().fabricPort())) {
            later(
                    fabric.settings().managerDelay(),
                    CmState.RESOLVING_ADDRESS,
                    () -> fall(CmEvent.failed(CmEvent.Type.ADDRESS_ERROR, ENETUNREACH)));
            return;
        }
        if (!bound) {
            local = manager.bind(new CmAddress(own.ip(), 0), true);
            bound = true;
        }
        new AddressLookup(
                        fabric,
                        own.port(),
                        destination.ip(),
                        timeoutNanos,
                        () -> !closed && state == CmState.RESOLVING_ADDRESS,
                        other -> resolved(own.port(), other),
                        () -> fall(CmEvent.failed(CmEvent.Type.ADDRESS_ERROR, ETIMEDOUT)))
                .ask();
    }

    private void resolved(SoftPort own, SoftPort other) {
        ownPort = own;
        remotePort = other;
        state = CmState.ADDRESS_KNOWN;
        tell(CmEvent.of(CmEvent.Type.ADDRESS_RESOLVED));
    }

    /** Tells of a failure after which nothing more can be done with this end. */
    private void fall(CmEvent event) {
        state = CmState.OVER;
        insistence.end();
        tell(event);
    }

    @Override
    public void resolveRoute(int typeOfService, long timeoutNanos) {
        expect("to resolve a route", CmState.ADDRESS_KNOWN);
        SoftPort own = known(ownPort);
        SoftPort other = known(remotePort);
        state = CmState.RESOLVING_ROUTE;
        later(node.fabric().settings().managerDelay(), CmState.RESOLVING_ROUTE, () -> {
            path = node.fabric().subnet().path(own, other, typeOfService);
            if (path == null) {
                fall(CmEvent.failed(CmEvent.Type.ROUTE_ERROR, ENETUNREACH));
            } else {
                state = CmState.ROUTE_KNOWN;
                tell(CmEvent.of(CmEvent.Type.ROUTE_RESOLVED));
            }
        });
    }

    private static SoftPort known(@Nullable SoftPort port) {
        if (port == null) {
            throw new VerbsException(VerbsException.Code.EINVAL, "the port is not known yet");
        }
        return port;
    }

    @Override
    public Qp createQp(Pd pd, Cq cq, QpCapabilities capabilities) {
        expect("to make a queue pair", CmState.ADDRESS_KNOWN, CmState.ROUTE_KNOWN, CmState.REQUESTED);
        SoftDevice own = known(ownPort).device();
        if (qp != null
                || !(pd instanceof CardPd ownPd)
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

    private CmMessage message(Kind kind, boolean answer, CmMessage.Offer offer, int reason, byte[] data) {
        return new CmMessage(
                kind, answer, known(ownPort), known(remotePort), number, remoteNumber, offer, reason, data);
    }

    @Override
    public void connect(ConnectParameters parameters, MemorySegment privateData) {
        expect("to connect", CmState.ROUTE_KNOWN);
        byte[] data = PrivateBytes.checked(privateData, PrivateData.REQUEST_BYTES);
        PathRecord way = path;
        int sl = way == null ? 0 : way.sl();
        ownPsn = node.fabric().random().nextLong(1L << PSN_BITS);
        CmMessage.Offer offer = new CmMessage.Offer(local, remote, needQp().number(), ownPsn, sl, parameters);
        theirs = offer;
        state = CmState.CONNECTING;
        insistence.begin(message(Kind.CM_REQUEST, false, offer, 0, data));
    }

    private void givenUp() {
        if (state == CmState.DISCONNECTING) {
            end();
        } else {
            fall(CmEvent.failed(CmEvent.Type.UNREACHABLE, ETIMEDOUT));
        }
    }

    /** It was made for a request. */
    void requested(CmMessage request) {
        state = CmState.REQUESTED;
        local = request.offer().destination();
        remote = request.offer().source();
        ownPort = request.to();
        remotePort = request.from();
        remoteNumber = request.fromId();
        theirs = request.offer();
        path = node.fabric().subnet().pathOfLevel(request.to(), request.from(), theirs.sl());
    }

    /** The request came again: maybe the answer to it was lost. */
    void requestedAgain() {
        if (state == CmState.ACCEPTED) {
            insistence.repeat();
        }
    }

    @Override
    public void accept(ConnectParameters parameters, MemorySegment privateData) {
        expect("to accept", CmState.REQUESTED);
        byte[] data = PrivateBytes.checked(privateData, PrivateData.REPLY_BYTES);
        SoftQp accepted = needQp();
        ownPsn = node.fabric().random().nextLong(1L << PSN_BITS);
        // How often to try is what the side says that asks.
        join(accepted, theirs.qpn(), theirs.psn(), theirs.parameters());
        state = CmState.ACCEPTED;
        CmMessage.Offer offer = new CmMessage.Offer(remote, local, accepted.number(), ownPsn, theirs.sl(), parameters);
        insistence.begin(message(Kind.CM_REPLY, false, offer, 0, data));
    }

    private void join(SoftQp joined, int remoteQpn, long sendPsn, ConnectParameters parameters) {
        joined.connect(
                new Peering(known(ownPort), known(remotePort), remoteQpn, theirs.sl(), sendPsn, ownPsn, parameters));
    }

    @Override
    public void reject(MemorySegment privateData) {
        expect("to reject", CmState.REQUESTED);
        byte[] data = PrivateBytes.checked(privateData, PrivateData.REJECT_BYTES);
        state = CmState.OVER;
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
        if (state == CmState.CONNECTING && joined != null) {
            insistence.end();
            remoteNumber = reply.fromId();
            join(joined, reply.offer().qpn(), reply.offer().psn(), theirs.parameters());
            joined.setKnownToBeUp();
            state = CmState.ESTABLISHED;
            tell(new CmEvent(
                    CmEvent.Type.ESTABLISHED, 0, PrivateBytes.padded(reply.data(), PrivateData.REPLY_BYTES), null));
        }
        if (state == CmState.ESTABLISHED) {
            manager.send(message(Kind.CM_READY, false, CmMessage.Offer.NONE, 0, new byte[0]));
        }
    }

    private void rejected(CmMessage reject) {
        if (state == CmState.CONNECTING || state == CmState.ACCEPTED) {
            breakQp();
            fall(new CmEvent(
                    CmEvent.Type.REJECTED,
                    reject.reason(),
                    PrivateBytes.padded(reject.data(), PrivateData.REJECT_BYTES),
                    null));
        } else if (state == CmState.REQUESTED) {
            fall(CmEvent.failed(CmEvent.Type.CONNECT_ERROR, ETIMEDOUT));
        }
    }

    private void communicationKnown() {
        if (state == CmState.ACCEPTED) {
            insistence.end();
            state = CmState.ESTABLISHED;
            if (qp != null) {
                qp.setKnownToBeUp();
            }
            tell(new CmEvent(
                    CmEvent.Type.ESTABLISHED, 0, PrivateBytes.padded(new byte[0], PrivateData.REPLY_BYTES), null));
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
        if (state == CmState.ESTABLISHED || state == CmState.ACCEPTED) {
            insistence.end();
            breakQp();
            state = CmState.DISCONNECTING;
            insistence.begin(message(Kind.CM_DISCONNECT, false, CmMessage.Offer.NONE, 0, new byte[0]));
        }
    }

    private void breakQp() {
        if (qp != null) {
            qp.fail();
        }
    }

    private void disconnected(CmMessage message) {
        if (!message.answer()) {
            manager.send(CmMessage.disconnectAnswer(message));
        }
        boolean up = state == CmState.ESTABLISHED || state == CmState.ACCEPTED;
        if (state == CmState.DISCONNECTING || up && !message.answer()) {
            end();
        }
    }

    private void end() {
        insistence.end();
        breakQp();
        state = CmState.OVER;
        tell(CmEvent.of(CmEvent.Type.DISCONNECTED));
        later(TIME_WAIT_NANOS, CmState.OVER, () -> tell(CmEvent.of(CmEvent.Type.TIMEWAIT_EXIT)));
    }

    @Override
    public void close() {
        loop.check(this);
        if (closed) {
            return;
        }
        leave();
        die();
        manager.forget(this);
    }

    /** Tells the peer that this end is given up, if there is one that should know. */
    void leave() {
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
    }

    /** Ends without a word. */
    void die() {
        closed = true;
        insistence.end();
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
