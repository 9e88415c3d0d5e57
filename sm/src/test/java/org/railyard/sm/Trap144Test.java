package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.NodeDescription;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.TrapDetails;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadReceiver;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.sm.lid.LidOrder;

/** A host tells by trap 144 that something about it changed (spec 41 §2). */
class Trap144Test {
    private static final SampleTorus TORUS = SampleTorus.torus(3, 3, 1, 1);

    private final SimulatedSm told = SimulatedSm.of(TORUS, 1);
    private final Fabric fabric = TORUS.fabric();
    private final SimulatedSubnet subnet =
            new SimulatedSubnet(fabric, SimulationSettings.DEFAULT, new SplittableRandom(1));
    private final Port port = new Port(subnet.attach(told.smPort));
    private final SubnetManager manager = new SubnetManager(
            port, SimulatedSm.torus(TORUS).withLids(LidOrder.GUID, 1, true), TextStore.NONE, told, (mad, from) -> {});

    /** Where MADs arrive that no agent of the simulation sends. */
    private static final class Port extends WatchedPort {
        private @Nullable MadReceiver receiver;

        Port(SimulatedPort port) {
            super(port);
        }

        @Override
        public void receiver(MadReceiver to) {
            receiver = to;
            super.receiver(to);
        }

        void arrive(Mad mad, int fromLid) {
            Objects.requireNonNull(receiver).received(mad, MadAddress.smp(fromLid));
        }
    }

    /** Without flags it is about the CapabilityMask. */
    private static Mad changed(int lid, int flags) {
        Notice notice = Notice.TYPE
                .create()
                .set(Notice.IS_GENERIC, 1)
                .set(Notice.TRAP_NUMBER, Notice.LOCAL_CHANGES)
                .set(Notice.ISSUER_LID, lid);
        notice.details()
                .set(TrapDetails.CHANGES_LID, lid)
                .set(TrapDetails.OTHER_CHANGES, flags == 0 ? 0 : 1)
                .set(TrapDetails.CHANGE_FLAGS, flags);
        return Mad.lidRouted(MadMethod.TRAP, Notice.TYPE, 0).setData(Notice.TYPE, notice);
    }

    private void settle() {
        int before = told.reports.size();
        subnet.loop().runUntil(() -> told.reports.size() > before && manager.isIdle(), SimulatedSm.PATIENCE);
    }

    private int lid(int node) {
        Fabric now = manager.snapshot().orElseThrow().fabric();
        return now.lid(now.portIndex(now.nodeOfGuid(fabric.guid(node)), 1));
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                TrapDetails.CHANGED_SM_PRIORITY,
                TrapDetails.CHANGED_SPEED,
                TrapDetails.CHANGED_DESCRIPTION | TrapDetails.CHANGED_WIDTH
            })
    void whatIsNotOnlyTheDescriptionHasAllRead(int flags) {
        subnet.loop().execute(manager::start);
        settle();
        int lid = lid(fabric.nodeCount() - 1);
        subnet.loop().execute(() -> port.arrive(changed(lid, flags), lid));
        settle();
        assertThat(told.last().reason()).isEqualTo("trap 144 from LID " + lid);
        assertThat(told.last().notes()).noneMatch(note -> note.contains("only these were read anew"));
    }

    /** A port with an LMC may send by any of its LIDs. */
    @Test
    void aDescriptionIsReadAgainWhicheverLidTellsOfIt() {
        subnet.loop().execute(manager::start);
        settle();
        int host = fabric.nodeCount() - 1;
        int base = lid(host);
        for (int lid = base; lid < base + 2; lid++) {
            String name = "host by LID " + (lid - base);
            // Without the trap of its agent.
            subnet.tamper(host, mad -> {
                if (mad.isAbout(NodeDescription.TYPE)) {
                    mad.data(NodeDescription.TYPE).setText(NodeDescription.TEXT, name);
                }
                return mad;
            });
            Mad trap = changed(lid, TrapDetails.CHANGED_DESCRIPTION);
            int from = lid;
            subnet.loop().execute(() -> port.arrive(trap, from));
            settle();
            Fabric later = manager.snapshot().orElseThrow().fabric();
            assertThat(later.description(later.nodeOfGuid(fabric.guid(host)))).isEqualTo(name);
            assertThat(told.last().reason()).isEqualTo("descriptions of nodes changed");
        }
    }
}
