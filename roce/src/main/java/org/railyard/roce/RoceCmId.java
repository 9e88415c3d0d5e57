package org.railyard.roce;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.railyard.roce.wire.CmAttribute;
import org.railyard.roce.wire.CmBody;
import org.railyard.roce.wire.CmMessage;
import org.railyard.roce.wire.CmNotice;
import org.railyard.roce.wire.CmReject;
import org.railyard.roce.wire.CmReply;
import org.railyard.roce.wire.CmRequest;
import org.railyard.roce.wire.Route;
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
import org.railyard.verbs.card.PrivateBytes;

/** One end of a connection: the state machine between its user and the messages of the managers. */
final class RoceCmId implements CmId {
    private static final CmAddress NOWHERE = new CmAddress(0, 0);
    private static final int ENETUNREACH = 101;
    private static final int ETIMEDOUT = 110;
    private static final int EHOSTUNREACH = 113;

    /** So soon it is looked whether a neighbour has answered, and then more and more seldom, ns. */
    private static final long FIRST_LOOK_NANOS = 1_000_000;

    /** So long a neighbour has to say where it is, ns. */
    private static final long NEIGHBOUR_NANOS = 3_000_000_000L;

    private static final int REJECT_TIMEOUT = 4;
    private static final int OF_REQUEST = 0;

    /** How long the numbers of a queue pair are said to stay out of use, ns. */
    private static final long TIME_WAIT_NANOS = 1_000_000_000L;

    /** A path like any other: what kernel nodes say of theirs, without a flow label. */
    private static final int RATE_UNKNOWN = 7;

    private final CmAgent agent;
    private final int number;
    private final RoceLoop loop;
    private final CmListener listener;
    private final CmRetry retry;
    private CmState state = CmState.IDLE;
    private CmAddress local = NOWHERE;
    private CmAddress remote = NOWHERE;
    private boolean bound;
    private @Nullable RocePort port;
    private @Nullable Route route;
    private @Nullable PathRecord path;
    private @Nullable RoceQp qp;
    private ConnectParameters parameters = ConnectParameters.DEFAULT;
    private @Nullable CmRequest request;
    private @Nullable CmMessage unanswered;
    private long transaction;
    private int remoteNumber;
    private int remoteQpn;
    private int ownPsn;
    private boolean closed;

    RoceCmId(CmAgent agent, int number, RoceLoop loop, CmListener listener) {
        this.agent = agent;
        this.number = number;
        this.loop = loop;
        this.listener = listener;
        this.retry = new CmRetry(agent.engine(), agent.settings(), this::say, this::givenUp);
    }

    int number() {
        return number;
    }

    RoceLoop loop() {
        return loop;
    }

    CmListener listener() {
        return listener;
    }

    int remoteIp() {
        return remote.ip();
    }

    @Nullable
    RocePort localPort() {
        return port;
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
                    "can not " + what + ": the connection is " + (closed ? "closed" : state));
        }
    }

    @Override
    public void bind(CmAddress wanted, boolean reuse) {
        expect("bind", CmState.IDLE);
        RocePort found = agent.port(wanted.ip());
        if (bound || found == null && wanted.ip() != 0) {
            throw new VerbsException(
                    bound ? VerbsException.Code.EINVAL : VerbsException.Code.EADDRNOTAVAIL,
                    bound ? "it is bound to " + local : "no device of this provider has " + wanted);
        }
        local = agent.addresses().bind(wanted, reuse);
        bound = true;
        port = found;
    }

    @Override
    public void listen() {
        expect("listen", CmState.IDLE);
        agent.addresses().listen(local, this);
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
        return port == null ? null : port.device();
    }

    @Override
    public int port() {
        return port == null ? 0 : 1;
    }

    @Override
    public @Nullable PathRecord path() {
        return path;
    }

    @Override
    public void resolveAddress(CmAddress destination, long timeoutNanos) {
        expect("resolve an address", CmState.IDLE);
        remote = destination;
        RocePort found = port == null ? agent.portTowards(destination.ip()) : port;
        if (found == null || !found.device().isUp()) {
            fall(CmEvent.failed(CmEvent.Type.ADDRESS_ERROR, ENETUNREACH));
            return;
        }
        if (!bound) {
            local = agent.addresses().bind(new CmAddress(found.device().at().ip(), 0), true);
            bound = true;
        }
        port = found;
        state = CmState.RESOLVING_ADDRESS;
        long limit = Math.min(timeoutNanos, NEIGHBOUR_NANOS);
        lookForNeighbour(found, agent.engine().now() + limit, FIRST_LOOK_NANOS);
    }

    private void lookForNeighbour(RocePort from, long deadline, long pause) {
        if (closed || state != CmState.RESOLVING_ADDRESS) {
            return;
        }
        Datagrams.Reach reach = agent.reach(from, remote.ip());
        if (reach == Datagrams.Reach.YES) {
            later(CmState.RESOLVING_ADDRESS, CmState.ADDRESS_KNOWN, CmEvent.Type.ADDRESS_RESOLVED);
        } else if (reach == Datagrams.Reach.NO || agent.engine().now() - deadline >= 0) {
            fall(CmEvent.failed(CmEvent.Type.ADDRESS_ERROR, EHOSTUNREACH));
        } else {
            loop.schedule(pause, () -> lookForNeighbour(from, deadline, pause * 2));
        }
    }

    private void later(CmState before, CmState after, CmEvent.Type event) {
        loop.execute(() -> {
            if (!closed && state == before) {
                state = after;
                listener.onCmEvent(this, CmEvent.of(event));
            }
        });
    }

    /** Tells of a failure after which nothing more can be done with this end. */
    private void fall(CmEvent event) {
        state = CmState.OVER;
        retry.end();
        tell(event);
    }

    @Override
    public void resolveRoute(int typeOfService, long timeoutNanos) {
        expect("resolve a route", CmState.ADDRESS_KNOWN);
        takePath(known(port));
        state = CmState.RESOLVING_ROUTE;
        later(CmState.RESOLVING_ROUTE, CmState.ROUTE_KNOWN, CmEvent.Type.ROUTE_RESOLVED);
    }

    private void takePath(RocePort own) {
        route = own.routeTo(remote.ip());
        path = new PathRecord(
                0, 0, 0, own.device().at().pathMtu(), own.device().port(1).linkRate());
    }

    private static <T> T known(@Nullable T thing) {
        if (thing == null) {
            throw new VerbsException(VerbsException.Code.EINVAL, "device, path or queue pair are not known yet");
        }
        return thing;
    }

    @Override
    public Qp createQp(Pd pd, Cq cq, QpCapabilities capabilities) {
        expect("make a queue pair", CmState.ADDRESS_KNOWN, CmState.ROUTE_KNOWN, CmState.REQUESTED);
        RoceDevice own = known(port).device();
        boolean fits = pd instanceof CardPd ownPd
                && cq instanceof RoceCq ownCq
                && ownPd.device() == own
                && ownCq.device() == own
                && ownCq.loop() == loop;
        if (qp != null || !fits) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    qp != null
                            ? "there is a queue pair"
                            : "protection domain, completion queue and loop must be those of " + own);
        }
        RoceQp made = own.createQp((CardPd) pd, (RoceCq) cq, capabilities);
        qp = made;
        return made;
    }

    /** Sends a message to the other side, which has answered or is not going to. */
    private void send(CmBody body) {
        known(port).send(new CmMessage(transaction, body), route, remote.ip());
    }

    /** Sends a message again and again, until it is answered. */
    private void insist(CmBody body) {
        unanswered = new CmMessage(transaction, body);
        retry.begin();
    }

    private void say() {
        CmMessage message = unanswered;
        if (message != null) {
            known(port).send(message, route, remote.ip());
        }
    }

    @Override
    public void connect(ConnectParameters wanted, MemorySegment privateData) {
        expect("connect", CmState.ROUTE_KNOWN);
        MemorySegment data = MemorySegment.ofArray(PrivateBytes.checked(privateData, PrivateData.REQUEST_BYTES));
        RoceQp own = known(qp);
        parameters = wanted;
        ownPsn = agent.random24();
        transaction = CmAgent.transaction(number);
        CmRequest asked = new CmRequest(
                number,
                own.device().guid(),
                own.number(),
                ownPsn,
                wanted.retryCount(),
                wanted.rnrRetryCount(),
                CmAgent.mtuCode(own.device().at().pathMtu()),
                agent.settings().ackTimeout(),
                RATE_UNKNOWN,
                local.ip(),
                local.port(),
                remote.ip(),
                remote.port(),
                data);
        request = asked;
        state = CmState.CONNECTING;
        insist(asked);
    }

    private void givenUp() {
        if (state == CmState.DISCONNECTING) {
            end();
        } else {
            breakQp();
            fall(CmEvent.failed(CmEvent.Type.UNREACHABLE, ETIMEDOUT));
        }
    }

    static CmEvent requestEvent(CmRequest asked, RoceCmId id) {
        return new CmEvent(CmEvent.Type.CONNECT_REQUEST, 0, asked.privateData(), id);
    }

    /** It was made for a request. */
    void requested(RocePort own, long itsTransaction, CmRequest asked) {
        state = CmState.REQUESTED;
        transaction = itsTransaction;
        request = asked;
        local = new CmAddress(asked.destinationIp(), asked.destinationPort());
        remote = new CmAddress(asked.sourceIp(), asked.sourcePort());
        port = own;
        remoteNumber = asked.localId();
        remoteQpn = asked.qpn();
        parameters = new ConnectParameters(asked.retryCount(), asked.rnrRetryCount());
        takePath(own);
    }

    /** The request came again: maybe the answer to it was lost. */
    void requestedAgain() {
        if (state == CmState.ACCEPTED) {
            say();
        }
    }

    @Override
    public void accept(ConnectParameters wanted, MemorySegment privateData) {
        expect("accept", CmState.REQUESTED);
        MemorySegment data = MemorySegment.ofArray(PrivateBytes.checked(privateData, PrivateData.REPLY_BYTES));
        RoceQp accepted = known(qp);
        CmRequest asked = known(request);
        ownPsn = agent.random24();
        join(accepted, asked.startingPsn(), asked);
        state = CmState.ACCEPTED;
        insist(new CmReply(
                number,
                remoteNumber,
                accepted.number(),
                ownPsn,
                wanted.rnrRetryCount(),
                accepted.device().guid(),
                data));
    }

    /** Connects the queue pair: how often it tries is what the other side says. */
    private void join(RoceQp joined, int sendPsn, CmRequest asked) {
        joined.connect(new Peering(
                known(route),
                remoteQpn,
                CmAgent.mtuBytes(asked.mtuCode()),
                RoceSettings.ackNanos(asked.ackTimeout()),
                sendPsn,
                ownPsn,
                parameters));
    }

    @Override
    public void reject(MemorySegment privateData) {
        expect("reject", CmState.REQUESTED);
        turnDown(MemorySegment.ofArray(PrivateBytes.checked(privateData, PrivateData.REJECT_BYTES)));
    }

    private void turnDown(MemorySegment data) {
        state = CmState.OVER;
        CmReject reject = new CmReject(number, remoteNumber, OF_REQUEST, CmRejectReason.CONSUMER_DEFINED, data);
        send(reject);
        agent.noteEnd(this, new CmMessage(transaction, reject));
    }

    /** A message about this connection came; false if it makes no sense now. */
    boolean receive(CmBody body) {
        return switch (body) {
            case CmReply reply -> accepted(reply);
            case CmReject reject -> rejected(reject);
            case CmNotice notice ->
                switch (notice.attribute()) {
                    case READY -> communicationKnown();
                    case WAIT -> {
                        retry.bePatient();
                        yield true;
                    }
                    case DISCONNECT_REQUEST -> disconnected(notice);
                    case DISCONNECT_REPLY -> disconnectAnswered();
                    case REQUEST, REPLY, REJECT -> false;
                };
            case CmRequest _ -> false;
        };
    }

    private boolean accepted(CmReply reply) {
        RoceQp joined = qp;
        CmRequest asked = request;
        if (state == CmState.CONNECTING && joined != null && asked != null) {
            retry.end();
            remoteNumber = reply.localId();
            remoteQpn = reply.qpn();
            parameters = new ConnectParameters(parameters.retryCount(), reply.rnrRetryCount());
            join(joined, reply.startingPsn(), asked);
            joined.setKnownToBeUp();
            state = CmState.ESTABLISHED;
            tell(new CmEvent(CmEvent.Type.ESTABLISHED, 0, reply.privateData(), null));
        } else if (state != CmState.ESTABLISHED || reply.localId() != remoteNumber) {
            return false;
        }
        send(CmNotice.of(CmAttribute.READY, number, remoteNumber));
        return true;
    }

    private boolean rejected(CmReject reject) {
        if (state == CmState.CONNECTING || state == CmState.ACCEPTED) {
            breakQp();
            fall(new CmEvent(CmEvent.Type.REJECTED, reject.reason(), reject.privateData(), null));
            return true;
        }
        if (state == CmState.REQUESTED) {
            fall(CmEvent.failed(CmEvent.Type.CONNECT_ERROR, ETIMEDOUT));
            return true;
        }
        return false;
    }

    private boolean communicationKnown() {
        if (state == CmState.ACCEPTED) {
            retry.end();
            state = CmState.ESTABLISHED;
            if (qp != null) {
                qp.setKnownToBeUp();
            }
            tell(new CmEvent(
                    CmEvent.Type.ESTABLISHED, 0, PrivateBytes.padded(new byte[0], PrivateData.REPLY_BYTES), null));
            return true;
        }
        return state == CmState.ESTABLISHED;
    }

    @Override
    public void communicationEstablished() {
        loop.check(this);
        communicationKnown();
    }

    private boolean isUp() {
        return state == CmState.ESTABLISHED || state == CmState.ACCEPTED;
    }

    @Override
    public void disconnect() {
        loop.check(this);
        if (isUp()) {
            sayGoodbye();
        }
    }

    private void sayGoodbye() {
        retry.end();
        breakQp();
        state = CmState.DISCONNECTING;
        insist(CmNotice.disconnect(number, remoteNumber, remoteQpn));
    }

    /** The peer uses the number of its queue pair for another connection. */
    void staleNow() {
        if (isUp()) {
            sayGoodbye();
        }
    }

    private void breakQp() {
        if (qp != null) {
            qp.fail();
        }
    }

    private boolean disconnected(CmNotice notice) {
        boolean isTheSame = notice.localId() == remoteNumber;
        if (isTheSame) {
            send(CmNotice.of(CmAttribute.DISCONNECT_REPLY, number, remoteNumber));
            if (isUp() || state == CmState.DISCONNECTING) {
                end();
            }
        }
        return isTheSame;
    }

    private boolean disconnectAnswered() {
        if (state == CmState.DISCONNECTING) {
            end();
            return true;
        }
        return false;
    }

    private void end() {
        retry.end();
        breakQp();
        state = CmState.OVER;
        agent.noteEnd(this, null);
        if (closed) {
            agent.forget(this);
            return;
        }
        tell(CmEvent.of(CmEvent.Type.DISCONNECTED));
        loop.schedule(TIME_WAIT_NANOS, () -> tell(CmEvent.of(CmEvent.Type.TIMEWAIT_EXIT)));
    }

    @Override
    public void close() {
        loop.check(this);
        if (closed) {
            return;
        }
        switch (state) {
            case CONNECTING -> send(new CmReject(number, 0, OF_REQUEST, REJECT_TIMEOUT, MemorySegment.NULL));
            case REQUESTED -> turnDown(MemorySegment.NULL);
            case ESTABLISHED, ACCEPTED -> sayGoodbye();
            default -> {
                // The peer knows of nothing, or knows that it is over.
            }
        }
        boolean speaks = state == CmState.DISCONNECTING;
        release();
        if (!speaks) {
            // Otherwise it is forgotten when the peer has understood.
            retry.end();
            agent.forget(this);
        }
    }

    private void release() {
        closed = true;
        if (bound) {
            agent.addresses().unbind(local);
            bound = false;
        }
        agent.addresses().forget(this);
        if (qp != null) {
            qp.close();
        }
    }

    /** Ends without a word. */
    void die() {
        retry.end();
        release();
    }

    @Override
    public String toString() {
        return "connection " + Integer.toHexString(number) + " " + local + " to " + remote + ", " + state;
    }
}
