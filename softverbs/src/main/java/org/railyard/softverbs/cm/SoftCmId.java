package org.railyard.softverbs.cm;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.railyard.softverbs.card.SoftInterface;
import org.railyard.softverbs.card.SoftPeer;
import org.railyard.softverbs.card.SoftQp;
import org.railyard.softverbs.net.TrafficKind;
import org.railyard.verbs.CmListener;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.PathRecord;
import org.railyard.verbs.PrivateData;
import org.railyard.verbs.card.CardLoop;
import org.railyard.verbs.card.cm.CardCmId;
import org.railyard.verbs.card.cm.CmTable;
import org.railyard.verbs.card.cm.PrivateBytes;
import org.railyard.verbs.card.cm.Reach;

/** One end of a connection on a simulated fabric. */
final class SoftCmId extends CardCmId<SoftInterface, SoftQp> {
    private static final int PSN_BITS = 24;

    private final SoftManager manager;
    private @Nullable SoftInterface remote;
    /** What the side says that asks. */
    private SoftCmMessage.Offer request = SoftCmMessage.Offer.NONE;

    private long ownPsn;

    SoftCmId(SoftManager manager, CmTable<SoftCmId, ?> table, int number, CardLoop loop, CmListener listener) {
        super(table, number, loop, listener);
        this.manager = manager;
    }

    @Override
    protected @Nullable SoftInterface portOf(int ip) {
        return manager.interfaceOf(ip);
    }

    @Override
    protected @Nullable SoftInterface portTowards(int ip) {
        return manager.firstInterface();
    }

    @Override
    protected Reach reach(SoftInterface from, int ip) {
        SoftInterface other = manager.anywhere(ip);
        remote = other;
        return other != null && other.isUp() && from.isUp() ? Reach.YES : Reach.WAIT;
    }

    private SoftInterface knownRemote() {
        if (remote == null) {
            throw new IllegalStateException(this + " has no peer");
        }
        return remote;
    }

    @Override
    protected @Nullable PathRecord findPath(SoftInterface from, int typeOfService) {
        return manager.fabric().path(from.port(), knownRemote().port(), typeOfService);
    }

    private SoftCmMessage message(
            TrafficKind kind, boolean answer, SoftCmMessage.Offer offer, int reason, MemorySegment data) {
        return new SoftCmMessage(
                kind, answer, knownPort(), knownRemote(), number(), remoteNumber(), offer, reason, data);
    }

    private SoftCmMessage message(TrafficKind kind, boolean answer) {
        return message(kind, answer, SoftCmMessage.Offer.NONE, 0, MemorySegment.NULL);
    }

    private Runnable sending(SoftCmMessage message) {
        // What is kept of an end that is over: the message, and not the end.
        SoftManager by = manager;
        return () -> by.send(message);
    }

    private void drawPsn() {
        ownPsn = manager.fabric().random().nextLong(1L << PSN_BITS);
    }

    @Override
    protected Runnable request(SoftQp own, ConnectParameters parameters, MemorySegment data) {
        PathRecord path = Objects.requireNonNull(path(), "no path yet");
        drawPsn();
        request = new SoftCmMessage.Offer(
                localAddress(),
                remoteAddress(),
                own.number(),
                ownPsn,
                path.sl(),
                parameters.mtu(path.mtu()),
                parameters);
        return sending(message(TrafficKind.CM_REQUEST, false, request, 0, data));
    }

    /** It was made for a request. */
    void requested(SoftCmMessage asked) {
        request = asked.offer();
        remote = asked.from();
        requested(
                asked.to(),
                request.destination(),
                request.source(),
                asked.fromId(),
                manager.fabric().pathOfLevel(asked.to().port(), asked.from().port(), request.sl()));
    }

    @Override
    protected Runnable reply(SoftQp own, ConnectParameters parameters, MemorySegment data) {
        drawPsn();
        connect(own, request);
        return sending(message(
                TrafficKind.CM_REPLY,
                false,
                new SoftCmMessage.Offer(
                        remoteAddress(), localAddress(), own.number(), ownPsn, request.sl(), request.mtu(), parameters),
                0,
                data));
    }

    /** Connects the queue pair; how often to try is what the side says that asks. */
    private void connect(SoftQp own, SoftCmMessage.Offer theirs) {
        own.connect(new SoftPeer(
                knownPort().port(),
                knownRemote().port(),
                theirs.qpn(),
                request.sl(),
                request.mtu(),
                theirs.psn(),
                ownPsn,
                request.parameters()));
    }

    @Override
    protected Runnable refusal(int reason, MemorySegment data) {
        return sending(message(TrafficKind.CM_REJECT, false, SoftCmMessage.Offer.NONE, reason, data));
    }

    @Override
    protected void sendReady() {
        manager.send(message(TrafficKind.CM_READY, false));
    }

    @Override
    protected Runnable disconnectRequest() {
        return sending(message(TrafficKind.CM_DISCONNECT, false));
    }

    @Override
    protected void sendDisconnectReply() {
        manager.send(message(TrafficKind.CM_DISCONNECT, true));
    }

    @Override
    protected void forgotten() {
        manager.forgotten(this);
    }

    /** A message about this connection came. */
    void receive(SoftCmMessage message) {
        switch (message.kind()) {
            case CM_REPLY ->
                replied(
                        message.fromId(),
                        own -> connect(own, message.offer()),
                        PrivateBytes.padded(message.data(), PrivateData.REPLY_BYTES));
            case CM_REJECT -> rejected(message.reason(), PrivateBytes.padded(message.data(), PrivateData.REJECT_BYTES));
            case CM_READY -> ready();
            case CM_DISCONNECT -> {
                if (message.answer()) {
                    disconnectReplied();
                } else {
                    disconnectRequested();
                }
            }
            case CM_REQUEST, DATA, ACK ->
                throw new IllegalStateException(message.kind() + " is not about a connection");
        }
    }
}
