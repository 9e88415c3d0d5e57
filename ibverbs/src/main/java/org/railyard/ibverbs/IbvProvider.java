package org.railyard.ibverbs;

import java.lang.foreign.SymbolLookup;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Host;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.CmListener;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.VerbsClock;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsInterface;
import org.railyard.verbs.VerbsProvider;

/** The RDMA cards of this machine, by libibverbs and librdmacm (spec 24). Each loop has a thread of its own. */
public final class IbvProvider implements VerbsProvider {
    private static final System.Logger LOG = System.getLogger(IbvProvider.class.getName());

    private final Host host;
    private final NativeCards cards;
    private final Map<Long, IbvDevice> byContext = new LinkedHashMap<>();
    private final Set<String> chosen;
    private final MemoryMode memoryMode;
    private final Supplier<List<InterfaceProbe.Address>> addresses;
    private final List<IbvLoop> loops = new CopyOnWriteArrayList<>();
    private final List<IbvPd> pds = new CopyOnWriteArrayList<>();
    private final AtomicLong pinned = new AtomicLong();
    private final AtomicLong serials = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicBoolean mtuTold = new AtomicBoolean();
    private final AsyncReader.Listener asyncListener = new AsyncReader.Listener() {
        @Override
        public void happened(long context, int type, int port, int qpNumber) {
            IbvProvider.this.happened(context, type, port, qpNumber);
        }

        @Override
        public void gone(long context) {
            removed(byContext.get(context));
        }
    };

    IbvProvider(Host host, NativeCards cards, List<String> names) {
        this(host, cards, names, MemoryMode.COPY, IbvProvider::addresses);
    }

    IbvProvider(
            Host host,
            NativeCards cards,
            List<String> names,
            MemoryMode memoryMode,
            Supplier<List<InterfaceProbe.Address>> addresses) {
        this.host = host;
        this.memoryMode = memoryMode;
        this.addresses = addresses;
        this.cards = cards;
        this.chosen = Set.copyOf(names);
        List<String> there = cards.all().stream().map(NativeCard::name).toList();
        for (String name : names) {
            if (!there.contains(name)) {
                throw new VerbsException(
                        VerbsException.Code.ENODEV,
                        "no RDMA device '" + name + "'; there is " + String.join(", ", there));
            }
        }
        for (NativeCard card : cards.all()) {
            try {
                byContext.put(card.context(), new IbvDevice(this, card));
            } catch (VerbsException e) {
                LOG.log(System.Logger.Level.WARNING, "RDMA device {0} is left out: {1}", card.name(), e.getMessage());
            }
        }
        cards.async().add(asyncListener, host);
        if (memoryMode == MemoryMode.ON_DEMAND) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "all memory of this process is registered on demand: a peer that takes part in a transfer can write"
                            + " anywhere in it; use this only where all nodes are trusted");
        }
        if (NativeCards.hasPathDaemon()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "ibacm is there: paths come from it, and types of service have no effect; stop ibacm on a torus");
        }
    }

    /**
     * Opens cards.
     *
     * @param host where it takes time and threads from
     * @param names of the devices to use, such as {@code mlx5_0}; none for all
     * @param memoryMode how they reach the memory of messages
     * @throws VerbsException what is missing, in one line, and what to do (spec 24 §9.1)
     */
    public static IbvProvider open(Host host, List<String> names, MemoryMode memoryMode) {
        return new IbvProvider(host, NativeCards.system(), names, memoryMode, IbvProvider::addresses);
    }

    /**
     * Opens cards by other libraries than those of the system: what stands in for them in tests and measurements.
     *
     * @param host where it takes time and threads from
     * @param functions the functions of libibverbs, librdmacm and the C library, by name
     * @param names of the devices to use; none for all
     * @throws VerbsException what is missing, in one line
     */
    public static IbvProvider open(Host host, SymbolLookup functions, List<String> names) {
        return new IbvProvider(host, new NativeCards(new NativeVerbs(functions)), names);
    }

    MemoryMode memoryMode() {
        return memoryMode;
    }

    NativeVerbs verbs() {
        return cards.verbs();
    }

    /** Returns the device with a context; null if there is none. */
    @Nullable
    IbvDevice device(long context) {
        return byContext.get(context);
    }

    void checkOpen() {
        if (closed.get()) {
            throw new VerbsException(VerbsException.Code.ENODEV, "the provider is closed");
        }
    }

    void add(IbvPd pd) {
        pds.add(pd);
    }

    void forget(IbvPd pd) {
        pds.remove(pd);
    }

    void forget(IbvLoop loop) {
        loops.remove(loop);
    }

    long nextSerial() {
        return serials.incrementAndGet();
    }

    /** Notes bytes that were registered, or, negative, given back. */
    void pinned(long bytes) {
        pinned.addAndGet(bytes);
    }

    /** Returns how many bytes are registered now. */
    public long pinnedBytes() {
        return pinned.get();
    }

    /** Tells once that packets are as large as the path takes. */
    void noteMtu(int wanted) {
        if (wanted != 0 && mtuTold.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "packets of at most {0} bytes are asked for, but a card sends what the path takes; set the MTU of"
                            + " the interface or of the partition instead",
                    wanted);
        }
    }

    /** A device was taken away: those who look at the machine are told, too. */
    void lose(NativeCard card) {
        cards.lose(card);
    }

    /** Lets loops give back what they hear a device by, once they have no queues on it any more. */
    void releaseChannels(IbvDevice device) {
        loops.forEach(loop -> loop.execute(() -> loop.releaseChannel(device)));
    }

    void removed(@Nullable IbvDevice device) {
        if (device != null) {
            device.remove();
        }
    }

    /** In the thread that reads events of devices. */
    private void happened(long context, int type, int port, int qpNumber) {
        IbvDevice device = byContext.get(context);
        if (device == null) {
            return;
        }
        AsyncEvent.Type meaning = AsyncEvents.meaning(type);
        if (meaning == null && AsyncEvents.changesPort(type) && isActive(device, port)) {
            meaning = AsyncEvent.Type.PORT_ACTIVE;
        }
        if (meaning != null) {
            device.raise(new AsyncEvent(meaning, port, qpNumber));
        }
        if (meaning == AsyncEvent.Type.PORT_ACTIVE && AsyncEvents.changesPaths(type)) {
            device.raise(AsyncEvent.ofPort(AsyncEvent.Type.PATHS_CHANGED, port));
        }
    }

    private static boolean isActive(IbvDevice device, int port) {
        try {
            return device.port(port).isActive();
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, "{0}: {1}", device, e.getMessage());
            return false;
        }
    }

    @Override
    public String name() {
        return "ibverbs";
    }

    @Override
    public VerbsClock clock() {
        return host.clock()::nanoTime;
    }

    private boolean isChosen(IbvDevice device) {
        return chosen.isEmpty() || chosen.contains(device.name());
    }

    @Override
    public List<VerbsDevice> devices() {
        return byContext.values().stream()
                .filter(each -> isChosen(each) && !each.isRemoved())
                .map(VerbsDevice.class::cast)
                .toList();
    }

    @Override
    public List<VerbsInterface> interfaces() {
        List<VerbsInterface> found = new ArrayList<>();
        for (InterfaceProbe.Found each : InterfaceProbe.find(cards.verbs(), addresses.get())) {
            IbvDevice device = byContext.get(each.context());
            if (device != null && isChosen(device) && !device.isRemoved()) {
                found.add(new VerbsInterface(name(each, found), each.ip(), device, each.port()));
            }
        }
        if (found.isEmpty()) {
            String names = devices().stream().map(VerbsDevice::name).collect(Collectors.joining(", "));
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} has no IP address: configure IPoIB (ib0), or an address on the Ethernet interface",
                    names);
        }
        return List.copyOf(found);
    }

    /** Returns the name of the interface; of its further addresses, with the address. */
    private static String name(InterfaceProbe.Found found, List<VerbsInterface> before) {
        boolean further = before.stream().anyMatch(each -> each.name().equals(found.name()));
        return further ? found.name() + ":" + new CardReport.Interface("", found.ip()).address() : found.name();
    }

    /** Returns the IPv4 addresses of this machine that others reach. Loopback would be taken by any device. */
    static List<InterfaceProbe.Address> addresses() {
        List<InterfaceProbe.Address> all = new ArrayList<>();
        try {
            for (NetworkInterface itf : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                if (itf.isLoopback()) {
                    continue;
                }
                // The kernel lists the primary address first, and the JDK turns its list around.
                for (InetAddress address :
                        Collections.list(itf.getInetAddresses()).reversed()) {
                    if (address instanceof Inet4Address && !address.isLoopbackAddress()) {
                        int ip = ByteBuffer.wrap(address.getAddress()).getInt();
                        all.add(new InterfaceProbe.Address(itf.getName(), ip));
                    }
                }
            }
        } catch (SocketException e) {
            LOG.log(System.Logger.Level.WARNING, "the network interfaces can not be listed", e);
        }
        return all;
    }

    @Override
    public EventLoop createEventLoop(String name) {
        checkOpen();
        IbvLoop loop = new IbvLoop(this, host, name);
        loops.add(loop);
        try {
            loop.start(host);
        } catch (RuntimeException e) {
            loop.close();
            throw e;
        }
        return loop;
    }

    IbvLoop own(EventLoop loop) {
        if (loop instanceof IbvLoop mine && mine.provider() == this) {
            return mine;
        }
        throw new VerbsException(VerbsException.Code.EINVAL, "this loop is of another provider");
    }

    @Override
    public CmId createId(EventLoop loop, CmListener listener) {
        checkOpen();
        IbvLoop mine = own(loop);
        mine.check(mine);
        return new IbvCmId(mine, listener);
    }

    /** In the order in which one thing stands on another: a wrong one would wait for ever (spec 24 §4.3). */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        loops.forEach(IbvLoop::close);
        cards.async().remove(asyncListener);
        loops.forEach(IbvLoop::releaseObjects);
        pds.forEach(IbvPd::close);
    }
}
