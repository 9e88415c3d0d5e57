package org.railyard.lnet.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Invariant;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.PingInfo;

/** A remote node: its NIDs and what discovery knows of it. */
public final class Peer {
    /** What wants to know when a discovery ends. Called without a lock held. */
    @FunctionalInterface
    public interface Waiter {
        /**
         * Takes the result.
         *
         * @param peer the peer that was discovered, perhaps another object than the one asked for
         * @param status 0 or a negative errno
         */
        void discovered(Peer peer, int status);
    }

    private static final int EXCHANGE =
            PeerState.PING_SENT | PeerState.PUSH_SENT | PeerState.PING_FAILED | PeerState.PUSH_FAILED;

    /** Its identity. */
    public Nid primaryNid;

    /** Bits of {@link PeerState}. */
    public int state;

    /** Its nets; the one of the primary NID first. */
    public final List<PeerNet> nets = new ArrayList<>(1);

    /** Whether its silence was weighed against a local NI since it was last heard ({@link Silence}). */
    boolean silenceCounted;

    /** Until when its last silence lasted that was weighed, monotonic ns; without meaning if there was none. */
    long silenceEnd;

    boolean wasSilent;

    /** What is known of it as a router, null while no route names it. */
    public @Nullable Gateway gateway;

    /** Counts choices of its NIs. */
    public long sendSeq;

    /** Messages that wait for discovery. */
    public final MessageQueue parked = new MessageQueue();

    /** Who waits for discovery. */
    public final List<Waiter> waiters = new ArrayList<>(0);

    /** When the discovery that goes on, or the last one, was asked for; monotonic ns. */
    public long requested;

    /** Ping info received and not merged yet. */
    public @Nullable PingInfo data;

    /** Bytes of the largest ping info seen from it. */
    public int infoBytes = PingInfo.MIN_BUFFER;

    /**
     * Our sequence number that it acknowledged last, as unsigned; 0 for none. Of no meaning while this node has local
     * bonds.
     */
    public int acknowledgedSequence;

    /** While this node has local bonds: those that it has talked to. */
    public final List<BondTalk> talks = new ArrayList<>(0);

    /** The local NID that the last ping reply came to, null if there was none since the last push. */
    public @Nullable Nid pushSource;

    /** The NID of the peer that answered the last ping. */
    public @Nullable Nid pushTarget;

    /** Identity of the ping or push that is outstanding; what becomes of any other is of no interest. */
    public @Nullable Object exchange;

    /** Error of a failed ping or push, and of the last discovery; 0 or a negative errno. */
    public int error;

    /** Pings that this discovery has sent. */
    public int pings;

    /**
     * Place in the order in which primary NIDs were locked, lower is earlier; meaningful with {@link
     * PeerState#LOCK_PRIMARY}.
     */
    public long lockedAt;

    /** The locked primary NID of the node that an upper layer says this is; null if none does. */
    public @Nullable Nid mergeInto;

    /** Pushes that failed since the last one that did not. */
    public int failedPushes;

    /** Times that another peer got one of its NIDs and it was asked again for that, until it had peace for a time. */
    public int lostNids;

    /** When discovery comes back to it by itself, monotonic ns. */
    public long remindAt;

    /** Whether discovery has it on the list of peers to look at. */
    public boolean queued;

    /** Whether it is in no table any more. */
    public boolean detached;

    /** The number of the lookup, among those of all peers, in which it was looked for last. */
    public long lookedFor;

    /** That number when it was its turn to be forgotten, or it became known. */
    public long turn;

    /** How much speaks for it that there is such a peer. */
    public Trust trust = Trust.NAMED;

    /** Makes a peer without NIDs. */
    public Peer(Nid primaryNid) {
        this.primaryNid = primaryNid;
    }

    /** Tells whether all the given state bits are set. */
    public boolean is(int bits) {
        return (state & bits) == bits;
    }

    /** Tells whether any of the given state bits is set. */
    public boolean isAny(int bits) {
        return (state & bits) != 0;
    }

    /** Sets state bits, but for those of {@link #setExchange}. */
    public void set(int bits) {
        state |= requireNoExchange(bits);
    }

    /** Clears state bits, but for those of {@link #setExchange}. */
    public void clear(int bits) {
        state &= ~requireNoExchange(bits);
    }

    private static int requireNoExchange(int bits) {
        if ((bits & EXCHANGE) != 0) {
            throw new IllegalArgumentException("the bits of an exchange change in its order only");
        }
        return bits;
    }

    /**
     * Says how far the ping or push is that discovery has sent. Of these bits one is set at most.
     *
     * <pre>
     * from                       to             when
     * 0                          PING_SENT      discovery asks the peer
     * 0                          PUSH_SENT      discovery tells the peer
     * PING_SENT                  PING_FAILED    no answer came, or one that is of no use
     * PUSH_SENT                  PUSH_FAILED    no acknowledgement came
     * PING_SENT, PUSH_SENT       0              it was answered, or called off
     * PING_FAILED, PUSH_FAILED   0              discovery has drawn its conclusions, or begins anew
     * </pre>
     *
     * @param next one of these bits, or 0
     * @throws IllegalStateException if the table has no such step
     */
    public void setExchange(int next) {
        int now = state & EXCHANGE;
        boolean known = next == 0
                || switch (now) {
                    case 0 -> next == PeerState.PING_SENT || next == PeerState.PUSH_SENT;
                    case PeerState.PING_SENT -> next == PeerState.PING_FAILED;
                    case PeerState.PUSH_SENT -> next == PeerState.PUSH_FAILED;
                    default -> false;
                };
        if (!known) {
            throw new IllegalStateException("an exchange with " + this + " can not go from " + now + " to " + next);
        }
        state = (state & ~EXCHANGE) | next;
    }

    /** Tells whether it understands multi-rail. */
    public boolean isMultiRail() {
        return is(PeerState.MULTI_RAIL);
    }

    /** Returns its part on a net, or null. */
    public @Nullable PeerNet net(Net net) {
        for (int i = 0; i < nets.size(); i++) {
            if (nets.get(i).net().id() == net.id()) {
                return nets.get(i);
            }
        }
        return null;
    }

    /**
     * Something came from it: a later silence is a new one.
     *
     * @param now monotonic ns
     */
    public void heard(long now) {
        if (silenceCounted) {
            silenceCounted = false;
            wasSilent = true;
            silenceEnd = now;
        }
    }

    /** Tells whether anything came from one of its NIDs since a time, monotonic ns. */
    boolean wasHeardSince(long time) {
        for (PeerNet net : nets) {
            for (PeerNi ni : net.nis) {
                if (ni.everAlive && ni.lastAlive - time >= 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Tells whether anything ever came from one of its NIDs. */
    public boolean wasHeard() {
        for (PeerNet net : nets) {
            for (PeerNi ni : net.nis) {
                if (ni.everAlive) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns all its NIs, the primary first. */
    public List<PeerNi> nis() {
        List<PeerNi> all = new ArrayList<>();
        for (PeerNet net : nets) {
            all.addAll(net.nis);
        }
        return all;
    }

    @Override
    public String toString() {
        return primaryNid.toString();
    }

    /**
     * Checks its NIDs, and how far its discovery is.
     *
     * @throws AssertionError if they contradict each other
     */
    public void checkInvariants() {
        Invariant.check(!detached, this, "to be in the table only while it is not forgotten");
        boolean primary = false;
        for (PeerNet net : nets) {
            Invariant.check(net.peer == this && !net.nis.isEmpty(), this, "nets of its own with NIDs", net.net());
            for (PeerNi ni : net.nis) {
                Invariant.check(ni.peerNet == net, this, "each NID to be on the net that it is listed under", ni);
                ni.checkInvariants();
                primary |= ni.nid().equals(primaryNid);
            }
        }
        Invariant.check(primary, this, "its primary NID to be one of its own");
        Invariant.check(gateway == null || gateway.peer == this, this, "to be the peer of its gateway");
        Invariant.check(
                !is(PeerState.PING_SENT | PeerState.PUSH_SENT)
                        && isAny(PeerState.PING_SENT | PeerState.PUSH_SENT) == (exchange != null),
                this,
                "one ping or push to be outstanding if, and only if, one was sent");
        Invariant.check(is(PeerState.DATA_PRESENT) == (data != null), this, "to have ping info if it says so");
        Invariant.check(
                !is(PeerState.DISCOVERING) || queued || exchange != null,
                this,
                "its discovery to be in the queue, or to wait for an answer");
        Invariant.check(
                is(PeerState.DISCOVERING) || (parked.isEmpty() && waiters.isEmpty()),
                this,
                "nobody to wait for a discovery that does not go on",
                parked.size(),
                waiters.size());
        for (Message message = parked.peek(); message != null; message = parked.following(message)) {
            Invariant.check(
                    message.waiting() == Message.Waiting.FOR_DISCOVERY
                            || message.waiting() == Message.Waiting.FOR_GATEWAY,
                    message,
                    "to wait for the discovery of the peer",
                    this,
                    message.waiting());
            message.checkInvariants();
        }
    }
}
