package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.sm.program.Executor;

/** Nodes with another LID than they were given: somebody else wrote to them, so that their tables are read again. */
class WrittenByOthersTest {
    private static final SampleTorus TORUS = SampleTorus.torus(3, 3, 1, 1);

    private final SimulatedSm sm = SimulatedSm.of(TORUS, 3).started();

    /** Gives an end port another LID, from the last host. */
    private static void lid(SimulatedSm sm, int port, int lid) {
        int node = sm.fabric.nodeOf(port);
        int number = sm.fabric.portNumber(port);
        PortInfo other = sm.subnet.node(node).portInfo(number);
        Mad set = Mad.lidRouted(MadMethod.SET, PortInfo.TYPE, number)
                .setData(PortInfo.TYPE, other.toSet().set(PortInfo.LID, lid));
        sm.subnet
                .attach(sm.fabric.portIndex(sm.fabric.nodeCount() - 1, 1))
                .send(set, MadAddress.smp(other.getInt(PortInfo.LID)), 0);
        sm.subnet.loop().runFor(SimulatedSm.SECOND / 100);
        assertThat(sm.subnet.node(node).portInfo(number).getInt(PortInfo.LID)).isEqualTo(lid);
    }

    private static void right(SimulatedSm sm) {
        assertThat(sm.settle()).isTrue();
        assertThat(new Devices(sm.subnet).faults(sm.snapshot())).isEmpty();
    }

    /** As all its ports are asked at once, the answer that tells of the LID may be the last one. */
    @Test
    void aSwitchIsNotLeftOutWhateverTheOrderOfItsAnswers() {
        sm.manager.sweepNow("test");
        right(sm);
        int sw = 4;
        lid(sm, sm.fabric.portIndex(sw, 0), 500);
        List<Integer> asked = new ArrayList<>();
        sm.subnet.tamper(sw, mad -> {
            boolean isOfPort0 = mad.isAbout(PortInfo.TYPE) && Modifiers.portOf(mad.modifier()) == 0;
            boolean isFirst = isOfPort0 && !asked.contains(mad.tid());
            asked.add(mad.tid());
            return isFirst ? mad.copy().set(Mad.TRANSACTION_ID, 0) : mad;
        });
        int before = sm.reports.size();
        sm.manager.sweepNow("test");
        right(sm);
        assertThat(sm.reports.subList(before, sm.reports.size()))
                .allSatisfy(report -> assertThat(report.switches()).isEqualTo(sm.fabric.switchCount()));
    }

    /** It takes one discovery, not another one that is more patient. */
    @Test
    void theTablesOfASwitchAreReadWhenItsLidIsSeen() {
        sm.manager.sweepNow("test");
        right(sm);
        sm.manager.sweepNow("test");
        right(sm);
        long usual = sm.last().requests();
        lid(sm, sm.fabric.portIndex(4, 0), 500);
        sm.manager.sweepNow("test");
        right(sm);
        assertThat(sm.last().notes()).anyMatch(note -> note.contains("gets LID"));
        long sets =
                sm.last().phases().stream().mapToLong(Executor.Figures::sets).sum();
        assertThat(sm.last().requests() - sets).isEqualTo(usual + 2);
    }

    @Test
    void keysKeepTheirPlaces() {
        int host = sm.fabric.switchCount() + 2;
        SmSettings settings = SimulatedSm.torus(TORUS);
        keys(sm, settings, 0xFFFF, 0x8010, 0x8020);
        keys(sm, settings, 0xFFFF, 0x8020);
        assertThat(held(sm, host, 1)).containsExactly(0xFFFF, 0, 0x8020);
        lid(sm, sm.fabric.portIndex(host, 1), 500);
        sm.manager.sweepNow("test");
        right(sm);
        assertThat(held(sm, host, 1)).containsExactly(0xFFFF, 0, 0x8020);
    }

    /** What is known of tables is forgotten of all ports; the other one has not been looked at by then. */
    @Test
    void keysOfTheOtherPortKeepTheirPlaces() {
        FabricBuilder builder = new FabricBuilder();
        FabricBuilder.NodeBuilder near = builder.node(NodeType.SWITCH, 1, 4, "near");
        FabricBuilder.NodeBuilder far = builder.node(NodeType.SWITCH, 2, 4, "far");
        FabricBuilder.NodeBuilder first = builder.node(NodeType.CA, 16, 1, "first");
        FabricBuilder.NodeBuilder both = builder.node(NodeType.CA, 32, 2, "both");
        FabricBuilder.NodeBuilder last = builder.node(NodeType.CA, 48, 1, "last");
        builder.connect(near, 1, first, 1);
        builder.connect(near, 2, both, 1);
        builder.connect(near, 3, far, 3);
        builder.connect(far, 2, both, 2);
        builder.connect(far, 1, last, 1);
        SmSettings settings = SmSettings.of(RoutingSettings.of(EngineName.LAYERED.engine(null, false, List.of())));
        SimulatedSm two = new SimulatedSm(builder.build(), settings, TextStore.NONE, 3).started();
        keys(two, settings, 0xFFFF, 0x8010, 0x8020);
        keys(two, settings, 0xFFFF, 0x8020);
        int host = two.fabric.nodeOfGuid(32);
        lid(two, two.fabric.portIndex(host, 1), 500);
        int[] left = {2};
        two.subnet.tamper(
                two.fabric.nodeOfGuid(1),
                mad -> mad.isAbout(SwitchInfo.TYPE) && left[0]-- > 0
                        ? mad.copy()
                                .setData(
                                        SwitchInfo.TYPE,
                                        mad.data(SwitchInfo.TYPE).set(SwitchInfo.STATE_CHANGE, 1))
                        : mad);
        right(two);
        assertThat(two.last().notes()).anyMatch(note -> note.startsWith("1 of 2 switches tell of changes"));
        assertThat(held(two, host, 1)).containsExactly(0xFFFF, 0, 0x8020);
        assertThat(held(two, host, 2)).containsExactly(0xFFFF, 0, 0x8020);
    }

    private static void keys(SimulatedSm sm, SmSettings settings, Integer... keys) {
        SmSettings with = settings.withKeys((_, _) -> List.of(keys));
        sm.subnet.loop().execute(() -> sm.manager.configure(with, "reload"));
        right(sm);
    }

    private static List<Integer> held(SimulatedSm sm, int node, int port) {
        PKeyTable table = sm.subnet.node(node).pKeys(port, 0);
        return IntStream.range(0, 3)
                .mapToObj(i -> table.getInt(PKeyTable.KEYS, i))
                .toList();
    }
}
