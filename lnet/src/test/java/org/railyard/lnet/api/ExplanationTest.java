package org.railyard.lnet.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.LNet;
import org.railyard.lnet.TwoNodes;
import org.railyard.lnet.api.Explanation.Case;
import org.railyard.lnet.api.Explanation.Criterion;
import org.railyard.lnet.api.Explanation.Reason;
import org.railyard.lnet.api.Explanation.Stage;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.PingInfo;

/** What a node says of the way that a message would go. */
class ExplanationTest {
    private static final Nid B = Nid.parse("10.0.0.2@tcp");

    private final TestNetwork net = new TestNetwork();

    @AfterEach
    void close() {
        net.close();
    }

    private LNet rails() {
        LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp", "10.1.0.1@tcp1", "2001:db8::1@tcp");
        net.node("10.0.0.2@tcp", "10.0.1.2@tcp", "10.2.0.2@tcp2");
        net.await(a.discover(B, false));
        return a;
    }

    @Test
    void allThatThereWasToChooseFrom() {
        LNet a = rails();
        net.device("10.0.1.1@tcp", DeviceEvent.FATAL);
        net.device("10.0.1.2@tcp", DeviceEvent.FATAL);
        Explanation explanation = a.explain(B, Nid.ANY, 100);
        assertThat(explanation.isPossible()).isTrue();
        assertThat(explanation.pathCase()).isEqualTo(Case.B1C);
        assertThat(explanation.from()).hasToString("10.0.0.1@tcp");
        assertThat(explanation.to()).isEqualTo(B);
        assertThat(explanation.steps())
                .extracting(Explanation.Step::stage)
                .containsExactly(Stage.NET, Stage.LOCAL_NI, Stage.PEER_NI);
        assertThat(explanation.steps().get(0).excluded())
                .containsExactly(new Explanation.Excluded("tcp2", Reason.NO_COMMON_NET));
        assertThat(explanation.steps().get(1).excluded())
                .containsExactly(
                        new Explanation.Excluded("10.0.1.1@tcp", Reason.FATAL),
                        new Explanation.Excluded("2001:db8::1@tcp", Reason.FAMILY));
        List<Explanation.Candidate> peerNis = explanation.steps().get(2).candidates();
        assertThat(peerNis).extracting(Explanation.Candidate::name).containsExactly("10.0.0.2@tcp", "10.0.1.2@tcp");
        assertThat(peerNis.get(1).behind()).isEqualTo(Criterion.HEALTH);
        assertThat(explanation.toString().lines())
                .startsWith(
                        "100 bytes to 10.0.0.2@tcp from any NID: 10.0.0.1@tcp > 10.0.0.2@tcp",
                        "case B1C: from any NID of this node, to a net of this node, to any NID of the multi-rail peer",
                        "net:")
                .anyMatch(line -> line.startsWith("  -  10.0.1.1@tcp") && line.contains("fatal error"))
                .anyMatch(
                        line -> line.startsWith("  2. 10.0.1.2@tcp  health 900") && line.endsWith("behind by health"));
    }

    @Test
    void nothingChangesByAsking() {
        LNet a = rails();
        List<PeerInfo> before = a.peers();
        Explanation first = a.explain(B, Nid.ANY, 0);
        for (int i = 0; i < 5; i++) {
            assertThat(a.explain(B, Nid.ANY, 0)).isEqualTo(first);
        }
        assertThat(a.peers()).isEqualTo(before);
        assertThat(a.messagesInUse()).isZero();
        net.takeLog();
        Explanation stranger = a.explain(Nid.parse("10.0.0.77@tcp"), Nid.ANY, 0);
        assertThat(stranger.to()).hasToString("10.0.0.77@tcp");
        assertThat(stranger.pathCase()).isEqualTo(Case.B1D);
        assertThat(a.peers()).isEqualTo(before);
        net.settle();
        assertThat(net.takeLog()).isEmpty();
    }

    @Test
    void whatWouldHappenNext() {
        LNet a = rails();
        Explanation first = a.explain(B, Nid.ANY, 0);
        Explanation second = a.selection().explain(B, Nid.ANY, 0, List.of(first.from(), first.to()));
        assertThat(second.from()).isNotEqualTo(first.from());
        assertThat(second.to()).isNotEqualTo(first.to());
        assertThat(second.steps().get(1).excluded())
                .contains(new Explanation.Excluded(first.from().toString(), Reason.USED));
        Explanation third =
                a.selection().explain(B, Nid.ANY, 0, List.of(first.from(), first.to(), second.from(), second.to()));
        assertThat(third.isPossible()).isTrue();
        assertThat(third.toString()).contains("all were used, any may be again");
    }

    @Test
    void whatCountedForEach() {
        LNet a = rails();
        assertThat(a.explain(B, Nid.ANY, 100).toString().lines())
                .contains(
                        "  1. tcp  health 1000, priority none, last choice 3;"
                                + " here health 1000, priority none, last choice 3",
                        "  1. 10.0.0.1@tcp  health 1000, priority none, NUMA distance 10, credits 256, last choice 2",
                        "  1. 10.0.0.2@tcp  health 1000, priority none, queued bytes 0, credits 8, last choice 2");
        a.selection().addUdsp(UdspRule.of("10.0.1.1@tcp", null, null).withPriority(7), -1);
        a.selection().addUdsp(UdspRule.of("10.0.1.1@tcp", "10.0.1.2@tcp", null), -1);
        assertThat(a.explain(B, Nid.ANY, 100).toString())
                .contains("  1. 10.0.1.1@tcp  health 1000, priority 7, NUMA distance 10")
                .contains("  1. 10.0.1.2@tcp  health 1000, priority none, preferred, queued bytes 0")
                .doesNotContain("10.0.0.2@tcp  health 1000, priority none, preferred");
    }

    @Test
    void whereThereIsNothingToChooseThatIsSaid() {
        LNet a = rails();
        Nid named = Nid.parse("10.0.0.1@tcp");
        List<Nid> all = List.of(B, Nid.parse("10.0.1.2@tcp"));
        Explanation again = a.selection().explain(B, named, 100, all);
        assertThat(again.steps())
                .extracting(Explanation.Step::stage)
                .containsExactly(Stage.LOCAL_NI, Stage.PEER_NI, Stage.PEER_NI);
        assertThat(again.steps().getFirst().candidates())
                .extracting(Explanation.Candidate::name)
                .containsExactly(named.toString());
        assertThat(again.steps().getLast().note()).isEqualTo("all were used, any may be again");
        Explanation stranger = a.explain(Nid.parse("10.0.0.77@tcp"), Nid.ANY, 100);
        assertThat(stranger.steps()).extracting(Explanation.Step::stage).containsExactly(Stage.LOCAL_NI, Stage.PEER_NI);
        assertThat(stranger.steps().getLast().candidates())
                .extracting(Explanation.Candidate::name)
                .containsExactly("10.0.0.77@tcp");
    }

    @Test
    void whoKnowsThisNodeByOneNidIsSentToFromThat() {
        LNet a = rails();
        Nid old = Nid.parse("10.0.0.3@tcp");
        new ScriptedPeer(net, old).says(PingInfo.RTE_DISABLED, 1, old).answersPuts();
        net.await(a.put(ProcessId.of(old), 33, 7, Arena.ofAuto().allocate(8)));
        Explanation next = a.explain(old, Nid.ANY, 100);
        assertThat(next.steps()).extracting(Explanation.Step::stage).containsExactly(Stage.LOCAL_NI, Stage.PEER_NI);
        assertThat(next.steps().getFirst().candidates())
                .extracting(Explanation.Candidate::name)
                .containsExactly(next.from().toString());
    }

    @Test
    void noWay() {
        LNet a = rails();
        Explanation far = a.explain(Nid.parse("10.9.0.2@tcp9"), Nid.ANY, 0);
        assertThat(far.isPossible()).isFalse();
        assertThat(far.status()).isEqualTo(Errno.EHOSTUNREACH.status());
        assertThat(far.from()).isEqualTo(Nid.ANY);
        assertThat(far.toString()).contains("EHOSTUNREACH").contains("no local NI on that net");
        Explanation notOurs = a.explain(B, Nid.parse("10.0.0.99@tcp"), 0);
        assertThat(notOurs.status()).isEqualTo(Errno.EINVAL.status());
        assertThat(notOurs.steps().getFirst().excluded())
                .containsExactly(new Explanation.Excluded("10.0.0.99@tcp", Reason.NOT_OURS));
        assertThat(a.explain(Nid.LOOPBACK, Nid.ANY, 0).pathCase()).isEqualTo(Case.LOOPBACK);
        TwoNodes.expect(Errno.EINVAL, () -> a.explain(Nid.ANY, Nid.ANY, 0));
        TwoNodes.expect(Errno.EINVAL, () -> a.explain(B, Nid.ANY, -1));
        TwoNodes.expect(Errno.EINVAL, () -> a.explain(B, Nid.ANY, Wire.MTU + 1));
    }
}
