package org.railyard.o2iblnd;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.lnet.lnd.InterfaceNames;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.LongestLimit;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.MessageType;
import org.railyard.o2iblnd.bond.BondFinding;
import org.railyard.o2iblnd.bond.InterfaceGroupView;
import org.railyard.o2iblnd.bond.RouteSetView;
import org.railyard.o2iblnd.bond.SanityCheck;
import org.railyard.o2iblnd.bond.Targets;
import org.railyard.o2iblnd.cm.CmListenPoints;
import org.railyard.o2iblnd.device.Member;
import org.railyard.o2iblnd.ni.O2ibContext;
import org.railyard.o2iblnd.tune.EffectiveTunables;
import org.railyard.o2iblnd.tune.LustreRelease;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.VerbsInterface;
import org.railyard.verbs.VerbsProvider;

/**
 * LNet over InfiniBand verbs, on any provider (spec 20). Thread-safe: callers hand over, everything happens in one loop
 * of the provider.
 */
public final class O2ibLnd implements Lnd {
    private static final System.Logger LOG = System.getLogger(O2ibLnd.class.getName());
    private static final long SECOND = 1_000_000_000L;

    private final VerbsProvider verbs;
    private final Tunables defaults;
    private final O2ibContext context;
    private final EventLoop loop;
    private final Targets targets;
    private final Consumer<Nid> targetListener = this::targetChanged;
    private final CmListenPoints listenPoints;
    private final Remarks remarks;
    private final List<IbNi> nis = new CopyOnWriteArrayList<>();
    private final LongestLimit limit;

    /**
     * Makes a transport.
     *
     * @param stack what it reports to
     * @param host where it takes wall-clock time from
     * @param verbs the cards; stays the caller's
     * @param defaults values of tunables for NIs that have none of their own
     */
    public O2ibLnd(LndUpcalls stack, Host host, VerbsProvider verbs, Tunables defaults) {
        this(stack, host, verbs, defaults, new Targets(), ip -> 0);
    }

    /**
     * Makes a transport whose groups reach peers at several addresses.
     *
     * @param stack what it reports to
     * @param host where it takes wall-clock time from
     * @param verbs the cards; stays the caller's
     * @param defaults values of tunables for NIs that have none of their own
     * @param targets at which addresses peers are to be reached; may be changed at any time
     * @param prefixes length of the IP subnet of a local address, 0 if it is not known; for the check of the
     *     configuration only
     */
    public O2ibLnd(
            LndUpcalls stack,
            Host host,
            VerbsProvider verbs,
            Tunables defaults,
            Targets targets,
            IntUnaryOperator prefixes) {
        this.verbs = verbs;
        this.defaults = defaults;
        this.limit = new LongestLimit(defaults.get(O2ibTunable.TIMEOUT));
        this.context = new O2ibContext(stack, host, verbs, LOG, targets, prefixes);
        this.loop = context.loop();
        this.listenPoints = new CmListenPoints(context);
        this.remarks = new Remarks(LOG, context::warn);
        this.targets = targets;
        targets.listen(targetListener);
    }

    @Override
    public NetType type() {
        return NetType.O2IB;
    }

    /** Returns how many requests of others were rejected here, by the reason in lower case, {@code other} last. */
    public Map<String, Long> rejectsSent() {
        return context.rejectsSent().byReason();
    }

    /** Returns how many requests of this node others have rejected, by the reason, {@code other} last. */
    public Map<String, Long> rejectsReceived() {
        return context.rejectsReceived().byReason();
    }

    @Override
    public NiBinding resolve(NiRequest request) {
        EffectiveTunables tunables = effective(request.tunables(), request.lndTunables());
        String name = request.interfaceName();
        if (name != null && isGroup(name, tunables)) {
            List<VerbsInterface> members = members(request.net(), name);
            Nid wanted = request.nid();
            VerbsInterface first = members.getFirst();
            return new NiBinding(
                    wanted == null ? Nid.of(request.net(), first.ip()) : usable(wanted),
                    name,
                    first.device().numaNode());
        }
        VerbsInterface found = find(name, request.nid());
        return new NiBinding(
                Nid.of(request.net(), found.ip()), found.name(), found.device().numaNode());
    }

    /** A group may be told its NID, which then stays the same whatever interfaces it has. */
    private static Nid usable(Nid wanted) {
        if (!wanted.isNid4() || wanted.isAny() || (int) wanted.nid4() == 0) {
            throw new ErrnoException(
                    Errno.EINVAL, wanted + " can not be the NID of a group, expected one such as 10.1.1.2@o2ib");
        }
        return wanted;
    }

    /** An NI is a group if it has several interfaces, or is said to be one. */
    private static boolean isGroup(String interfaceName, EffectiveTunables tunables) {
        return InterfaceNames.isSeveral(interfaceName) || tunables.given().get(O2ibTunable.CHANNEL_BONDING) != 0;
    }

    private VerbsInterface find(@Nullable String name, @Nullable Nid nid) {
        return verbs.interfaces().stream()
                .filter(each -> name == null || each.name().equals(name))
                .filter(each -> nid == null || nid.isNid4() && each.ip() == (int) nid.nid4())
                .findFirst()
                .orElseThrow(() -> new ErrnoException(
                        Errno.ENETDOWN,
                        "there is no InfiniBand interface"
                                + (name != null ? " " + name : nid != null ? " with the address of " + nid : "")
                                + " here; there "
                                + (verbs.interfaces().isEmpty()
                                        ? "are none"
                                        : "are "
                                                + verbs.interfaces().stream()
                                                        .map(VerbsInterface::name)
                                                        .collect(Collectors.joining(", ")))));
    }

    /** Returns the interfaces of a group (spec 21 cb-001…005). */
    private List<VerbsInterface> members(Net net, String interfaceName) {
        List<String> names = InterfaceNames.split(interfaceName);
        List<VerbsInterface> known = verbs.interfaces();
        List<BondFinding> wrong = SanityCheck.members(
                net,
                names,
                name -> known.stream()
                        .filter(each -> each.name().equals(name))
                        .mapToInt(VerbsInterface::ip)
                        .findFirst()
                        .orElse(0));
        if (!wrong.isEmpty()) {
            BondFinding first = wrong.getFirst();
            throw new ErrnoException(Errno.EINVAL, first.subject() + ": " + first.text());
        }
        return names.stream().map(name -> find(name, null)).toList();
    }

    /** Works out what tunables count for an NI; those of its net are the same for all transports. */
    private EffectiveTunables effective(NetTunables net, Map<String, Integer> given) {
        Tunables tunables = defaults.with(O2ibTunable.PEER_CREDITS, net.peerCredits())
                .with(O2ibTunable.CREDITS, net.credits())
                .with(O2ibTunable.PEER_TIMEOUT, net.peerTimeout())
                .with(O2ibTunable.PEER_BUFFER_CREDITS, net.peerBufferCredits());
        for (Map.Entry<String, Integer> each : given.entrySet()) {
            tunables = tunables.with(O2ibTunable.named(each.getKey()), each.getValue());
        }
        return Retuning.usable(new EffectiveTunables(tunables, LustreRelease.NOW, Kib.V2, false));
    }

    @Override
    public void startup(LndNi ni) {
        EffectiveTunables tunables = effective(ni.tunables(), ni.lndTunables());
        boolean group = isGroup(ni.interfaceName(), tunables);
        List<VerbsInterface> interfaces =
                group ? members(ni.net(), ni.interfaceName()) : List.of(find(ni.interfaceName(), ni.nid()));
        tunables.remarks().forEach(remark -> remarks.tell(ni.nid(), remark));
        if (context.isClosed()) {
            throw new ErrnoException(Errno.ESHUTDOWN, "the transport is closed");
        }
        loop.call(() -> {
            if (ofNi(ni) != null) {
                throw new ErrnoException(Errno.EEXIST, "NI " + ni.nid() + " is started already");
            }
            checkSharing(ni.nid(), group, interfaces);
            IbNi made = new IbNi(context, listenPoints, ni, interfaces, group, tunables);
            made.start();
            nis.add(made);
            updateLimit();
        });
    }

    /**
     * An interface is in one group of a net only, as its peers tell groups apart by net and address; it may be in those
     * of several nets, which share its link (spec 21 cb-005). The NIs of a net are groups, or none of them is (cb-145).
     */
    private void checkSharing(Nid nid, boolean group, List<VerbsInterface> interfaces) {
        for (IbNi other : nis) {
            Nid there = other.ni().nid();
            for (Member member : other.group().members()) {
                if (there.equals(nid) || interfaces.stream().noneMatch(itf -> itf.ip() == member.ip())) {
                    continue;
                }
                if (there.isOnNetOf(nid) && (group || other.context().isBonded())) {
                    throw new ErrnoException(
                            Errno.EEXIST,
                            nid + ": " + member.name() + " is in " + there + " already, which is on the same net");
                }
                context.warn(nid + ": " + member.name() + " carries " + there + ", too: they share its link");
            }
            if (there.isOnNetOf(nid) && group != other.context().isBonded()) {
                throw new ErrnoException(
                        Errno.EEXIST,
                        nid + ": " + there + ", which is on the same net, is " + (group ? "no" : "a")
                                + " group of interfaces; expected groups only, or none, on one net: take another net"
                                + (group ? "" : ", or add the interface to the group"));
            }
        }
    }

    @Override
    public void dropConnections(LndNi ni, Nid peer) {
        loop.execute(() -> {
            IbNi found = ofNi(ni);
            if (found != null) {
                found.dropConnections(peer);
            }
        });
    }

    private void targetChanged(Nid nid) {
        loop.execute(() -> nis.forEach(each -> each.targetChanged(nid)));
    }

    /**
     * Gives a group other interfaces while it runs (spec 21 cb-007).
     *
     * @param nid of the group
     * @param names of its interfaces, in order; the NID stays as it is, also if none of them has its address
     * @throws ErrnoException ENODEV if there is no such group, EINVAL if it can not have these interfaces, EEXIST if
     *     one of them is in another group of its net
     */
    public void setInterfaces(Nid nid, List<String> names) {
        IbNi group = nis.stream()
                .filter(each -> each.context().isBonded() && each.ni().nid().equals(nid))
                .findFirst()
                .orElseThrow(() -> new ErrnoException(Errno.ENODEV, nid + " is no group of interfaces of this node"));
        List<VerbsInterface> interfaces = members(nid.net(), InterfaceNames.join(names));
        loop.call(() -> {
            checkSharing(nid, true, interfaces);
            group.group().setInterfaces(interfaces);
        });
    }

    @Override
    public String deviceName(LndNi ni) {
        IbNi found = ofNi(ni);
        return found == null || !found.context().isBonded()
                ? ni.interfaceName()
                : found.group().deviceName();
    }

    /** Returns the NIs with their interfaces as they are now. */
    public List<InterfaceGroupView> groups() {
        List<InterfaceGroupView> views = new ArrayList<>();
        if (!context.isClosed()) {
            loop.call(() -> nis.forEach(each -> views.add(each.view())));
        }
        return views;
    }

    /** Returns the routes of all NIs as they are now. */
    public List<RouteSetView> routes() {
        List<RouteSetView> views = new ArrayList<>();
        if (!context.isClosed()) {
            loop.call(() -> nis.forEach(each -> views.addAll(each.routeViews())));
        }
        return views;
    }

    /**
     * Tries each route to each target, by a real connection (spec 21 cb-132, cb-133).
     *
     * @param only targets on this net; null for all
     * @return done when all attempts have ended, which takes at most as long as a connection may; errors for those that
     *     failed
     */
    public CompletionStage<List<BondFinding>> probe(@Nullable Net only) {
        CompletableFuture<List<BondFinding>> result = new CompletableFuture<>();
        if (context.isClosed()) {
            result.complete(List.of());
        } else {
            loop.execute(() -> new Probe(nis, targets.list(), only).begin(result));
        }
        return result;
    }

    private @Nullable IbNi ofNi(LndNi ni) {
        for (IbNi each : nis) {
            if (each.ni() == ni) {
                return each;
            }
        }
        return null;
    }

    @Override
    public void shutdown(LndNi ni) {
        IbNi found = ofNi(ni);
        if (found != null) {
            nis.remove(found);
            updateLimit();
            loop.call(found::stop);
        }
    }

    @Override
    public int send(LndNi ni, LndMessage message) {
        IbNi found = ofNi(ni);
        if (found == null || found.context().isStopped()) {
            return Errno.ESHUTDOWN.status();
        }
        if (!message.nextHop().isNid4() || !message.nextHop().isOn(ni.net())) {
            return Errno.EHOSTUNREACH.status();
        }
        found.take(message);
        return 0;
    }

    @Override
    public Map<String, Integer> tunables(LndNi ni) {
        IbNi found = ofNi(ni);
        return found == null
                ? ni.lndTunables()
                : found.context().tunables().shown((int) (found.context().timeoutNanos() / SECOND));
    }

    @Override
    public Map<String, Integer> wantedTunables(LndNi ni) {
        IbNi found = ofNi(ni);
        return found == null
                ? ni.lndTunables()
                : found.context().tunables().shown(found.context().tunable(O2ibTunable.TIMEOUT));
    }

    @Override
    public int timeoutSeconds() {
        return limit.seconds();
    }

    private void updateLimit() {
        limit.update(nis.stream().mapToInt(each -> each.context().tunable(O2ibTunable.TIMEOUT)));
    }

    @Override
    public void tune(LndNi ni, Map<String, Integer> changes) {
        IbNi found = ofNi(ni);
        if (found == null) {
            throw new ErrnoException(Errno.ENODEV, "NI " + ni.nid() + " is not started");
        }
        found.context().tune(Retuning.of(found.context().tunables(), changes));
        updateLimit();
    }

    @Override
    public int messagesPer(MessageType type, int payload) {
        // PUT_REQ and PUT_DONE.
        return type != MessageType.GET && payload > KibMessage.MAX_IMMEDIATE_PAYLOAD ? 2 : 1;
    }

    @Override
    public void close() {
        if (!context.isClosed()) {
            List.copyOf(nis).forEach(each -> shutdown(each.ni()));
            targets.unlisten(targetListener);
            context.close();
        }
    }
}
