package org.railyard.fabric.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;

/** LIDs that ports say they have: what fits together is kept, the rest told. */
final class LiveLidsTest {
    private static final Fabric FABRIC =
            FreshLids.assign(SampleTorus.torus(3, 2, 1, 1).fabric(), Fabric.NONE);
    private static final int HOST = FABRIC.hosts().getFirst();
    private static final int OTHER = FABRIC.hosts().getLast();

    private final LiveLids lids = new LiveLids(FABRIC);
    private final List<String> remarks = new ArrayList<>();

    private void set(int port, int lid, int lmc) {
        lids.set(port, lid, lmc, remarks);
    }

    @Test
    void whatFitsIsTaken() {
        set(HOST, 8, 2);
        set(OTHER, 12, 1);
        set(FABRIC.portIndex(0, 0), 0xBFFF, 0);
        set(FABRIC.portIndex(1, 0), 0xBF00, 7);
        set(FABRIC.portIndex(2, 0), 0, 0);
        // As a port is read twice.
        set(HOST, 8, 2);
        assertThat(remarks).isEmpty();
        Fabric found = lids.fabric();
        assertThat(found.lid(HOST)).isEqualTo(8);
        assertThat(found.lmc(HOST)).isEqualTo(2);
        assertThat(found.portOfLid(11)).isEqualTo(HOST);
        assertThat(found.portOfLid(13)).isEqualTo(OTHER);
        assertThat(found.portOfLid(14)).isEqualTo(Fabric.NONE);
        assertThat(found.portOfLid(0xBFFF)).isEqualTo(FABRIC.portIndex(0, 0));
        assertThat(found.portOfLid(0xBF7F)).isEqualTo(FABRIC.portIndex(1, 0));
        assertThat(found.lid(FABRIC.portIndex(2, 0))).isZero();
        assertThat(found.lid(FABRIC.portIndex(3, 0)))
                .as("what the fabric had does not count")
                .isZero();
    }

    @Test
    void whatIsNoRangeOfUnicastLidsIsLeftOut() {
        int[][] wrong = {{6, 2}, {1, 1}, {8, 8}, {8, -1}, {0xC000, 0}, {0xFFFF, 0}, {0xBFFF, 1}, {-8, 3}};
        for (int[] each : wrong) {
            set(HOST, each[0], each[1]);
        }
        assertThat(remarks)
                .hasSize(wrong.length)
                .allMatch(line -> line.endsWith("no range of unicast LIDs; it is left out"));
        assertThat(remarks.getFirst()).startsWith(FABRIC.portName(HOST) + ": it says that it has LID 6 with LMC 2");
        assertThat(lids.fabric().maxLid()).isZero();
    }

    @Test
    void aLidThatAnotherPortHasIsLeftOutAsAWhole() {
        set(HOST, 8, 2);
        set(OTHER, 8, 0);
        set(OTHER, 10, 1);
        set(OTHER, 0, 0);
        set(OTHER, 0x8, 3);
        assertThat(remarks).containsExactly(conflict(8), conflict(10), conflict(8));
        Fabric found = lids.fabric();
        assertThat(found.portOfLid(8)).isEqualTo(HOST);
        assertThat(found.lid(OTHER)).isZero();
        assertThat(found.maxLid()).isEqualTo(11);
        set(OTHER, 12, 0);
        assertThat(lids.fabric().portOfLid(12)).isEqualTo(OTHER);
    }

    private static String conflict(int lid) {
        return "LID %d: both %s and %s have it; it counts as that of the first"
                .formatted(lid, FABRIC.portName(HOST), FABRIC.portName(OTHER));
    }
}
