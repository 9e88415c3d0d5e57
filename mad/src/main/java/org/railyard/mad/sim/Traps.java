package org.railyard.mad.sim;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;

/** The traps of all nodes: each is sent again until somebody represses it (spec 40 §3). */
final class Traps {
    /** Most traps of a node that wait to be repressed; the oldest is forgotten. */
    static final int MAX_PENDING = 16;

    /** Sends one; false if the port can not yet. */
    interface Sender {
        boolean send(int node, int port, Mad trap);
    }

    private final VirtualLoop loop;
    private final long repeatNanos;
    private final Sender sender;
    private final Map<Integer, Map<Integer, Runnable>> pending = new TreeMap<>();
    private final Map<Integer, Runnable> babbling = new TreeMap<>();
    private int nextTid = 1;

    Traps(VirtualLoop loop, long repeatNanos, Sender sender) {
        this.loop = loop;
        this.repeatNanos = repeatNanos;
        this.sender = sender;
    }

    /** Sends a trap, now and again. One that can not be sent is forgotten: the port has no SM. */
    void send(int node, int port, Notice notice) {
        Mad mad = Mad.lidRouted(MadMethod.TRAP, Notice.TYPE, 0).setData(Notice.TYPE, notice);
        int tid = nextTid++;
        mad.set(Mad.TRANSACTION_ID, Integer.toUnsignedLong(tid));
        Map<Integer, Runnable> ofNode = pending.computeIfAbsent(node, n -> new LinkedHashMap<>());
        if (ofNode.size() >= MAX_PENDING) {
            Iterator<Runnable> oldest = ofNode.values().iterator();
            oldest.next().run();
            oldest.remove();
        }
        again(node, port, tid, mad);
    }

    private void again(int node, int port, int tid, Mad mad) {
        Map<Integer, Runnable> ofNode = pending.computeIfAbsent(node, n -> new LinkedHashMap<>());
        if (sender.send(node, port, mad)) {
            ofNode.put(tid, loop.schedule(repeatNanos, () -> again(node, port, tid, mad)));
        } else {
            ofNode.remove(tid);
        }
    }

    /** Ends a trap of a node that somebody has seen. */
    void repressed(int node, Mad repress) {
        Map<Integer, Runnable> ofNode = pending.get(node);
        Runnable cancel = ofNode == null ? null : ofNode.remove(repress.tid());
        if (cancel != null) {
            cancel.run();
        }
    }

    void babble(int node, long intervalNanos, Runnable trap) {
        Runnable before = babbling.remove(node);
        if (before != null) {
            before.run();
        }
        if (intervalNanos > 0) {
            babbleAgain(node, intervalNanos, trap);
        }
    }

    private void babbleAgain(int node, long intervalNanos, Runnable trap) {
        trap.run();
        babbling.put(node, loop.schedule(intervalNanos, () -> babbleAgain(node, intervalNanos, trap)));
    }
}
