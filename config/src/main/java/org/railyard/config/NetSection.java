package org.railyard.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.base.yaml.Fields;
import org.railyard.base.yaml.Findings;
import org.railyard.base.yaml.Item;
import org.railyard.base.yaml.Place;
import org.railyard.config.ni.CptList;
import org.railyard.config.ni.NiGroups;
import org.railyard.lnet.lnd.InterfaceNames;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidFormatException;

/** The section {@code net} (spec 12 §5.2), in the short form and with {@code local NI(s)}. */
final class NetSection {
    private static final int MAX = Integer.MAX_VALUE;
    private static final String INTERFACE = "[^\\s/\\[\\],]{1,64}";
    private static final String TYPE = "net type";
    private static final String LOCAL = "local NI(s)";
    private static final String ADVERTISE = "advertise_ips";
    private static final String PACK = "pack";
    private static final List<String> NI_KEYS =
            List.of("interfaces", "bonding", NiGroups.NID, "nid", "tunables", "lnd tunables", "CPT", "seq_no");
    private static final List<String> SHORT_KEYS = List.of(
            TYPE, LOCAL, "interfaces", "bonding", NiGroups.NID, "nid", "tunables", "lnd tunables", "CPT", "seq_no");

    /** What {@code show} and {@code export} print of an NI and nobody sets. */
    private static final Set<String> SHOWN = Set.of(
            "status",
            "statistics",
            "sent_stats",
            "received_stats",
            "dropped_stats",
            "health stats",
            "resiliency stats",
            "udsp info",
            "dev cpt",
            "state",
            "tx credits");

    private static final List<String> TUNABLES =
            List.of("peer_timeout", "peer_credits", "peer_buffer_credits", "credits");

    /** By type of net (spec 12 §4.2). */
    private static final Map<NetType, List<String>> LND_TUNABLES = Map.of(
            NetType.TCP, List.of("conns_per_peer", "timeout", "tos"),
            NetType.O2IB,
                    List.of(
                            "peercredits_hiw",
                            LndTunables.MAP_ON_DEMAND,
                            "concurrent_sends",
                            "fmr_pool_size",
                            "fmr_flush_trigger",
                            "fmr_cache",
                            "ntx",
                            "conns_per_peer",
                            "timeout",
                            "tos",
                            NiGroups.BONDING,
                            "bond_local_retry",
                            "route_policy",
                            "fatal_is_sticky",
                            "conn_idle_timeout",
                            "expected_link",
                            "protocol",
                            ADVERTISE,
                            PACK));

    private final Findings findings;
    private final @Nullable Set<String> interfaces;
    private final List<NiSpec> nis = new ArrayList<>();
    private final Map<Net, NetTunables> tunablesOfNets = new LinkedHashMap<>();
    private final Map<String, Place> places = new LinkedHashMap<>();

    /**
     * Makes one without NIs.
     *
     * @param interfaces those that the machine has, null if that does not matter
     */
    NetSection(Findings findings, @Nullable Set<String> interfaces) {
        this.findings = findings;
        this.interfaces = interfaces;
    }

    List<NiSpec> nis() {
        return nis;
    }

    void read(Item section) {
        section.items().forEach(this::net);
    }

    private void net(Item item) {
        Fields fields = Fields.of(item, SHORT_KEYS, SHOWN);
        Item type = fields.require(TYPE);
        if (type == null) {
            return;
        }
        if (!fields.names().iterator().next().equals(TYPE)) {
            item.found("'" + fields.names().iterator().next() + "' as the first key of a net", "'" + TYPE + "'");
        }
        Net net = netOf(type);
        if (net == null || net.equals(Net.LO)) {
            // Loopback is in full exports; it is always there.
            return;
        }
        Item local = fields.get(LOCAL);
        if (local == null) {
            ni(net, fields);
            return;
        }
        for (String name : List.of("interfaces", "bonding", NiGroups.NID, "nid", "tunables", "lnd tunables", "CPT")) {
            Item key = fields.key(name);
            if (key != null) {
                key.found("'" + name + "' beside '" + LOCAL + "'", "it in the items of '" + LOCAL + "'");
            }
        }
        List<Item> items = local.items();
        if (items.isEmpty()) {
            local.expected("a list of NIs");
        }
        items.forEach(each -> ni(net, Fields.of(each, NI_KEYS, SHOWN)));
    }

    static @Nullable Net netOf(Item type) {
        try {
            return Net.parse(type.text());
        } catch (NidFormatException e) {
            type.expected("the name of a net, such as tcp or o2ib1");
            return null;
        }
    }

    private void ni(Net net, Fields fields) {
        NetTunables tunables = tunables(net, fields.get("tunables"));
        Map<String, Integer> lndTunables = lndTunables(net, fields.get("lnd tunables"));
        Item cptItem = fields.get("CPT");
        List<Integer> cpts = cptItem == null ? List.of() : CptList.read(cptItem);
        Item interfaces = fields.get("interfaces");
        Item nid = fields.get("nid");
        boolean group = isGroup(net, fields.get("bonding"), lndTunables);
        Item groupNid = fields.get(NiGroups.NID);
        if (groupNid != null && (!group || interfaces == null)) {
            groupNid.found(
                    "'" + NiGroups.NID + "' on an NI that is no group", "it with 'interfaces:' and 'bonding: true'");
        }
        if (interfaces != null) {
            Map<String, Item.Entry> entries = interfaces.entries();
            Nid shown = nid == null || entries.size() != 1 ? null : shownNid(net, nid);
            if (entries.isEmpty() && !interfaces.isList()) {
                interfaces.expected("interfaces such as '0: eth0'");
            }
            if (group) {
                Map<String, Integer> bonding = new LinkedHashMap<>(lndTunables);
                bonding.put(NiGroups.BONDING, 1);
                NiRequest request = NiRequest.ofInterface(net, InterfaceNames.join(NiGroups.namesOf(entries)))
                        .withTunables(tunables)
                        .withLndTunables(bonding)
                        .withCpts(cpts);
                Nid own = groupNid == null ? null : nidOn(net, groupNid);
                group(
                        interfaces,
                        NiGroups.namesOf(entries),
                        own == null ? request : request.withNid(own),
                        own == null ? shownOf(net, nid) : own);
                return;
            }
            entries.forEach((index, entry) -> {
                if (entry.key().number(0, MAX).isPresent()) {
                    device(net, entry.value(), shown, cpts, tunables, lndTunables);
                }
            });
        } else if (nid != null) {
            address(net, nid, cpts, tunables, lndTunables);
        } else {
            fields.owner().found("an NI without interface", "'interfaces:' with '0: eth0', or 'nid: …'");
        }
    }

    /** The tunable that kernel nodes have says the same as the key of the NI. */
    private static boolean isGroup(Net net, @Nullable Item bonding, Map<String, Integer> lndTunables) {
        Integer tunable = lndTunables.get(NiGroups.BONDING);
        if (bonding == null) {
            return tunable != null && tunable != 0;
        }
        boolean wanted = bonding.bool(false);
        if (tunable != null && wanted != (tunable != 0)) {
            bonding.found(
                    "bonding: " + wanted + " and " + NiGroups.BONDING + ": " + tunable,
                    "one of them, or both the same");
        }
        if (wanted && !NiGroups.isBondable(net)) {
            bonding.found("bonding on " + net, "it on nets of type o2ib only");
            return false;
        }
        return wanted;
    }

    private static @Nullable Nid shownOf(Net net, @Nullable Item nid) {
        return nid == null ? null : shownNid(net, nid);
    }

    /** Adds one NI of several interfaces. */
    private void group(Item interfaces, List<String> names, NiRequest request, @Nullable Nid shown) {
        if (names.isEmpty() || !names.stream().allMatch(name -> name.matches(INTERFACE))) {
            interfaces.expected("the names of the interfaces of a group, such as '0: ib0' and '1: ib1'");
            return;
        }
        add(new NiSpec(request, shown, interfaces.place()), InterfaceNames.join(names) + " on " + request.net());
    }

    /** Reads an interface, perhaps with its own CPU partitions: {@code eth0[0,1]}. */
    private void device(
            Net net,
            Item item,
            @Nullable Nid shown,
            List<Integer> cpts,
            NetTunables tunables,
            Map<String, Integer> lndTunables) {
        String text = item.text();
        int bracket = text.indexOf('[');
        String name = bracket < 0 ? text : text.substring(0, bracket).strip();
        if (!name.matches(INTERFACE)) {
            item.expected("the name of an interface, such as eth0 or eth0[0,1]");
            return;
        }
        List<Integer> own = bracket < 0 ? cpts : CptList.parse(text.substring(bracket));
        if (own == null) {
            item.expected("behind the interface " + CptList.EXPECTED);
            return;
        }
        NiRequest request = NiRequest.ofInterface(net, name)
                .withTunables(tunables)
                .withLndTunables(lndTunables)
                .withCpts(own);
        add(new NiSpec(request, shown, item.place()), name + " on " + net);
    }

    /** Returns the NID beside an interface, null if it is none: nothing depends on it. */
    private static @Nullable Nid shownNid(Net net, Item item) {
        try {
            Nid nid = Nid.parse(item.text());
            return nid.isOn(net) ? nid : null;
        } catch (NidFormatException e) {
            return null;
        }
    }

    private void address(
            Net net, Item item, List<Integer> cpts, NetTunables tunables, Map<String, Integer> lndTunables) {
        Nid nid = nidOn(net, item);
        if (nid == null) {
            return;
        }
        NiRequest request = NiRequest.ofNid(nid)
                .withTunables(tunables)
                .withLndTunables(lndTunables)
                .withCpts(cpts);
        add(new NiSpec(request, nid, item.place()), nid.toString());
    }

    private static @Nullable Nid nidOn(Net net, Item item) {
        Nid nid;
        try {
            nid = Nid.parse(item.text());
        } catch (NidFormatException e) {
            item.expected("a NID on " + net + ", such as 10.0.0.1@" + net);
            return null;
        }
        if (nid.isAny() || !nid.isOn(net)) {
            item.expected("a NID on " + net);
            return null;
        }
        return nid;
    }

    private void add(NiSpec ni, String name) {
        requireInterfaces(ni);
        Place before = places.putIfAbsent(name, ni.place());
        if (before != null) {
            findings.error(ni.place(), name + " again", "each NI once; it is at " + before.at());
        } else {
            nis.add(ni);
        }
    }

    private void requireInterfaces(NiSpec ni) {
        String names = ni.request().interfaceName();
        if (interfaces == null || names == null) {
            return;
        }
        for (String each : InterfaceNames.split(names)) {
            if (!interfaces.contains(each)) {
                findings.absent(
                        ni.place(),
                        "interface '" + each + "'",
                        "one of this machine: " + Fields.oneOf(each, interfaces));
            }
        }
    }

    /** Returns the tunables of a net: those of its first NI. */
    NetTunables tunables(Net net, @Nullable Item item) {
        NetTunables known = tunablesOfNets.get(net);
        if (item == null) {
            tunablesOfNets.putIfAbsent(net, NetTunables.DEFAULT);
            return known == null ? NetTunables.DEFAULT : known;
        }
        warnOfUnknown(item, TUNABLES, "net tunable");
        NetTunables otherwise = NetTunables.DEFAULT;
        Fields fields = Fields.of(item, TUNABLES, item.entries().keySet());
        NetTunables read = new NetTunables(
                fields.number("peer_timeout", otherwise.peerTimeout(), 0, MAX),
                fields.number("peer_credits", otherwise.peerCredits(), 1, MAX),
                fields.number("peer_buffer_credits", otherwise.peerBufferCredits(), 0, MAX),
                fields.number("credits", otherwise.credits(), 1, MAX));
        if (known != null && !known.equals(read)) {
            item.warn("other tunables for the net " + net, "those of its first NI, which count for the whole net");
        }
        tunablesOfNets.putIfAbsent(net, read);
        return known == null ? read : known;
    }

    static Map<String, Integer> lndTunables(Net net, @Nullable Item item) {
        Map<String, Integer> values = new LinkedHashMap<>();
        if (item == null) {
            return values;
        }
        List<String> known =
                NetType.ofNumber(net.typeNumber()).map(LND_TUNABLES::get).orElse(List.of());
        warnOfUnknown(item, known, "tunable of the transport");
        item.entries().forEach((name, entry) -> {
            if (known.contains(name)) {
                LndTunables.read(name, entry.value(), leastOf(name), mostOf(name))
                        .ifPresent(value -> values.put(name, (int) value));
            }
        });
        return values;
    }

    private static int leastOf(String lndTunable) {
        return switch (lndTunable) {
            case NiGroups.BONDING, ADVERTISE, PACK -> 0;
            default -> -1;
        };
    }

    private static int mostOf(String lndTunable) {
        return switch (lndTunable) {
            case "tos" -> 255;
            case "conns_per_peer" -> 127;
            case NiGroups.BONDING, ADVERTISE, PACK -> 1;
            default -> MAX;
        };
    }

    private static void warnOfUnknown(Item item, List<String> known, String what) {
        item.entries().forEach((name, entry) -> {
            if (!known.contains(name)) {
                entry.key()
                        .warn(
                                "the " + what + " '" + entry.key().shown() + "', which has no effect here",
                                known.isEmpty() ? "none" : "one of " + Fields.oneOf(name, known));
            }
        });
    }
}
