package org.railyard.mad.umad;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.NodeClock;
import org.railyard.base.wire.WireFormatException;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.transport.LocalPort;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadLoop;
import org.railyard.mad.transport.MadReceiver;
import org.railyard.mad.transport.MadTransport;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MgmtClass;
import org.railyard.mad.wire.RmppHeader;

/**
 * MADs through libibumad (spec 40 §8): a HCA, or ibsim where its library is preloaded. One thread receives, and runs
 * all callbacks, tasks and timers; it looks for tasks of other threads at least every {@value UmadLoop#TICK_MILLIS} ms.
 */
public final class UmadTransport implements MadTransport {
    /** Most requests that may be unanswered: with more than twice as many ibsim and its library wait for each other. */
    public static final int MAX_OUTSTANDING = 128;

    /** Methods that an SM receives in SMPs: Get, Set, Trap, TrapRepress. */
    private static final long SMP_METHODS =
            methods(MadMethod.GET, MadMethod.SET, MadMethod.TRAP, MadMethod.TRAP_REPRESS);

    /** Methods that the SA receives, and Report, which a subscriber does. */
    private static final long SA_METHODS = methods(
            MadMethod.GET, MadMethod.SET, MadMethod.REPORT, MadMethod.GET_TABLE, MadMethod.GET_MULTI, MadMethod.DELETE);

    /** Management classes that there can be, and what stands for the agent of one that is not registered. */
    private static final int CLASSES = 256;

    private static final int NOT_REGISTERED = -1;

    private static final int FIRST_BUFFER = 64 * 1024;

    /** Largest message that is read only to get rid of it: until it is read the kernel keeps all that came later. */
    private static final int MAX_DISCARDED = 1 << 30;

    /** How long the thread rests when it has received all there was, ns. Timers of the kernel make it 100 µs. */
    private static final long REST_NANOS = 50_000;

    private static final int WAITED_IN_VAIN = -Errno.ETIMEDOUT.number();
    private static final int NOTHING_THERE = -Errno.EAGAIN.number();
    private static final int INTERRUPTED = -Errno.EINTR.number();
    private static final int TOO_SMALL = -Errno.ENOSPC.number();

    private final UmadLibrary library;
    private final UmadPort port;
    private final UmadSettings settings;
    private final UmadLoop loop;
    private final Arena arena = Arena.ofShared();
    private final int fd;
    private final boolean simulated = UmadSettings.isSimulated();
    private final int[] agents = new int[CLASSES];
    private final UmadMemory length;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final AtomicBoolean freed = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private UmadMemory in;
    private UmadMemory out;
    private int smDevice = -1;

    /** Whether a MAD was received since the thread last rested or waited. */
    private boolean isBusy;

    private volatile @Nullable MadReceiver receiver;

    private UmadTransport(UmadLibrary library, UmadPort port, UmadSettings settings, NodeClock clock, int fd) {
        this.library = library;
        this.port = port;
        this.settings = settings;
        this.fd = fd;
        loop = new UmadLoop(clock::nanoTime);
        length = UmadMemory.of(arena, Integer.BYTES, ByteOrder.nativeOrder());
        in = buffer(UmadHeader.BYTES + FIRST_BUFFER);
        out = buffer(UmadHeader.BYTES + Mad.SIZE);
        Arrays.fill(agents, NOT_REGISTERED);
    }

    /**
     * Loads libibumad in a thread of its own, which takes as long as reading a command line: for who will open a port
     * soon. {@link #open} waits for that, and tells what is wrong with the library.
     */
    public static void prepare() {
        Thread thread = new Thread(
                () -> {
                    try {
                        UmadLibrary.load().loadIssm();
                    } catch (ErrnoException | IllegalCallerException | LinkageError _) {
                        // Whoever opens a port meets it again.
                    }
                },
                "umad prepares");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Opens a port and starts the thread.
     *
     * @throws ErrnoException ENOENT if libibumad is not installed, ENODEV if there is no such port, EPERM, EBUSY or EIO
     *     if it can not be opened or another process has what an SM needs; the message says what to do
     */
    public static UmadTransport open(UmadSettings settings, NodeClock clock) {
        UmadLibrary library = UmadLibrary.load();
        UmadPort port = choose(UmadPort.list(), settings);
        UmadTransport transport;
        try (Arena names = Arena.ofConfined()) {
            int fd = library.openPort(names.allocateFrom(port.device()), port.port());
            if (fd < 0) {
                throw refused("can not be opened", port, fd);
            }
            transport = new UmadTransport(library, port, settings, clock, fd);
        }
        try {
            transport.register();
        } catch (ErrnoException e) {
            library.closePort(transport.fd);
            throw e;
        }
        Thread thread = new Thread(transport::run, "umad " + port.device() + "/" + port.port());
        thread.setDaemon(true);
        transport.loop.runsIn(thread);
        thread.start();
        return transport;
    }

    static UmadPort choose(List<UmadPort> all, UmadSettings settings) {
        List<UmadPort> named = all.stream()
                .filter(port -> settings.device().map(port.device()::equals).orElse(true))
                .filter(port ->
                        settings.port().map(number -> number == port.port()).orElse(true))
                .toList();
        List<UmadPort> fit = named.stream().filter(UmadPort::isInfiniBand).toList();
        if (fit.isEmpty()) {
            String wanted = settings.device().orElse("no device")
                    + (settings.device().isPresent() ? " has no" : " has an") + " InfiniBand port"
                    + settings.port().map(number -> " " + number).orElse("");
            String there = all.isEmpty()
                    ? "no device at all; is the driver of the adapter loaded?"
                    : all.stream().map(UmadPort::toString).collect(Collectors.joining(", "));
            throw new ErrnoException(Errno.ENODEV, wanted + "; there is " + there);
        }
        return fit.stream()
                .filter(port -> port.state() == PortState.ACTIVE)
                .findFirst()
                .orElse(fit.getFirst());
    }

    private static ErrnoException refused(String what, UmadPort port, int status) {
        Errno errno = Errno.ofStatus(status);
        return new ErrnoException(
                errno,
                String.format(
                        Locale.ROOT,
                        "%s/%d %s (%s): the kernel module ib_umad has to be loaded, and /dev/infiniband/umad* are for"
                                + " root only unless a rule of udev says otherwise",
                        port.device(),
                        port.port(),
                        what,
                        Errno.describe(status)));
    }

    private static long methods(MadMethod... methods) {
        long mask = 0;
        for (MadMethod method : methods) {
            mask |= 1L << method.code();
        }
        return mask;
    }

    /** The size of the header is only known now that a port is open, and has to be the one we write. */
    private void register() {
        long bytes = library.headerBytes();
        if (bytes != UmadHeader.BYTES) {
            throw new ErrnoException(
                    Errno.EOPNOTSUPP,
                    "libibumad has headers of " + bytes + " bytes; " + UmadHeader.BYTES
                            + " expected: the kernel is too old");
        }
        register(MgmtClass.SMP_DIRECTED, MgmtClass.VERSION, 0, SMP_METHODS);
        register(MgmtClass.SMP_LID, MgmtClass.VERSION, 0, SMP_METHODS);
        register(MgmtClass.SA, MgmtClass.SA_VERSION, settings.userRmpp() ? 0 : 1, SA_METHODS);
        register(MgmtClass.PERFORMANCE, MgmtClass.VERSION, 0, 0);
    }

    private void register(int mgmtClass, int version, int rmppVersion, long unsolicited) {
        try (Arena masks = Arena.ofConfined()) {
            MemorySegment mask = masks.allocate(2 * ValueLayout.JAVA_LONG.byteSize(), ValueLayout.JAVA_LONG.byteSize());
            mask.set(ValueLayout.JAVA_LONG, 0, settings.isManager() ? unsolicited : 0);
            int agent = library.register(fd, mgmtClass, version, rmppVersion, mask);
            if (agent < 0) {
                throw new ErrnoException(
                        Errno.ofStatus(agent),
                        "%s/%d: class %s can not be registered (%s)%s"
                                .formatted(
                                        port.device(),
                                        port.port(),
                                        MgmtClass.text(mgmtClass),
                                        Errno.describe(agent),
                                        settings.isManager() ? "; is there an SM at this port already?" : ""));
            }
            agents[mgmtClass] = agent;
        }
    }

    private void run() {
        try {
            while (!closing.get()) {
                int wait = loop.runDue();
                if (!closing.get()) {
                    receive(wait);
                }
            }
        } catch (ErrnoException e) {
            tellFailure(e);
        } catch (RuntimeException e) {
            tellFailure(new ErrnoException(Errno.EIO, port() + ": a callback failed: " + e, e));
        } catch (Error e) {
            // Out of memory, or of stack: whoever waits for this thread has to know.
            tellFailure(new ErrnoException(Errno.EIO, port() + ": a callback failed: " + e, e));
            throw e;
        } finally {
            release();
            ended.countDown();
        }
    }

    private UmadMemory buffer(int bytes) {
        return UmadMemory.of(arena, bytes, ByteOrder.BIG_ENDIAN);
    }

    private void tellFailure(ErrnoException why) {
        MadReceiver to = receiver;
        if (to != null && !closing.get()) {
            to.failed(why);
        }
    }

    /**
     * Receives a MAD, or waits for one. After others it rests first and does not wait: then more have come, and one
     * waking is for all of them. Woken for each, the thread would spend a fifth of its time on that.
     */
    private void receive(int waitMillis) {
        int room = in.bytes().capacity() - UmadHeader.BYTES;
        length.bytes().putInt(0, room);
        int agent = library.receive(fd, in.address(), length.address(), isBusy ? 0 : waitMillis);
        int bytes = length.bytes().getInt(0);
        if (agent == TOO_SMALL && bytes > room && bytes <= Mad.MAX_MESSAGE) {
            in = buffer(UmadHeader.BYTES + grown(bytes));
        } else if (agent == TOO_SMALL && bytes > Mad.MAX_MESSAGE && bytes <= MAX_DISCARDED) {
            discard(bytes);
        } else if (agent >= 0) {
            isBusy = true;
            deliver(Math.min(Math.max(bytes, Mad.HEADER), room));
        } else if (agent == WAITED_IN_VAIN || agent == NOTHING_THERE) {
            rest(waitMillis);
        } else if (agent != INTERRUPTED) {
            throw refused("does not deliver any more", port, agent);
        }
    }

    /** Nothing is there; with tasks to run there is no time for a rest. */
    private void rest(int waitMillis) {
        if (isBusy && waitMillis > 0) {
            LockSupport.parkNanos(REST_NANOS);
            isBusy = false;
        }
    }

    /** Returns so much room that all buffers before it together are no larger: they are given back at the end only. */
    static int grown(int bytes) {
        return Math.min(Mad.MAX_MESSAGE, Integer.highestOneBit(bytes - 1) << 1);
    }

    private void discard(int bytes) {
        try (Arena once = Arena.ofConfined()) {
            UmadMemory all = UmadMemory.of(once, UmadHeader.BYTES + bytes, ByteOrder.BIG_ENDIAN);
            length.bytes().putInt(0, bytes);
            library.receive(fd, all.address(), length.address(), 0);
        }
    }

    private void deliver(int bytes) {
        MadReceiver to = receiver;
        if (to == null) {
            return;
        }
        byte[] copy = new byte[Math.max(Mad.SIZE, bytes)];
        in.bytes().get(UmadHeader.BYTES, copy, 0, bytes);
        Mad mad;
        try {
            mad = Mad.over(copy, bytes);
        } catch (WireFormatException e) {
            // The size was chosen here.
            throw new IllegalStateException(e);
        }
        int status = UmadHeader.status(in.bytes());
        if (status == 0) {
            to.received(mad, UmadHeader.source(in.bytes()));
        } else {
            to.undelivered(mad, Math.abs(status));
        }
    }

    @Override
    public void send(Mad mad, MadAddress to, int timeoutMillis) {
        int agent = agents[mad.mgmtClass()];
        if (agent == NOT_REGISTERED || closing.get()) {
            throw agent == NOT_REGISTERED
                    ? new ErrnoException(
                            Errno.EINVAL, MgmtClass.text(mad.mgmtClass()) + " is not registered at " + port())
                    : new ErrnoException(Errno.ESHUTDOWN, port() + " is closed");
        }
        boolean segmented = mad.isSegmented() && !settings.userRmpp();
        // Clients on ibsim count records by the length that was sent; a HCA sends the whole datagram in any case.
        int size = segmented || simulated && mad.length() < Mad.SIZE ? mad.length() : Mad.SIZE;
        if (mad.length() > size) {
            throw new ErrnoException(
                    Errno.EMSGSIZE, "a MAD of " + mad.length() + " bytes; " + Mad.SIZE + " without RMPP");
        }
        if (out.bytes().capacity() < UmadHeader.BYTES + size) {
            out = buffer(UmadHeader.BYTES + grown(size));
        }
        UmadHeader.write(out.bytes(), to);
        out.bytes().put(UmadHeader.BYTES, mad.bytes(), 0, Math.min(size, mad.bytes().length));
        if (segmented) {
            leaveToKernel(out.bytes(), UmadHeader.BYTES + Mad.HEADER);
        }
        int status = library.send(fd, agent, out.address(), size, timeoutMillis, 0);
        if (status < 0) {
            throw new ErrnoException(
                    Errno.ofStatus(status), port() + ": a MAD to " + to + " was not sent: " + Errno.describe(status));
        }
    }

    /** Says in the RMPP header that the kernel shall segment; it fills in the rest (spec 40 §4.1). */
    private static void leaveToKernel(ByteBuffer umad, int rmpp) {
        umad.put(rmpp, (byte) 1);
        umad.put(rmpp + 1, (byte) RmppHeader.DATA);
        umad.put(rmpp + 2, (byte) (RmppHeader.NO_RESPONSE_TIME << 3 | RmppHeader.FLAG_ACTIVE));
    }

    @Override
    public MadLoop loop() {
        return loop;
    }

    @Override
    public LocalPort port() {
        return new LocalPort(port.device(), port.port(), port.portGuid());
    }

    @Override
    public void receiver(MadReceiver newReceiver) {
        if (receiver != null) {
            throw new IllegalStateException(port() + " has a receiver already");
        }
        receiver = newReceiver;
    }

    @Override
    public int maxOutstanding() {
        return MAX_OUTSTANDING;
    }

    @Override
    public boolean reportsTimeouts() {
        // Of what ibsim forwards to another client nothing comes back by itself.
        return !simulated;
    }

    @Override
    public boolean reassembles() {
        return !settings.userRmpp();
    }

    @Override
    public void markSm(boolean isSm) {
        if (isSm == smDevice >= 0) {
            return;
        }
        if (!isSm) {
            library.close(smDevice);
            smDevice = -1;
            return;
        }
        try (Arena names = Arena.ofConfined()) {
            int opened = library.openIssm(names.allocateFrom(port.device()), port.port());
            if (opened < 0) {
                throw new ErrnoException(
                        Errno.ofStatus(opened),
                        port() + " can not be marked as that of an SM (" + Errno.describe(opened)
                                + "): /dev/infiniband/issm* is in use, or not for this user");
            }
            smDevice = opened;
        }
    }

    /** In the thread of the loop, at its end: nobody else calls the library any more. */
    private void release() {
        closing.set(true);
        markSm(false);
        Arrays.stream(agents).filter(agent -> agent != NOT_REGISTERED).forEach(agent -> library.unregister(fd, agent));
        library.closePort(fd);
    }

    @Override
    public void close() {
        closing.set(true);
        if (!loop.isInLoop()) {
            boolean interrupted = false;
            while (true) {
                try {
                    ended.await();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (freed.compareAndSet(false, true)) {
                arena.close();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
