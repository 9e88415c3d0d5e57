package org.railyard.o2iblnd.ni;

import java.util.function.IntUnaryOperator;
import org.railyard.base.host.Host;
import org.railyard.base.host.LimitedLog;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.o2iblnd.bond.Targets;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.VerbsClock;
import org.railyard.verbs.VerbsProvider;

/** What all NIs of one transport share: the stack above, the cards below, one loop, logs and counters. Thread-safe. */
public final class O2ibContext {
    private final LndUpcalls stack;
    private final Host host;
    private final VerbsProvider verbs;
    private final VerbsClock clock;
    private final EventLoop loop;
    private final LimitedLog log;
    private final LimitedLog alerts;
    private final Targets targets;
    private final IntUnaryOperator prefixes;
    private final RejectCounts rejectsSent = new RejectCounts();
    private final RejectCounts rejectsReceived = new RejectCounts();
    private volatile boolean closed;

    /**
     * Makes it, with the loop in which everything happens.
     *
     * @param logger where warnings and errors go, each text once per interval
     * @param prefixes length of the IP subnet of a local address, 0 if it is not known
     */
    public O2ibContext(
            LndUpcalls stack,
            Host host,
            VerbsProvider verbs,
            System.Logger logger,
            Targets targets,
            IntUnaryOperator prefixes) {
        this.stack = stack;
        this.host = host;
        this.verbs = verbs;
        this.clock = verbs.clock();
        this.loop = verbs.createEventLoop("o2iblnd");
        this.log = new LimitedLog(logger, System.Logger.Level.WARNING, host.clock());
        this.alerts = new LimitedLog(logger, System.Logger.Level.ERROR, host.clock());
        this.targets = targets;
        this.prefixes = prefixes;
    }

    /** Returns the stack above. */
    public LndUpcalls stack() {
        return stack;
    }

    /** Returns the provider of cards. */
    public VerbsProvider verbs() {
        return verbs;
    }

    /** Returns the loop whose thread all of this belongs to. */
    public EventLoop loop() {
        return loop;
    }

    /** Returns the time of the cards, ns. */
    long now() {
        return clock.nanoTime();
    }

    /** Returns the time of the stack, whose clock may be another than that of the cards, ns. */
    long stackNanos() {
        return host.clock().nanoTime();
    }

    long wallNanos() {
        return host.clock().wallNanos();
    }

    /** Returns how many requests of others were rejected here. */
    public RejectCounts rejectsSent() {
        return rejectsSent;
    }

    /** Returns how many requests of this node others have rejected. */
    public RejectCounts rejectsReceived() {
        return rejectsReceived;
    }

    /** Returns the addresses that connections to peers may use. */
    public Targets targets() {
        return targets;
    }

    /** Returns the length of the network prefix of one of our addresses, bits. */
    public int prefixLength(int ip) {
        return prefixes.applyAsInt(ip);
    }

    /** Logs a warning about this node: its text is its topic. */
    public void warn(String line) {
        log.log(line, line);
    }

    /**
     * Logs a warning.
     *
     * @param topic what it is about, of which there is one line per interval; without what a peer chooses
     */
    void warn(String topic, String line) {
        log.log(topic, line);
    }

    void alert(String line) {
        alerts.log(line, line);
    }

    /** Returns whether the transport is closed. */
    public boolean isClosed() {
        return closed;
    }

    /** Ends the loop. */
    public void close() {
        closed = true;
        loop.close();
    }

    /** Tells whether the calling thread may do what belongs to the loop: it is the loop's, or the loop has ended. */
    boolean isInLoop() {
        return closed || loop.isInLoop();
    }
}
