package org.railyard.node.o2ib;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.control.node.O2ibs;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.O2ibLnd;
import org.railyard.o2iblnd.bond.BondFinding;
import org.railyard.o2iblnd.bond.InterfaceGroupView;
import org.railyard.o2iblnd.bond.Ipv4;
import org.railyard.o2iblnd.bond.RouteSetView;
import org.railyard.o2iblnd.bond.SanityCheck;
import org.railyard.o2iblnd.bond.Target;
import org.railyard.o2iblnd.bond.TargetFile;
import org.railyard.o2iblnd.bond.Targets;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.verbs.VerbsProvider;

/** The InfiniBand transport of a node in a service, over given cards. Thread-safe. */
public final class O2ibTransport implements LndProvider, O2ibs {
    /** Longest time that a check by connecting may take, s: more than any connection may. */
    public static final int PROBE_SECONDS = 120;

    private final Function<Host, VerbsProvider> cards;
    private final Tunables tunables;
    private final Supplier<TargetFile.Content> file;
    private final IntUnaryOperator prefixes;
    private final Supplier<Map<String, Object>> memory;
    private final Targets targets = new Targets();
    private volatile TargetFile.Content content = TargetFile.Content.NONE;
    private volatile @Nullable O2ibLnd current;

    /**
     * Makes it.
     *
     * @param cards returns the cards when the transport starts; they stay the caller's
     * @param tunables values of tunables for NIs that have none of their own
     * @param file the target file, read whenever the transport starts
     * @param prefixes length of the IP subnet of a local address, 0 if it is not known
     * @param memory what the cards tell of registered memory, {@link CardKind#memory}
     */
    public O2ibTransport(
            Function<Host, VerbsProvider> cards,
            Tunables tunables,
            Supplier<TargetFile.Content> file,
            IntUnaryOperator prefixes,
            Supplier<Map<String, Object>> memory) {
        this.cards = cards;
        this.tunables = tunables;
        this.file = file;
        this.prefixes = prefixes;
        this.memory = memory;
    }

    @Override
    public NetType type() {
        return NetType.O2IB;
    }

    @Override
    public Lnd create(LndUpcalls stack, Host host) {
        VerbsProvider opened = cards.apply(host);
        TargetFile.Content read = file.get();
        content = read;
        read.findings()
                .forEach(finding -> System.getLogger("org.railyard.node")
                        .log(
                                finding.isError() ? System.Logger.Level.WARNING : System.Logger.Level.INFO,
                                finding.toString()));
        for (Target target : read.targets()) {
            if (targets.find(target.nid()) == null) {
                targets.put(target);
            }
        }
        O2ibLnd made = new O2ibLnd(stack, host, opened, tunables, targets, prefixes);
        current = made;
        return made;
    }

    @Override
    public Map<Nid, List<String>> targets() {
        Map<Nid, List<String>> all = new LinkedHashMap<>();
        targets.list().forEach(target -> all.put(target.nid(), target.ipTexts()));
        return all;
    }

    @Override
    public boolean isFromFile(Nid nid) {
        Target target = targets.find(nid);
        return target != null && content.targets().contains(target);
    }

    @Override
    public void put(Nid nid, List<String> ips) {
        try {
            targets.put(new Target(nid, ips.stream().map(Ipv4::parse).toList()));
        } catch (IllegalArgumentException e) {
            throw new ErrnoException(Errno.EINVAL, String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void remove(Nid nid) {
        targets.remove(nid);
    }

    @Override
    public void setInterfaces(Nid nid, List<String> interfaces) {
        O2ibLnd lnd = current;
        if (lnd == null) {
            throw new ErrnoException(Errno.ENODEV, nid + " is no group of interfaces of this node");
        }
        lnd.setInterfaces(nid, interfaces);
    }

    private static boolean isOn(@Nullable Net net, Nid nid) {
        return net == null || nid.isOn(net);
    }

    @Override
    public List<Object> routes(@Nullable Net net) {
        O2ibLnd lnd = current;
        List<RouteSetView> sets = lnd == null ? List.of() : lnd.routes();
        return sets.stream()
                .filter(set -> isOn(net, set.ni()))
                .<Object>map(Documents::routes)
                .toList();
    }

    @Override
    public List<Object> learned(@Nullable Net net, @Nullable Nid nid) {
        O2ibLnd lnd = current;
        List<RouteSetView> sets = lnd == null ? List.of() : lnd.routes();
        return sets.stream()
                .filter(set -> isOn(net, set.ni()) && (nid == null || set.peer().equals(nid)))
                .filter(set -> !set.learned().isEmpty())
                .<Object>map(Documents::learned)
                .toList();
    }

    @Override
    public List<Object> tunables(@Nullable Net net) {
        O2ibLnd lnd = current;
        List<RouteSetView> sets = lnd == null ? List.of() : lnd.routes();
        return groups().stream()
                .filter(group -> isOn(net, group.nid()))
                .<Object>map(group -> LiveNiDocument.of(LiveNiDocument.liveNi(
                        group,
                        sets.stream()
                                .filter(set -> set.ni().equals(group.nid()))
                                .toList())))
                .toList();
    }

    private List<InterfaceGroupView> groups() {
        O2ibLnd lnd = current;
        return lnd == null ? List.of() : lnd.groups();
    }

    /** Returns what there is for those who watch. */
    O2ibFigures figures(String kind, Map<String, Long> events, Map<String, Long> state) {
        O2ibLnd lnd = current;
        return lnd == null
                ? new O2ibFigures(List.of(), List.of(), Map.of(), Map.of(), kind, events, state)
                : new O2ibFigures(
                        groups(), lnd.routes(), lnd.rejectsSent(), lnd.rejectsReceived(), kind, events, state);
    }

    @Override
    public List<Object> status(@Nullable Net net) {
        Map<String, Object> ofCards = memory.get();
        return groups().stream()
                .filter(group -> isOn(net, group.nid()))
                .<Object>map(group -> Documents.status(group, ofCards))
                .toList();
    }

    @Override
    public List<Object> check(@Nullable Net net, boolean probe, Set<Nid> multiRail) {
        List<BondFinding> findings = new ArrayList<>(content.findings());
        O2ibLnd lnd = current;
        List<RouteSetView> sets = lnd == null ? List.of() : lnd.routes();
        findings.addAll(SanityCheck.of(groups(), targets.list(), sets, multiRail, net));
        if (probe && lnd != null) {
            findings.addAll(probe(lnd, net));
        }
        return findings.stream().<Object>map(Documents::finding).toList();
    }

    private static List<BondFinding> probe(O2ibLnd lnd, @Nullable Net net) {
        try {
            return lnd.probe(net).toCompletableFuture().get(PROBE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new ErrnoException(
                    Errno.ETIMEDOUT, "the routes could not be connected within " + PROBE_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ErrnoException(Errno.EINTR, "interrupted while routes were connected", e);
        }
    }
}
