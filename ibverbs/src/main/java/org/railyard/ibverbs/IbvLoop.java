package org.railyard.ibverbs;

import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Host;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.Worker;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.ibverbs.ffi.VerbsNumbers;
import org.railyard.verbs.LoopTimer;
import org.railyard.verbs.card.CardLoop;

/**
 * A loop with a thread of its own, which sleeps in {@code poll(2)} until a connection, a completion queue, a timer or
 * another thread has something (spec 24 §5).
 */
final class IbvLoop implements CardLoop, LoopTasks.Owner {
    private static final long LONGEST_WAIT_NANOS = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;

    /** Most events of one channel in one turn. */
    private static final int BATCH = 64;

    private static final System.Logger LOG = System.getLogger(IbvLoop.class.getName());

    private static final class NoticeChannel {
        final IbvDevice device;
        final long address;

        /** −1 when the kernel tells nothing there any more. */
        int fd;

        NoticeChannel(IbvDevice device, long address, int fd) {
            this.device = device;
            this.address = address;
            this.fd = fd;
        }
    }

    private final IbvProvider provider;
    private final NativeVerbs verbs;
    private final NodeClock clock;
    private final String name;
    private final LoopTasks tasks = new LoopTasks();
    private final LoopTimers timers = new LoopTimers();
    private final ArrayDeque<IbvCq> noticed = new ArrayDeque<>();
    private final Map<Long, IbvCmId> ends = new LinkedHashMap<>();
    private final Map<IbvDevice, NoticeChannel> channels = new LinkedHashMap<>();
    private final List<NoticeChannel> watched = new ArrayList<>();
    private final CqTable cqs = new CqTable();
    private final Arena arena = Arena.ofShared();
    private final PostBlock block = new PostBlock(arena);
    private final long fds = arena.allocate((2L + NativeCards.MAX_DEVICES) * VerbsLayout.POLLFD, Long.BYTES)
            .address();
    private final long eventChannel;
    private final WakeFd wakeFd;

    /** −1 when the kernel tells nothing there any more. */
    private int eventFd;

    private @Nullable Worker worker;
    private volatile @Nullable Thread turning;
    private volatile boolean sleeping;
    private volatile boolean closed;
    private volatile boolean releasesItself;
    private boolean released;

    IbvLoop(IbvProvider provider, Host host, String name) {
        this.provider = provider;
        this.verbs = provider.verbs();
        this.clock = host.clock();
        this.name = name;
        this.eventChannel = verbs.createEventChannel();
        if (eventChannel == 0) {
            arena.close();
            throw NativeVerbs.failed("loop " + name + ": no channel for connections", NativeVerbs.errno());
        }
        this.eventFd = VerbsMemory.getInt(eventChannel + VerbsLayout.EVENT_CHANNEL_FD);
        int fd = verbs.createEventFd();
        int errno = fd < 0 ? NativeVerbs.errno() : verbs.setNonBlocking(eventFd);
        this.wakeFd = new WakeFd(verbs, fd);
        if (errno != 0) {
            if (fd >= 0) {
                wakeFd.close();
            }
            verbs.destroyEventChannel(eventChannel);
            arena.close();
            throw NativeVerbs.failed("loop " + name + ": no file descriptor; see ulimit -n", errno);
        }
    }

    void start(Host host) {
        worker = host.startWorker(name, this::run);
    }

    long eventChannel() {
        return eventChannel;
    }

    IbvProvider provider() {
        return provider;
    }

    PostBlock block() {
        return block;
    }

    CqTable cqs() {
        return cqs;
    }

    void add(IbvCmId end) {
        ends.put(end.address(), end);
    }

    void forget(IbvCmId end) {
        ends.remove(end.address());
    }

    /** Returns the ends that are open. */
    List<IbvCmId> ends() {
        return List.copyOf(ends.values());
    }

    /** Returns the channel on which queues of a device give notice to this loop. */
    long noticeChannel(IbvDevice device) {
        NoticeChannel known = channels.get(device);
        if (known == null) {
            long made = verbs.createCompChannel(device.context());
            if (made == 0) {
                throw NativeVerbs.failed(device + ": no channel for completions", NativeVerbs.errno());
            }
            known = new NoticeChannel(device, made, VerbsMemory.getInt(made + VerbsLayout.COMP_CHANNEL_FD));
            int errno = verbs.setNonBlocking(known.fd);
            if (errno != 0) {
                verbs.destroyCompChannel(made);
                throw NativeVerbs.failed(device + ": its notices can not be read", errno);
            }
            channels.put(device, known);
            watched.add(known);
        }
        return known.address;
    }

    /** Gives back the channel of a device that was taken away, if there are no queues of it any more. */
    void releaseChannel(IbvDevice device) {
        NoticeChannel known = channels.get(device);
        if (known != null && cqs.all().stream().noneMatch(cq -> cq.device() == device)) {
            channels.remove(device);
            watched.remove(known);
            int errno = verbs.destroyCompChannel(known.address);
            if (errno != 0) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0}: a channel for notices was not given back: errno {1}",
                        device,
                        errno);
            }
        }
    }

    /** Gives notice of a queue in the next turn. */
    void notice(IbvCq cq) {
        noticed.add(cq);
    }

    private long run(long now) {
        turning = Thread.currentThread();
        try {
            if (!closed) {
                turn(now);
            }
        } finally {
            turning = null;
        }
        if (releasesItself) {
            release();
        }
        return now;
    }

    private void turn(long now) {
        int count = 0;
        watch(count++, wakeFd.fd());
        watch(count++, eventFd);
        for (int i = 0; i < watched.size(); i++) {
            watch(count++, watched.get(i).fd);
        }
        sleeping = true;
        // Looked at after the others have been told to wake it, so that nothing is missed.
        boolean busy = !tasks.isEmpty() || !noticed.isEmpty();
        long wait = busy ? 0 : timers.untilNext(now, LONGEST_WAIT_NANOS);
        int ready = verbs.poll(fds, count, (int) ((wait + MILLI - 1) / MILLI));
        sleeping = false;
        if (ready > 0) {
            take();
        }
        for (int left = noticed.size(); left > 0 && !closed; left--) {
            noticed.remove().tell();
        }
        tasks.run(this);
        for (Runnable due = timers.due(now()); due != null && !closed; due = timers.due(now())) {
            LoopTasks.run(due);
        }
    }

    @Override
    public boolean goesOn() {
        return !closed;
    }

    private void watch(int index, int fd) {
        long at = fds + (long) index * VerbsLayout.POLLFD;
        VerbsMemory.putInt(at, fd);
        VerbsMemory.putShort(at + VerbsLayout.POLLFD_EVENTS, VerbsNumbers.POLLIN);
        VerbsMemory.putShort(at + VerbsLayout.POLLFD_REVENTS, 0);
    }

    /** Returns what the kernel says of a file descriptor: POLLIN and others, 0 for nothing. */
    private int found(int index) {
        return VerbsMemory.getShort(fds + (long) index * VerbsLayout.POLLFD + VerbsLayout.POLLFD_REVENTS);
    }

    private void take() {
        if (found(0) != 0) {
            verbs.drain(wakeFd.fd());
        }
        // Those of this poll: connections may bring more channels.
        int known = watched.size();
        for (int i = 0; i < known; i++) {
            int found = found(2 + i);
            NoticeChannel each = watched.get(i);
            if (found != 0 && !takeNotices(each.address) && (found & VerbsNumbers.POLL_FAILED) != 0) {
                // It says so for good when the device was taken away; it would be asked in vain for ever.
                each.fd = -1;
                LOG.log(System.Logger.Level.WARNING, "{0} gives no notices to {1} any more", each.device, this);
                provider.removed(each.device);
            }
        }
        if (found(1) != 0) {
            takeCmEvents((found(1) & VerbsNumbers.POLL_FAILED) != 0);
        }
    }

    private void takeCmEvents(boolean failed) {
        for (int i = 0; i < BATCH && !closed; i++) {
            long event = verbs.nextCmEvent(eventChannel);
            if (event == 0) {
                if (failed && i == 0) {
                    eventFd = -1;
                    LOG.log(
                            System.Logger.Level.ERROR,
                            "{0}: the kernel tells of connections no more; restart this program",
                            this);
                }
                return;
            }
            NativeCmEvent copy = NativeCmEvent.copy(event);
            // At once: what an event is about can not be given back before.
            verbs.acknowledge(event);
            LoopTasks.run(() -> deliver(copy));
        }
    }

    /** Tells queues of their notices; false if there were none. */
    private boolean takeNotices(long channel) {
        for (int i = 0; i < BATCH && !closed; i++) {
            long cookie = verbs.nextCqEvent(channel);
            if (cookie == 0) {
                return i > 0;
            }
            IbvCq cq = cqs.find(cookie);
            if (cq != null) {
                cq.noticed();
            }
        }
        return true;
    }

    private void deliver(NativeCmEvent event) {
        boolean isRequest = event.type() == VerbsNumbers.CM_CONNECT_REQUEST;
        IbvCmId end = ends.get(isRequest ? event.listenId() : event.id());
        if (end != null) {
            end.happened(event);
        } else if (isRequest) {
            // Nobody listens any more: giving it back turns it down.
            verbs.destroyId(event.id());
        }
    }

    private long now() {
        return clock.nanoTime();
    }

    @Override
    public void execute(Runnable task) {
        if (closed) {
            return;
        }
        if (isInLoop()) {
            tasks.addOwn(task);
            return;
        }
        tasks.addOther(task);
        wake();
    }

    private void wake() {
        if (sleeping) {
            wakeFd.signal();
        }
    }

    @Override
    public void call(Runnable task) {
        if (isInLoop()) {
            task.run();
        } else {
            LoopTasks.await(task, this::execute, () -> closed);
        }
    }

    @Override
    public LoopTimer schedule(long delayNanos, Runnable task) {
        LoopTimers.Waiting timer = new LoopTimers.Waiting(now() + delayNanos, task);
        if (isInLoop()) {
            timers.add(timer);
        } else {
            execute(() -> timers.add(timer));
        }
        return timer;
    }

    @Override
    public boolean isInLoop() {
        return turning == Thread.currentThread();
    }

    @Override
    public void close() {
        closed = true;
        Worker running = worker;
        if (running != null) {
            wakeFd.signal();
            running.close();
        }
        if (isInLoop()) {
            // The turn is still under way.
            releasesItself = true;
        } else {
            release();
        }
    }

    private synchronized void release() {
        if (!released) {
            released = true;
            releaseObjects();
            watched.forEach(each -> verbs.destroyCompChannel(each.address));
            verbs.destroyEventChannel(eventChannel);
            wakeFd.close();
            arena.close();
            provider.forget(this);
        }
    }

    /** Gives queues and ends back that are left, after the thread has ended: queue pairs before what they stand on. */
    void releaseObjects() {
        ends().forEach(IbvCmId::releaseQp);
        cqs.all().forEach(IbvCq::release);
        ends().forEach(IbvCmId::release);
    }

    @Override
    public String toString() {
        return name;
    }
}
