package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.smp.PortInfo;
import org.railyard.sm.SweepReport.Result;
import org.railyard.sm.program.PlannedSets;
import org.railyard.sm.role.SmRole;

/** A plan that is carried out later: only if it is still what is needed. */
class ApplyTest {
    private static final SampleTorus TORUS = SampleTorus.torus(3, 3, 2, 1);

    private final SimulatedSm planner = SimulatedSm.of(TORUS, 1);
    private final PlannedSets plan = new PlannedSets();

    private SweepReport apply() {
        planner.subnet.loop().execute(() -> planner.manager.plan(plan::add));
        planner.subnet.loop().runUntil(() -> !planner.reports.isEmpty(), SimulatedSm.PATIENCE);
        planner.reports.clear();
        planner.port.close();
        SimulatedPort port = planner.subnet.attach(planner.smPort);
        SubnetManager manager =
                new SubnetManager(port, SimulatedSm.torus(TORUS), TextStore.NONE, planner, (mad, from) -> {});
        between.run();
        assertThat(planner.isMarked()).as("a plan is no subnet manager").isFalse();
        planner.subnet.loop().execute(() -> manager.apply(plan));
        planner.subnet.loop().runFor(1);
        assertThat(planner.isMarked()).isTrue();
        planner.subnet.loop().runUntil(() -> !planner.reports.isEmpty(), SimulatedSm.PATIENCE);
        assertThat(planner.isMarked())
                .as("nobody manages the subnet afterwards")
                .isFalse();
        assertThat(manager.role()).isEqualTo(SmRole.NOT_ACTIVE);
        manager.stop();
        return planner.last();
    }

    private Runnable between = () -> {};

    @Test
    void writesWhatIsPlanned() {
        SweepReport report = apply();
        assertThat(report.result()).as("%s", report).isEqualTo(Result.DONE);
        assertThat(report.phases().stream().mapToLong(phase -> phase.sets()).sum())
                .isEqualTo(plan.size())
                .isPositive();
        assertThat(report.linksDown()).isZero();
    }

    /** What comes after it carries the old values of these fields; the plan has those that were asked for. */
    @Test
    void writesAllOfItIfDevicesKeepWhatTheyWereToldToChange() {
        for (int node = 0; node < planner.fabric.nodeCount(); node++) {
            planner.subnet.tamper(
                    node,
                    mad -> mad.isAbout(PortInfo.TYPE)
                            ? mad.copy()
                                    .setData(
                                            PortInfo.TYPE,
                                            mad.data(PortInfo.TYPE)
                                                    .set(PortInfo.LOCAL_PHY_ERRORS, 0)
                                                    .set(PortInfo.SUBNET_TIMEOUT, 0))
                            : mad);
        }
        SweepReport report = apply();
        assertThat(report.result()).as("%s", report).isEqualTo(Result.DONE);
        assertThat(report.notes().toString()).contains("LocalPhyErrors: acknowledged, but kept as it was by ");
        assertThat(report.phases().stream().mapToLong(phase -> phase.sets()).sum())
                .isEqualTo(plan.size());
        assertThat(report.linksDown()).isZero();
    }

    @Test
    void stopsAtWhatIsNot() {
        between = () -> planner.subnet.unlink(planner.fabric.portIndex(planner.fabric.switchCount() - 1, 1));
        SweepReport report = apply();
        assertThat(report.result()).isEqualTo(Result.INCOMPLETE);
        assertThat(report.notes().toString()).contains("not planned, so it and what follows is not written: ");
        assertThat(report.phases().stream().mapToLong(phase -> phase.sets()).sum())
                .isLessThan(plan.size());
    }

    @Test
    void aFileHoldsAllOfIt() {
        apply();
        PlannedSets read = PlannedSets.parse(plan.text());
        assertThat(read.text()).isEqualTo(plan.text());
        assertThat(read.differences(plan)).isEmpty();
        assertThat(new PlannedSets().differences(plan))
                .hasSize(plan.size())
                .allMatch(line -> line.startsWith("not planned: "));
        assertThat(plan.differences(new PlannedSets())).hasSize(plan.size());
    }
}
