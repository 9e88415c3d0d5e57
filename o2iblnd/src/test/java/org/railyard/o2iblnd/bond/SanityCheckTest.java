package org.railyard.o2iblnd.bond;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.tune.EffectiveTunables;
import org.railyard.o2iblnd.tune.LustreRelease;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.PortAttributes;

/** Each finding of the check, and none without its cause (spec 21 §9). */
class SanityCheckTest {
    private static final Net NET = Net.parse("o2ib");
    private static final EffectiveTunables TUNABLES =
            new EffectiveTunables(Tunables.DEFAULT, LustreRelease.NOW, Kib.V2, false);
    private static final String OWN = "10.1.1.1@o2ib 10.1.1.1 10.1.2.1";
    private static final String PEER = "10.1.1.5@o2ib 10.1.1.5 10.1.2.5";

    private MemberView member(int number, String ip) {
        return new MemberView(
                "ib" + number,
                Ipv4.parse(ip),
                24,
                "mlx5_" + number,
                DeviceAttributes.MLX5,
                1,
                port(4096, 2),
                400_000,
                MemberState.PORT_ACTIVE,
                "fastreg");
    }

    private static PortAttributes port(int mtu, int width) {
        return new PortAttributes(
                PortAttributes.State.ACTIVE, 1, PortAttributes.LinkLayer.INFINIBAND, mtu, mtu, width, 4);
    }

    private final List<MemberView> members = new ArrayList<>(List.of(member(0, "10.1.1.1"), member(1, "10.1.2.1")));
    private boolean bonded = true;
    private Set<Nid> multiRail = Set.of();
    private List<RouteSetView> sets = List.of();
    private @Nullable Net only;

    private void change(int number, MemberState state, DeviceAttributes device, PortAttributes port, String mode) {
        MemberView old = members.get(number);
        members.set(
                number,
                new MemberView(
                        old.interfaceName(),
                        old.ip(),
                        old.prefixLength(),
                        old.device(),
                        device,
                        1,
                        port,
                        old.expectedRate(),
                        state,
                        mode));
    }

    private List<BondFinding> check(String... lines) {
        InterfaceGroupView group = new InterfaceGroupView(Nid.parse("10.1.1.1@o2ib"), bonded, members, TUNABLES);
        List<Target> targets =
                TargetFile.parse("test", String.join("\n", lines)).targets();
        return SanityCheck.of(List.of(group), targets, sets, multiRail, only);
    }

    private static void isOne(List<BondFinding> findings, String id, BondFinding.Severity severity, String text) {
        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.id()).isEqualTo(id);
            assertThat(finding.severity()).isEqualTo(severity);
            assertThat(finding.text()).contains(text);
        });
    }

    @Test
    @Requirement("cb-142")
    void noInterfaceHasTheAddressOfTheNid() {
        members.removeFirst();
        members.add(member(2, "10.1.3.1"));
        isOne(
                check("10.1.1.1@o2ib 10.1.2.1 10.1.3.1", PEER).stream()
                        .filter(finding -> !finding.id().equals("cb-127"))
                        .toList(),
                "cb-142",
                BondFinding.Severity.WARNING,
                "none of its interfaces has the address 10.1.1.1 of the NID");
        bonded = false;
        assertThat(check(PEER)).extracting(BondFinding::id).doesNotContain("cb-142");
    }

    @Test
    void nothingIsWrong() {
        assertThat(check(OWN, PEER)).isEmpty();
    }

    @Test
    @Requirement("cb-122")
    void theOwnTarget() {
        isOne(check(PEER), "cb-122", BondFinding.Severity.WARNING, "add one with 10.1.1.1 10.1.2.1");
        isOne(check("10.1.1.1@o2ib 10.1.1.1", PEER), "cb-122", BondFinding.Severity.WARNING, "its interfaces have");
        isOne(check("10.1.1.1@o2ib 10.1.2.1 10.1.1.1"), "cb-122", BondFinding.Severity.WARNING, "another order");
    }

    @Test
    @Requirement("cb-123")
    void addressesOfOthers() {
        isOne(
                check(OWN, "10.1.1.5@o2ib 10.1.1.5 10.1.2.5", "10.1.1.6@o2ib 10.1.1.6 10.1.2.5"),
                "cb-123",
                BondFinding.Severity.ERROR,
                "10.1.1.5@o2ib lists, too");
        List<BondFinding> findings = check(OWN, "10.1.1.5@o2ib 10.1.1.5 10.1.2.1");
        assertThat(findings).extracting(BondFinding::id).containsOnly("cb-123").hasSize(2);
        assertThat(findings).anySatisfy(finding -> assertThat(finding.text()).contains("this node's ib1"));
    }

    @Test
    @Requirement("cb-124")
    void targetsWithoutUse() {
        isOne(check(OWN, "10.1.1.5@o2ib3 10.1.1.5"), "cb-124", BondFinding.Severity.WARNING, "has no NI");
        only = NET;
        assertThat(check(OWN, "10.1.1.5@o2ib3 10.1.1.5")).isEmpty();
        bonded = false;
        members.removeLast();
        isOne(check(OWN), "cb-124", BondFinding.Severity.WARNING, "no group");
    }

    @Test
    @Requirement({"cb-125", "cb-126"})
    void unevenPairsAndAddressesThatAreCutOff() {
        isOne(check(OWN, "10.1.1.5@o2ib 10.1.1.5"), "cb-127", "10.1.2.1");
        List<BondFinding> uneven = check(OWN, "10.1.1.5@o2ib 10.1.1.5 10.1.2.5 10.1.1.6");
        isOne(uneven, "cb-125", BondFinding.Severity.WARNING, "ib0→10.1.1.5, ib1→10.1.2.5, ib0→10.1.1.6");
        change(1, MemberState.PORT_DOWN, DeviceAttributes.MLX5, port(4096, 2), "fastreg");
        List<BondFinding> cut = check(OWN, PEER);
        assertThat(cut).extracting(BondFinding::id).containsExactly("cb-126", "cb-128");
        assertThat(cut.getFirst().text()).contains("10.1.2.5");
    }

    private static void isOne(List<BondFinding> findings, String id, String text) {
        assertThat(findings).anySatisfy(finding -> {
            assertThat(finding.id()).isEqualTo(id);
            assertThat(finding.text()).contains(text);
        });
    }

    @Test
    @Requirement({"cb-127", "cb-134"})
    void subnets() {
        isOne(check(OWN, "10.1.1.5@o2ib 10.1.1.5 10.1.3.5"), "cb-127", BondFinding.Severity.WARNING, "/24");
        members.set(1, member(1, "10.1.1.77"));
        isOne(check("10.1.1.1@o2ib 10.1.1.1 10.1.1.77"), "cb-134", BondFinding.Severity.WARNING, "one IP subnet");
    }

    /** Without a target, the second interface leads to the address in the NID, in the subnet of the first. */
    @Test
    @Requirement("cb-127")
    void routesWithoutATargetThatLeaveTheSubnet() {
        Nid peer = Nid.parse("10.1.1.5@o2ib");
        sets = List.of(new RouteSetView(
                Nid.parse("10.1.1.1@o2ib"),
                peer,
                RouteSetView.Origin.NID,
                List.of(),
                List.of(route(0, "10.1.1.1", "10.1.1.5"), route(1, "10.1.2.1", "10.1.1.5"))));
        isOne(
                check(OWN),
                "cb-127",
                BondFinding.Severity.WARNING,
                "the route ib1 (10.1.2.1)→10.1.1.5 leaves the IP subnet of the interface, /24; " + peer
                        + " has no target");
    }

    private static RouteView route(int number, String from, String to) {
        return new RouteView(
                "ib" + number, Ipv4.parse(from), Ipv4.parse(to), false, RouteState.CONNECTED, 1, 2, null, 0, null);
    }

    @Test
    @Requirement({"cb-128", "cb-142"})
    void statesOfMembers() {
        change(1, MemberState.FATAL, DeviceAttributes.MLX5, port(4096, 2), "fastreg");
        isOne(check(OWN), "cb-128", BondFinding.Severity.ERROR, "IBLND_DEV_FATAL");
        change(1, MemberState.PORT_DEGRADE, DeviceAttributes.MLX5, port(4096, 2), "fastreg");
        isOne(check(OWN), "cb-128", BondFinding.Severity.WARNING, "40.0 Gb/s of 40.0");
        change(1, MemberState.PORT_ACTIVE, DeviceAttributes.MLX5, port(4096, 2), "fastreg");
        change(0, MemberState.PORT_DOWN, DeviceAttributes.MLX5, port(4096, 2), "fastreg");
        isOne(check(OWN), "cb-128", BondFinding.Severity.ERROR, "peers that are not bonded can not reach this node");
    }

    @Test
    @Requirement("cb-129")
    void membersThatDiffer() {
        DeviceAttributes small = DeviceAttributes.MLX5.withQueueLimits(16_384, 1 << 22);
        change(1, MemberState.PORT_ACTIVE, small, port(2048, 4), "arena");
        assertThat(check(OWN))
                .hasSize(4)
                .allSatisfy(finding -> {
                    assertThat(finding.id()).isEqualTo("cb-129");
                    assertThat(finding.severity()).isEqualTo(BondFinding.Severity.WARNING);
                })
                .extracting(BondFinding::text)
                .anyMatch(text -> text.contains("ib0 4096, ib1 2048"))
                .anyMatch(text -> text.contains("ib0 40.0 Gb/s, ib1 80.0 Gb/s"));
    }

    @Test
    @Requirement("cb-130")
    void whatTheDevicesCanNotGive() {
        DeviceAttributes shallow = DeviceAttributes.MLX5.withQueueLimits(1024, 1 << 22);
        for (int i = 0; i < 2; i++) {
            change(i, MemberState.PORT_ACTIVE, shallow, port(4096, 2), "fastreg");
        }
        assertThat(check(OWN)).extracting(BondFinding::id).containsExactly("cb-130", "cb-130");
        assertThat(check(OWN).getFirst().text()).contains("queue depth of 3 for peer_credits 8");
        DeviceAttributes hopeless = DeviceAttributes.MLX5.withQueueLimits(100, 1 << 22);
        for (int i = 0; i < 2; i++) {
            change(i, MemberState.PORT_ACTIVE, hopeless, port(4096, 2), "fastreg");
        }
        assertThat(check(OWN)).allMatch(BondFinding::isError).hasSize(2);
    }

    @Test
    @Requirement("cb-130")
    void tooManyTargets() {
        int most = DeviceAttributes.MLX5.maxQp();
        int count = most + 1;
        List<Target> targets = IntStream.range(0, count)
                .mapToObj(i -> new Target(Nid.of(NET, 0x0B000000 + i), List.of(0x0B000000 + i, 0x0C000000 + i)))
                .toList();
        List<MemberView> nowhere = members.stream()
                .map(member -> new MemberView(
                        member.interfaceName(),
                        member.ip(),
                        0,
                        member.device(),
                        member.attributes(),
                        1,
                        member.port(),
                        0,
                        member.state(),
                        member.registration()))
                .toList();
        List<BondFinding> findings =
                Demand.check(new InterfaceGroupView(Nid.parse("10.1.1.1@o2ib"), true, nowhere, TUNABLES), targets);
        assertThat(findings)
                .anySatisfy(finding -> assertThat(finding.text()).contains(count + " queue pairs", "max_qp " + most));
    }

    @Test
    @Requirement("cb-131")
    void groupedTwice() {
        multiRail = Set.of(Nid.parse("10.1.1.5@o2ib"));
        isOne(check(OWN, PEER), "cb-131", BondFinding.Severity.INFO, "twice");
    }

    @Test
    @Requirement({"cb-002", "cb-005", "cb-121"})
    void interfacesOfAGroup() {
        List<String> seventeen = IntStream.range(0, 17).mapToObj(i -> "ib" + i).toList();
        isOne(
                SanityCheck.members(NET, seventeen, name -> 1),
                "cb-121",
                BondFinding.Severity.ERROR,
                "too many interfaces for net o2ib");
        assertThat(SanityCheck.members(NET, seventeen.subList(0, 16), name -> 1))
                .isEmpty();
        isOne(
                SanityCheck.members(NET, List.of("ib0", "ib0"), name -> 1),
                "cb-121",
                BondFinding.Severity.ERROR,
                "twice");
        isOne(
                SanityCheck.members(NET, List.of("ib0", "ib1"), name -> name.equals("ib0") ? 1 : 0),
                "cb-121",
                BondFinding.Severity.ERROR,
                "no InfiniBand interface");
    }
}
