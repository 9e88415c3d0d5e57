package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.wire.Mad;

/** Ports of which somebody has taken away EDR, and a switch that does not know extended speeds. */
class ExtendedSpeedsTest {
    private static final int OLD = 4;
    private static final int FDR = 1;
    private static final int FDR_AND_EDR = 3;

    private final SimulatedSm sm = SimulatedSm.of(SampleTorus.torus(3, 3, 1, 1), 1);
    private final Fabric fabric = sm.fabric;

    /** Ports by whose link EDR is on. */
    private final Set<Integer> restored = new HashSet<>();

    private int asked;

    private Mad answer(int node, Mad mad) {
        if (!mad.isAbout(PortInfo.TYPE)) {
            return mad;
        }
        Mad answer = mad.copy();
        PortInfo info = answer.data(PortInfo.TYPE);
        int port = Modifiers.portOf(mad.modifier());
        if (node == OLD) {
            info.set(PortInfo.CAPABILITY_MASK, info.get(PortInfo.CAPABILITY_MASK) & ~PortInfo.CAP_EXTENDED_SPEEDS);
        }
        int index = fabric.portIndex(node, port == 0 && !fabric.isSwitch(node) ? 1 : port);
        if ((mad.modifier() & Modifiers.EXTENDED_SPEEDS) != 0) {
            asked++;
            restored.add(index);
        }
        info.set(PortInfo.SPEED_EXT_SUPPORTED, FDR_AND_EDR)
                .set(PortInfo.SPEED_EXT_ENABLED, restored.contains(index) ? FDR_AND_EDR : FDR);
        return answer.setData(PortInfo.TYPE, info);
    }

    private boolean isOld(int port) {
        return fabric.nodeOf(port) == OLD;
    }

    @Test
    void theyAreAskedForOnceWhereBothEndsOfACableKnowThem() {
        for (int node = 0; node < fabric.nodeCount(); node++) {
            int of = node;
            sm.subnet.tamper(node, mad -> answer(of, mad));
        }
        sm.started();
        for (int port = 0; port < fabric.portCount(); port++) {
            int peer = fabric.cable(port);
            boolean expected = peer != Fabric.NONE && !isOld(port) && !isOld(peer);
            assertThat(restored.contains(port)).as(fabric.portName(port)).isEqualTo(expected);
        }
        assertThat(asked).isEqualTo(restored.size());
        assertThat(sm.last().notes()).isEmpty();
        sm.subnet.loop().execute(() -> sm.manager.sweepNow("once more"));
        assertThat(sm.settle()).isTrue();
        assertThat(asked).isEqualTo(restored.size());
    }
}
