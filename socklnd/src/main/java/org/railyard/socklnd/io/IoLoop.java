package org.railyard.socklnd.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Wire;

/**
 * One I/O thread with its selector. Other threads hand channels over by an intrusive stack, which allocates nothing,
 * and rare work as tasks; it is woken only if it sleeps.
 */
public final class IoLoop implements Runnable {
    private static final System.Logger LOG = System.getLogger("org.railyard.socklnd");

    /** Bytes that one read may discard. */
    private static final int SCRATCH_BYTES = 64 * 1024;

    /**
     * How often the loop looks for handed-over work before it sleeps; a producer in a burst comes back within that
     * time.
     */
    private static final int SPINS = 200;

    /** How long the closing of a channel waits for the loop. */
    private static final long MAX_FORGET_MILLIS = 1000;

    private final Selector selector;
    private final long busyPollNanos;
    private final LongSupplier clock;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable LoopClient> handed = new AtomicReference<>();
    private final AtomicBoolean asleep = new AtomicBoolean();
    private final Consumer<SelectionKey> dispatcher = this::dispatch;
    private final ArrayDeque<LoopClient> corked = new ArrayDeque<>();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
    private final @Nullable ByteBuffer[] vector = new ByteBuffer[Wire.MAX_FRAGMENTS + 2];
    private final BufferPool buffers = new BufferPool();
    private boolean corking;
    private volatile boolean stopped;

    /** Makes a loop whose thread has a name and sleeps as soon as there is nothing to do. */
    public IoLoop(String name) {
        this(name, 0);
    }

    /**
     * Makes a loop that looks for more for a while before it sleeps.
     *
     * @param name of its thread
     * @param busyPollNanos how long after the last event, ns; 0 for not at all
     */
    public IoLoop(String name, long busyPollNanos) {
        this(name, busyPollNanos, System::nanoTime);
    }

    IoLoop(String name, long busyPollNanos, LongSupplier clock) {
        this.busyPollNanos = busyPollNanos;
        this.clock = clock;
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("no selector for " + name, e);
        }
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
        thread.start();
    }

    @Override
    public void run() {
        try {
            while (!stopped) {
                boolean worked = runHanded();
                runTasks();
                if (worked) {
                    selector.selectNow(dispatcher);
                    if (!staysQuiet()) {
                        continue;
                    }
                }
                if (busyPollNanos == 0 || !findsMore()) {
                    sleep();
                }
            }
            // Ends of connections are among what was handed over, and make tasks.
            runHanded();
            runTasks();
        } catch (IOException | RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, thread.getName() + " ends, its connections stand still", e);
        } finally {
            closeSelector();
        }
    }

    private void sleep() throws IOException {
        asleep.set(true);
        if (isQuiet()) {
            selector.select(dispatcher);
        } else {
            selector.selectNow(dispatcher);
        }
        asleep.set(false);
    }

    /**
     * Looks for events and work for the time that was asked for; returns false if there was nothing. Lets other threads
     * have the CPU between two looks: what it waits for may need it.
     */
    @SuppressWarnings(
            "ThreadPriorityCheck") // Without the yield, polling on a busy machine keeps out those it waits for.
    private boolean findsMore() throws IOException {
        long start = clock.getAsLong();
        do {
            if (selector.selectNow(dispatcher) > 0 || !isQuiet()) {
                return true;
            }
            Thread.yield();
        } while (clock.getAsLong() - start < busyPollNanos);
        return false;
    }

    /** Tells whether it sleeps, or is about to. */
    boolean isAsleep() {
        return asleep.get();
    }

    /** Looks for more work in the middle of a burst before sleeping; returns false as soon as there is some. */
    private boolean staysQuiet() {
        for (int i = 0; i < SPINS; i++) {
            if (!isQuiet()) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    private boolean isQuiet() {
        return handed.get() == null && tasks.isEmpty() && !stopped;
    }

    private boolean runHanded() {
        LoopClient client = handed.getAndSet(null);
        boolean any = client != null;
        while (client != null) {
            LoopClient following = client.nextHanded;
            client.nextHanded = null;
            try {
                client.runHanded();
            } catch (RuntimeException | Error e) {
                abandon(client, e);
            }
            client = following;
        }
        return any;
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.ERROR, "task failed in " + thread.getName(), e);
            }
        }
    }

    private void dispatch(SelectionKey key) {
        Selectable target = (Selectable) key.attachment();
        corking = true;
        try {
            target.ready(key);
        } catch (RuntimeException | Error e) {
            abandon(target, e);
        } finally {
            corking = false;
        }
        for (LoopClient client = corked.poll(); client != null; client = corked.poll()) {
            try {
                client.flushCorked();
            } catch (RuntimeException | Error e) {
                abandon(client, e);
            }
        }
    }

    /** Ends one channel after a failure; whatever that leads to, the others go on. */
    private void abandon(Selectable target, Throwable cause) {
        try {
            target.abandon(cause);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, target + " was not ended in " + thread.getName(), e);
        }
    }

    /**
     * Keeps back the writes of a channel of this loop until everything that was read is processed; false if it can
     * not.
     */
    public boolean cork(LoopClient client) {
        if (!isCurrent() || !corking) {
            return false;
        }
        corked.add(client);
        return true;
    }

    /** Hands a channel over; it must not be on its way already. Any thread. */
    public void hand(LoopClient client) {
        @Nullable LoopClient head;
        do {
            head = handed.get();
            client.nextHanded = head;
        } while (!handed.compareAndSet(head, client));
        wakeIfAsleep();
    }

    /** Runs a task soon. Any thread. Not for work that recurs per message. */
    public void execute(Runnable task) {
        tasks.add(task);
        wakeIfAsleep();
    }

    private void wakeIfAsleep() {
        if (asleep.get() && asleep.compareAndSet(true, false)) {
            selector.wakeup();
        }
    }

    /**
     * Closes a channel of this loop and waits until its address is free again: the system has it until the selector has
     * forgotten the channel. Any thread; from this loop's own it does not wait.
     */
    public void close(SelectableChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "close of a channel", e);
        }
        if (isCurrent() || stopped) {
            return;
        }
        CountDownLatch forgotten = new CountDownLatch(1);
        execute(() -> {
            try {
                selector.selectNow(dispatcher);
            } catch (IOException e) {
                throw new UncheckedIOException("the selector of " + thread.getName() + " does not forget", e);
            } finally {
                forgotten.countDown();
            }
        });
        try {
            if (!forgotten.await(MAX_FORGET_MILLIS, TimeUnit.MILLISECONDS) && !stopped) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        thread.getName() + " is busy; the address of " + channel + " may be in use for a while");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes the selector forget channels that were closed. Any thread. */
    public void wake() {
        selector.wakeup();
    }

    /** Tells whether the caller is this loop's thread. */
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** Returns the selector; only for the thread of the loop. */
    public Selector selector() {
        return selector;
    }

    /** Returns the buffers that its connections share. */
    public BufferPool buffers() {
        return buffers;
    }

    /** Memory for bytes that are discarded. This thread only. */
    public ByteBuffer scratch() {
        return scratch;
    }

    /** Room for the buffers of one scattering read. This thread only. */
    @Nullable
    public ByteBuffer[] vector() {
        return vector;
    }

    /** Ends the thread after the channels and tasks handed over so far. */
    public void stop() {
        stopped = true;
        selector.wakeup();
        if (!isCurrent()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void closeSelector() {
        try {
            selector.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "selector of " + thread.getName() + " was not closed", e);
        }
    }
}
