package org.railyard.lnet.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.base.host.Worker;
import org.railyard.base.tune.TunableSpec.Flag;
import org.railyard.lnet.api.Bonds;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.NidUpdate;
import org.railyard.lnet.api.NodeEventKind;
import org.railyard.lnet.api.RouterControl;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.cpt.CptTable;
import org.railyard.lnet.discovery.Discovery;
import org.railyard.lnet.discovery.NidUpdates;
import org.railyard.lnet.discovery.PeerRequests;
import org.railyard.lnet.discovery.PingTarget;
import org.railyard.lnet.discovery.Pinger;
import org.railyard.lnet.discovery.Recovery;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.stack.Descriptors;
import org.railyard.lnet.stack.FaultGate;
import org.railyard.lnet.stack.LoopbackLnd;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.Sender;
import org.railyard.lnet.stack.Stack;

/** A running node. Thread-safe; NI changes are serialised. */
public final class NodeRuntime implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");
    private static final long DISCOVERY_INTERVAL_NANOS = 1_000_000_000L;

    private final Node node;
    private final LocalNi loopback;
    private final Stack stack;
    private final PathControl paths;
    private final PingTarget pingTarget;
    private final Discovery discovery;
    private final PeerRequests peering;
    private final NidUpdates nidUpdates;
    private final Pinger pinger;
    private final Router router;
    private final NodeBonds bonds;
    private final NodeRoutes routes;
    private final Transports transports;
    private final Object configuration = new Object();
    private final Worker discoveryWorker;
    private final Worker monitor;
    private volatile boolean closed;

    /**
     * Starts a node.
     *
     * @throws ErrnoException if a transport is missing or an NI can not be started; then nothing is left running
     */
    public NodeRuntime(LNetConfig config, Host host) {
        CptTable cpts = CptTable.of(host.cpuLayout(), config.cpuPartitions(), config.cpuPattern());
        node = new Node(host, cpts, config.settings(), config.listener());
        Upcalls upcalls = new Upcalls();
        loopback = loopback(upcalls, cpts);
        stack = new Stack(node, loopback);
        paths = new PathControl(node, stack.sender());
        pingTarget = new PingTarget(node, stack.descriptors());
        WakeUp wakeUp = new WakeUp();
        discovery = new Discovery(node, stack.sender(), stack.descriptors(), pingTarget, wakeUp);
        peering = new PeerRequests(node, stack.sender(), discovery);
        nidUpdates = new NidUpdates(node, stack.sender());
        router = new Router(node, stack, pingTarget, discovery, this::requireConfigurable);
        bonds = new NodeBonds(node, pingTarget, discovery, this::requireConfigurable);
        upcalls.connect(stack.receiver(), stack.dispatcher(), new Devices(node, stack, pingTarget, discovery));
        pinger = new Pinger(node, stack.sender(), stack.descriptors());
        Recovery recovery = new Recovery(node, stack.sender(), stack.descriptors(), discovery.identity());
        routes = new NodeRoutes(node, stack.sender(), discovery);
        DeadGateways dead = new DeadGateways(node, stack);
        node.gateways.whenDead(dead::unanswered, dead::lost);
        node.health.whenLowered(stack.resender()::reconsider);
        transports = new Transports(config.lnds(), upcalls, host, configuration);
        pingTarget.rebuild();
        discovery.start();
        discoveryWorker = host.startWorker("lnet-discovery", this::discover);
        wakeUp.connect(discoveryWorker);
        monitor = host.startWorker(
                "lnet-monitor", new Monitor(node, stack, recovery, pingTarget, discovery, routes, router));
        node.setMonitor(monitor::wake);
        try {
            for (NiRequest request : config.nis()) {
                addNi(request, Integer.MAX_VALUE);
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private static LocalNi loopback(Upcalls upcalls, CptTable cpts) {
        LocalNet net = new LocalNet(Net.LO, NetTunables.DEFAULT);
        NiBinding binding = new NiBinding(Nid.LOOPBACK, "lo", -1);
        LocalNi ni = new LocalNi(net, binding, new LoopbackLnd(upcalls), Map.of(), CptTable.ANY, cpts.all());
        ni.become(LocalNi.State.ACTIVE);
        return ni;
    }

    private long discover(long now) {
        discovery.run(now);
        return now + DISCOVERY_INTERVAL_NANOS;
    }

    /**
     * Adds an NI and tells the peers.
     *
     * @param place where among the NIs, see {@link org.railyard.lnet.LNet#addNi(NiRequest, int)}
     * @return its NID
     * @throws ErrnoException EEXIST if it is there already, EUSERS if routes lead to its net, EINVAL if there is no
     *     transport for the net, ERANGE if there is no such CPU partition, or what the transport says
     */
    public Nid addNi(NiRequest request, int place) {
        requireOutside();
        synchronized (configuration) {
            requireOpen();
            node.cpts.check(request.cpts());
            Lnd lnd = transports.get(request.net());
            NiBinding binding = lnd.resolve(request);
            LocalNi ni;
            node.lock.lock();
            try {
                if (node.nis.find(binding.nid()) != null) {
                    throw new ErrnoException(Errno.EEXIST, "NI " + binding.nid() + " is there already");
                }
                LocalNet net = node.nis.net(request.net());
                boolean newNet = net == null;
                if (newNet && !node.routes.to(request.net()).isEmpty()) {
                    throw new ErrnoException(
                            Errno.EUSERS,
                            "routes lead to " + request.net() + "; delete them before this node gets an NI there");
                }
                if (net == null) {
                    net = paths.newNet(request);
                }
                ni = paths.newNi(net, binding, lnd, request);
                node.nis.add(ni, place);
                if (newNet) {
                    node.peers.netAdded(net);
                }
            } finally {
                node.lock.unlock();
            }
            try {
                lnd.startup(ni);
            } catch (RuntimeException | Error e) {
                withdraw(ni);
                throw e;
            }
            activate(ni);
            nidUpdates.localChanged();
            pingTarget.rebuild();
            discovery.publish(false);
            LOG.log(System.Logger.Level.DEBUG, "added NI {0} on {1}", ni, ni.interfaceName());
            return ni.nid();
        }
    }

    /**
     * Removes an NI: closes its connections, then tells the peers. What waits for its turn on it takes another way, if
     * there is one.
     *
     * @throws ErrnoException ENODEV if there is no such NI
     */
    public void removeNi(Nid nid) {
        requireOutside();
        synchronized (configuration) {
            requireOpen();
            LocalNi ni;
            node.lock.lock();
            try {
                ni = node.nis.find(nid);
                if (ni == null) {
                    throw new ErrnoException(Errno.ENODEV, "there is no NI " + nid + " here");
                }
                ni.become(LocalNi.State.DELETING);
                if (node.settings.is(Tunable.REQUEUE_ON_NI_FAILURE)) {
                    stack.resender().moveFrom(ni);
                }
                stack.forwarder().cancel(List.of(ni));
            } finally {
                node.lock.unlock();
            }
            stack.dispatcher().flush();
            stack.faults().cancel(List.of(ni));
            shutDown(ni);
            forget(ni);
            nidUpdates.localChanged();
            pingTarget.rebuild();
            discovery.publish(false);
            LOG.log(System.Logger.Level.DEBUG, "removed NI {0}", nid);
        }
    }

    private void activate(LocalNi ni) {
        node.lock.lock();
        try {
            ni.become(LocalNi.State.ACTIVE);
            node.events.tell(NodeEventKind.NI_ADDED, ni.nid(), Nid.ANY, ni.interfaceName());
        } finally {
            node.lock.unlock();
        }
    }

    /** An NI could not be started: everything is as it was before. */
    private void withdraw(LocalNi ni) {
        node.lock.lock();
        try {
            ni.become(LocalNi.State.DELETING);
            node.nis.remove(ni);
            node.peers.niRemoved(ni);
            if (ni.localNet().nis.isEmpty()) {
                node.peers.netWithdrawn(ni.localNet());
            }
        } finally {
            node.lock.unlock();
        }
    }

    private void forget(LocalNi ni) {
        node.lock.lock();
        try {
            node.events.tell(NodeEventKind.NI_REMOVED, ni.nid());
            node.nis.remove(ni);
            node.peers.niRemoved(ni);
            if (ni.localNet().nis.isEmpty()) {
                node.routes.netRemoved(ni.net());
                node.peers.netRemoved(ni.localNet());
            }
        } finally {
            node.lock.unlock();
        }
    }

    /** Stops an NI; a transport that fails at it does not keep the rest from being stopped. */
    private static void shutDown(LocalNi ni) {
        try {
            ni.lnd().shutdown(ni);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "NI " + ni + " was not stopped properly", e);
        }
    }

    /** A handler runs on a transport's thread, and configuration waits for transports. */
    private void requireOutside() {
        if (stack.dispatcher().isInside()) {
            throw new ErrnoException(
                    Errno.EBUSY,
                    "an event handler can not change the configuration or close the node; another thread can");
        }
    }

    private void requireConfigurable() {
        requireOutside();
        requireOpen();
    }

    private void requireOpen() {
        if (closed) {
            throw new ErrnoException(Errno.ESHUTDOWN, "the node is closed");
        }
    }

    /**
     * Changes a tunable of the running node.
     *
     * @throws ErrnoException as {@link Settings#with(Tunable, int)}; EPERM if it is fixed when a node starts
     */
    public void set(Tunable tunable, int value) {
        requireOutside();
        synchronized (configuration) {
            requireOpen();
            if (tunable.spec().is(Flag.MODULE_PARAMETER)) {
                throw new ErrnoException(
                        Errno.EPERM,
                        tunable.text() + " is a module parameter only, and fixed when a node starts; stop the node and"
                                + " start it with --param " + tunable.spec().parameter() + "=VALUE");
            }
            node.lock.lock();
            try {
                node.settings = node.settings.with(tunable, value);
            } finally {
                node.lock.unlock();
            }
            if (tunable.spec().is(Flag.WITHOUT_EFFECT)) {
                LOG.log(System.Logger.Level.WARNING, "{0} is accepted and has no effect", tunable.text());
            }
            if (tunable == Tunable.DISCOVERY) {
                announceDiscovery(value != 0);
            }
            router.settingsChanged(tunable);
            monitor.wake();
        }
    }

    /** Peers are told when discovery goes off (spec 11 §5). */
    private void announceDiscovery(boolean on) {
        pingTarget.refresh();
        if (on) {
            discovery.turnedOn();
        } else {
            discovery.publish(true);
        }
    }

    /** Returns the state of the node. */
    public Node node() {
        return node;
    }

    /** Returns what steers and explains the choice of paths. */
    public PathControl paths() {
        return paths;
    }

    /** Returns the bonds. */
    public Bonds bonds() {
        return bonds;
    }

    /** Returns the routes. */
    public NodeRoutes routes() {
        return routes;
    }

    private List<LocalNi> withLoopback(List<LocalNi> nis) {
        List<LocalNi> all = new ArrayList<>(nis);
        all.add(loopback);
        return all;
    }

    /** Returns what the fault rules do. */
    public FaultGate faults() {
        return stack.faults();
    }

    /** Returns the NI of {@code 0@lo}. */
    public LocalNi loopback() {
        return loopback;
    }

    /** Returns the sending side. */
    public Sender sender() {
        return stack.sender();
    }

    /** Returns the maker of descriptors. */
    public Descriptors descriptors() {
        return stack.descriptors();
    }

    /** Returns what people, configuration and upper layers do with peers. */
    public PeerRequests peering() {
        return peering;
    }

    /**
     * Tells a listener of changes of NIDs.
     *
     * @throws ErrnoException ENOSPC if there are too many; EBUSY from within an event handler; ESHUTDOWN when the node
     *     is closed
     */
    public void watchNids(Consumer<NidUpdate> listener) {
        requireOutside();
        synchronized (configuration) {
            requireOpen();
            nidUpdates.register(listener);
        }
    }

    /** Tells a listener nothing any more. */
    public void unwatchNids(Consumer<NidUpdate> listener) {
        nidUpdates.remove(listener);
    }

    /** Returns what there is to say and to do about forwarding. */
    public RouterControl routing() {
        return router;
    }

    /** Returns the pinger. */
    public Pinger pinger() {
        return pinger;
    }

    /** A response of a descriptor may be timed now; makes sure that a limit of its own is noticed in time. */
    public void deadlineAdded(MemoryDescriptor md) {
        if (md.timeoutNanos() > 0) {
            wakeMonitor();
        }
    }

    /** Makes the monitor look at the deadlines. */
    public void wakeMonitor() {
        monitor.wake();
    }

    /**
     * Stops: new sends fail, what waits is failed, connections are closed, descriptors see their last event.
     *
     * @throws ErrnoException EBUSY from within an event handler
     */
    @Override
    public void close() {
        requireOutside();
        synchronized (configuration) {
            if (closed) {
                return;
            }
            closed = true;
            discovery.stop();
            List<LocalNi> nis;
            node.lock.lock();
            try {
                node.stopping = true;
                nis = new ArrayList<>(node.nis.all());
                nis.forEach(ni -> ni.become(LocalNi.State.DELETING));
                stack.forwarder().cancel(nis);
            } finally {
                node.lock.unlock();
            }
            stack.dispatcher().flush();
            discovery.abandonAll();
            discoveryWorker.close();
            nidUpdates.close();
            routes.close();
            monitor.close();
            stack.resender().abandonAll();
            stack.faults().cancel(withLoopback(nis));
            nis.forEach(NodeRuntime::shutDown);
            transports.close();
            stack.descriptors().close();
        }
    }
}
