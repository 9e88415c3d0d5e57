package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.sm.SweepReport.Result;

/** Switches whose forwarding tables are too small for the LIDs in use: LIDs go up to LinearFDBCap - 1 (spec 41 §3). */
class SmallSwitchesTest {
    private static final SampleTorus TORUS = SampleTorus.torus(4, 4, 1, 1);
    private static final int ENDS = 32;
    private static final int FAR = 5;

    private final Fabric fabric = TORUS.fabric();
    private final TextInMemory lids = new TextInMemory();
    private final SimulatedSm sm = new SimulatedSm(fabric, SimulatedSm.torus(TORUS), lids, 3);

    private void looksUp(int sw, int cap) {
        sm.subnet.tamper(sw, mad -> {
            if (mad.isAbout(SwitchInfo.TYPE)) {
                mad.data(SwitchInfo.TYPE).set(SwitchInfo.LINEAR_CAP, cap);
            }
            return mad;
        });
    }

    private SweepReport first() {
        sm.subnet.loop().execute(sm.manager::start);
        sm.subnet.loop().runUntil(() -> !sm.reports.isEmpty(), SimulatedSm.PATIENCE);
        return sm.last();
    }

    private int hostOf(int sw) {
        for (int host = fabric.switchCount(); host < fabric.nodeCount(); host++) {
            if (fabric.nodeOf(fabric.cable(fabric.portIndex(host, 1))) == sw) {
                return host;
            }
        }
        throw new AssertionError("no host");
    }

    private void has(int node, int lid) {
        int port = fabric.isSwitch(node) ? 0 : 1;
        lids.save("0x%016x 0x%04x 0x%04x\n".formatted(fabric.portGuid(fabric.portIndex(node, port)), lid, lid));
    }

    private Map<Long, Integer> given() {
        Fabric now = sm.snapshot().fabric();
        Map<Long, Integer> all = new TreeMap<>();
        for (int port = 0; port < now.portCount(); port++) {
            if (now.isEndPort(port) && now.lid(port) != 0) {
                all.put(now.portGuid(port), now.lid(port));
            }
        }
        return all;
    }

    @Test
    void aSwitchThatLooksUpAsManyLidsAsThereArePortsIsUsed() {
        looksUp(FAR, ENDS + 1);
        SweepReport report = first();
        assertThat(report.result()).isEqualTo(Result.DONE);
        assertThat(report.notes()).noneMatch(note -> note.contains("LinearFDBCap"));
        assertThat(given()).hasSize(ENDS).doesNotContainValue(ENDS + 1);
    }

    @Test
    void aSwitchThatLooksUpOneLessIsLeftOutWithItsHost() {
        looksUp(FAR, ENDS);
        SweepReport report = first();
        assertThat(report.notes())
                .contains("%s: looks up LIDs to %d (LinearFDBCap), but LIDs to %d are in use: it is left out with its"
                                .formatted(fabric.description(FAR), ENDS - 1, ENDS)
                        + " cables");
        assertThat(given()).hasSize(ENDS - 2);
    }

    /** A larger LID that a port has, by the table, counts as well. */
    @ParameterizedTest
    @ValueSource(ints = {0x2FF, 0x300})
    void aLidOfTheTableIsNotTakenFromAPort(int largest) {
        int host = hostOf(2);
        has(host, 0x300);
        looksUp(FAR, largest + 1);
        first();
        assertThat(given().get(fabric.portGuid(fabric.portIndex(host, 1)))).isEqualTo(0x300);
        assertThat(given()).hasSize(largest < 0x300 ? ENDS - 2 : ENDS);
    }

    /** And one that another subnet manager gave. */
    @ParameterizedTest
    @ValueSource(ints = {0x2FF, 0x300})
    void aLidThatAPortHasIsNotTakenFromIt(int largest) {
        int host = hostOf(2);
        has(host, 0x300);
        assertThat(first().result()).isEqualTo(Result.DONE);
        sm.manager.stop();
        sm.port.close();
        sm.reports.clear();
        looksUp(FAR, largest + 1);
        SubnetManager next = new SubnetManager(
                sm.subnet.attach(sm.smPort), SimulatedSm.torus(TORUS), TextStore.NONE, sm, (mad, from) -> {});
        sm.subnet.loop().execute(next::start);
        sm.subnet.loop().runUntil(() -> !sm.reports.isEmpty(), SimulatedSm.PATIENCE);
        Fabric now = next.snapshot().orElseThrow().fabric();
        assertThat(now.lid(now.portIndex(now.nodeOfGuid(fabric.guid(host)), 1))).isEqualTo(0x300);
        assertThat(sm.last().notes().stream().filter(note -> note.contains("LinearFDBCap")))
                .hasSize(largest < 0x300 ? 1 : 0);
    }

    /** Without its switch the subnet manager has no subnet: all get LIDs that this switch looks up. */
    @Test
    void theOwnSwitchIsNotLeftOut() {
        int host = hostOf(2);
        has(host, 0x300);
        looksUp(fabric.nodeOf(fabric.cable(sm.smPort)), ENDS + 1);
        SweepReport report = first();
        assertThat(report.result()).isEqualTo(Result.DONE);
        assertThat(report.notes()).noneMatch(note -> note.contains("left out"));
        assertThat(given()).hasSize(ENDS);
        assertThat(given().values()).allMatch(lid -> lid <= ENDS);
    }

    /** There is no way for all of them: nothing is written. */
    @Test
    void tooFewLidsAtTheOwnSwitchAreRefused() {
        looksUp(fabric.nodeOf(fabric.cable(sm.smPort)), ENDS);
        SweepReport report = first();
        assertThat(report.result()).isEqualTo(Result.UNROUTABLE);
        assertThat(report.notes()).anyMatch(note -> note.startsWith("no LID is left for "));
        assertThat(report.phases()).isEmpty();
    }
}
