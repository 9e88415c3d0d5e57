package org.railyard.control.node;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.config.ni.CptLists;
import org.railyard.config.ni.Device;
import org.railyard.config.ni.NiGroups;
import org.railyard.config.parameter.Ip2Nets;
import org.railyard.control.DlcException;
import org.railyard.control.NetOperation;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.lnd.InterfaceNames;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/** Adds, deletes and changes NIs (spec 12 §2.2). */
final class NetControl {
    private static final int MAX_CONNS = 127;
    private static final int OUT_OF_CONNS = -1;
    private static final int FULL_HEALTH = 1000;

    private final Running running;
    private final Edits edits;

    NetControl(Running running, Edits edits) {
        this.running = running;
        this.edits = edits;
    }

    static Map<String, Object> execute(NetOperation operation, OperationContext context) {
        return switch (operation) {
            case NetOperation.Add add -> context.edit(edits -> new NetControl(context.running(), edits).add(add));
            case NetOperation.Delete delete ->
                context.edit(edits -> new NetControl(context.running(), edits).delete(delete));
            case NetOperation.Set set -> context.edit(edits -> new NetControl(context.running(), edits).set(set));
            case NetOperation.Show show ->
                Map.of(
                        "net",
                        new NetView(context.lnet(), context.machine())
                                .nets(show.net() == null ? null : Nids.net(show.net()), Levels.check(show.level())));
        };
    }

    private LNet lnet() {
        return edits.lnet();
    }

    private void add(NetOperation.Add add) {
        NiInfo group = isGroup(add) ? groupOn(add) : null;
        if (group != null) {
            extend(group, add);
            return;
        }
        List<NiRequest> requests = requests(add);
        NetTunables tunables = tunables(add);
        Map<String, Integer> lnd = lndTunables(add);
        List<Integer> cpts = add.cpt() == null ? List.of() : CptLists.parse(add.cpt());
        for (NiRequest request : requests) {
            edits.addNi(request.withTunables(tunables)
                    .withLndTunables(lnd)
                    .withCpts(request.cpts().isEmpty() ? cpts : request.cpts()));
        }
    }

    private List<NiRequest> requests(NetOperation.Add add) {
        String name = add.net();
        if (isGroup(add)) {
            return List.of(group(add));
        }
        if (!add.nids().isEmpty()) {
            if (name != null || !add.interfaces().isEmpty()) {
                throw new ErrnoException(
                        Errno.EINVAL, "a net or interfaces together with NIDs; NIDs say both, leave the others away");
            }
            return add.nids().stream().map(Nids::nid).map(NiRequest::ofNid).toList();
        }
        if (add.ip2net() != null) {
            return Ip2Nets.parse(add.ip2net())
                    .requests(
                            running.machine().devices(),
                            add.bond() || NiGroups.isDefault(running.machine().parameters()));
        }
        if (name == null) {
            throw new ErrnoException(Errno.EINVAL, "a net is missing; name it, for example tcp");
        }
        if (add.interfaces().isEmpty()) {
            throw new ErrnoException(Errno.EINVAL, "interfaces of " + name + " are missing; name at least one");
        }
        Net net = Nids.net(name);
        if (net.equals(Net.LO)) {
            throw new ErrnoException(Errno.EINVAL, "the loopback net is always there and can not be added");
        }
        return add.interfaces().stream().map(each -> ofInterface(net, each)).toList();
    }

    /** An option asks for it, or a module parameter where it can be. */
    private boolean isGroup(NetOperation.Add add) {
        String name = add.net();
        boolean possible = name != null && !add.interfaces().isEmpty() && NiGroups.isBondable(Nids.net(name));
        // A rule by address says itself which interfaces are a group.
        return add.ip2net() == null
                && (add.bond()
                        || possible && NiGroups.isDefault(running.machine().parameters()));
    }

    /** Returns the group that a net has already, the one with a NID if one is named; null if it has none. */
    private @Nullable NiInfo groupOn(NetOperation.Add add) {
        Net net = netOfGroup(add);
        Nid nid = nidOfGroup(add, net);
        return lnet().inventory().nis().stream()
                .filter(ni -> nid == null ? ni.nid().isOn(net) : ni.nid().equals(nid))
                .filter(ni -> NiGroups.isGroup(
                        ni.interfaceName(), lnet().inventory().tuning(ni.nid()).lnd()))
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns the NID that a group is to have whatever its interfaces are; null if it follows from the first of them.
     */
    private static @Nullable Nid nidOfGroup(NetOperation.Add add, Net net) {
        if (add.nids().isEmpty()) {
            return null;
        }
        Nid nid = Nids.nid(add.nids().getFirst());
        if (add.nids().size() > 1 || !nid.isOn(net)) {
            throw new ErrnoException(
                    Errno.EINVAL, String.join(",", add.nids()) + " for a group on " + net + "; expected one NID there");
        }
        return nid;
    }

    private static Net netOfGroup(NetOperation.Add add) {
        if (add.net() == null || add.interfaces().isEmpty()) {
            throw new ErrnoException(
                    Errno.EINVAL, "channel bonding needs a net and its interfaces; say --net and --if");
        }
        Net net = Nids.net(add.net());
        NiGroups.requireBondable(net);
        return net;
    }

    /** Adds interfaces to a group that runs. */
    private void extend(NiInfo group, NetOperation.Add add) {
        List<String> names = new ArrayList<>(InterfaceNames.split(group.interfaceName()));
        for (String name : add.interfaces()) {
            if (names.contains(name)) {
                throw new ErrnoException(Errno.EEXIST, name + " is in the group " + group.nid() + " already");
            }
            names.add(name);
        }
        new O2ibsControl(running.machine()).setInterfaces(group, names, edits);
    }

    /** Returns the request for one NI of all interfaces (spec 21 cb-007, cb-008). */
    private NiRequest group(NetOperation.Add add) {
        Net net = netOfGroup(add);
        List<NiRequest> each =
                add.interfaces().stream().map(one -> ofInterface(net, one)).toList();
        List<String> names = each.stream()
                .map(NiRequest::interfaceName)
                .filter(Objects::nonNull)
                .toList();
        List<Integer> cpts =
                each.stream().flatMap(one -> one.cpts().stream()).distinct().toList();
        NiRequest request =
                NiRequest.ofInterface(net, InterfaceNames.join(names)).withCpts(cpts);
        Nid nid = nidOfGroup(add, net);
        return nid == null ? request : request.withNid(nid);
    }

    private NiRequest ofInterface(Net net, String text) {
        int bracket = text.indexOf('[');
        String name = (bracket < 0 ? text : text.substring(0, bracket)).strip();
        List<Integer> cpts = bracket < 0 ? List.of() : CptLists.parse(text.substring(bracket));
        if (name.isEmpty()) {
            throw new ErrnoException(
                    Errno.EINVAL, "'" + text + "' is no interface; expected one such as eth0 or eth0[0,1]");
        }
        Optional<Device> device = running.machine().devices().stream()
                .filter(each -> each.name().equals(name))
                .findFirst();
        if (device.isPresent() && device.get().loopback()) {
            throw new ErrnoException(
                    Errno.ENETDOWN,
                    "interface " + name
                            + " only leads back to this machine; for tests, add one of its addresses as a NID");
        }
        Optional<InetAddress> large = device.filter(each -> running.prefersLarge()).stream()
                .flatMap(each -> each.addresses().stream())
                .filter(each -> each instanceof Inet6Address)
                .findFirst();
        if (large.isPresent()) {
            return NiRequest.ofNid(Nid.of(net, large.get().getAddress())).withCpts(cpts);
        }
        return NiRequest.ofInterface(net, name).withCpts(cpts);
    }

    private static NetTunables tunables(NetOperation.Add add) {
        NetTunables otherwise = NetTunables.DEFAULT;
        try {
            return new NetTunables(
                    or(add.peerTimeout(), otherwise.peerTimeout()),
                    or(add.peerCredits(), otherwise.peerCredits()),
                    or(add.peerBufferCredits(), otherwise.peerBufferCredits()),
                    or(add.credits(), otherwise.credits()));
        } catch (IllegalArgumentException e) {
            throw new ErrnoException(Errno.EINVAL, String.valueOf(e.getMessage()), e);
        }
    }

    private static int or(@Nullable Integer value, int otherwise) {
        return value == null ? otherwise : value;
    }

    private Map<String, Integer> lndTunables(NetOperation.Add add) {
        Map<String, Integer> lnd = new LinkedHashMap<>();
        if (add.connsPerPeer() != null) {
            if (!isConns(add.connsPerPeer())) {
                throw new DlcException(add.verb(), add.entity(), OUT_OF_CONNS, badConns(add.connsPerPeer()));
            }
            lnd.put("conns_per_peer", add.connsPerPeer());
        }
        if (add.tos() != null) {
            lnd.put("tos", add.tos());
        }
        if (isGroup(add)) {
            lnd.put(NiGroups.BONDING, 1);
        }
        return lnd;
    }

    private static boolean isConns(int number) {
        return number >= 0 && number <= MAX_CONNS;
    }

    private static String badConns(int number) {
        return "conns-per-peer " + number + "; expected 0…" + MAX_CONNS;
    }

    private void delete(NetOperation.Delete delete) {
        for (NiInfo ni : select(delete)) {
            List<String> left = new ArrayList<>(InterfaceNames.split(ni.interfaceName()));
            left.removeAll(delete.interfaces());
            if (delete.interfaces().isEmpty() || left.isEmpty()) {
                edits.removeNi(ni);
            } else {
                new O2ibsControl(running.machine()).setInterfaces(ni, left, edits);
            }
        }
    }

    private List<NiInfo> select(NetOperation.Delete delete) {
        if (!delete.nids().isEmpty()) {
            Net named = delete.net() == null ? null : Nids.net(delete.net());
            if (!delete.interfaces().isEmpty()) {
                throw new ErrnoException(
                        Errno.EINVAL, "interfaces together with NIDs, which say that already; leave one of them away");
            }
            List<Nid> nids = delete.nids().stream().map(Nids::nid).toList();
            nids.forEach(nid -> requireOn(named, nid));
            return nids.stream()
                    .map(nid -> nisOf(nid.net()).stream()
                            .filter(ni -> ni.nid().equals(nid))
                            .findFirst()
                            .orElseThrow(() -> noNi(nid.toString())))
                    .toList();
        }
        if (delete.net() == null) {
            throw new ErrnoException(Errno.EINVAL, "a net is missing; name it, for example tcp");
        }
        Net net = Nids.net(delete.net());
        List<NiInfo> nis = nisOf(net);
        if (delete.interfaces().isEmpty()) {
            return nis;
        }
        Set<NiInfo> chosen = new LinkedHashSet<>();
        for (String name : delete.interfaces()) {
            List<NiInfo> found = nis.stream()
                    .filter(ni -> InterfaceNames.split(ni.interfaceName()).contains(name))
                    .toList();
            if (found.isEmpty()) {
                throw noNi(name + " of " + net);
            }
            chosen.addAll(found);
        }
        return List.copyOf(chosen);
    }

    private static void requireOn(@Nullable Net net, Nid nid) {
        if (net != null && !nid.isOn(net)) {
            throw new ErrnoException(
                    Errno.EINVAL, nid + " is not on " + net + ", which --net names; leave one of them away");
        }
    }

    private static ErrnoException noNi(String what) {
        return new ErrnoException(Errno.ENODEV, "there is no NI " + what + " here; 'lnetctl net show' lists them");
    }

    private List<NiInfo> nisOf(Net net) {
        if (net.equals(Net.LO)) {
            throw new ErrnoException(Errno.ENODEV, "the loopback net is always there and can not be deleted");
        }
        List<NiInfo> nis = lnet().inventory().nis().stream()
                .filter(ni -> ni.nid().isOn(net))
                .toList();
        if (nis.isEmpty()) {
            throw noNet(net);
        }
        return nis;
    }

    private static ErrnoException noNet(Net net) {
        return new ErrnoException(Errno.EINVAL, "there is no net " + net + " here; 'lnetctl net show' lists them");
    }

    private void set(NetOperation.Set set) {
        Net net = set.net() == null ? null : Nids.net(set.net());
        Nid nid = set.nid() == null ? null : Nids.nid(set.nid());
        if (net == null && nid == null && !set.all()) {
            throw new ErrnoException(Errno.EINVAL, "which NIs is missing; say --nid NID, --net NET or --all");
        }
        List<NiInfo> nis = lnet().inventory().nis().stream()
                .filter(ni -> set.all()
                        || (nid == null
                                ? net != null && ni.nid().isOn(net)
                                : ni.nid().equals(nid)))
                .toList();
        boolean ofNis = set.connsPerPeer() != null || set.health() != null || set.cpt() != null;
        if (nis.isEmpty() && nid != null) {
            throw noNi(nid.toString());
        }
        if (nis.isEmpty() && net != null && ofNis) {
            throw noNet(net);
        }
        // A transport would take -1 for its own value, which nobody asks for in that way.
        if (set.connsPerPeer() != null && !isConns(set.connsPerPeer())) {
            throw new ErrnoException(Errno.EINVAL, badConns(set.connsPerPeer()));
        }
        if (set.lndTimeout() != null) {
            setTimeout(net, set.lndTimeout());
        }
        List<Integer> cpts = set.cpt() == null ? List.of() : CptLists.parse(set.cpt());
        for (NiInfo ni : nis) {
            if (set.connsPerPeer() != null) {
                edits.tune(ni.nid(), Map.of("conns_per_peer", set.connsPerPeer()));
            }
            if (set.health() != null) {
                edits.setHealth(ni, Math.min(set.health(), FULL_HEALTH));
            }
            if (set.cpt() != null) {
                edits.setCpts(ni, cpts);
            }
        }
    }

    /** Sets the time limit of a transport, and so for all its nets. */
    private void setTimeout(@Nullable Net net, int seconds) {
        if (net == null) {
            throw new ErrnoException(
                    Errno.EINVAL, "a limit of a transport without a net; say --net to tell which transport");
        }
        if (seconds < 0) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "lnd-timeout " + seconds + " s; expected 0 or more, 0 to derive it from transaction_timeout");
        }
        for (NiInfo ni : lnet().inventory().nis()) {
            if (ni.nid().typeNumber() == net.typeNumber()) {
                edits.tune(ni.nid(), Map.of("timeout", seconds));
            }
        }
    }
}
