package org.railyard.fabric.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;

class NoTurningBackTest {
    private static final long ALL_DROPPED = -1L;
    private static final long SEVEN = 0x7777777777777777L;

    private static int behind(Fabric fabric, int sw, int port) {
        int peer = fabric.peer(fabric.portIndex(sw, port));
        return peer == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(peer);
    }

    /** With two cables between neighbours there are two ways back. */
    @Test
    void onlyWhatComesFromASwitchAndGoesBackToItIsDropped() {
        Fabric fabric = new SampleTorus(List.of(4, 3, 1), Set.of(), 2, 2, Set.of(), Set.of()).fabric();
        SlToVl tables = new NoTurningBack(fabric, SlToVl.uniform(SEVEN));
        int byAnotherCable = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int in = 0; in <= fabric.ports(sw); in++) {
                for (int out = 0; out <= fabric.ports(sw); out++) {
                    int from = behind(fabric, sw, in);
                    boolean turns = from != Fabric.NONE && fabric.isSwitch(from) && from == behind(fabric, sw, out);
                    assertThat(tables.table(sw, in, out)).isEqualTo(turns ? ALL_DROPPED : SEVEN);
                    byAnotherCable += turns && in != out ? 1 : 0;
                }
            }
        }
        assertThat(byAnotherCable).isEqualTo(fabric.switchCount() * 4 * 2);
    }

    @Test
    void hostsSendAsBefore() {
        Fabric fabric = SampleTorus.torus(3, 3, 1, 1).fabric();
        SlToVl tables = new NoTurningBack(fabric, SlToVl.uniform(SEVEN));
        assertThat(tables.endTable(fabric.portCount() - 1)).isEqualTo(SEVEN);
    }
}
