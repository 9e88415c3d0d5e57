package org.railyard.control.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.base.tune.TunableSpec;
import org.railyard.base.yaml.Place;
import org.railyard.config.BondSpec;
import org.railyard.config.Configuration;
import org.railyard.config.NiSpec;
import org.railyard.config.O2ibSpec;
import org.railyard.config.PeerSpec;
import org.railyard.config.RouteSpec;
import org.railyard.config.RuleSpec;
import org.railyard.config.SettingSpec;
import org.railyard.control.ConfigOperation;
import org.railyard.control.DlcException;
import org.railyard.control.Failure;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/** Adds a configuration to a node (spec 12 §5). The first refusal ends it; who calls takes back what was done. */
final class Importer {
    private static final String SECTION_NET = "net";

    private final ConfigOperation.Import operation;
    private final Running running;
    private final Edits edits;

    Importer(ConfigOperation.Import operation, Running running, Edits edits) {
        this.operation = operation;
        this.running = running;
        this.edits = edits;
    }

    private LNet lnet() {
        return edits.lnet();
    }

    /** Adds all of it. */
    void add(Configuration wanted) {
        requireCpus(wanted);
        // Before the NIs, so that nobody who asks on one of them learns of the others.
        for (BondSpec each : wanted.rest().bonds()) {
            at(each.place(), "bond", () -> new BondControl(edits).put(each));
        }
        for (NiSpec ni : withAddresses(wanted)) {
            at(ni.place(), SECTION_NET, () -> edits.addNi(ni.request()));
        }
        for (O2ibSpec each : wanted.rest().targets()) {
            at(each.place(), "o2ibs", () -> new O2ibsControl(running.machine()).put(each, edits));
        }
        at(file(), "java", () -> wanted.profileFrom(lnet().settings()).forEach(edits::set));
        for (SettingSpec each : wanted.settingsFrom(lnet().settings())) {
            at(each.place(), "global", () -> edits.set(each.tunable(), each.value()));
        }
        // Before the routes: what a route makes the peer of a gateway can not be configured any more.
        for (PeerSpec each : wanted.peers()) {
            at(each.place(), "peer", () -> addPeer(each));
        }
        for (RouteSpec each : wanted.rest().routes()) {
            for (Nid gateway : each.gateways()) {
                at(each.place(), "route", () -> edits.addRoute(each.net(), gateway, each.hops(), each.priority()));
            }
        }
        Boolean forwarding = wanted.rest().forwarding();
        if (forwarding != null && forwarding != lnet().routing().state().isOn()) {
            at(file(), "routing", () -> edits.setForwarding(forwarding));
        }
        for (RuleSpec each : wanted.rules()) {
            at(each.place(), "udsp", () -> edits.addUdsp(each.rule(), each.index()));
        }
    }

    private Place file() {
        return new Place(ConfigControl.fileOf(operation), 0, 0);
    }

    private void requireCpus(Configuration wanted) {
        if (wanted.namesCpus() && !running.hasCpusOf(wanted)) {
            throw new DlcException(
                    operation,
                    Errno.EINVAL,
                    "found cpu_npartitions or cpu_pattern, which are fixed when LNet starts; give them to lnetd with"
                            + " --param; nothing was changed");
        }
    }

    private void addPeer(PeerSpec peer) {
        if (!peer.isGatewayOf(lnet())) {
            edits.addPeer(peer.primary(), peer.nids(), peer.multiRail(), peer.locked());
        }
        lnet().inventory()
                .peer(peer.primary())
                .ifPresent(made -> made.nis().stream()
                        .filter(ni -> peer.health().containsKey(ni.nid()))
                        .forEach(ni -> edits.setPeerHealth(
                                ni.nid(), ni.health(), peer.health().getOrDefault(ni.nid(), ni.health()))));
    }

    private void at(Place place, String section, Runnable change) {
        try {
            running.requireGoing();
            change.run();
        } catch (ErrnoException e) {
            String text = place + ": " + DlcException.textOf(e);
            int errno = e.errno().status();
            Failure whole = new Failure(
                    operation.verb(),
                    operation.entity(),
                    section.equals(SECTION_NET) ? Errno.EINVAL.status() : errno,
                    text + "; nothing was changed",
                    List.of(text));
            throw new DlcException(
                    section.equals(SECTION_NET)
                            ? List.of(new Failure(operation.verb(), section, errno, text, List.of()), whole)
                            : List.of(whole));
        }
    }

    private List<NiSpec> withAddresses(Configuration wanted) {
        List<NiSpec> all = AddressRules.nis(wanted, running.machine().devices());
        if (!wanted.rest().ip2nets().isEmpty() && all.size() == wanted.nis().size()) {
            throw new DlcException(operation, Errno.EINVAL, AddressRules.NONE_FITS);
        }
        return all;
    }

    /** Tells what would change; finds without doing anything what would be refused for what is there already. */
    Map<String, Object> check(Configuration wanted) {
        requireCpus(wanted);
        List<Object> changes = new ArrayList<>();
        for (NiSpec ni : withAddresses(wanted)) {
            NiRequest request = ni.request();
            String name = request.interfaceName() != null ? request.interfaceName() : String.valueOf(request.nid());
            if (isThere(request)) {
                at(ni.place(), SECTION_NET, () -> {
                    throw new ErrnoException(Errno.EEXIST, name + " is an NI of " + request.net() + " already");
                });
            }
            changes.add(ni.place() + ": add NI " + name + " on " + request.net());
        }
        at(
                file(),
                "java",
                () -> wanted.profileFrom(lnet().settings())
                        .forEach((tunable, value) -> changes.add(file() + ": " + change(tunable, value))));
        for (SettingSpec each : wanted.settingsFrom(lnet().settings())) {
            if (lnet().settings().get(each.tunable()) != each.value()) {
                changes.add(each.place() + ": " + change(each.tunable(), each.value()));
            }
        }
        for (BondSpec each : wanted.rest().bonds()) {
            boolean known = lnet().bonds().list().stream()
                    .anyMatch(bond -> bond.name().equals(each.bond().name()));
            changes.add(each.place() + ": " + (known ? "extend" : "add") + " bond "
                    + each.bond().name());
        }
        for (O2ibSpec each : wanted.rest().targets()) {
            changes.add(each.place() + ": set target " + each.nid() + " to " + String.join(" ", each.ips()));
        }
        for (RouteSpec each : wanted.rest().routes()) {
            at(each.place(), "route", () -> each.gateways().forEach(gateway -> requireNew(each.net(), gateway)));
            changes.add(each.place() + ": add route to " + each.net() + " by " + each.gateways());
        }
        Boolean forwarding = wanted.rest().forwarding();
        if (forwarding != null && forwarding != lnet().routing().state().isOn()) {
            changes.add("switch forwarding " + (forwarding ? "on" : "off"));
        }
        for (PeerSpec each : wanted.peers()) {
            boolean known = lnet().inventory()
                    .peer(each.primary())
                    .filter(PeerInfo::isConfigured)
                    .isPresent();
            changes.add(each.place() + ": " + (known ? "extend" : "add") + " peer " + each.primary());
        }
        for (RuleSpec each : wanted.rules()) {
            at(each.place(), "udsp", () -> requireNew(each.rule()));
            changes.add(each.place() + ": add rule " + each.rule());
        }
        return new Doc()
                .put("check", changes.isEmpty() ? List.of("nothing would change") : changes)
                .map();
    }

    private void requireNew(Net net, Nid gateway) {
        Nid router = lnet().inventory().peer(gateway).map(PeerInfo::primaryNid).orElse(gateway);
        for (RouteInfo route : lnet().routes().list()) {
            boolean moved =
                    route.gateway().equals(gateway) && !route.primaryNid().equals(router);
            if (route.net().equals(net) && (moved || route.primaryNid().equals(router))) {
                throw new ErrnoException(
                        Errno.EEXIST,
                        "there is a route to " + net + " through " + route.primaryNid() + " already"
                                + (moved ? ", by " + gateway + ", which was its NID then" : ""));
            }
        }
    }

    private void requireNew(UdspRule rule) {
        int same = lnet().selection().udsp().indexOf(rule);
        if (same >= 0) {
            throw new ErrnoException(Errno.EALREADY, "selection rule " + same + " is the same: " + rule);
        }
    }

    private String change(Tunable which, int value) {
        TunableSpec tunable = which.spec();
        return "set " + tunable.name() + " from "
                + tunable.describe(lnet().settings().get(which)) + " to " + tunable.describe(value);
    }

    private boolean isThere(NiRequest request) {
        Nid nid = request.nid();
        for (NiInfo ni : lnet().inventory().nis()) {
            boolean same = nid == null
                    ? ni.nid().isOn(request.net()) && ni.interfaceName().equals(request.interfaceName())
                    : ni.nid().equals(nid);
            if (same) {
                return true;
            }
        }
        return false;
    }
}
