package org.railyard.o2iblnd;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.railyard.lnet.Errno;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.MessageType;
import org.railyard.o2iblnd.tune.Negotiation;
import org.railyard.o2iblnd.wire.ConnectionParameters;

/** A peer of an NI: what is known of it, its connections, what waits for one (spec 20 §2.4, §6, §8). */
final class IbPeer {
    /** Refusals of a peer that connects at the same time, after which it is let in. */
    static final int MAX_RACES = 20;

    private static final int FREE_ATTEMPTS = 10;
    private static final long SECOND = 1_000_000_000L;
    private static final long WAITING_EXTRA = 10 * SECOND;

    private final IbNi ni;
    private final Nid nid;
    private final ArrayDeque<Tx> waiting = new ArrayDeque<>();
    private final List<IbConn> conns = new ArrayList<>();
    private final List<ActiveConnect> attempts = new ArrayList<>();
    /** Accepted, not up yet. */
    private final List<IbConn> accepting = new ArrayList<>();

    private ConnectionParameters limits;
    private long stamp;
    private int races;
    private int attemptsInARow;
    private boolean reconnectLater;
    private int turn;

    IbPeer(IbNi ni, Nid nid) {
        this.ni = ni;
        this.nid = nid;
        this.limits = Negotiation.Limits.of(ni.tunables()).parameters();
    }

    IbNi ni() {
        return ni;
    }

    Nid nid() {
        return nid;
    }

    long nid4() {
        return nid.nid4();
    }

    /** Returns the peer's incarnation; 0 if it is not known. */
    long stamp() {
        return stamp;
    }

    void setStamp(long value) {
        stamp = value;
    }

    /** Returns what is asked of it: the limits that it once agreed to, or this node's. */
    ConnectionParameters limits() {
        return limits;
    }

    void setLimits(ConnectionParameters value) {
        limits = value;
    }

    boolean isConnecting() {
        return !attempts.isEmpty();
    }

    /** Notes that the peer was refused because this node goes first; false if it has been refused too often. */
    boolean countRace() {
        return races++ < MAX_RACES;
    }

    void clearRaces() {
        races = 0;
        reconnectLater = false;
    }

    void accepting(IbConn conn) {
        accepting.add(conn);
    }

    /** Sends, over a connection if there is one. */
    void send(Tx tx) {
        LndMessage message = tx.message();
        if (message != null && message.header().type() == MessageType.REPLY) {
            for (IbConn conn : conns) {
                if (conn.answerGet(tx, message.header())) {
                    return;
                }
            }
        }
        if (conns.isEmpty()) {
            tx.setDeadline(ni.now() + Math.min(tx.limitNanos(), connectNanos() + WAITING_EXTRA));
            waiting.add(tx);
            connect();
        } else {
            turn = (turn + 1) % conns.size();
            conns.get(turn).queue(tx);
        }
    }

    private long connectNanos() {
        return Math.max(5 * SECOND, ni.timeoutNanos() / 4);
    }

    private void connect() {
        if (attempts.isEmpty() && accepting.isEmpty() && !reconnectLater) {
            for (int i = 0; i < ni.tunables().connsPerPeer(); i++) {
                begin();
            }
        }
    }

    private void begin() {
        ActiveConnect attempt = new ActiveConnect(this, ni.now() + connectNanos());
        attempts.add(attempt);
        attempt.begin();
    }

    /** An attempt failed in a way that is worth another one. */
    void again(ActiveConnect failed) {
        attempts.remove(failed);
        if (waiting.isEmpty() || !accepting.isEmpty() || !conns.isEmpty() || reconnectLater) {
            return;
        }
        attemptsInARow++;
        if (attemptsInARow <= FREE_ATTEMPTS) {
            begin();
        } else {
            reconnectLater = true;
        }
    }

    /** An attempt failed for good. */
    void failed(ActiveConnect failed, Errno why) {
        attempts.remove(failed);
        if (!attempts.isEmpty() || !accepting.isEmpty() || !conns.isEmpty()) {
            return;
        }
        HealthStatus health = switch (why) {
            case EHOSTUNREACH, ETIMEDOUT -> HealthStatus.NETWORK_TIMEOUT;
            case ECONNREFUSED -> HealthStatus.REMOTE_DROPPED;
            default -> HealthStatus.LOCAL_DROPPED;
        };
        if (health != HealthStatus.LOCAL_DROPPED) {
            ni.notifyPeer(nid, false);
        }
        attemptsInARow = 0;
        finishWaiting(why, health);
    }

    private void finishWaiting(Errno why, HealthStatus health) {
        List<Tx> all = new ArrayList<>(waiting);
        waiting.clear();
        for (Tx tx : all) {
            tx.fail(why.status(), health);
            ni.finish(tx);
        }
    }

    void established(IbConn conn) {
        attempts.removeIf(attempt -> attempt.conn() == conn);
        accepting.remove(conn);
        conns.add(conn);
        attemptsInARow = 0;
        clearRaces();
        ni.notifyPeer(nid, true);
        List<Tx> all = new ArrayList<>(waiting);
        waiting.clear();
        for (Tx tx : all) {
            if (conn.isEstablished()) {
                conn.queue(tx);
            } else {
                send(tx);
            }
        }
    }

    /** A connection has ended. */
    void closed(IbConn conn, CloseReason reason) {
        boolean wasUp = conns.remove(conn);
        accepting.remove(conn);
        if (wasUp && reason.blamesPeer() && conns.isEmpty()) {
            ni.notifyPeer(nid, false);
        }
        if (!wasUp && !waiting.isEmpty() && reason != CloseReason.SHUTDOWN && reason != CloseReason.DEVICE) {
            connect();
        }
    }

    /** Closes all connections that are up or being accepted. */
    void closeAll(CloseReason reason) {
        List<IbConn> all = new ArrayList<>(conns);
        all.addAll(accepting);
        all.forEach(conn -> conn.close(reason));
    }

    /** Ends everything. */
    void end(CloseReason reason) {
        List.copyOf(attempts).forEach(attempt -> attempt.abort(reason));
        attempts.clear();
        closeAll(reason);
        reconnectLater = false;
        finishWaiting(
                reason.errno(),
                reason == CloseReason.SHUTDOWN ? HealthStatus.LOCAL_ABORTED : HealthStatus.LOCAL_DROPPED);
    }

    /** Looks for limits that passed. */
    void check(long now) {
        for (ActiveConnect attempt : List.copyOf(attempts)) {
            attempt.check(now);
        }
        for (IbConn conn : List.copyOf(conns)) {
            conn.check(now);
        }
        expireWaiting(now);
        if (reconnectLater) {
            reconnectLater = false;
            if (!waiting.isEmpty() && attempts.isEmpty() && accepting.isEmpty()) {
                begin();
            }
        }
    }

    private void expireWaiting(long now) {
        List<Tx> late = new ArrayList<>();
        for (Tx tx : waiting) {
            if (tx.deadline() <= now) {
                late.add(tx);
            }
        }
        waiting.removeAll(late);
        for (Tx tx : late) {
            tx.fail(Errno.ETIMEDOUT.status(), HealthStatus.NETWORK_TIMEOUT);
            ni.finish(tx);
        }
    }

    @Override
    public String toString() {
        return nid.toString();
    }
}
