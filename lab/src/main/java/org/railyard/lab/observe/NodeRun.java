package org.railyard.lab.observe;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lab.engine.SimHost;
import org.railyard.lab.net.SimMachine;
import org.railyard.lnet.LNet;
import org.railyard.lnet.nid.Nid;

/** One run of a node on its machine, from its start to its end. Belongs to the thread of its run. */
public final class NodeRun {
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
    private final long transactionNanos;
    private final SimHost host;
    private @Nullable LNet lnet;
    private End end = End.NONE;
    private int descriptors;
    private List<Nid> nids = List.of();

    /**
     * Makes a life that begins now.
     *
     * @param machine where
     * @param number how many lives the node had before
     * @param transactionNanos the node's transaction timeout, ns
     * @param host its clocks and workers
     */
    public NodeRun(SimMachine machine, int number, long transactionNanos, SimHost host) {
        this.machine = machine;
        this.number = number;
        this.transactionNanos = transactionNanos;
        this.host = host;
    }

    /** The stack is there. */
    public void born(LNet stack) {
        lnet = stack;
        nids = stack.nids();
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
