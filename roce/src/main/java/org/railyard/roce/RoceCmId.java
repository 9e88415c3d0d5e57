package org.railyard.roce;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.railyard.roce.wire.CmBody;
import org.railyard.roce.wire.CmNotice;
import org.railyard.roce.wire.CmReject;
import org.railyard.roce.wire.CmReply;
import org.railyard.roce.wire.CmRequest;
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
import org.railyard.verbs.card.CmState;
import org.railyard.verbs.card.PrivateBytes;

/** One end of a connection: the state machine between its user and the messages of the managers. */
final class RoceCmId implements CmId {
    private static final int ENETUNREACH = 101;
    private static final int ETIMEDOUT = 110;
    private static final int EHOSTUNREACH = 113;

    private static final int REJECT_TIMEOUT = 4;
    private static final int OF_REQUEST = 0;

    /** How long the numbers of a queue pair are said to stay out of use, ns. */
    private static final long TIME_WAIT_NANOS = 1_000_000_000L;

    private final CmAgent agent;
    private final int number;
    private final RoceLoop loop;
    private final CmListener listener;
    private final CmPlace place;
    private final CmDialogue dialogue;
    private CmState state = CmState.IDLE;
    private @Nullable RoceQp qp;
    private ConnectParameters parameters = ConnectParameters.DEFAULT;
    private @Nullable CmRequest request;
    private int ownPsn;
    private boolean closed;

    RoceCmId(CmAgent agent, int number, RoceLoop loop, CmListener listener) {
        this.agent = agent;
        this.number = number;
        this.loop = loop;
        this.listener = listener;
        this.place = new CmPlace(agent);
        this.dialogue = new CmDialogue(agent, number, this::givenUp);
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

    /** Tells whether it is a connection of a port with somebody. */
    boolean isWith(RocePort port, int ip) {
        return place.port() == port && place.remote().ip() == ip;
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
        place.bind(wanted, reuse);
    }

    @Override
    public void listen() {
        expect("listen", CmState.IDLE);
        agent.addresses().listen(place.local(), this);
        state = CmState.LISTENING;
    }

    @Override
    public CmAddress localAddress() {
        return place.local();
    }

    @Override
    public CmAddress remoteAddress() {
        return place.remote();
    }

    @Override
    public @Nullable VerbsDevice device() {
        RocePort own = place.port();
        return own == null ? null : own.device();
    }

    @Override
    public int port() {
        return place.port() == null ? 0 : 1;
    }

    @Override
    public @Nullable PathRecord path() {
        return place.path();
    }

    @Override
    public void resolveAddress(CmAddress destination, long timeoutNanos) {
        expect("resolve an address", CmState.IDLE);
        if (!place.leadTo(destination)) {
            fall(CmEvent.failed(CmEvent.Type.ADDRESS_ERROR, ENETUNREACH));
            return;
        }
        state = CmState.RESOLVING_ADDRESS;
        new AddressLookup(
                        agent,
                        loop,
                        place.knownPort(),
                        destination.ip(),
                        timeoutNanos,
                        () -> !closed && state == CmState.RESOLVING_ADDRESS,
                        () -> later(CmState.RESOLVING_ADDRESS, CmState.ADDRESS_KNOWN, CmEvent.Type.ADDRESS_RESOLVED),
                        () -> fall(CmEvent.failed(CmEvent.Type.ADDRESS_ERROR, EHOSTUNREACH)))
                .begin();
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
        dialogue.answered();
        tell(event);
    }

    @Override
    public void resolveRoute(int typeOfService, long timeoutNanos) {
        expect("resolve a route", CmState.ADDRESS_KNOWN);
        dialogue.open(place.knownPort(), place.findPath());
        state = CmState.RESOLVING_ROUTE;
        later(CmState.RESOLVING_ROUTE, CmState.ROUTE_KNOWN, CmEvent.Type.ROUTE_RESOLVED);
    }

    @Override
    public Qp createQp(Pd pd, Cq cq, QpCapabilities capabilities) {
        expect("make a queue pair", CmState.ADDRESS_KNOWN, CmState.ROUTE_KNOWN, CmState.REQUESTED);
        if (qp != null) {
            throw new VerbsException(VerbsException.Code.EINVAL, "there is a queue pair");
        }
        RoceQp made = place.knownPort().device().createQp(pd, cq, loop, capabilities);
        qp = made;
        return made;
    }

    @Override
    public void connect(ConnectParameters wanted, MemorySegment privateData) {
        expect("connect", CmState.ROUTE_KNOWN);
        MemorySegment data = MemorySegment.ofArray(PrivateBytes.checked(privateData, PrivateData.REQUEST_BYTES));
        RoceQp own = CmPlace.known(qp, "queue pair");
        parameters = wanted;
        ownPsn = agent.random24();
        CmRequest asked =
                place.request(number, own, ownPsn, wanted, agent.settings().ackTimeout(), data);
        request = asked;
        state = CmState.CONNECTING;
        dialogue.insist(asked);
    }

    private void givenUp() {
        if (state == CmState.DISCONNECTING) {
            end();
        } else {
            breakQp();
            fall(CmEvent.failed(CmEvent.Type.UNREACHABLE, ETIMEDOUT));
        }
    }

    /** It was made for a request. */
    void requested(RocePort own, long itsTransaction, CmRequest asked) {
        state = CmState.REQUESTED;
        request = asked;
        place.visited(
                own,
                new CmAddress(asked.destinationIp(), asked.destinationPort()),
                new CmAddress(asked.sourceIp(), asked.sourcePort()));
        dialogue.open(own, place.findPath());
        dialogue.begunBy(itsTransaction, asked.localId(), asked.qpn());
        parameters = new ConnectParameters(asked.retryCount(), asked.rnrRetryCount());
    }

    /** The request came again: maybe the answer to it was lost. */
    void requestedAgain() {
        if (state == CmState.ACCEPTED) {
            dialogue.repeat();
        }
    }

    @Override
    public void accept(ConnectParameters wanted, MemorySegment privateData) {
        expect("accept", CmState.REQUESTED);
        MemorySegment data = MemorySegment.ofArray(PrivateBytes.checked(privateData, PrivateData.REPLY_BYTES));
        RoceQp accepted = CmPlace.known(qp, "queue pair");
        CmRequest asked = CmPlace.known(request, "request");
        ownPsn = agent.random24();
        join(accepted, asked.startingPsn(), asked);
        state = CmState.ACCEPTED;
        dialogue.insist(new CmReply(
                number,
                dialogue.remoteNumber(),
                accepted.number(),
                ownPsn,
                wanted.rnrRetryCount(),
                accepted.device().guid(),
                data));
    }

    /** Connects the queue pair: how often it tries is what the other side says. */
    private void join(RoceQp joined, int sendPsn, CmRequest asked) {
        joined.connect(new Peering(
                place.knownRoute(),
                dialogue.remoteQpn(),
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
        CmReject reject =
                new CmReject(number, dialogue.remoteNumber(), OF_REQUEST, CmRejectReason.CONSUMER_DEFINED, data);
        dialogue.send(reject);
        agent.noteEnd(this, dialogue.message(reject));
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
                        dialogue.bePatient();
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
            dialogue.answered();
            dialogue.meet(reply.localId(), reply.qpn());
            parameters = new ConnectParameters(parameters.retryCount(), reply.rnrRetryCount());
            join(joined, reply.startingPsn(), asked);
            joined.setKnownToBeUp();
            state = CmState.ESTABLISHED;
            tell(new CmEvent(CmEvent.Type.ESTABLISHED, 0, reply.privateData(), null));
        } else if (state != CmState.ESTABLISHED || reply.localId() != dialogue.remoteNumber()) {
            return false;
        }
        dialogue.ready();
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
            dialogue.answered();
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
        breakOff();
    }

    /** Ends the connection if there is one; also because the peer uses its queue pair for another one. */
    void breakOff() {
        if (isUp()) {
            breakQp();
            state = CmState.DISCONNECTING;
            dialogue.goodbye();
        }
    }

    private void breakQp() {
        if (qp != null) {
            qp.fail();
        }
    }

    private boolean disconnected(CmNotice notice) {
        boolean isTheSame = notice.localId() == dialogue.remoteNumber();
        if (isTheSame) {
            dialogue.understood();
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
        dialogue.answered();
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
            case CONNECTING -> dialogue.send(new CmReject(number, 0, OF_REQUEST, REJECT_TIMEOUT, MemorySegment.NULL));
            case REQUESTED -> turnDown(MemorySegment.NULL);
            case ESTABLISHED, ACCEPTED -> breakOff();
            default -> {
                // The peer knows of nothing, or knows that it is over.
            }
        }
        boolean speaks = state == CmState.DISCONNECTING;
        release();
        if (!speaks) {
            // Otherwise it is forgotten when the peer has understood.
            dialogue.answered();
            agent.forget(this);
        }
    }

    private void release() {
        closed = true;
        place.release();
        agent.addresses().forget(this);
        if (qp != null) {
            qp.close();
        }
    }

    /** Ends without a word. */
    void die() {
        dialogue.answered();
        release();
    }

    @Override
    public String toString() {
        return "connection " + Integer.toHexString(number) + " " + place.local() + " to " + place.remote() + ", "
                + state;
    }
}
