package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.LftsDump;
import org.railyard.fabric.format.Sl2VlDump;
import org.railyard.fabric.format.TorusDump;
import org.railyard.fabric.golden.Golden;
import org.railyard.fabric.golden.MasterTree;
import org.railyard.fabric.golden.TorusSls;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckReport.Verdict;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.testkit.Requirement;

/**
 * Tables that OpenSM makes and that are not free of credit loops (spec 32 §5), and SLs that do not come from a path
 * query.
 */
final class NegativeCasesTest {
    private static final CheckOptions FIGURES = CheckOptions.DEFAULT.withHostChannels(true);

    private static Routing routing(Golden golden, Fabric fabric, PathSls sls, MulticastTables multicast) {
        return new Routing(
                golden.toString(),
                LftsDump.parse(golden.text("opensm-lfts.dump"), fabric),
                sls,
                Sl2VlDump.parse(golden.text("opensm-sl2vl.dump"), fabric),
                multicast,
                List.of());
    }

    @Test
    void aMissingSwitchAndTwoBrokenDetourCablesLoopInUnicast() {
        Golden golden = new Golden("neg-5x5-unicast");
        Fabric fabric = golden.fabric();
        List<Integer> radices = List.of(5, 5, 1);
        TorusSls sls = new TorusSls(fabric, TorusDump.parse(golden.text("opensm-torus.dump")), radices);
        CheckReport report =
                CreditLoopCheck.check(fabric, routing(golden, fabric, sls, MulticastTables.NONE), CheckOptions.DEFAULT);
        assertThat(report.verdict()).isEqualTo(Verdict.LOOP);
        assertThat(report.faultCount()).isZero();
        assertThat(report.certificate()).isEmpty();
        assertThat(report.loops()).hasSize(1);
        CreditLoop loop = report.loops().getFirst();
        assertThat(loop.waits()).hasSize(10);
        assertThat(loop.waits().stream()
                        .map(wait ->
                                fabric.description(fabric.nodeOf(wait.channel().port())) + " vl "
                                        + wait.channel().vl()))
                .containsExactlyInAnyOrder(
                        "S-0.1.0 vl 0",
                        "S-0.2.0 vl 0",
                        "S-0.3.0 vl 3",
                        "S-1.3.0 vl 1",
                        "S-2.3.0 vl 1",
                        "S-3.3.0 vl 0",
                        "S-3.2.0 vl 0",
                        "S-3.1.0 vl 2",
                        "S-2.1.0 vl 0",
                        "S-1.1.0 vl 0");
    }

    @Test
    void upstreamsMasterTreeLoopsTogetherWithUnicast() {
        Golden golden = new Golden("neg-3x3x5-multicast");
        Fabric fabric = golden.fabric();
        List<Integer> radices = List.of(3, 3, 5);
        TorusSls sls = new TorusSls(fabric, TorusDump.parse(golden.text("opensm-torus.dump")), radices);
        MulticastTables tree = MasterTree.of(fabric, sls, radices, 0xC000, 1, 1, 1);
        CheckReport unicast =
                CreditLoopCheck.check(fabric, routing(golden, fabric, sls, tree), FIGURES.withMulticast(false));
        assertThat(unicast.verdict()).isEqualTo(Verdict.CLEAN);
        assertThat(unicast.channels()).isEqualTo(396);
        assertThat(unicast.dependencies()).isEqualTo(1256);

        CheckReport both = CreditLoopCheck.check(fabric, routing(golden, fabric, sls, tree), FIGURES);
        assertThat(both.verdict()).isEqualTo(Verdict.LOOP);
        assertThat(both.channels()).isEqualTo(409);
        assertThat(both.dependencies()).isEqualTo(1365);
        CreditLoop loop = both.loops().getFirst();
        assertThat(loop.waits()).hasSize(7);
        assertThat(loop.waits()).anyMatch(wait -> wait.flow().isMulticast());
        assertThat(loop.waits()).anyMatch(wait -> !wait.flow().isMulticast());
    }

    @Test
    @Requirement("t2q-005")
    void slZeroForEveryPathLoops() {
        Golden golden = new Golden("t2d-5x6");
        Fabric fabric = golden.fabric();
        Routing right = golden.routing();
        Routing wrong = new Routing(
                "SL 0", right.forwarding(), PathSls.constant(0), right.slToVl(), right.multicast(), List.of());
        assertThat(CreditLoopCheck.check(fabric, right, CheckOptions.DEFAULT).verdict())
                .isEqualTo(Verdict.CLEAN);
        assertThat(CreditLoopCheck.check(fabric, wrong, CheckOptions.DEFAULT).verdict())
                .isEqualTo(Verdict.LOOP);
    }
}
