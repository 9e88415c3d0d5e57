package org.railyard.roce;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Host;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.Worker;
import org.railyard.roce.wire.Frame;

/**
 * The one thread of a provider. In turns it runs tasks of loops, takes packets from the sockets, does what is due, and
 * sends the acknowledgements that have come together; then it waits. So nothing else in a provider needs a lock.
 */
final class ProviderThread {
    private static final System.Logger LOG = System.getLogger(ProviderThread.class.getName());

    /** Most packets that one socket hands over in one turn. */
    private static final int BATCH = 64;

    /** Longest wait: so a clock that jumps is noticed. */
    private static final long MAX_WAIT_NANOS = 100_000_000L;

    private final Datagrams net;
    private final NodeClock clock;
    private final Timers timers = new Timers();
    private final List<RoceLoop> loops = new CopyOnWriteArrayList<>();
    private final List<RocePort> ports = new CopyOnWriteArrayList<>();
    private final Frame outgoing = new Frame();
    private final ArrayDeque<RoceQp> owingAcks = new ArrayDeque<>();

    /** Those that wait because the network took nothing. */
    private ArrayDeque<RoceQp> starved = new ArrayDeque<>();

    private ArrayDeque<RoceQp> starvedBefore = new ArrayDeque<>();
    private @Nullable Worker worker;
    private volatile @Nullable Thread turning;
    private volatile boolean waiting;
    private volatile boolean closed;

    ProviderThread(Host host, Datagrams net) {
        this.net = net;
        this.clock = host.clock();
    }

    void start(Host host) {
        Worker started = host.startWorker("roce", this::run);
        worker = started;
        net.attach(started::wake);
        // What came before anybody could be called.
        started.wake();
    }

    long now() {
        return clock.nanoTime();
    }

    Timers timers() {
        return timers;
    }

    /** Returns the memory for the packet that is sent next. */
    Frame outgoing() {
        return outgoing;
    }

    boolean isHere() {
        return turning == Thread.currentThread();
    }

    boolean isClosed() {
        return closed;
    }

    void add(RoceLoop loop) {
        loops.add(loop);
    }

    void remove(RoceLoop loop) {
        loops.remove(loop);
    }

    void add(RocePort port) {
        ports.add(port);
    }

    /** Lets an acknowledgement be sent at the end of the turn. */
    void oweAck(RoceQp qp) {
        owingAcks.add(qp);
    }

    /** Lets a queue pair try to send again in the next turn. */
    void starve(RoceQp qp) {
        starved.add(qp);
    }

    /** Ends waiting, because there is something to do. From any thread. */
    void wakeup() {
        if (waiting) {
            net.wakeup();
        }
    }

    private long run(long now) {
        waiting = false;
        boolean busy = turn();
        if (closed) {
            return now + MAX_WAIT_NANOS;
        }
        if (busy) {
            return now;
        }
        long wait = Math.min(MAX_WAIT_NANOS, timers.untilNext(now()));
        waiting = true;
        // Looked at after the others have been told to wake it, so that nothing is missed.
        return hasTasks() || net.await(wait) ? now : now + wait;
    }

    private boolean hasTasks() {
        for (int i = 0; i < loops.size(); i++) {
            if (loops.get(i).hasTasks()) {
                return true;
            }
        }
        return false;
    }

    /** Does what there is to do; returns whether there was anything. */
    private boolean turn() {
        turning = Thread.currentThread();
        try {
            boolean busy = runTasks();
            for (int i = 0; i < ports.size(); i++) {
                busy |= ports.get(i).receive(BATCH);
            }
            busy |= runTimers();
            busy |= feed();
            for (RoceQp qp = owingAcks.poll(); qp != null; qp = owingAcks.poll()) {
                qp.receiver().payAck();
            }
            // What the packets brought about, without another turn.
            busy |= runTasks();
            return busy;
        } finally {
            turning = null;
        }
    }

    private boolean runTasks() {
        boolean any = false;
        // A loop may end, or begin, because of a task.
        for (int i = 0; i < loops.size(); i++) {
            any |= loops.get(i).run();
        }
        return any;
    }

    private boolean runTimers() {
        try {
            return timers.run(now());
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "a timer failed", e);
            return true;
        }
    }

    private boolean feed() {
        if (starved.isEmpty()) {
            return false;
        }
        ArrayDeque<RoceQp> hungry = starved;
        starved = starvedBefore;
        starvedBefore = hungry;
        for (RoceQp qp = hungry.poll(); qp != null; qp = hungry.poll()) {
            qp.sender().feed();
        }
        return true;
    }

    /**
     * Ends the thread, and closes sockets and loops.
     *
     * @param farewell what there is left to send when nothing else happens any more
     */
    void close(Runnable farewell) {
        if (closed) {
            return;
        }
        closed = true;
        net.wakeup();
        Worker running = worker;
        if (running != null) {
            running.close();
        }
        turning = Thread.currentThread();
        try {
            farewell.run();
        } finally {
            turning = null;
        }
        for (RocePort each : new ArrayList<>(ports)) {
            each.close();
        }
        loops.forEach(RoceLoop::close);
        net.close();
    }
}
