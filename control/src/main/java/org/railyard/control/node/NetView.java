package org.railyard.control.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.config.LndTunables;
import org.railyard.config.ni.NiGroups;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.NiHealth;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.NiTuning;
import org.railyard.lnet.api.Traffic;
import org.railyard.lnet.api.UdspInfo;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.lnd.InterfaceNames;
import org.railyard.lnet.nid.Net;

/** Nets and NIs as documents (spec 12 §3, §4.1). */
final class NetView {
    /** Level of full exports: without what only this node shows. */
    static final int EXPORT = -2;

    private static final int STATISTICS = 1;
    private static final int HEALTH = 2;
    private static final int UDSP = 4;
    private static final UdspInfo NO_RULES = new UdspInfo(UdspRule.NO_PRIORITY, UdspRule.NO_PRIORITY, List.of(), "");

    private final LNet lnet;
    private final NodeEnvironment machine;

    NetView(LNet lnet, NodeEnvironment machine) {
        this.lnet = lnet;
        this.machine = machine;
    }

    /**
     * Shows nets.
     *
     * @param only this one, null for all
     * @param level 0…4, or {@link #EXPORT}
     * @throws ErrnoException ESRCH if there is no such net
     */
    List<Object> nets(@Nullable Net only, int level) {
        Map<Net, List<NiInfo>> byNet = new LinkedHashMap<>();
        lnet.inventory().ni(Net.LO, 0).ifPresent(lo -> byNet.put(Net.LO, List.of(lo)));
        lnet.inventory()
                .nis()
                .forEach(ni -> byNet.computeIfAbsent(ni.nid().net(), net -> new ArrayList<>())
                        .add(ni));
        List<Object> nets = new ArrayList<>();
        byNet.forEach((net, nis) -> {
            if (only == null || only.equals(net)) {
                nets.add(net(net, nis, level));
            }
        });
        if (nets.isEmpty()) {
            throw new ErrnoException(Errno.ESRCH, "there is no NI on " + only + " here");
        }
        return nets;
    }

    private Map<String, Object> net(Net net, List<NiInfo> nis, int level) {
        return new Doc()
                .put("net type", net.toString())
                .put("local NI(s)", nis.stream().map(ni -> ni(ni, level)).toList())
                .map();
    }

    /** Shows one NI. */
    Map<String, Object> ni(NiInfo ni, int wanted) {
        int level = Math.abs(wanted);
        boolean loopback = ni.nid().isLoopback();
        Traffic traffic = loopback ? Traffic.NONE : ni.traffic();
        Doc doc = new Doc().put("nid", ni.nid().toString()).put("status", ni.up() ? "up" : "down");
        if (!loopback) {
            // Beside an interface the NID tells nothing: a file in which the NI is to come back has one of them.
            if (wanted != EXPORT || isByInterface(ni)) {
                doc.put("interfaces", interfaces(ni));
            }
            bonding(doc, ni);
        }
        if (level >= STATISTICS) {
            doc.put("statistics", TrafficText.statistics(traffic));
        }
        if (level >= UDSP) {
            doc.put("udsp info", UdspText.info(loopback ? NO_RULES : udspInfo(ni)));
        }
        if (level >= HEALTH) {
            TrafficText.types(doc, traffic);
            doc.put("health stats", health(ni));
            if (wanted != EXPORT && !loopback) {
                own(doc, ni);
            }
        }
        if (level >= STATISTICS) {
            tuning(doc, ni, wanted == EXPORT);
        }
        return doc.map();
    }

    /** Returns the interfaces of an NI under numbers from 0 on. */
    static Doc interfaces(NiInfo ni) {
        Doc doc = new Doc();
        InterfaceNames.split(ni.interfaceName())
                .forEach(name -> doc.put(Integer.toString(doc.map().size()), name));
        return doc;
    }

    /** Shows of a group that it is one, and its NID where that does not follow from the interfaces. */
    void bonding(Doc doc, NiInfo ni) {
        if (isGroup(ni)) {
            doc.put("bonding", true);
            if (NiGroups.hasNidOfItsOwn(ni, machine.devices())) {
                doc.put(NiGroups.NID, ni.nid().toString());
            }
        }
    }

    private boolean isGroup(NiInfo ni) {
        return NiGroups.isGroup(
                ni.interfaceName(), lnet.inventory().tuning(ni.nid()).lnd());
    }

    /**
     * Tells whether an NI can be found again by its interfaces. One on the loopback device, or on another address than
     * the first, can not: by its NID only.
     */
    boolean isByInterface(NiInfo ni) {
        return isGroup(ni) || hasFirstAddress(ni);
    }

    private boolean hasFirstAddress(NiInfo ni) {
        return machine.devices().stream()
                .filter(device -> device.name().equals(ni.interfaceName()))
                .findFirst()
                .map(device -> !device.loopback()
                        && !device.addresses().isEmpty()
                        && Arrays.equals(
                                device.addresses().getFirst().getAddress(),
                                ni.nid().address()))
                .orElse(true);
    }

    private UdspInfo udspInfo(NiInfo ni) {
        try {
            return lnet.selection().udspInfo(ni.nid());
        } catch (ErrnoException e) {
            // It went away while we looked.
            return NO_RULES;
        }
    }

    private static Doc health(NiInfo ni) {
        NiHealth health = ni.failures();
        return new Doc()
                .put("fatal_error", health.fatal() ? 1 : 0)
                .put("health value", ni.nid().isLoopback() ? 0 : ni.health())
                .put("interrupts", health.interrupts())
                .put("dropped", health.dropped())
                .put("aborted", health.aborted())
                .put("no route", health.noRoute())
                .put("timeouts", health.timeouts())
                .put("error", health.error())
                .put("ping_count", health.pingCount())
                .put("next_ping", health.nextPing());
    }

    /** What only this node shows (spec 12 §4.1, 10 §17.3). */
    private static void own(Doc doc, NiInfo ni) {
        NiHealth health = ni.failures();
        doc.put(
                        "resiliency stats",
                        new Doc()
                                .put("resends_local_timeout", health.resendsLocalTimeout())
                                .put("resends_network_timeout", health.resendsNetworkTimeout())
                                .put("network_timeout_count", health.networkTimeouts())
                                .put("interface_down_events", health.downEvents())
                                .put("interface_up_events", health.upEvents()))
                .put("state", ni.state().name())
                .put(
                        "tx credits",
                        new Doc()
                                .put("available", ni.credits())
                                .put("max", ni.maxCredits())
                                .put("min", ni.minCredits()));
    }

    /**
     * Shows what an NI is tuned to.
     *
     * @param asked what was asked for instead of what counts: a file is to ask for the same again
     */
    private void tuning(Doc doc, NiInfo ni, boolean asked) {
        boolean loopback = ni.nid().isLoopback();
        NiTuning tuning = lnet.inventory().tuning(ni.nid());
        doc.put(
                "tunables",
                new Doc()
                        .put("peer_timeout", loopback ? 0 : tuning.net().peerTimeout())
                        .put("peer_credits", loopback ? 0 : tuning.net().peerCredits())
                        .put("peer_buffer_credits", loopback ? 0 : tuning.net().peerBufferCredits())
                        .put("credits", loopback ? 0 : tuning.net().credits()));
        if (!loopback) {
            Doc lnd = new Doc();
            (asked ? tuning.wanted() : tuning.lnd())
                    .forEach((name, value) -> lnd.put(name, LndTunables.shown(name, value)));
            doc.put("lnd tunables", lnd);
        }
        doc.put("dev cpt", ni.deviceCpt()).put("CPT", cpts(ni));
    }

    static String cpts(NiInfo ni) {
        return ni.cpts().stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
    }
}
