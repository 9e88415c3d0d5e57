package org.railyard.o2iblnd.ni;

import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.o2iblnd.transfer.Tx;
import org.railyard.o2iblnd.transfer.TxPool;
import org.railyard.o2iblnd.tune.EffectiveTunables;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.verbs.EventLoop;

/**
 * What connections and peers need of their NI: its identity, tunables, transmits, and the stack above it. Belongs to
 * the loop; tunables and state may be read from any thread.
 */
public final class NiContext {
    private static final long SECOND = 1_000_000_000L;
    private static final int NANOS_PER_MICRO = 1000;

    /** So many messages end before their owners are told. */
    private static final int TOLD_TOGETHER = 32;

    private final O2ibContext context;
    private final LndNi ni;
    private final boolean bonded;

    /** Read and changed from other threads, too. */
    private volatile EffectiveTunables tunables;

    private volatile EffectiveTunables oldTunables;
    private final long stamp;
    private final TxPool transmits;
    private volatile boolean stopped;
    private long cookies;

    /** Whether what ends well is told together with what follows. */
    private boolean collects;

    private int collected;

    /**
     * Makes the context of an NI that starts now.
     *
     * @param bonded whether it is a group
     */
    public NiContext(O2ibContext context, LndNi ni, boolean bonded, EffectiveTunables tunables) {
        this.context = context;
        this.ni = ni;
        this.bonded = bonded;
        this.tunables = tunables;
        this.oldTunables = tunables.in(Kib.V1);
        this.transmits = new TxPool(tunables.transmitsPerCpt(1));
        this.stamp = context.wallNanos() / NANOS_PER_MICRO;
    }

    /** Returns what all NIs of the transport share. */
    public O2ibContext context() {
        return context;
    }

    /** Returns the loop whose thread all of this belongs to. */
    public EventLoop loop() {
        return context.loop();
    }

    /** Tells whether the calling thread may do what belongs to the loop: it is the loop's, or the loop has ended. */
    public boolean isInLoop() {
        return context.isInLoop();
    }

    /** Returns monotonic time, ns. */
    public long now() {
        return context.now();
    }

    /** Returns the NI as the stack knows it. */
    public LndNi ni() {
        return ni;
    }

    /** Returns the NID in its 8-byte form. */
    public long nid4() {
        return ni.nid().nid4();
    }

    /** Tells whether it is a group. */
    public boolean isBonded() {
        return bonded;
    }

    /** Returns the incarnation: when the NI started, µs of wall-clock time. */
    public long stamp() {
        return stamp;
    }

    /** Returns the tunables that count, in the newest version of the protocol that it speaks. */
    public EffectiveTunables tunables() {
        return tunables;
    }

    /** Returns the tunables that count in a version of the protocol. */
    public EffectiveTunables tunables(int version) {
        return version == Kib.V1 ? oldTunables : tunables;
    }

    /** Changes tunables: what begins from now on follows. */
    public void tune(EffectiveTunables changed) {
        tunables = changed;
        oldTunables = changed.in(Kib.V1);
    }

    /** Returns the value of a tunable for this NI. */
    public int tunable(O2ibTunable which) {
        return tunables.given().get(which);
    }

    /**
     * Returns how long each step of a message may take, ns: what the stack says, and at most the own limit if there is
     * one.
     */
    public long limitOf(LndMessage message) {
        long wanted = message.timeoutNanos();
        if (wanted <= 0) {
            return timeoutNanos();
        }
        return tunable(O2ibTunable.TIMEOUT) == 0 ? wanted : Math.min(wanted, timeoutNanos());
    }

    /** Returns the limit of everything that takes time, ns. */
    public long timeoutNanos() {
        int seconds = tunable(O2ibTunable.TIMEOUT);
        return (seconds == 0 ? O2ibTunable.TIMEOUT.spec().defaultValue() : seconds) * SECOND;
    }

    /** Returns after how long without sending a NOOP is due, ns; 0 for never. */
    public long keepaliveNanos() {
        return tunable(O2ibTunable.KEEPALIVE) * SECOND;
    }

    /** Returns after how long without a message a connection is closed, ns. */
    public long idleNanos() {
        int seconds = tunable(O2ibTunable.CONN_IDLE_TIMEOUT);
        return seconds == 0 ? Long.MAX_VALUE : seconds * SECOND;
    }

    /** Returns whether messages carry a checksum. */
    public boolean checksums() {
        return tunable(O2ibTunable.CKSUM) != 0;
    }

    /** Returns whether the NI is being taken down. */
    public boolean isStopped() {
        return stopped;
    }

    /** Begins nothing new from now on. */
    public void stop() {
        stopped = true;
    }

    /**
     * Logs a warning that names the NI.
     *
     * @param topic what it is about, of which there is one line per interval; without what a peer chooses
     */
    public void warn(String topic, String line) {
        context.warn(ni.nid() + " " + topic, ni.nid() + ": " + line);
    }

    /** Logs a warning about this node that names the NI. */
    public void warn(String line) {
        context.warn(ni.nid() + ": " + line);
    }

    /** Logs an error that an operator has to act on and that names the NI. */
    public void alert(String line) {
        context.alert(ni.nid() + ": " + line);
    }

    /** Returns the transmits that are not used. */
    public TxPool transmits() {
        return transmits;
    }

    /** Returns a number for the next transfer; no two are equal. */
    public long nextCookie() {
        return cookies++;
    }

    /** Gives a header that arrived to the stack; returns 0 or a negative errno. */
    public int parse(LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
        return context.stack().parse(ni, header, from, fromPid, receiver);
    }

    /**
     * Gives a message back to the stack with its status, 0 or a negative errno, and what it says of health. Between
     * {@link #collect} and {@link #tellCollected} the stack may end it later, but in its turn.
     */
    public void complete(LndMessage message, int status, HealthStatus health) {
        if (collects && status == 0) {
            context.stack().completeSoon(message);
            collected++;
        } else {
            context.stack().complete(message, status, health);
        }
    }

    /**
     * Collects from now on what ends well: several messages then cost one taking of the stack's lock. The caller calls
     * {@link #tellCollected} before the loop turns to something else.
     */
    public void collect() {
        collects = true;
    }

    /** Lets the stack end what was collected if that is much: what follows from it then uses what is in the cache. */
    public void tellIfMany() {
        if (collected >= TOLD_TOGETHER) {
            collected = 0;
            context.stack().flush();
        }
    }

    /** Lets the stack end what was collected. */
    public void tellCollected() {
        collects = false;
        collected = 0;
        context.stack().flush();
    }

    /** Tells the stack that a peer came or went. */
    public void notifyPeer(Nid peer, boolean alive) {
        context.stack().notifyPeer(ni, peer, alive, false, context.stackNanos());
    }

    /** Tells the stack that the last connection with a peer ended, which says nothing of whether the peer lives. */
    public void disconnected(Nid peer) {
        context.stack().disconnected(ni, peer);
    }

    /** Ends a transmit and gives its messages back. */
    public void finish(Tx tx) {
        LndMessage reply = tx.reply();
        LndMessage message = tx.message();
        int moved = tx.completionStatus();
        int status = tx.status();
        HealthStatus health = tx.health();
        transmits.giveBack(tx);
        if (reply != null) {
            if (health == HealthStatus.OK) {
                context.stack().setReplyLength(reply, moved);
            }
            complete(reply, status, health);
        }
        if (message != null) {
            complete(message, status, health);
        }
    }
}
