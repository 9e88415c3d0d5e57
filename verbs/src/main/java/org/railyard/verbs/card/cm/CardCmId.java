package org.railyard.verbs.card.cm;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Consumer;
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
import org.railyard.verbs.card.CardLoop;
import org.railyard.verbs.card.CardQp;

/**
 * One end of a connection of a software card: the state machine between its user and the messages of the connection
 * managers (spec 20 §2, 23 §5.3). A subclass knows ports, paths and the form of messages.
 *
 * <table>
 * <caption>Transitions; {@link #enter} makes them</caption>
 * <tr><th>From</th><th>To</th><th>When</th></tr>
 * <tr><td>IDLE</td><td>LISTENING</td><td>listen</td></tr>
 * <tr><td>IDLE</td><td>RESOLVING_ADDRESS</td><td>resolveAddress</td></tr>
 * <tr><td>IDLE</td><td>REQ_RECEIVED</td><td>it was made for a REQ</td></tr>
 * <tr><td>RESOLVING_ADDRESS</td><td>ADDRESS_RESOLVED, ENDED</td><td>the neighbour answers; it does not</td></tr>
 * <tr><td>ADDRESS_RESOLVED</td><td>RESOLVING_ROUTE</td><td>resolveRoute</td></tr>
 * <tr><td>RESOLVING_ROUTE</td><td>ROUTE_RESOLVED, ENDED</td><td>there is a path; there is none</td></tr>
 * <tr><td>ROUTE_RESOLVED</td><td>REQ_SENT</td><td>connect</td></tr>
 * <tr><td>REQ_SENT</td><td>ESTABLISHED</td><td>REP</td></tr>
 * <tr><td>REQ_SENT</td><td>ENDED</td><td>REJ, a REP that can not be, or no answer</td></tr>
 * <tr><td>REQ_RECEIVED</td><td>REP_SENT</td><td>accept</td></tr>
 * <tr><td>REQ_RECEIVED</td><td>ENDED</td><td>reject, or REJ: the peer has given up</td></tr>
 * <tr><td>REP_SENT</td><td>ESTABLISHED</td><td>RTU, or the first message</td></tr>
 * <tr><td>REP_SENT, ESTABLISHED</td><td>DREQ_SENT</td><td>disconnect, or close</td></tr>
 * <tr><td>REP_SENT</td><td>ENDED</td><td>REJ, DREQ, or no answer</td></tr>
 * <tr><td>ESTABLISHED</td><td>ENDED</td><td>DREQ</td></tr>
 * <tr><td>DREQ_SENT</td><td>ENDED</td><td>DREP, DREQ, REJ, or no answer</td></tr>
 * </table>
 *
 * @param <P> ports of the card
 * @param <Q> its queue pairs
 */
public abstract class CardCmId<P extends CmPort<Q>, Q extends CardQp> implements CmId {
    private static final CmAddress NOWHERE = new CmAddress(0, 0);
    private static final int ENETUNREACH = 101;
    private static final int ETIMEDOUT = 110;
    /** How long the numbers of a queue pair stay out of use, ns. */
    private static final long TIME_WAIT_NANOS = 1_000_000_000L;

    private final CmTable<?, ?> table;
    private final int number;
    private final CardLoop loop;
    private final CmListener listener;
    private final CmRetransmitter retransmitter;
    private CmState state = CmState.IDLE;
    private CmAddress local = NOWHERE;
    private CmAddress remote = NOWHERE;

    /** What it has taken in the address book; null if nothing. */
    private @Nullable CmAddress taken;

    private @Nullable P port;
    private @Nullable PathRecord path;
    private @Nullable Q qp;
    private int remoteNumber;
    private boolean closed;

    /** Says no to a REQ that comes again: it was turned down, or broken off before the peer said that it has a REP. */
    private @Nullable Runnable rejection;

    /** Why a REP is turned down that comes when it is over. */
    private int replyRejection = CmRejectReason.INVALID_ID;

    /** Makes one of which nothing was asked yet. */
    @SuppressWarnings("this-escape") // The retransmitter has nothing to send yet.
    protected CardCmId(CmTable<?, ?> table, int number, CardLoop loop, CmListener listener) {
        this.table = table;
        this.number = number;
        this.loop = loop;
        this.listener = listener;
        this.retransmitter = new CmRetransmitter(table.time(), table.times(), this::noAnswer);
    }

    /** Returns the port with an address; null if there is none. */
    protected abstract @Nullable P portOf(int ip);

    /** Returns the port that leads to an address; null if there is none. */
    protected abstract @Nullable P portTowards(int ip);

    /** Asks once for the neighbour with an address. */
    protected abstract Reach reach(P from, int ip);

    /**
     * Returns the path from a port to the peer's address; null if there is none.
     *
     * @param typeOfService as {@link CmId#resolveRoute} takes it
     */
    protected abstract @Nullable PathRecord findPath(P from, int typeOfService);

    /** Returns what sends a REQ, with the same transaction each time. */
    protected abstract Runnable request(Q own, ConnectParameters parameters, MemorySegment data);

    /** Connects the queue pair with the one that the REQ is about. Returns what sends the REP. */
    protected abstract Runnable reply(Q own, ConnectParameters parameters, MemorySegment data);

    /** Returns what sends a REJ: of the request that came, or that it has sent itself. */
    protected abstract Runnable refusal(int reason, MemorySegment data);

    /** Sends an RTU. */
    protected abstract void sendReady();

    /** Returns what sends a DREQ. */
    protected abstract Runnable disconnectRequest();

    /** Sends a DREP. */
    protected abstract void sendDisconnectReply();

    /** Nothing about it is expected any more. */
    protected void forgotten() {
        // For those who keep a list of them.
    }

    private void forget() {
        table.forget(this);
        forgotten();
    }

    /** Returns this side's number of the connection. */
    public final int number() {
        return number;
    }

    /** Returns the loop that it belongs to. */
    public final CardLoop loop() {
        return loop;
    }

    /** Returns who hears of its events. */
    public final CmListener listener() {
        return listener;
    }

    /** Returns the peer's number of the connection; 0 as long as it is not known. */
    protected final int remoteNumber() {
        return remoteNumber;
    }

    /** Returns the port; null as long as it is not known. */
    protected final @Nullable P cardPort() {
        return port;
    }

    /** Returns the port; throws a {@link VerbsException}, EINVAL, as long as it is not known. */
    protected final P knownPort() {
        return known(port, "port");
    }

    private static <T> T known(@Nullable T thing, String what) {
        if (thing == null) {
            throw new VerbsException(VerbsException.Code.EINVAL, "there is no " + what + " yet");
        }
        return thing;
    }

    /** Tells the user, in the loop. */
    public final void tell(CmEvent event) {
        loop.execute(() -> {
            if (!closed) {
                listener.onCmEvent(this, event);
            }
        });
    }

    /** Tells the user of a request, in the loop; turns it down if nobody listens any more by then. */
    public final void tellRequest(CmEvent event, CmId request) {
        loop.execute(() -> {
            if (closed) {
                request.close();
            } else {
                listener.onCmEvent(this, event);
            }
        });
    }

    /** Changes the state. */
    private void enter(CmState next) {
        if (!state.next().contains(next)) {
            throw new IllegalStateException(this + " can not become " + next);
        }
        state = next;
    }

    private void expect(String what, CmState... states) {
        loop.check(this);
        if (closed || !Arrays.asList(states).contains(state)) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    "can not " + what + ": the connection is " + (closed ? "closed" : state));
        }
    }

    /** Runs a step later, unless the connection was closed or is in another state by then. */
    private void after(long delayNanos, CmState expected, Runnable step) {
        if (delayNanos == 0) {
            step.run();
            return;
        }
        table.time().schedule(delayNanos, () -> {
            if (!closed && state == expected) {
                step.run();
            }
        });
    }

    @Override
    public final void bind(CmAddress wanted, boolean reuse) {
        expect("bind", CmState.IDLE);
        if (taken != null) {
            throw new VerbsException(VerbsException.Code.EINVAL, "it is bound to " + local);
        }
        P found = wanted.ip() == 0 ? null : portOf(wanted.ip());
        if (found == null && wanted.ip() != 0) {
            throw new VerbsException(
                    VerbsException.Code.EADDRNOTAVAIL, "no device of " + table.owner() + " has " + wanted);
        }
        take(wanted, reuse);
        port = found;
    }

    private void take(CmAddress wanted, boolean reuse) {
        local = table.addresses().bind(wanted, reuse);
        taken = local;
    }

    @Override
    public final void listen() {
        expect("listen", CmState.IDLE);
        table.addresses().listen(local, this);
        enter(CmState.LISTENING);
    }

    @Override
    public final CmAddress localAddress() {
        return local;
    }

    @Override
    public final CmAddress remoteAddress() {
        return remote;
    }

    @Override
    public final @Nullable VerbsDevice device() {
        return port == null ? null : port.device();
    }

    @Override
    public final int port() {
        return port == null ? 0 : port.number();
    }

    @Override
    public final @Nullable PathRecord path() {
        return path;
    }

    @Override
    public final void resolveAddress(CmAddress destination, long timeoutNanos) {
        expect("resolve an address", CmState.IDLE);
        enter(CmState.RESOLVING_ADDRESS);
        remote = destination;
        P from = port == null ? portTowards(destination.ip()) : port;
        if (from == null || !from.isUp()) {
            addressFailed(ENETUNREACH);
            return;
        }
        if (taken == null) {
            take(new CmAddress(from.ip(), 0), true);
        } else if (local.ip() == 0) {
            // The peer is told where it is asked from, and compares that.
            local = new CmAddress(from.ip(), local.port());
        }
        new AddressLookup(
                        table.time(),
                        table.times(),
                        timeoutNanos,
                        () -> reach(from, destination.ip()),
                        () -> !closed && state == CmState.RESOLVING_ADDRESS,
                        () -> after(table.times().step(), CmState.RESOLVING_ADDRESS, () -> {
                            port = from;
                            enter(CmState.ADDRESS_RESOLVED);
                            tell(CmEvent.of(CmEvent.Type.ADDRESS_RESOLVED));
                        }),
                        this::addressFailed)
                .begin();
    }

    private void addressFailed(int errno) {
        // A time-out has taken its time already.
        after(
                errno == ENETUNREACH ? table.times().step() : 0,
                CmState.RESOLVING_ADDRESS,
                () -> end(CmEvent.failed(CmEvent.Type.ADDRESS_ERROR, errno)));
    }

    /** Nothing more can be done with this end. */
    private void end(CmEvent why) {
        retransmitter.end();
        enter(CmState.ENDED);
        table.ended(this, rejection);
        tell(why);
    }

    @Override
    public final void resolveRoute(int typeOfService, long timeoutNanos) {
        expect("resolve a route", CmState.ADDRESS_RESOLVED);
        enter(CmState.RESOLVING_ROUTE);
        after(table.times().step(), CmState.RESOLVING_ROUTE, () -> {
            path = findPath(knownPort(), typeOfService);
            if (path == null) {
                end(CmEvent.failed(CmEvent.Type.ROUTE_ERROR, ENETUNREACH));
            } else {
                enter(CmState.ROUTE_RESOLVED);
                tell(CmEvent.of(CmEvent.Type.ROUTE_RESOLVED));
            }
        });
    }

    @Override
    public final Qp createQp(Pd pd, Cq cq, QpCapabilities capabilities) {
        expect("make a queue pair", CmState.ADDRESS_RESOLVED, CmState.ROUTE_RESOLVED, CmState.REQ_RECEIVED);
        if (qp != null) {
            throw new VerbsException(VerbsException.Code.EINVAL, "there is a queue pair");
        }
        Q made = knownPort().device().createQp(pd, cq, loop, capabilities);
        qp = made;
        return made;
    }

    @Override
    public final void connect(ConnectParameters parameters, MemorySegment privateData) {
        expect("connect", CmState.ROUTE_RESOLVED);
        MemorySegment data = PrivateBytes.checked(privateData, PrivateData.REQUEST_BYTES);
        Runnable sending = request(known(qp, "queue pair"), parameters, data);
        enter(CmState.REQ_SENT);
        retransmitter.begin(sending);
    }

    /** Tells whether it has sent a REQ that is not answered. */
    public final boolean isAsking() {
        return state == CmState.REQ_SENT;
    }

    /** Tells whether it was connected, or was to be, and is not any more. */
    public final boolean isOver() {
        return state == CmState.ENDED;
    }

    private void noAnswer() {
        if (state == CmState.DREQ_SENT) {
            disconnected();
        } else {
            if (state == CmState.REP_SENT) {
                denyRequest();
            }
            breakQp();
            end(CmEvent.failed(CmEvent.Type.UNREACHABLE, ETIMEDOUT));
        }
    }

    /** Tells that it was made for a REQ which came to a port. */
    protected final void requested(P at, CmAddress own, CmAddress peer, int itsNumber, @Nullable PathRecord itsPath) {
        enter(CmState.REQ_RECEIVED);
        port = at;
        local = own;
        remote = peer;
        remoteNumber = itsNumber;
        path = itsPath;
    }

    /** The REQ came again: maybe the answer was lost. */
    public final void requestedAgain() {
        if (state == CmState.REP_SENT) {
            retransmitter.repeat();
        } else if (rejection != null) {
            rejection.run();
        }
    }

    @Override
    public final void accept(ConnectParameters parameters, MemorySegment privateData) {
        expect("accept", CmState.REQ_RECEIVED);
        MemorySegment data = PrivateBytes.checked(privateData, PrivateData.REPLY_BYTES);
        Runnable sending = reply(known(qp, "queue pair"), parameters, data);
        enter(CmState.REP_SENT);
        retransmitter.begin(sending);
    }

    @Override
    public final void reject(MemorySegment privateData) {
        expect("reject", CmState.REQ_RECEIVED);
        reject(CmRejectReason.CONSUMER_DEFINED, PrivateBytes.checked(privateData, PrivateData.REJECT_BYTES));
    }

    private void reject(int reason, MemorySegment data) {
        enter(CmState.ENDED);
        Runnable no = refusal(reason, data);
        rejection = no;
        no.run();
        table.ended(this, no);
    }

    /** The peer may not know of our REP: if it asks still, it is told no. */
    private void denyRequest() {
        rejection = refusal(CmRejectReason.CONSUMER_DEFINED, MemorySegment.NULL);
    }

    /**
     * A REP came.
     *
     * @param connecting connects the queue pair, unless the REP came before
     * @return false if it is not expected
     */
    protected final boolean replied(int itsNumber, Consumer<Q> connecting, MemorySegment data) {
        Q own = qp;
        if (state == CmState.REQ_SENT && own != null) {
            retransmitter.end();
            remoteNumber = itsNumber;
            connecting.accept(own);
            own.setKnownToBeUp();
            established(data);
        } else if (state == CmState.DREQ_SENT) {
            return true;
        } else if (state != CmState.ESTABLISHED || itsNumber != remoteNumber) {
            return false;
        }
        sendReady();
        return true;
    }

    private void established(MemorySegment data) {
        enter(CmState.ESTABLISHED);
        tell(new CmEvent(CmEvent.Type.ESTABLISHED, 0, data, null));
    }

    /** A REJ came; returns false if it is not expected. */
    protected final boolean rejected(int reason, MemorySegment data) {
        switch (state) {
            case REQ_SENT, REP_SENT -> {
                breakQp();
                end(new CmEvent(CmEvent.Type.REJECTED, reason, data, null));
            }
            case REQ_RECEIVED -> end(CmEvent.failed(CmEvent.Type.CONNECT_ERROR, ETIMEDOUT));
            // The peer has turned it down or given it up at the same time.
            case DREQ_SENT -> disconnected();
            default -> {
                return state == CmState.ENDED;
            }
        }
        return true;
    }

    /** What it asked for does not come about, for a reason that this side has told the peer. */
    public final void turnedDown(int reason) {
        replyRejection = reason;
        rejected(reason, PrivateBytes.padded(MemorySegment.NULL, PrivateData.REJECT_BYTES));
    }

    /** Returns why a REP is turned down that comes when it is over. */
    public final int replyRejection() {
        return replyRejection;
    }

    /** The peer knows that the connection is up: an RTU came, or a message; returns false if it is not expected. */
    protected final boolean ready() {
        if (state == CmState.REP_SENT) {
            retransmitter.end();
            if (qp != null) {
                qp.setKnownToBeUp();
            }
            established(PrivateBytes.padded(MemorySegment.NULL, PrivateData.REPLY_BYTES));
            return true;
        }
        return state == CmState.ESTABLISHED || state == CmState.DREQ_SENT || state == CmState.ENDED;
    }

    /** An MRA came: the answer takes longer. */
    protected final void extendTimeout() {
        retransmitter.extend();
    }

    @Override
    public final void communicationEstablished() {
        loop.check(this);
        ready();
    }

    private boolean isUp() {
        return state == CmState.ESTABLISHED || state == CmState.REP_SENT;
    }

    @Override
    public final void disconnect() {
        loop.check(this);
        breakOff();
    }

    /** Ends the connection if there is one; also because the peer uses its queue pair for another one. */
    public final void breakOff() {
        if (isUp()) {
            if (state == CmState.REP_SENT) {
                // To a peer that has no REP the DREQ says nothing.
                denyRequest();
            }
            breakQp();
            enter(CmState.DREQ_SENT);
            retransmitter.begin(disconnectRequest());
        }
    }

    private void breakQp() {
        if (qp != null) {
            qp.fail();
        }
    }

    /** A DREQ came: answers it. */
    protected final void disconnectRequested() {
        sendDisconnectReply();
        if (isUp() || state == CmState.DREQ_SENT) {
            disconnected();
        }
    }

    /** A DREP came; returns false if it is not expected. */
    protected final boolean disconnectReplied() {
        if (state == CmState.DREQ_SENT) {
            disconnected();
        }
        return state == CmState.ENDED;
    }

    private void disconnected() {
        breakQp();
        end(CmEvent.of(CmEvent.Type.DISCONNECTED));
        if (closed) {
            forget();
        } else {
            after(TIME_WAIT_NANOS, CmState.ENDED, () -> tell(CmEvent.of(CmEvent.Type.TIMEWAIT_EXIT)));
        }
    }

    @Override
    public final void close() {
        loop.check(this);
        if (closed) {
            return;
        }
        leave();
        if (state == CmState.DREQ_SENT) {
            // It is forgotten when the peer has answered.
            release();
        } else {
            die();
            forget();
        }
    }

    /** Tells the peer that this end is given up, if there is one that should know. */
    public final void leave() {
        switch (state) {
            case REQ_SENT -> refusal(CmRejectReason.TIMEOUT, MemorySegment.NULL).run();
            case REQ_RECEIVED -> reject(CmRejectReason.CONSUMER_DEFINED, MemorySegment.NULL);
            case ESTABLISHED, REP_SENT -> breakOff();
            default -> {
                // The peer knows of nothing, or knows that it is over.
            }
        }
    }

    private void release() {
        closed = true;
        CmAddress given = taken;
        if (given != null) {
            taken = null;
            table.addresses().unbind(given);
        }
        if (qp != null) {
            qp.close();
        }
    }

    /** Ends without a message. */
    final void die() {
        retransmitter.end();
        release();
    }

    @Override
    public final String toString() {
        return "connection " + Integer.toHexString(number) + " " + local + " to " + remote + ", " + state;
    }
}
