package org.railyard.cli.demo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.railyard.base.Errno;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lnet.LNet;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

/**
 * The application of the demo in virtual time: slots that do one transaction after the other, with pauses. What LNet
 * reports as failed or timed out is repeated. For one thread.
 */
final class EventClient {
    private static final int SMALL = 64;
    private static final long RETRY_NANOS = 50_000_000L;
    private static final long MAX_PAUSE_NANOS = 10_000_000L;

    private final LNet node;
    private final ProcessId target;
    private final EventQueue queue;
    private long numbers;
    private long transactions;
    private long bytes;
    private long repeats;
    private long timeOuts;
    private long lost;
    private long wrong;
    private int busy;
    private boolean stopped;

    EventClient(LNet node, Nid target, EventQueue queue) {
        this.node = node;
        this.target = ProcessId.of(target);
        this.queue = queue;
    }

    /** Starts a slot. */
    void start(int number, Arena arena) {
        busy++;
        new Slot(number, arena.allocate(DemoTarget.BULK, 64)).next();
    }

    /** One transaction at a time. */
    private final class Slot {
        private final int number;
        private final MemorySegment whole;
        private final SplittableRandom random;
        private MemorySegment memory;
        private long transaction;
        private long failures;
        private int attempt;
        private boolean get;

        Slot(int number, MemorySegment whole) {
            this.number = number;
            this.whole = whole;
            this.memory = whole;
            this.random = new SplittableRandom(number);
        }

        /** Begins a transaction: half of them small PUTs, a quarter bulk PUTs, a quarter bulk GETs. */
        void next() {
            if (stopped) {
                busy--;
                return;
            }
            int kind = random.nextInt(4);
            get = kind == 3;
            memory = whole.asSlice(0, kind < 2 ? SMALL : DemoTarget.BULK);
            transaction = ++numbers;
            attempt = 0;
            attempt();
        }

        private void attempt() {
            long stamp = transaction * Attempt.PER_TRANSACTION + attempt;
            DemoTarget.stamp(memory, (int) memory.byteSize(), get ? -1 : stamp);
            Attempt.begin(node, target, number, failures, memory, stamp, get, this::ended);
        }

        private void ended(int status) {
            int length = (int) memory.byteSize();
            if (status == 0) {
                transactions++;
                bytes += length;
                wrong += get && !DemoTarget.isStamped(memory, length, number) ? 1 : 0;
                queue.at(queue.now() + random.nextLong(MAX_PAUSE_NANOS), this::next);
                return;
            }
            failures++;
            timeOuts += status == Errno.ETIMEDOUT.status() ? 1 : 0;
            if (++attempt < Attempt.MAX) {
                repeats++;
                queue.at(queue.now() + RETRY_NANOS, this::attempt);
            } else {
                lost++;
                queue.at(queue.now(), this::next);
            }
        }
    }

    /** Lets the slots end after their transaction. */
    void stop() {
        stopped = true;
    }

    /** Tells whether all slots have ended. */
    boolean isDone() {
        return busy == 0;
    }

    long transactions() {
        return transactions;
    }

    long bytes() {
        return bytes;
    }

    long repeats() {
        return repeats;
    }

    long timeOuts() {
        return timeOuts;
    }

    long lost() {
        return lost;
    }

    long wrong() {
        return wrong;
    }
}
