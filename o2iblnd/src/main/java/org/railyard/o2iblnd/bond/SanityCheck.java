package org.railyard.o2iblnd.bond;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/** What is wrong with groups and targets (spec 21 §9): a pure function. */
public final class SanityCheck {
    private final List<InterfaceGroupView> nis;
    private final List<Target> targets;
    private final List<RouteSetView> sets;
    private final Set<Nid> multiRail;
    private final List<BondFinding> findings = new ArrayList<>();

    private SanityCheck(
            List<InterfaceGroupView> nis, List<Target> targets, List<RouteSetView> sets, Set<Nid> multiRail) {
        this.nis = nis;
        this.targets = targets;
        this.sets = sets;
        this.multiRail = multiRail;
    }

    /**
     * Checks.
     *
     * @param nis the NIs of the InfiniBand transport
     * @param targets all of the node
     * @param sets routes that were made to peers, with or without a target
     * @param multiRail NIDs of peers that are known to have several
     * @param only findings for this net; null for all
     */
    public static List<BondFinding> of(
            List<InterfaceGroupView> nis,
            List<Target> targets,
            List<RouteSetView> sets,
            Set<Nid> multiRail,
            @Nullable Net only) {
        SanityCheck check = new SanityCheck(
                nis.stream().filter(ni -> only == null || ni.nid().isOn(only)).toList(),
                targets.stream()
                        .filter(target -> only == null || target.nid().isOn(only))
                        .toList(),
                sets,
                multiRail);
        check.run();
        return List.copyOf(check.findings);
    }

    /**
     * Checks the interfaces that a group is to consist of.
     *
     * @param net of the group
     * @param names of the interfaces
     * @param addresses by name; 0 for those without an IPv4 address
     */
    public static List<BondFinding> members(Net net, List<String> names, Function<String, Integer> addresses) {
        List<BondFinding> findings = new ArrayList<>();
        if (names.size() > Target.MAX_ADDRESSES) {
            findings.add(BondFinding.error(
                    "cb-121",
                    net.toString(),
                    "too many interfaces for net " + net + ": " + names.size() + ", expected at most "
                            + Target.MAX_ADDRESSES));
        }
        Set<String> seen = new LinkedHashSet<>();
        for (String name : names) {
            if (!seen.add(name)) {
                findings.add(BondFinding.error("cb-121", name, "is listed twice for " + net + "; list it once"));
            } else if (addresses.apply(name) == 0) {
                findings.add(BondFinding.error(
                        "cb-121",
                        name,
                        "is no InfiniBand interface with an IPv4 address; give it one, or leave it out"));
            }
        }
        return findings;
    }

    private void run() {
        targets.forEach(this::ofTarget);
        sharedAddresses();
        for (InterfaceGroupView ni : nis) {
            if (ni.bonded()) {
                address(ni);
                ownTarget(ni);
                remotes(ni).forEach(target -> routes(ni, target));
                sets.stream()
                        .filter(set -> set.ni().equals(ni.nid()) && set.origin() != RouteSetView.Origin.TARGET)
                        .forEach(set -> routesWithoutTarget(ni, set));
                equality(ni);
                subnets(ni);
                findings.addAll(Demand.check(ni, remotes(ni)));
            }
            ni.members().forEach(member -> state(ni, member));
        }
    }

    private boolean isLocal(Target target) {
        return nis.stream().anyMatch(ni -> ni.nid().equals(target.nid()));
    }

    private List<Target> remotes(InterfaceGroupView ni) {
        return targets.stream()
                .filter(target -> target.nid().isOnNetOf(ni.nid()) && !isLocal(target))
                .toList();
    }

    private void ofTarget(Target target) {
        String subject = target.nid().toString();
        if (nis.stream().noneMatch(ni -> ni.nid().isOnNetOf(target.nid()))) {
            findings.add(BondFinding.warning(
                    "cb-124", subject, "is a target on " + target.nid().net() + ", where this node has no NI"));
        }
        nis.stream()
                .filter(ni -> !ni.bonded() && ni.nid().equals(target.nid()))
                .forEach(ni -> findings.add(BondFinding.warning(
                        "cb-124", subject, "is an NI of this node that is no group; the target has no effect")));
        if (!isLocal(target)) {
            nis.stream()
                    .flatMap(ni -> ni.members().stream())
                    .filter(member -> target.ips().contains(member.ip()))
                    .forEach(member -> findings.add(BondFinding.error(
                            "cb-123",
                            subject,
                            "lists " + Ipv4.text(member.ip()) + ", which is this node's " + member)));
        }
        if (multiRail.contains(target.nid())) {
            findings.add(BondFinding.info(
                    "cb-131",
                    subject,
                    "is a target and a peer with several NIDs as well: its rails are grouped twice"));
        }
    }

    private void sharedAddresses() {
        Map<String, Nid> owners = new LinkedHashMap<>();
        for (Target target : targets) {
            for (int ip : target.ips()) {
                Nid before = owners.putIfAbsent(ip + " on " + target.nid().net(), target.nid());
                if (before != null) {
                    findings.add(BondFinding.error(
                            "cb-123",
                            target.nid().toString(),
                            "lists " + Ipv4.text(ip) + ", which " + before + " lists, too"));
                }
            }
        }
    }

    private void address(InterfaceGroupView ni) {
        if (ni.atNid() == null) {
            String ip = Ipv4.text((int) ni.nid().nid4());
            findings.add(BondFinding.warning(
                    "cb-142",
                    ni.nid().toString(),
                    "none of its interfaces has the address " + ip + " of the NID: peers that have no target for it,"
                            + " and those that are not bonded, can not begin a connection; on them, add a target with "
                            + texts(ni.members().stream().map(MemberView::ip).toList())
                            + ", or add the interface that has " + ip));
        }
    }

    private void ownTarget(InterfaceGroupView ni) {
        String subject = ni.nid().toString();
        List<Integer> own = ni.members().stream().map(MemberView::ip).toList();
        List<Integer> listed = targets.stream()
                .filter(target -> target.nid().equals(ni.nid()))
                .findFirst()
                .map(Target::ips)
                .orElse(List.of());
        if (listed.isEmpty()) {
            findings.add(BondFinding.warning("cb-122", subject, "has no target; add one with " + texts(own)));
        } else if (!Set.copyOf(listed).equals(Set.copyOf(own))) {
            findings.add(BondFinding.warning(
                    "cb-122", subject, "has the target " + texts(listed) + ", but its interfaces have " + texts(own)));
        } else if (!listed.equals(own)) {
            findings.add(BondFinding.warning(
                    "cb-122",
                    subject,
                    "has the target " + texts(listed) + " in another order than its interfaces, " + texts(own)));
        }
    }

    private static String texts(List<Integer> ips) {
        return ips.stream().map(Ipv4::text).collect(Collectors.joining(" "));
    }

    private void routes(InterfaceGroupView ni, Target target) {
        String subject = target.nid().toString();
        List<RoutePlan.Pair> pairs = RoutePlan.of(ni.members().size(), target.nid(), target);
        if (target.ips().size() != ni.members().size()) {
            String shown = pairs.stream()
                    .map(pair -> ni.members().get(pair.member()).interfaceName() + "→" + Ipv4.text(pair.ip()))
                    .collect(Collectors.joining(", "));
            findings.add(BondFinding.warning(
                    "cb-125",
                    subject,
                    target.ips().size() + " addresses for " + ni.members().size() + " interfaces of " + ni.nid()
                            + " pair unevenly: " + shown));
        }
        for (int ip : target.ips()) {
            boolean works = pairs.stream()
                    .anyMatch(pair -> pair.ip() == ip
                            && ni.members().get(pair.member()).state().isUsable());
            if (!works) {
                findings.add(BondFinding.warning(
                        "cb-126", subject, Ipv4.text(ip) + " is in no route whose interface works at present"));
            }
        }
        for (RoutePlan.Pair pair : pairs) {
            MemberView member = ni.members().get(pair.member());
            leavesSubnet(subject, member, pair.ip(), "");
        }
    }

    /**
     * Without a target all interfaces lead to the address in the NID, which is in the subnet of one of them at best.
     */
    private void routesWithoutTarget(InterfaceGroupView ni, RouteSetView set) {
        for (RouteView route : set.routes()) {
            for (MemberView member : ni.members()) {
                if (!route.extra() && route.localIp() == member.ip()) {
                    leavesSubnet(
                            set.peer().toString(),
                            member,
                            route.remoteIp(),
                            set.origin() == RouteSetView.Origin.NID ? "; " + set.peer() + " has no target" : "");
                }
            }
        }
    }

    private void leavesSubnet(String subject, MemberView member, int ip, String why) {
        if (!member.reaches(ip)) {
            findings.add(BondFinding.warning(
                    "cb-127",
                    subject,
                    "the route " + member + "→" + Ipv4.text(ip) + " leaves the IP subnet of the interface, /"
                            + member.prefixLength() + why));
        }
    }

    private void equality(InterfaceGroupView ni) {
        differs(ni, "MTUs", member -> member.port().activeMtu());
        differs(ni, "link rates", member -> member.port().linkRate() / 10_000.0 + " Gb/s");
        differs(ni, "max_qp_wr", member -> member.attributes().maxQpWr());
        differs(ni, "ways to register memory", MemberView::registration);
    }

    private void differs(InterfaceGroupView ni, String what, Function<MemberView, Object> value) {
        Set<Object> values = ni.members().stream().map(value).collect(Collectors.toCollection(LinkedHashSet::new));
        if (values.size() > 1) {
            findings.add(BondFinding.warning(
                    "cb-129",
                    ni.nid().toString(),
                    "its interfaces have different " + what + ": "
                            + ni.members().stream()
                                    .map(member -> member.interfaceName() + " " + Objects.toString(value.apply(member)))
                                    .collect(Collectors.joining(", "))));
        }
    }

    private void subnets(InterfaceGroupView ni) {
        List<MemberView> members = ni.members();
        for (int i = 0; i < members.size(); i++) {
            for (int j = i + 1; j < members.size(); j++) {
                MemberView one = members.get(i);
                if (one.prefixLength() > 0 && one.reaches(members.get(j).ip())) {
                    findings.add(BondFinding.warning(
                            "cb-134",
                            ni.nid().toString(),
                            one + " and " + members.get(j)
                                    + " are in one IP subnet: kernel nodes may drop requests for the second one;"
                                    + " put them into two, or set routes and ARP for each interface"));
                }
            }
        }
    }

    private void state(InterfaceGroupView ni, MemberView member) {
        String text = "is " + member.state().text() + " in " + ni.nid();
        if (!member.state().isUsable()) {
            boolean first = member.equals(ni.atNid());
            findings.add(BondFinding.error(
                    "cb-128",
                    member.toString(),
                    text + (first && ni.bonded() ? "; peers that are not bonded can not reach this node" : "")));
        } else if (member.state() == MemberState.PORT_DEGRADE) {
            findings.add(BondFinding.warning(
                    "cb-128",
                    member.toString(),
                    text + ": " + member.port().linkRate() / 10_000.0 + " Gb/s of "
                            + member.expectedRate() / 10_000.0));
        }
    }
}
