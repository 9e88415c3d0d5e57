package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.base.Errno;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.api.UdspInfo;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.Requirement;

/** The user-defined selection policy of a node (spec 10 §20). */
class UdspTest {
    private static final int PORTAL = 33;
    private static final String B = "10.0.0.2@tcp";

    private final TestNetwork net = new TestNetwork();
    private final Recorder from = new Recorder();

    @AfterEach
    void close() {
        net.close();
    }

    private static Nid nid(String text) {
        return Nid.parse(text);
    }

    private static UdspRule src(String src) {
        return UdspRule.of(src, null, null);
    }

    private static UdspRule dst(String dst) {
        return UdspRule.of(null, dst, null);
    }

    private static UdspRule pair(String src, String dst) {
        return UdspRule.of(src, dst, null);
    }

    private LNet target(String... nids) {
        LNet node = net.node(nids);
        node.attach(
                MeConfig.any(PORTAL),
                MdConfig.of(Arena.ofAuto().allocate(64)).withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE));
        return node;
    }

    /** Two nodes that know each other: two NIs on tcp and one on tcp1 each. */
    private LNet rails() {
        LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp", "10.1.0.1@tcp1");
        target(B, "10.0.1.2@tcp", "10.1.0.2@tcp1");
        net.await(a.discover(nid(B), false));
        return a;
    }

    private List<String> ways(LNet node, int count) {
        return ways(node, B, count);
    }

    /**
     * Sends PUTs one at a time; returns their ways by the last parts of the addresses, a letter {@code x} for the
     * second net.
     */
    private List<String> ways(LNet node, String target, int count) {
        net.settle();
        net.takeLog();
        Md md = node.bind(MdConfig.of(Arena.ofAuto().allocate(8)).withHandler(from));
        List<String> ways = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            node.put(md, false, Nid.ANY, ProcessId.of(nid(target)), PORTAL, 7, 0, 0);
            net.settle();
            net.takeLog().stream()
                    .filter(p ->
                            p.header().type() == MessageType.PUT && p.header().portal() == PORTAL)
                    .forEach(p -> ways.add(
                            brief(p.header().srcNid()) + ">" + brief(p.header().destNid())));
        }
        return ways;
    }

    private static String brief(Nid nid) {
        return nid.toString()
                .replaceFirst("^10\\.\\d+\\.", "")
                .replace("@tcp1", "x")
                .replace("@tcp", "");
    }

    @ParameterizedTest
    @CsvSource({
        "tcp,            ,               ,             true",
        "10.0.0.*@tcp,   ,               ,             true",
        ",               tcp1,           ,             true",
        ",               10.0.0.9@tcp,   ,             true",
        "10.0.0.1@tcp,   10.0.0.9@tcp,   ,             true",
        ",               10.0.0.9@tcp,   10.0.0.3@tcp, true",
        ",               ,               ,             false",
        ",               ,               10.0.0.3@tcp, false",
        "10.0.0.1@tcp,   ,               10.0.0.3@tcp, false",
        "10.0.0.1@tcp,   10.0.0.9@tcp,   10.0.0.3@tcp, false",
        "10.0.0.[1@tcp,  ,               ,             false",
        "foo,            ,               ,             false",
        ",               10.0.0.1@,      ,             false"
    })
    @Requirement("cfg-095")
    void shapes(String src, String dst, String rte, boolean good) {
        if (good) {
            assertThat(UdspRule.of(src, dst, rte).toString()).isNotEmpty();
        } else {
            TwoNodes.expect(Errno.EINVAL, () -> UdspRule.of(src, dst, rte));
        }
    }

    @Test
    void numbersAreChecked() {
        TwoNodes.expect(Errno.EINVAL, () -> src("tcp").withPriority(-2));
        TwoNodes.expect(Errno.EINVAL, () -> src("tcp").withPriority(0xffffffffL));
        TwoNodes.expect(Errno.EINVAL, () -> src("tcp").withCount(1));
        TwoNodes.expect(Errno.EINVAL, () -> pair("tcp", "tcp").withCount(-1));
        TwoNodes.expect(
                Errno.EINVAL,
                () -> UdspRule.of(null, "10.0.0.9@tcp", "10.0.0.3@tcp").withPriority(1));
        TwoNodes.expect(
                Errno.EINVAL,
                () -> UdspRule.of(null, "10.0.0.9@tcp", "10.0.0.3@tcp").withCount(1));
    }

    @Test
    @Requirement("cfg-155")
    void text() {
        assertThat(src("tcp")).hasToString("src: tcp, action: {priority: 0}");
        assertThat(dst("10.0.0.*@tcp1").withPriority(3)).hasToString("dst: 10.0.0.[0-255]@tcp1, action: {priority: 3}");
        assertThat(pair("192.168.10.[5-6]@tcp", "192.168.20.*@tcp"))
                .hasToString("src: 192.168.10.[5-6]@tcp, dst: 192.168.20.[0-255]@tcp");
        assertThat(pair("tcp", "10.0.0.1@tcp").withPriority(1).withCount(4))
                .hasToString("src: tcp, dst: 10.0.0.1@tcp, action: {priority: 1, count: 4}");
        assertThat(UdspRule.of(null, "10.20.0.[7-9]@tcp", "10.20.0.1@tcp"))
                .hasToString("dst: 10.20.0.[7-9]@tcp, rte: 10.20.0.1@tcp");
    }

    @Test
    @Requirement({"cfg-100", "cfg-105", "cfg-095", "cfg-150"})
    void rulesAreAListThatCanBeEdited() {
        LNet a = net.node("10.0.0.1@tcp");
        assertThat(a.selection().udsp()).isEmpty();
        a.selection().addUdsp(src("tcp"), -1);
        a.selection().addUdsp(dst("tcp1"), -1);
        a.selection().addUdsp(src("10.0.0.1@tcp"), 1);
        a.selection().addUdsp(dst("tcp2"), 17);
        assertThat(a.selection().udsp()).containsExactly(src("tcp"), src("10.0.0.1@tcp"), dst("tcp1"), dst("tcp2"));
        TwoNodes.expect(Errno.EALREADY, () -> a.selection().addUdsp(dst("tcp1"), 0));
        a.selection().addUdsp(dst("tcp1").withPriority(4), 0);
        assertThat(a.selection().udsp())
                .as("a new priority, the same place")
                .hasSize(4)
                .contains(dst("tcp1").withPriority(4));
        a.selection().deleteUdsp(1);
        assertThat(a.selection().udsp()).containsExactly(src("tcp"), dst("tcp1").withPriority(4), dst("tcp2"));
        TwoNodes.expect(Errno.ENOENT, () -> a.selection().deleteUdsp(3));
        TwoNodes.expect(Errno.ENOENT, () -> a.selection().deleteUdsp(-1));
        a.selection().clearUdsp();
        a.selection().clearUdsp();
        assertThat(a.selection().udsp()).isEmpty();
        for (int i = 0; i < 256; i++) {
            a.selection().addUdsp(src("tcp" + i), -1);
        }
        TwoNodes.expect(Errno.ENOSPC, () -> a.selection().addUdsp(src("tcp256"), -1));
    }

    @Test
    @Requirement({"cfg-110", "mrx-011"})
    void aPreferredNetIsUsedUntilItFails() {
        LNet a = rails();
        a.selection().addUdsp(src("tcp1"), -1);
        assertThat(ways(a, 4)).hasSize(4).containsOnly("0.1x>0.2x");
        net.device("10.1.0.1@tcp1", DeviceEvent.FATAL);
        assertThat(ways(a, 4)).hasSize(4).allMatch(way -> !way.contains("x"));
        net.device("10.1.0.1@tcp1", DeviceEvent.CLEAR);
        assertThat(ways(a, 2)).containsOnly("0.1x>0.2x");
        a.selection().deleteUdsp(0);
        assertThat(ways(a, 4)).anyMatch(way -> !way.contains("x"));
    }

    @Test
    @Requirement({"cfg-110", "cfg-155", "mrx-011"})
    void aPreferredNetOfThePeerToo() {
        LNet a = rails();
        a.selection().addUdsp(dst("tcp1").withPriority(1), -1);
        assertThat(ways(a, 4)).containsOnly("0.1x>0.2x");
        a.selection().addUdsp(dst("tcp"), -1);
        assertThat(ways(a, 4)).allMatch(way -> !way.contains("x"));
        assertThat(a.selection().udspInfo(nid(B)).netPriority()).isZero();
        assertThat(a.selection().udspInfo(nid("10.1.0.2@tcp1")).netPriority()).isEqualTo(1);
        net.device(B, DeviceEvent.FATAL);
        net.device("10.0.1.2@tcp", DeviceEvent.FATAL);
        assertThat(ways(a, 2)).as("health comes first").containsOnly("0.1x>0.2x");
    }

    @Test
    @Requirement("cfg-115")
    void aPreferredInterface() {
        LNet a = rails();
        a.selection().addUdsp(src("tcp"), -1);
        a.selection().addUdsp(src("10.0.1.1@tcp"), -1);
        assertThat(ways(a, 4)).hasSize(4).allMatch(way -> way.startsWith("1.1>"));
        a.selection().addUdsp(dst("10.0.0.[2-9]@tcp").withPriority(9), -1);
        assertThat(ways(a, 4)).containsOnly("1.1>0.2").hasSize(4);
        net.device("10.0.1.1@tcp", DeviceEvent.FATAL);
        assertThat(ways(a, 2)).containsOnly("0.1>0.2").hasSize(2);
    }

    @Test
    @Requirement("cfg-150")
    void theLowestIndexWins() {
        LNet a = rails();
        a.selection().addUdsp(src("tcp"), -1);
        a.selection().addUdsp(src("10.0.*.1@tcp").withPriority(5), -1);
        a.selection().addUdsp(src("10.0.1.1@tcp").withPriority(2), -1);
        assertThat(ways(a, 4)).as("both have 5").contains("0.1>0.2").hasSize(4);
        a.selection().deleteUdsp(2);
        a.selection().addUdsp(src("10.0.1.1@tcp").withPriority(2), 0);
        assertThat(a.selection().udspInfo(nid("10.0.1.1@tcp"))).isEqualTo(new UdspInfo(0, 2, List.of(), ""));
        assertThat(a.selection().udspInfo(nid("10.0.0.1@tcp"))).isEqualTo(new UdspInfo(0, 5, List.of(), ""));
        assertThat(ways(a, 4)).hasSize(4).allMatch(way -> way.startsWith("1.1>"));
        a.selection().clearUdsp();
        assertThat(a.selection().udspInfo(nid("10.0.1.1@tcp"))).isEqualTo(new UdspInfo(-1, -1, List.of(), ""));
        TwoNodes.expect(Errno.ENOENT, () -> a.selection().udspInfo(nid("10.0.9.9@tcp")));
    }

    @Test
    @Requirement("cfg-120")
    void onePairOfNids() {
        LNet a = rails();
        a.selection().addUdsp(src("tcp"), -1);
        a.selection().addUdsp(pair("10.0.0.1@tcp", "10.0.1.2@tcp"), -1);
        List<String> ways = ways(a, 8);
        assertThat(ways).contains("0.1>1.2").doesNotContain("0.1>0.2");
        assertThat(a.selection().udspInfo(nid("10.0.1.2@tcp")).preferredSources())
                .containsExactly(nid("10.0.0.1@tcp"));
        net.device("10.0.1.2@tcp", DeviceEvent.FATAL);
        assertThat(ways(a, 4)).as("never a matter of life and death").contains("0.1>0.2");
    }

    @Test
    @Requirement({"cfg-130", "cfg-135", "cfg-140"})
    void patternsOnEitherSide() {
        LNet a = rails();
        a.selection().addUdsp(src("tcp"), -1);
        a.selection().addUdsp(pair("10.0.*.1@tcp", "10.0.1.2@tcp"), -1);
        assertThat(ways(a, 6)).as("many to one").hasSize(6).containsOnly("0.1>1.2", "1.1>1.2");
        a.selection().deleteUdsp(1);
        a.selection().addUdsp(pair("10.0.0.1@tcp", "10.0.[0-1].2@tcp"), -1);
        assertThat(a.selection().udspInfo(nid(B)).preferredSources())
                .as("one to many")
                .containsExactly(nid("10.0.0.1@tcp"));
        assertThat(a.selection().udspInfo(nid("10.0.1.2@tcp")).preferredSources())
                .containsExactly(nid("10.0.0.1@tcp"));
        a.selection().addUdsp(pair("tcp", "tcp*"), 0);
        assertThat(a.selection().udspInfo(nid(B)).preferredSources())
                .as("many to many, and the lower index replaces the list")
                .containsExactly(nid("10.0.0.1@tcp"), nid("10.0.1.1@tcp"));
    }

    @Test
    @Requirement("cfg-125")
    void prioritiesAmongPairs() {
        LNet a = rails();
        a.selection().addUdsp(src("10.0.0.1@tcp"), -1);
        a.selection().addUdsp(src("tcp"), -1);
        a.selection().addUdsp(pair("10.0.0.1@tcp", B).withPriority(2), -1);
        a.selection().addUdsp(pair("10.0.*.1@tcp", "10.0.1.2@tcp").withPriority(1), -1);
        assertThat(ways(a, 4)).hasSize(4).containsOnly("0.1>1.2");
        a.selection().addUdsp(pair("10.0.0.1@tcp", B).withPriority(0), -1);
        assertThat(ways(a, 4)).hasSize(4).containsOnly("0.1>0.2");
        a.selection().addUdsp(pair("10.0.1.1@tcp", B).withPriority(7), 0);
        assertThat(a.selection().udspInfo(nid(B)).preferredSources())
                .as("rules with a priority share the list")
                .containsExactly(nid("10.0.0.1@tcp"), nid("10.0.1.1@tcp"));
        a.selection().addUdsp(pair("10.0.*.1@tcp", B), 0);
        assertThat(a.selection().udspInfo(nid(B)).preferredSources()).hasSize(2);
    }

    @Test
    @Requirement("cfg-145")
    void aPairCarriesSoManyMessagesAndThenStandsAside() {
        LNet a = rails();
        a.selection().addUdsp(src("tcp"), -1);
        a.selection().addUdsp(src("10.0.0.1@tcp"), -1);
        a.selection().addUdsp(pair("10.0.0.1@tcp", "10.0.1.2@tcp").withCount(3), -1);
        assertThat(ways(a, 8))
                .containsExactly(
                        "0.1>1.2", "0.1>1.2", "0.1>1.2", "0.1>0.2", "0.1>1.2", "0.1>1.2", "0.1>1.2", "0.1>0.2");
    }

    @Test
    @Requirement({"cfg-120", "rsl-119"})
    void aPairReplacesWhatAnOldPeerHappenedToKnow() {
        LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp");
        LNet old = net.node(Settings.of(CompatProfile.DOCUMENTS).with(Tunable.MULTI_RAIL, false), B);
        old.attach(MeConfig.any(PORTAL), MdConfig.of(Arena.ofAuto().allocate(8)).withOptions(MdOption.OP_PUT));
        assertThat(ways(a, 2)).containsOnly("0.1>0.2");
        a.selection().addUdsp(pair("10.0.1.1@tcp", B), -1);
        assertThat(ways(a, 3)).hasSize(3).containsOnly("1.1>0.2");
        net.device("10.0.1.1@tcp", DeviceEvent.FATAL);
        assertThat(ways(a, 1)).containsExactly("0.1>0.2");
        net.device("10.0.1.1@tcp", DeviceEvent.CLEAR);
        a.selection().clearUdsp();
        assertThat(ways(a, 2)).as("as before").containsOnly("0.1>0.2");
    }

    @Test
    void rulesApplyToWhatComesLater() {
        LNet a = net.node("10.0.0.1@tcp");
        a.selection().addUdsp(src("tcp1").withPriority(1), -1);
        a.selection().addUdsp(src("10.1.0.1@tcp1").withPriority(2), -1);
        a.selection().addUdsp(dst("tcp1").withPriority(3), -1);
        a.selection().addUdsp(dst("10.0.1.2@tcp").withPriority(4), -1);
        a.selection().addUdsp(pair("10.1.0.*@tcp1", "10.1.0.2@tcp1"), -1);
        a.selection().addUdsp(UdspRule.of(null, B, "10.0.0.[7-9]@tcp"), -1);
        a.addNi(net.request("10.1.0.1@tcp1"));
        target(B, "10.0.1.2@tcp", "10.1.0.2@tcp1");
        net.await(a.discover(nid(B), false));
        assertThat(a.selection().udspInfo(nid("10.1.0.1@tcp1"))).isEqualTo(new UdspInfo(1, 2, List.of(), ""));
        assertThat(a.selection().udspInfo(nid("10.1.0.2@tcp1")))
                .isEqualTo(new UdspInfo(3, -1, List.of(nid("10.1.0.1@tcp1")), ""));
        assertThat(a.selection().udspInfo(nid("10.0.1.2@tcp"))).isEqualTo(new UdspInfo(-1, 4, List.of(), ""));
        assertThat(a.selection().udspInfo(nid(B))).isEqualTo(new UdspInfo(-1, -1, List.of(), "10.0.0.[7-9]@tcp"));
        a.selection().deleteUdsp(5);
        assertThat(a.selection().udspInfo(nid(B)).preferredRouters()).isEmpty();
    }

    /** Otherwise traffic goes on over an interface that the administrator has just put last. */
    @Test
    @Requirement({"cfg-120", "cfg-150"})
    void aPairInFrontReplacesThoseBehindIt() {
        LNet a = rails();
        a.selection().addUdsp(pair("10.0.0.1@tcp", B), -1);
        a.selection().addUdsp(pair("10.0.1.1@tcp", B), 0);
        assertThat(a.selection().udspInfo(nid(B)).preferredSources()).containsExactly(nid("10.0.1.1@tcp"));
        a.selection().deleteUdsp(0);
        assertThat(a.selection().udspInfo(nid(B)).preferredSources()).containsExactly(nid("10.0.0.1@tcp"));
    }

    /** Otherwise an interface that is gone is shown as preferred, or a new one is not. */
    @Test
    void anInterfaceThatIsRemovedIsMeantByNoRule() {
        LNet a = rails();
        a.selection().addUdsp(pair("10.0.*.1@tcp", B), -1);
        a.removeNi(nid("10.0.1.1@tcp"));
        assertThat(a.selection().udspInfo(nid(B)).preferredSources()).containsExactly(nid("10.0.0.1@tcp"));
        a.addNi(net.request("10.0.1.1@tcp"));
        assertThat(a.selection().udspInfo(nid(B)).preferredSources())
                .containsExactlyInAnyOrder(nid("10.0.0.1@tcp"), nid("10.0.1.1@tcp"));
    }
}
