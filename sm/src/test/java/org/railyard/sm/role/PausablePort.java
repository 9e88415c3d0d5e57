package org.railyard.sm.role;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadLoop;
import org.railyard.mad.transport.MadReceiver;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.sm.WatchedPort;

/**
 * A port whose process can be stopped, as by SIGSTOP: meanwhile its timers do not run and MADs wait, up to a limit.
 * When it goes on, it hears of all that has come, and runs all that is due, in one of both orders.
 */
final class PausablePort extends WatchedPort {
    private final MadLoop loop = new Loop();
    private final Deque<Runnable> due = new ArrayDeque<>();
    private final Deque<Arrived> waiting = new ArrayDeque<>();
    private @Nullable MadReceiver receiver;
    private boolean isPaused;
    private int limit;
    private boolean hasWritten;

    private record Arrived(Mad mad, MadAddress from) {}

    PausablePort(SimulatedPort port) {
        super(port);
    }

    boolean isPaused() {
        return isPaused;
    }

    /** Whether it has sent anything that changes where a switch forwards to. */
    boolean hasWritten() {
        return hasWritten;
    }

    /** Stops it; so many MADs wait for it, others are lost. */
    void pause(int limit) {
        isPaused = true;
        this.limit = limit;
    }

    /** Lets it go on. */
    void goOn(boolean timersFirst) {
        if (!isPaused) {
            return;
        }
        isPaused = false;
        // What these plan for now is for later, as in a loop.
        List<Runnable> timers = new ArrayList<>(due);
        List<Arrived> mads = new ArrayList<>(waiting);
        due.clear();
        waiting.clear();
        if (timersFirst) {
            timers.forEach(Runnable::run);
        }
        MadReceiver to = receiver;
        if (to != null) {
            mads.forEach(each -> to.received(each.mad(), each.from()));
        }
        if (!timersFirst) {
            timers.forEach(Runnable::run);
        }
    }

    @Override
    public MadLoop loop() {
        return loop;
    }

    @Override
    public void send(Mad mad, MadAddress to, int timeoutMillis) {
        boolean isAboutRoutes = mad.isAbout(LinearForwardingTable.TYPE) || mad.isAbout(SwitchInfo.TYPE);
        hasWritten |= isAboutRoutes && mad.is(MadMethod.SET, false);
        super.send(mad, to, timeoutMillis);
    }

    @Override
    public void receiver(MadReceiver newReceiver) {
        receiver = newReceiver;
        super.receiver(new MadReceiver() {
            @Override
            public void received(Mad mad, MadAddress from) {
                if (!isPaused) {
                    newReceiver.received(mad, from);
                } else if (waiting.size() < limit) {
                    waiting.add(new Arrived(mad, from));
                }
            }

            @Override
            public void undelivered(Mad request, int errno) {
                newReceiver.undelivered(request, errno);
            }

            @Override
            public void failed(ErrnoException why) {
                newReceiver.failed(why);
            }
        });
    }

    private final class Loop implements MadLoop {
        @Override
        public long nanoTime() {
            return PausablePort.super.loop().nanoTime();
        }

        @Override
        public void execute(Runnable task) {
            schedule(0, task);
        }

        @Override
        public Runnable schedule(long delayNanos, Runnable task) {
            Timer timer = new Timer(task);
            timer.cancel = PausablePort.super.loop().schedule(delayNanos, timer::fire);
            return timer::cancel;
        }
    }

    private final class Timer {
        private final Runnable task;
        private Runnable cancel = () -> {};
        private boolean isCancelled;

        Timer(Runnable task) {
            this.task = task;
        }

        void fire() {
            if (isPaused) {
                due.add(this::run);
            } else {
                run();
            }
        }

        private void run() {
            if (!isCancelled) {
                task.run();
            }
        }

        void cancel() {
            isCancelled = true;
            cancel.run();
        }
    }
}
