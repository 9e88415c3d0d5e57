package org.railyard.sm.lid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.sm.lid.LidAssigner.Rules;

class LidAssignerTest {
    @Test
    void tooFewLidsLeaveTheTableAsItWas() {
        Fabric fabric = SampleTorus.torus(3, 3, 1, 1).fabric();
        LidTable table = new LidTable();
        int[] none = new int[fabric.portCount()];
        LidAssigner.assign(fabric, none, table, new Rules(LidOrder.GUID, 0, 18), Fabric.NONE, null);
        String before = table.text();
        assertThat(before.lines().filter(line -> !line.isEmpty())).hasSize(18);
        assertThatThrownBy(() ->
                        LidAssigner.assign(fabric, none, table, new Rules(LidOrder.GUID, 0, 10), Fabric.NONE, null))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("no LID is left");
        assertThat(table.text()).isEqualTo(before);
    }
}
