package org.railyard.roce.loop;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Host;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.Worker;
import org.railyard.roce.net.Datagrams;
import org.railyard.verbs.LoopTimer;
import org.railyard.verbs.card.CardScheduler;

/**
 * The one thread of a provider. In turns it runs tasks of loops, takes packets from the sockets, does what is due, and
 * sends what has come together; then it waits. So nothing else in a provider needs a lock.
 */
public final class ProviderThread implements CardScheduler {
    private static final System.Logger LOG = System.getLogger(ProviderThread.class.getName());

    /** Most packets that one socket hands over in one turn. */
    private static final int BATCH = 256;

    /** How often in a turn tasks run that others have left: completions come, handlers send, that is posted. */
    private static final int FOLLOW_UPS = 3;

    /** Longest wait: so a clock that jumps is noticed. */
    private static final long MAX_WAIT_NANOS = 100_000_000L;

    /** Most turns without a look at whether the thread is to end. */
    private static final int MAX_TURNS = 64;

    /** Longest wait for a network that takes nothing, if it does not tell when it does. */
    private static final long BUSY_WAIT_NANOS = 1_000_000L;

    private final Datagrams net;
    private final NodeClock clock;
    private final Timers timers = new Timers();
    /** Replaced as a whole when a loop begins or ends, so that the thread sees one or the other. */
    private volatile RoceLoop[] loops = {};

    private final List<PacketSource> sources = new CopyOnWriteArrayList<>();
    private final ArrayDeque<Runnable> endOfTurn = new ArrayDeque<>();

    /** Whether that is to be done before tasks run. */
    private boolean early;

    /** Senders that wait because the network took nothing. */
    private ArrayDeque<Runnable> nextTurn = new ArrayDeque<>();

    private ArrayDeque<Runnable> spare = new ArrayDeque<>();
    private @Nullable Worker worker;
    private volatile @Nullable Thread turning;
    private volatile boolean waiting;
    private volatile boolean closed;
    private final long busyPollNanos;

    /** When this turn began, and the last one that found something to do. */
    private long turnTime;

    private long lastBusy;

    /**
     * Makes a thread that does not run yet.
     *
     * @param busyPollNanos how long it looks for something to do before it sleeps, ns
     */
    public ProviderThread(Host host, Datagrams net, long busyPollNanos) {
        this.busyPollNanos = busyPollNanos;
        this.net = net;
        this.clock = host.clock();
    }

    /** Starts it. */
    public void start(Host host) {
        Worker started = host.startWorker("roce", this::run);
        worker = started;
        net.attach(started::wake);
        // For what came before.
        started.wake();
    }

    /** Returns the time, ns; in the thread that when its turn began, since reading the clock costs time as well. */
    @Override
    public long now() {
        return isHere() ? turnTime : clock.nanoTime();
    }

    /** Returns what is to happen later in it. */
    public Timers timers() {
        return timers;
    }

    @Override
    public LoopTimer schedule(long delayNanos, Runnable task) {
        Timers.Timer timer = new Timers.Timer(task);
        timers.set(timer, now() + delayNanos);
        return () -> timers.cancel(timer);
    }

    /** Tells whether the caller runs in it. */
    public boolean isHere() {
        return turning == Thread.currentThread();
    }

    /** Tells whether it was ended. */
    public boolean isClosed() {
        return closed;
    }

    /** Runs the tasks of a loop from now on. */
    public synchronized void add(RoceLoop loop) {
        RoceLoop[] more = Arrays.copyOf(loops, loops.length + 1);
        more[loops.length] = loop;
        loops = more;
    }

    synchronized void remove(RoceLoop loop) {
        loops = Arrays.stream(loops).filter(each -> each != loop).toArray(RoceLoop[]::new);
    }

    /** Takes packets from a source from now on. */
    public void add(PacketSource source) {
        sources.add(source);
    }

    /** Runs a task at the end of the turn: an acknowledgement is to be sent. */
    public void atEndOfTurn(Runnable task) {
        endOfTurn.add(task);
    }

    /**
     * Has what is for the end of the turn done before its tasks run: they will take a while, in which the other side
     * can go on once it knows what arrived.
     */
    public void beforeTasks() {
        early = true;
    }

    /** Runs a task when the network may take something again, which is the next turn: it takes nothing now. */
    public void inNextTurn(Runnable task) {
        nextTurn.add(task);
    }

    /** Ends waiting, because there is something to do. From any thread. */
    public void wakeup() {
        if (waiting) {
            net.wakeup();
        }
    }

    @SuppressWarnings(
            "ThreadPriorityCheck") // Without the yield, polling on a busy machine keeps out those it waits for.
    private long run(long now) {
        waiting = false;
        turnTime = now;
        for (int i = 0; turn(); i++) {
            lastBusy = turnTime;
            if (closed || i == MAX_TURNS) {
                return turnTime;
            }
            turnTime = clock.nanoTime();
        }
        if (closed) {
            return now + MAX_WAIT_NANOS;
        }
        long time = clock.nanoTime();
        if (time - lastBusy < busyPollNanos) {
            // Whoever is to answer may need this CPU.
            Thread.yield();
            return time;
        }
        long most = nextTurn.isEmpty() ? MAX_WAIT_NANOS : BUSY_WAIT_NANOS;
        long wait = Math.min(most, timers.untilNext(time));
        waiting = true;
        // Looked at after the others have been told to wake it, so that nothing is missed.
        return hasTasks() || net.await(wait) ? time : time + wait;
    }

    private boolean hasTasks() {
        for (RoceLoop each : loops) {
            if (each.hasTasks()) {
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
            for (int i = 0; i < sources.size(); i++) {
                busy |= sources.get(i).receive(BATCH);
            }
            if (early) {
                early = false;
                endTurn();
            }
            busy |= runTimers();
            // They are no reason for another turn: if the network takes nothing still, they wait for it.
            runSenders();
            // What the packets brought about, and what that brought about, leaves without another turn.
            for (int i = 0; i < FOLLOW_UPS && runTasks(); i++) {
                busy = true;
            }
            // Behind all else: an acknowledgement is shorter, so that it may be the last segment of what leaves anyway.
            endTurn();
            return busy;
        } finally {
            turning = null;
        }
    }

    private void endTurn() {
        for (Runnable task = endOfTurn.poll(); task != null; task = endOfTurn.poll()) {
            task.run();
        }
        flush();
    }

    private void flush() {
        for (int i = 0; i < sources.size(); i++) {
            sources.get(i).flush();
        }
    }

    private boolean runTasks() {
        boolean any = false;
        for (RoceLoop each : loops) {
            any |= each.run();
        }
        return any;
    }

    private boolean runTimers() {
        try {
            return timers.run(turnTime);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "a timer failed", e);
            return true;
        }
    }

    private void runSenders() {
        if (nextTurn.isEmpty()) {
            return;
        }
        ArrayDeque<Runnable> senders = nextTurn;
        nextTurn = spare;
        spare = senders;
        for (Runnable each = senders.poll(); each != null; each = senders.poll()) {
            each.run();
        }
    }

    /**
     * Ends the thread, and closes sockets and loops.
     *
     * @param last what there is left to send when nothing else happens any more
     */
    public void close(Runnable last) {
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
            last.run();
            flush();
        } finally {
            turning = null;
        }
        for (PacketSource each : new ArrayList<>(sources)) {
            each.close();
        }
        Arrays.stream(loops).forEach(RoceLoop::close);
        net.close();
    }
}
