package org.railyard.lab.observe;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lab.engine.SimHost;
import org.railyard.lab.net.SimMachine;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.nid.Nid;

/** One run of a node on its machine, from its start to its end. Belongs to the thread of its run. */
public final class NodeRun {
    private static final long SECOND = 1_000_000_000L;

    /** How it ended. */
    public enum End {
        /** It goes on. */
        NONE,
        /** It is being shut down in order: messages fail, descriptors see their last event. */
        CLOSING,
        /** It was shut down in order. */
        CLOSED,
        /** It was killed: nothing is heard of it any more. */
        KILLED
    }

    private final SimMachine machine;
    private final int number;
    private final Settings settings;
    private final long transactionNanos;
    private final SimHost host;
    private final List<Lnd> lnds = new ArrayList<>();
    private @Nullable LNet lnet;
    private End end = End.NONE;
    private int descriptors;
    private List<Nid> nids = List.of();

    /**
     * Makes a life that begins now.
     *
     * @param machine where
     * @param number how many lives the node had before
     * @param settings the tunables that the node starts with
     * @param host its clocks and workers
     */
    public NodeRun(SimMachine machine, int number, Settings settings, SimHost host) {
        this.machine = machine;
        this.number = number;
        this.settings = settings;
        this.transactionNanos = settings.transactionNanos();
        this.host = host;
    }

    /** The stack is there. */
    public void born(LNet stack) {
        lnet = stack;
        nids = stack.nids();
    }

    /** One of its transports is there. */
    void uses(Lnd lnd) {
        lnds.add(lnd);
    }

    /** Returns the machine. */
    public SimMachine machine() {
        return machine;
    }

    /** Returns how many lives the node had before. */
    public int number() {
        return number;
    }

    /** Returns the transaction timeout, ns. */
    public long transactionNanos() {
        return transactionNanos;
    }

    /**
     * Returns how long a request may be under way, its resends included, ns: as long as its transaction, or with
     * {@code deadline_rule: per_commit} as long as all attempts, each of which has the whole limit (spec 10 §15).
     */
    public long sendingNanos() {
        if (!settings.is(Tunable.DEADLINE_RULE)) {
            return transactionNanos;
        }
        int retries = settings.get(Tunable.RETRY_COUNT);
        int seconds = lnds.stream().mapToInt(Lnd::timeoutSeconds).max().orElse(0);
        long ofTransport = seconds > 0 ? (seconds * (retries + 1L) + 1) * SECOND : 0;
        // The monitor, which looks once a second, begins each further attempt.
        long pause = settings.get(Tunable.RESEND_INTERVAL) * SECOND / 1000 + SECOND;
        return (retries + 1L) * Math.max(transactionNanos, ofTransport) + retries * pause;
    }

    /** Tells whether an answer that does not come is reported as the end of its descriptor alone (spec 10 §16). */
    public boolean isSilenceAnUnlink() {
        return settings.is(Tunable.RESPONSE_TIMEOUT_EVENT);
    }

    /** Returns clocks and workers. */
    public SimHost host() {
        return host;
    }

    /** Returns the stack. */
    public LNet lnet() {
        LNet stack = lnet;
        if (stack == null) {
            throw new IllegalStateException(machine + " has not started yet");
        }
        return stack;
    }

    /** Returns the NIDs that it started with. */
    public List<Nid> nids() {
        return nids;
    }

    /** One more descriptor was attached. */
    public void attached() {
        descriptors++;
    }

    /** Returns how many descriptors were attached. */
    public int descriptors() {
        return descriptors;
    }

    /** Returns how it ended. */
    public End end() {
        return end;
    }

    /** Tells whether it goes on. */
    public boolean goesOn() {
        return end == End.NONE;
    }

    /** It ends. */
    public void end(End how) {
        end = how;
    }

    @Override
    public String toString() {
        return machine.name();
    }
}
