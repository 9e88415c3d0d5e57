package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.sm.SweepReport.Result;
import org.railyard.sm.program.PlannedSets;

/** Links that another subnet manager has brought up with other VLs, or another MTU, than both ends can. */
class LinkRestartTest {
    private static final SampleTorus TORUS = SampleTorus.torus(5, 5, 1, 1);
    private static final int ONE_VL = 1;
    private static final int EIGHT_VLS = 4;

    /** Ends the subnet manager, and returns another one at a port, not started yet. */
    private static SubnetManager second(SimulatedSm sm, SmSettings settings) {
        sm.manager.stop();
        sm.port.close();
        return at(sm.subnet.attach(sm.smPort), sm, settings);
    }

    private static SubnetManager at(SimulatedPort port, SimulatedSm sm, SmSettings settings) {
        sm.reports.clear();
        return new SubnetManager(port, settings, TextStore.NONE, sm, (mad, from) -> {});
    }

    private static SimulatedSm withOneVl() {
        RoutingSettings upDown =
                RoutingSettings.of(EngineName.UP_DOWN.engine(TorusConfParser.parse(TORUS.conf(1)), false, List.of()));
        SmSettings few = SmSettings.of(upDown.withOptions(new EngineOptions(ONE_VL, 2, List.of())));
        SimulatedSm sm = new SimulatedSm(TORUS.fabric(), few, TextStore.NONE, 1).started();
        assertThat(vls(sm)).containsExactly(ONE_VL);
        return sm;
    }

    private static Set<Integer> vls(SimulatedSm sm) {
        Set<Integer> all = new TreeSet<>();
        for (int port = 0; port < sm.fabric.portCount(); port++) {
            if (sm.fabric.cable(port) != Fabric.NONE) {
                PortInfo info = sm.subnet.node(sm.fabric.nodeOf(port)).portInfo(sm.fabric.portNumber(port));
                assertThat(info.state()).isEqualTo(PortState.ACTIVE);
                all.add(info.getInt(PortInfo.OPERATIONAL_VLS));
            }
        }
        return all;
    }

    private static void start(SimulatedSm sm, SubnetManager manager) {
        sm.subnet.loop().execute(manager::start);
        sm.subnet.loop().runUntil(() -> !sm.reports.isEmpty(), SimulatedSm.PATIENCE);
    }

    @Test
    void theyKeepWhatTheyHaveAndTheSweepTells() {
        SimulatedSm sm = withOneVl();
        start(sm, second(sm, SimulatedSm.torus(TORUS)));
        assertThat(sm.last().result()).as("%s", sm.last()).isEqualTo(Result.UNROUTABLE);
        assertThat(sm.last().notes())
                .anyMatch(note -> note.contains("links are up with other VLs") && note.contains("VLs 1 instead of 8"));
        assertThat(vls(sm)).containsExactly(ONE_VL);
    }

    @Test
    void theyAreTakenDownAndUpIfThatIsAllowed() {
        SimulatedSm sm = withOneVl();
        SubnetManager manager = second(sm, SimulatedSm.torus(TORUS).withRestarts(true));
        start(sm, manager);
        assertThat(sm.last().result()).as("%s", sm.last()).isEqualTo(Result.DONE);
        assertThat(sm.last().phases()).allMatch(phase -> phase.failed() == 0);
        assertThat(sm.last().linksDown()).isZero();
        assertThat(vls(sm)).containsExactly(EIGHT_VLS);
        assertThat(new Devices(sm.subnet).faults(manager.snapshot().orElseThrow()))
                .isEmpty();
        sm.reports.clear();
        sm.subnet.loop().execute(() -> manager.sweepNow("test"));
        sm.subnet.loop().runUntil(() -> !sm.reports.isEmpty(), SimulatedSm.PATIENCE);
        assertThat(sm.last().phases()).as("nothing is left to do").isEmpty();
    }

    @Test
    void aSweepWaitsForLinksThatTakeTheirTime() {
        SimulatedSm sm = withOneVl();
        int slow = sm.fabric.portIndex(7, 2);
        sm.subnet.loop().schedule(SimulatedSm.SECOND / 10, () -> sm.subnet.unlink(slow));
        sm.subnet.loop().schedule(3 * SimulatedSm.SECOND, () -> sm.subnet.relink(slow));
        start(sm, second(sm, SimulatedSm.torus(TORUS).withRestarts(true)));
        assertThat(sm.last().result()).as("%s", sm.last()).isEqualTo(Result.DONE);
        assertThat(sm.last().linksDown()).isZero();
        assertThat(sm.last().nanos()).isGreaterThan(2 * SimulatedSm.SECOND);
    }

    @Test
    void itGoesOnWithoutLinksThatDoNotComeBack() {
        SimulatedSm sm = withOneVl();
        int broken = sm.fabric.portIndex(7, 2);
        sm.subnet.loop().schedule(SimulatedSm.SECOND / 10, () -> sm.subnet.unlink(broken));
        start(sm, second(sm, SimulatedSm.torus(TORUS).withRestarts(true)));
        assertThat(sm.last().result()).as("%s", sm.last()).isEqualTo(Result.INCOMPLETE);
        assertThat(sm.last().notes()).anyMatch(note -> note.startsWith("taken down, and not up again: "));
        assertThat(sm.last().nanos()).isLessThan(12 * SimulatedSm.SECOND);
        assertThat(sm.last().links()).isEqualTo(74);
        assertThat(sm.last().linksDown()).isZero();
    }

    /** Where nothing could be routed afterwards, what works now has to go on. */
    @Test
    void withoutProvedRoutesNoneIsTakenDown() {
        SimulatedSm sm = withOneVl();
        SampleTorus other = SampleTorus.torus(4, 6, 1, 1);
        start(sm, second(sm, SimulatedSm.torus(other).withRestarts(true)));
        assertThat(sm.last().result()).as("%s", sm.last()).isEqualTo(Result.UNROUTABLE);
        assertThat(sm.last().links()).isEqualTo(75);
        assertThat(vls(sm)).containsExactly(ONE_VL);
    }

    @Test
    void linksMayBeTakenDownAnewWhenTheLimitChangesAgain() {
        SimulatedSm sm = withOneVl();
        SmSettings wide = SimulatedSm.torus(TORUS).withRestarts(true);
        SubnetManager manager = second(sm, wide);
        start(sm, manager);
        RoutingSettings upDown =
                RoutingSettings.of(EngineName.UP_DOWN.engine(TorusConfParser.parse(TORUS.conf(1)), false, List.of()));
        SmSettings few = SmSettings.of(upDown.withOptions(new EngineOptions(ONE_VL, 2, List.of())))
                .withRestarts(true)
                .withSlChange(true);
        configure(sm, manager, few);
        assertThat(vls(sm)).containsExactly(ONE_VL);
        configure(sm, manager, wide.withSlChange(true));
        assertThat(vls(sm)).containsExactly(EIGHT_VLS);
        assertThat(new Devices(sm.subnet).faults(manager.snapshot().orElseThrow()))
                .isEmpty();
    }

    private static void configure(SimulatedSm sm, SubnetManager manager, SmSettings settings) {
        sm.reports.clear();
        sm.subnet.loop().execute(() -> manager.configure(settings, "test"));
        sm.subnet.loop().runUntil(() -> !sm.reports.isEmpty(), SimulatedSm.PATIENCE);
        assertThat(sm.last().result()).as("%s", sm.last()).isEqualTo(Result.DONE);
    }

    @Test
    void aPlanHasAllOfItAndIsCarriedOut() {
        SimulatedSm sm = withOneVl();
        SmSettings settings = SimulatedSm.torus(TORUS).withRestarts(true);
        sm.manager.stop();
        sm.port.close();
        SimulatedPort port = sm.subnet.attach(sm.smPort);
        SubnetManager planner = at(port, sm, settings);
        PlannedSets plan = new PlannedSets();
        sm.subnet.loop().execute(() -> planner.plan(plan::add));
        sm.subnet.loop().runUntil(() -> !sm.reports.isEmpty(), SimulatedSm.PATIENCE);
        assertThat(sm.last().result()).isEqualTo(Result.DONE);
        assertThat(vls(sm)).as("a plan changes nothing").containsExactly(ONE_VL);
        port.close();
        SubnetManager manager = at(sm.subnet.attach(sm.smPort), sm, settings);
        sm.subnet.loop().execute(() -> manager.apply(plan));
        sm.subnet.loop().runUntil(() -> !sm.reports.isEmpty(), SimulatedSm.PATIENCE);
        assertThat(sm.last().result()).as("%s", sm.last()).isEqualTo(Result.DONE);
        assertThat(vls(sm)).containsExactly(EIGHT_VLS);
    }

    @Test
    void aDeviceThatGoesOnWithItsOwnIsTakenDownOnce() {
        SimulatedSm sm = SimulatedSm.of(TORUS, 3);
        int stubborn = 5;
        sm.subnet.tamper(
                stubborn,
                mad -> mad.isAbout(PortInfo.TYPE) && Modifiers.portOf(mad.modifier()) > 0
                        ? mad.copy()
                                .setData(PortInfo.TYPE, mad.data(PortInfo.TYPE).set(PortInfo.NEIGHBOR_MTU, 2))
                        : mad);
        sm.started();
        SubnetManager manager = second(sm, SimulatedSm.torus(TORUS).withRestarts(true));
        start(sm, manager);
        assertThat(sm.last().notes()).anyMatch(note -> note.contains("they are taken down and brought up again"));
        assertThat(sm.last().phases()).anyMatch(phase -> phase.name().equals("PortInfo: down"));
        assertThat(sm.last().result()).isEqualTo(Result.DONE);
        sm.reports.clear();
        sm.subnet.loop().execute(() -> manager.sweepNow("test"));
        sm.subnet.loop().runUntil(() -> !sm.reports.isEmpty(), SimulatedSm.PATIENCE);
        assertThat(sm.last().notes()).noneMatch(note -> note.contains("other VLs"));
    }
}
