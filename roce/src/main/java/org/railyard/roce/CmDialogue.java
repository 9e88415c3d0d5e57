package org.railyard.roce;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.railyard.roce.wire.CmAttribute;
import org.railyard.roce.wire.CmBody;
import org.railyard.roce.wire.CmMessage;
import org.railyard.roce.wire.CmNotice;
import org.railyard.roce.wire.UdpRoute;

/** What one end of a connection says to the manager of the other end: once, or again and again until it is answered. */
final class CmDialogue {
    private final int number;
    private final CmRetry retry;
    private @Nullable RocePort port;
    private @Nullable UdpRoute route;
    private @Nullable CmMessage unanswered;
    private long transaction;
    private int remoteNumber;
    private int remoteQpn;

    /**
     * Makes one in which nothing was said.
     *
     * @param number this side's number of the connection
     * @param givenUp happens when the other side does not answer
     */
    CmDialogue(CmAgent agent, int number, Runnable givenUp) {
        this.number = number;
        this.transaction = CmAgent.transaction(number);
        this.retry = new CmRetry(agent.engine(), agent.settings(), this::repeat, givenUp);
    }

    /** Says whom it speaks to. */
    void open(RocePort from, UdpRoute to) {
        port = from;
        route = to;
    }

    /** The other side has begun it, with a transaction of its own. */
    void begunBy(long itsTransaction, int itsNumber, int itsQpn) {
        transaction = itsTransaction;
        meet(itsNumber, itsQpn);
    }

    /** The other side has told its numbers. */
    void meet(int itsNumber, int itsQpn) {
        remoteNumber = itsNumber;
        remoteQpn = itsQpn;
    }

    int remoteNumber() {
        return remoteNumber;
    }

    int remoteQpn() {
        return remoteQpn;
    }

    /** Returns a message with something to say. */
    CmMessage message(CmBody body) {
        return new CmMessage(transaction, body);
    }

    private void transmit(CmMessage message) {
        UdpRoute to = Objects.requireNonNull(route, "nobody to speak to");
        Objects.requireNonNull(port, "nowhere to speak from").send(message, to);
    }

    /** Says something that the other side answers, if at all, by itself. */
    void send(CmBody body) {
        transmit(message(body));
    }

    /** Says something again and again, until {@link #answered}. */
    void insist(CmBody body) {
        unanswered = message(body);
        retry.begin();
    }

    /** Says once more what was not answered. */
    void repeat() {
        CmMessage message = unanswered;
        if (message != null) {
            transmit(message);
        }
    }

    /** Says that the reply has come. */
    void ready() {
        send(CmNotice.of(CmAttribute.READY, number, remoteNumber));
    }

    /** Says that it is over. */
    void goodbye() {
        retry.end();
        insist(CmNotice.disconnect(number, remoteNumber, remoteQpn));
    }

    /** Says that the other side's goodbye has come. */
    void understood() {
        send(CmNotice.of(CmAttribute.DISCONNECT_REPLY, number, remoteNumber));
    }

    /** The other side asks for patience. */
    void bePatient() {
        retry.bePatient();
    }

    /** The answer has come, or is not wanted any more. */
    void answered() {
        retry.end();
    }
}
