package org.railyard.fabric.torus.tables;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.fabric.torus.grid.SlToVlRule;

class TorusSlToVlTest {
    /** A host has its own number of VLs: the one level that it offers, or two, be there eight VLs between switches. */
    @Test
    void hostsSendByTheirOwnNumberOfVls() {
        assertThat(vlsOfHost(1, 5)).containsExactly(0, 0);
        assertThat(vlsOfHost(2, 5)).containsExactly(0, 1);
        assertThat(vlsOfHost(8, 5)).containsExactly(0, 1);
        // One data VL is all that the subnet may use.
        assertThat(vlsOfHost(8, 1)).containsExactly(0, 0);
    }

    /** The VLs by which a host sends with SL 0 and SL 8. */
    private static int[] vlsOfHost(int endVls, int maxOpVls) {
        SampleTorus torus = SampleTorus.torus(4, 4, 1, 1);
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        TorusSlToVl tables = new TorusSlToVl(
                fabric,
                new TorusEngine(TorusConfParser.parse(torus.conf(1)), TorusOptions.DEFAULT)
                        .place(fabric)
                        .orElseThrow(),
                new SlToVlRule(8, endVls),
                maxOpVls);
        long table = tables.endTable(fabric.portIndex(fabric.switchCount(), 1));
        return new int[] {SlToVl.vl(table, 0), SlToVl.vl(table, 8)};
    }
}
