package org.railyard.roce;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.base.host.LimitedLog;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.card.CardContext;
import org.railyard.roce.card.RoceDevice;
import org.railyard.roce.cm.RoceManager;
import org.railyard.roce.loop.ProviderThread;
import org.railyard.roce.loop.RoceLoop;
import org.railyard.roce.loop.Timers;
import org.railyard.roce.net.Datagrams;
import org.railyard.roce.net.LocalInterface;
import org.railyard.roce.net.UdpDatagrams;
import org.railyard.roce.net.linux.LinuxDatagrams;
import org.railyard.verbs.CmId;
import org.railyard.verbs.CmListener;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.VerbsClock;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsInterface;
import org.railyard.verbs.VerbsProvider;

/**
 * Verbs over UDP (spec 23 §5): one device with one port for each address, and one thread for all of them, in which all
 * loops run. RoCE has no authentication: whoever can send packets from a peer's address can take its connections over.
 * Use it on networks that you trust.
 */
public final class RoceProvider implements VerbsProvider {
    private static final System.Logger LOG = System.getLogger(RoceProvider.class.getName());

    /** Most addresses. */
    public static final int MAX_INTERFACES = 64;

    /** How often interfaces are looked at, ns. */
    private static final long LINK_NANOS = 250_000_000L;

    private final Host host;
    private final Datagrams net;
    private final RoceSettings settings;
    private final RoceCounters counters = new RoceCounters();
    private final ProviderThread engine;
    private final RoceManager manager;
    private final List<RoceDevice> cards = new ArrayList<>();
    private final Timers.Timer linkTimer = new Timers.Timer(this::lookAtLinks);

    RoceProvider(Host host, Datagrams net, List<LocalInterface> interfaces, RoceSettings settings) {
        this.host = host;
        this.net = net;
        this.settings = settings;
        this.engine = new ProviderThread(host, net, settings.busyPollNanos());
        this.manager = new RoceManager(
                engine,
                settings,
                counters,
                host.random(),
                net,
                new LimitedLog(LOG, System.Logger.Level.WARNING, host.clock()));
        try {
            open(interfaces);
        } catch (RuntimeException e) {
            engine.close(manager::leaveAll);
            throw e;
        }
    }

    /**
     * Opens a provider with the settings of real networks.
     *
     * @param host where it takes time, chance and its thread from
     * @param interfaces names such as {@code eth0}, of which the first IPv4 address counts, or IPv4 addresses of this
     *     machine; 1 … {@link #MAX_INTERFACES}
     * @throws ErrnoException ENODEV or EADDRNOTAVAIL if there is no such interface or address, EADDRINUSE if somebody
     *     else uses the UDP port there, EINVAL if there are too many or too few, or IP packets are too small
     */
    public static RoceProvider open(Host host, List<String> interfaces) {
        return open(host, interfaces, RoceSettings.DEFAULT);
    }

    /** Opens a provider; see {@link #open(Host, List)}. */
    public static RoceProvider open(Host host, List<String> interfaces, RoceSettings settings) {
        if (interfaces.isEmpty() || interfaces.size() > MAX_INTERFACES) {
            throw new ErrnoException(
                    Errno.EINVAL, interfaces.size() + " interfaces for RoCE, expected 1…" + MAX_INTERFACES);
        }
        // Before there is a network, which would have to be closed again if one of them is not there.
        List<LocalInterface> found = LocalInterface.find(interfaces);
        return new RoceProvider(host, network(host, settings.offload()), found, settings);
    }

    /** Opens the network of this machine: the fast one where it may be used. */
    private static Datagrams network(Host host, boolean offload) {
        if (!offload) {
            return new UdpDatagrams();
        }
        Optional<String> obstacle = LinuxDatagrams.obstacle();
        obstacle.ifPresent(why -> LOG.log(
                System.Logger.Level.WARNING,
                "RoCE takes a system call for each packet, which costs three quarters of its speed: " + why));
        return obstacle.isEmpty() ? LinuxDatagrams.open(host.clock()::nanoTime) : new UdpDatagrams();
    }

    private void open(List<LocalInterface> interfaces) {
        CardContext context = new CardContext(engine, settings, counters, net, host.tracer(), manager);
        for (LocalInterface each : interfaces) {
            RoceDevice card = new RoceDevice(context, "roce_" + each.name(), each, host.random());
            cards.add(card);
            engine.add(card.port());
            manager.add(card.port());
        }
        engine.timers().set(linkTimer, engine.now() + LINK_NANOS);
        engine.start(host);
        LOG.log(System.Logger.Level.DEBUG, "RoCE on {0}, UDP port {1,number,#}", cards, settings.udpPort());
    }

    private boolean isClosed() {
        return engine.isClosed();
    }

    private void lookAtLinks() {
        cards.forEach(RoceDevice::look);
        engine.timers().set(linkTimer, engine.now() + LINK_NANOS);
    }

    /** Returns what it has counted; may be read from any thread. */
    public RoceCounters counters() {
        return counters;
    }

    @Override
    public String name() {
        return "roce";
    }

    @Override
    public VerbsClock clock() {
        return engine::now;
    }

    @Override
    public List<VerbsDevice> devices() {
        return List.copyOf(cards);
    }

    @Override
    public List<VerbsInterface> interfaces() {
        List<VerbsInterface> all = new ArrayList<>();
        for (RoceDevice each : cards) {
            all.add(new VerbsInterface(each.at().name(), each.at().ip(), each, 1));
        }
        return all;
    }

    @Override
    public EventLoop createEventLoop(String name) {
        if (isClosed()) {
            throw new VerbsException(VerbsException.Code.ENODEV, "the provider is closed");
        }
        RoceLoop loop = new RoceLoop(engine, name);
        engine.add(loop);
        return loop;
    }

    private RoceLoop own(EventLoop loop) {
        if (loop instanceof RoceLoop mine && mine.engine() == engine) {
            return mine;
        }
        throw new VerbsException(VerbsException.Code.EINVAL, "this loop is of another provider");
    }

    @Override
    public CmId createId(EventLoop loop, CmListener listener) {
        return manager.create(own(loop), listener);
    }

    @Override
    public void close() {
        engine.close(manager::leaveAll);
        manager.die();
        cards.forEach(RoceDevice::die);
    }
}
