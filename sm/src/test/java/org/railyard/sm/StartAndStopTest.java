package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.smp.PortInfo;
import org.railyard.sm.program.PlannedSets;
import org.railyard.sm.role.SmRole;

/** What is done before the first sweep, and what is not done any more after the end. */
class StartAndStopTest {
    private static final SampleTorus TORUS = SampleTorus.torus(3, 3, 1, 1);

    private final SimulatedSm sm = SimulatedSm.of(TORUS, 1);

    private void runIntoASweep() {
        sm.subnet.loop().execute(sm.manager::start);
        sm.subnet.loop().runUntil(() -> sm.manager.counters().sent() > 200, SimulatedSm.PATIENCE);
        assertThat(sm.reports).isEmpty();
        assertThat(sm.isMarked()).isTrue();
    }

    @Test
    void aStopEndsTheSweepAtOnce() {
        runIntoASweep();
        sm.subnet.loop().execute(sm.manager::stop);
        sm.subnet.loop().runFor(1);
        long sent = sm.manager.counters().sent();
        sm.subnet.loop().runFor(100 * SimulatedSm.SECOND);
        assertThat(sm.manager.counters().sent()).isEqualTo(sent);
        assertThat(sm.reports).isEmpty();
        assertThat(sm.manager.role()).isEqualTo(SmRole.NOT_ACTIVE);
        assertThat(sm.manager.activity()).isEqualTo("stopped");
        assertThat(sm.isMarked())
                .as("others do not take it for a subnet manager")
                .isFalse();
    }

    @Test
    void whoseTransportFailsIsNoManagerAnyMore() {
        runIntoASweep();
        sm.port.fail(new ErrnoException(Errno.ENODEV, "gone"));
        assertThat(sm.manager.role()).isEqualTo(SmRole.NOT_ACTIVE);
        assertThat(sm.manager.activity()).isEqualTo("stopped");
        assertThat(sm.failures).hasSize(1);
    }

    @Test
    void aReportCountsWhatOneSweepFoundAndSent() {
        assertThat(sm.started().reports).hasSize(1);
        long before = sm.manager.counters().sent();
        assertThat(sm.last().requests()).isEqualTo(before);
        int reports = sm.reports.size();
        sm.subnet.loop().execute(() -> sm.manager.sweepNow("test"));
        sm.subnet.loop().runUntil(() -> sm.reports.size() > reports, SimulatedSm.PATIENCE);
        assertThat(sm.last().requests()).isEqualTo(sm.manager.counters().sent() - before);
        assertThat(sm.last().switches()).isEqualTo(9);
        assertThat(sm.last().ends()).isEqualTo(9);
        assertThat(sm.last().links()).isEqualTo(18 + 9);
        assertThat(sm.last().linksDown()).isZero();
    }

    static List<Consumer<SubnetManager>> beginnings() {
        return List.of(
                SubnetManager::start,
                SubnetManager::watch,
                manager -> manager.plan(set -> {}),
                manager -> manager.apply(new PlannedSets()));
    }

    /** With other LIDs than those of the table all connections would break. */
    @ParameterizedTest
    @MethodSource("beginnings")
    void aMalformedTableIsRefusedBeforeAnythingIsSent(Consumer<SubnetManager> begin) {
        TextInMemory bad = new TextInMemory();
        bad.save("0x11 what\n");
        sm.port.close();
        SubnetManager manager =
                new SubnetManager(sm.subnet.attach(sm.smPort), SimulatedSm.torus(TORUS), bad, sm, (mad, from) -> {});
        assertThatThrownBy(() -> begin.accept(manager))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("what");
        sm.subnet.loop().runFor(SimulatedSm.SECOND);
        assertThat(manager.counters().sent()).isZero();
        assertThat(sm.isMarked()).isFalse();
    }

    @Test
    void aPlanHasTheLidsOfTheTable() {
        int host = sm.fabric.nodeCount() - 1;
        long guid = sm.fabric.portGuid(sm.fabric.portIndex(host, 1));
        TextInMemory lids = new TextInMemory();
        lids.save("0x%016x 0x0300 0x0300\n".formatted(guid));
        sm.port.close();
        SubnetManager manager =
                new SubnetManager(sm.subnet.attach(sm.smPort), SimulatedSm.torus(TORUS), lids, sm, (mad, from) -> {});
        List<Integer> given = new ArrayList<>();
        sm.subnet
                .loop()
                .execute(() -> manager.plan(set -> {
                    if (set.node().guid() == sm.fabric.guid(host) && set.mad().isAbout(PortInfo.TYPE)) {
                        given.add(set.mad().data(PortInfo.TYPE).getInt(PortInfo.LID));
                    }
                }));
        sm.subnet.loop().runUntil(() -> !sm.reports.isEmpty(), SimulatedSm.PATIENCE);
        assertThat(given).isNotEmpty().containsOnly(0x300);
    }
}
