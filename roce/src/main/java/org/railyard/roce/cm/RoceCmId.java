package org.railyard.roce.cm;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.card.RoceDevice;
import org.railyard.roce.card.RocePeer;
import org.railyard.roce.card.RocePort;
import org.railyard.roce.card.RoceQp;
import org.railyard.roce.wire.CmAttribute;
import org.railyard.roce.wire.CmBody;
import org.railyard.roce.wire.CmMessage;
import org.railyard.roce.wire.CmNotice;
import org.railyard.roce.wire.CmReject;
import org.railyard.roce.wire.CmReply;
import org.railyard.roce.wire.CmRequest;
import org.railyard.roce.wire.UdpRoute;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmListener;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.PathRecord;
import org.railyard.verbs.card.CardLoop;
import org.railyard.verbs.card.cm.CardCmId;
import org.railyard.verbs.card.cm.CmTable;
import org.railyard.verbs.card.cm.Reach;

/** One end of a connection over UDP. */
final class RoceCmId extends CardCmId<RocePort, RoceQp> {
    /** A path like any other: what kernel nodes say of theirs, without a flow label. */
    private static final int RATE_UNKNOWN = 7;

    private final RoceManager manager;
    private long transaction;
    private int remoteQpn;
    private @Nullable UdpRoute route;
    private @Nullable CmRequest request;
    private ConnectParameters parameters = ConnectParameters.DEFAULT;
    private int ownPsn;

    RoceCmId(RoceManager manager, CmTable<RoceCmId, ?> table, int number, CardLoop loop, CmListener listener) {
        super(table, number, loop, listener);
        this.manager = manager;
        this.transaction = RoceManager.transaction(number);
    }

    /** Tells whether it is a connection of a port with an address. */
    boolean isWith(RocePort port, int ip) {
        return cardPort() == port && remoteAddress().ip() == ip;
    }

    @Override
    protected @Nullable RocePort portOf(int ip) {
        return manager.port(ip);
    }

    @Override
    protected @Nullable RocePort portTowards(int ip) {
        return manager.portTowards(ip);
    }

    @Override
    protected Reach reach(RocePort from, int ip) {
        return manager.reach(from, ip);
    }

    @Override
    protected PathRecord findPath(RocePort from, int typeOfService) {
        return findPath(from, remoteAddress().ip(), from.device().at().pathMtu());
    }

    private PathRecord findPath(RocePort from, int to, int mtu) {
        route = from.routeTo(to);
        return new PathRecord(0, 0, 0, mtu, from.device().port(1).linkRate());
    }

    private UdpRoute knownRoute() {
        return Objects.requireNonNull(route, "no path yet");
    }

    private CmMessage message(CmBody body) {
        return new CmMessage(transaction, body);
    }

    private Runnable sending(CmBody body) {
        // What is kept of an end that is over: the message, and not the end.
        CmMessage message = message(body);
        RocePort from = knownPort();
        UdpRoute to = knownRoute();
        return () -> from.send(message, to);
    }

    @Override
    protected Runnable request(RoceQp own, ConnectParameters wanted, MemorySegment data) {
        RoceDevice device = knownPort().device();
        parameters = wanted;
        ownPsn = manager.random24();
        CmRequest asked = new CmRequest(
                number(),
                device.guid(),
                own.number(),
                ownPsn,
                wanted.retryCount(),
                wanted.rnrRetryCount(),
                RoceManager.mtuCode(wanted.mtu(device.at().pathMtu())),
                manager.ackTimeout(),
                RATE_UNKNOWN,
                localAddress().ip(),
                localAddress().port(),
                remoteAddress().ip(),
                remoteAddress().port(),
                knownPort().room(),
                data);
        request = asked;
        return sending(asked);
    }

    /** It was made for a request. */
    void requested(RocePort at, long itsTransaction, CmRequest asked) {
        request = asked;
        transaction = itsTransaction;
        remoteQpn = asked.qpn();
        parameters = new ConnectParameters(asked.retryCount(), asked.rnrRetryCount());
        requested(
                at,
                new CmAddress(asked.destinationIp(), asked.destinationPort()),
                new CmAddress(asked.sourceIp(), asked.sourcePort()),
                asked.localId(),
                findPath(at, asked.sourceIp(), RoceManager.mtuBytes(asked.mtuCode())));
    }

    @Override
    protected Runnable reply(RoceQp own, ConnectParameters wanted, MemorySegment data) {
        ownPsn = manager.random24();
        CmRequest asked = Objects.requireNonNull(request, "no request");
        connect(own, asked.startingPsn(), asked.room());
        return sending(new CmReply(
                number(),
                remoteNumber(),
                own.number(),
                ownPsn,
                wanted.rnrRetryCount(),
                knownPort().device().guid(),
                knownPort().room(),
                data));
    }

    /** Connects the queue pair: how often it tries is what the other side says. */
    private void connect(RoceQp own, int sendPsn, int room) {
        CmRequest asked = Objects.requireNonNull(request, "no request");
        own.connect(new RocePeer(
                knownRoute(),
                remoteQpn,
                RoceManager.mtuBytes(asked.mtuCode()),
                RoceSettings.ackNanos(asked.ackTimeout()),
                sendPsn,
                ownPsn,
                room,
                parameters));
    }

    private boolean replied(CmReply reply) {
        return replied(
                reply.localId(),
                own -> {
                    remoteQpn = reply.qpn();
                    parameters = new ConnectParameters(parameters.retryCount(), reply.rnrRetryCount());
                    connect(own, reply.startingPsn(), reply.room());
                },
                reply.privateData());
    }

    @Override
    protected Runnable refusal(int reason, MemorySegment data) {
        boolean unanswered = remoteNumber() == 0;
        return sending(new CmReject(
                number(),
                remoteNumber(),
                unanswered ? CmReject.OF_NOTHING : CmReject.OF_REQUEST,
                reason,
                unanswered ? knownPort().device().guid() : 0,
                data));
    }

    @Override
    protected void sendReady() {
        sending(CmNotice.of(CmAttribute.READY, number(), remoteNumber())).run();
    }

    @Override
    protected Runnable disconnectRequest() {
        return sending(CmNotice.disconnect(number(), remoteNumber(), remoteQpn));
    }

    @Override
    protected void sendDisconnectReply() {
        sending(CmNotice.of(CmAttribute.DISCONNECT_REPLY, number(), remoteNumber()))
                .run();
    }

    @Override
    protected void forgotten() {
        manager.forgotten(this);
    }

    /** A message about this connection came; false if it makes no sense now. */
    boolean receive(CmBody body) {
        return switch (body) {
            case CmReply reply -> replied(reply);
            case CmReject reject -> rejected(reject.reason(), reject.privateData());
            case CmNotice notice ->
                switch (notice.attribute()) {
                    case READY -> ready();
                    case WAIT -> {
                        extendTimeout();
                        yield true;
                    }
                    case DISCONNECT_REQUEST -> {
                        boolean same = notice.localId() == remoteNumber();
                        if (same) {
                            disconnectRequested();
                        }
                        yield same;
                    }
                    case DISCONNECT_REPLY -> disconnectReplied();
                    case REQUEST, REPLY, REJECT -> false;
                };
            case CmRequest _ -> false;
        };
    }
}
