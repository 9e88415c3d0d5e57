package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.PortInfo;
import org.railyard.sm.SweepReport.Result;
import org.railyard.sm.conf.OpenSmOptions;
import org.railyard.sm.lid.LidStore;
import org.railyard.sm.master.OpenSmSettings;

/** The M_Key of nodes: who has it manages them, who has not does nothing to them (spec 41 §9). */
class ManagementKeyTest {
    private static final SampleTorus TORUS = SampleTorus.torus(3, 3, 2, 1);

    private final Fabric fabric = TORUS.fabric();
    private final SimulatedSubnet subnet =
            new SimulatedSubnet(fabric, SimulationSettings.DEFAULT, new SplittableRandom(3));
    private final SimulatedSm told = SimulatedSm.of(TORUS, 1);

    private static SmSettings settings(String conf) {
        return new OpenSmSettings(OpenSmOptions.parse(conf)).manager(SimulatedSm.torus(TORUS), false);
    }

    /** Sweeps once with these settings, and ends. */
    private SweepReport sweep(String conf) {
        told.reports.clear();
        SimulatedPort port = subnet.attach(FreshLids.firstEndPort(fabric));
        SubnetManager manager = new SubnetManager(port, settings(conf), LidStore.NONE, told, (mad, from) -> {});
        subnet.loop().execute(manager::start);
        subnet.loop().runUntil(() -> !told.reports.isEmpty(), SimulatedSm.PATIENCE);
        manager.stop();
        port.close();
        return told.last();
    }

    private PortInfo info(int port) {
        return subnet.node(fabric.nodeOf(port)).portInfo(fabric.portNumber(port));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void whoHasItManages(int protect) {
        String conf = "m_key 0x1234\nm_key_protection_level %d\nm_key_lease_period 30\n".formatted(protect);
        assertThat(sweep(conf).result()).isEqualTo(Result.DONE);
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port)) {
                assertThat(info(port).get(PortInfo.M_KEY)).isEqualTo(0x1234);
                assertThat(info(port).getInt(PortInfo.M_KEY_PROTECT)).isEqualTo(protect);
                assertThat(info(port).getInt(PortInfo.M_KEY_LEASE)).isEqualTo(30);
                assertThat(info(port).getInt(PortInfo.M_KEY_VIOLATIONS)).isZero();
            }
        }
        SweepReport again = sweep(conf);
        assertThat(again.result()).isEqualTo(Result.DONE);
        assertThat(again.phases().stream().noneMatch(phase -> phase.name().startsWith("LFT")))
                .isTrue();
    }

    @Test
    void whoHasNotIsNamedAndChangesNothing() {
        assertThat(sweep("m_key 0x1234\nm_key_protection_level 2\n").result()).isEqualTo(Result.DONE);
        int far = fabric.portIndex(fabric.nodeCount() - 1, 1);
        String before = info(far).toString();
        SweepReport other = sweep("m_key 0x9999\n");
        assertThat(other.result()).isNotEqualTo(Result.DONE);
        assertThat(other.notes().toString()).doesNotContain("1234", "9999");
        assertThat(info(far).get(PortInfo.M_KEY)).isEqualTo(0x1234);
        assertThat(info(far).getInt(PortInfo.LID)).isPositive();
        assertThat(before).isNotEmpty();
    }

    @Test
    void aKeyIsNotPrinted() {
        assertThat(settings("m_key 0x1234\n").ports().toString())
                .doesNotContain("4660", "1234")
                .contains("an M_Key");
    }
}
