package org.railyard.sm.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadReceiver;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;

/** What a master learns of others although they did not answer its search, or took the subnet behind its back. */
class SilentManagerTest {
    private static final SampleTorus TORUS = SampleTorus.torus(2, 3, 2, 1);
    private static final String OTHER = "H-1.1.1.0";

    private final Managers managers = new Managers(TORUS, 1);

    /** A subnet manager that answers SMInfo, and agrees to everything. */
    private static final class Answering implements MadReceiver {
        private final SimulatedPort port;

        Answering(SimulatedPort port) {
            this.port = port;
        }

        @Override
        public void received(Mad mad, MadAddress from) {
            if (mad.isAbout(SmInfo.TYPE) && (mad.is(MadMethod.GET, false) || mad.is(MadMethod.SET, false))) {
                SmInfo info = SmInfo.TYPE
                        .create()
                        .set(SmInfo.GUID, port.port().portGuid())
                        .set(SmInfo.PRIORITY, 9)
                        .set(SmInfo.STATE, SmRole.STANDBY.code());
                port.send(mad.answer(MadStatus.OK, 0).setData(SmInfo.TYPE, info), from.forAnswer(mad.mgmtClass()), 0);
            }
        }

        @Override
        public void undelivered(Mad mad, int errno) {}

        @Override
        public void failed(ErrnoException why) {}
    }

    private List<String> reasons(Managers.One one) {
        return one.reports.stream().map(report -> report.reason()).toList();
    }

    /** Its answers were lost, or it hung; nobody sends a trap when it answers again. */
    @Test
    void oneThatAnswersLaterIsFoundByALightSweep() {
        SimulatedPort bare = managers.subnet.attach(managers.port(OTHER));
        bare.markSm(true);
        Managers.One master = managers.start("H-0.0.0.0", 1);
        assertThat(managers.settle(master)).isTrue();
        managers.subnet.loop().runFor(60 * Managers.SECOND);
        assertThat(master.master.manager().role()).as("silence is no reason").isEqualTo(SmRole.MASTER);
        int sweeps = master.reports.size();
        bare.receiver(new Answering(bare));
        assertThat(managers.subnet
                        .loop()
                        .runUntil(() -> master.master.manager().role() == SmRole.STANDBY, 30 * Managers.SECOND))
                .isTrue();
        assertThat(reasons(master).subList(sweeps, master.reports.size()))
                .anyMatch(reason -> reason.contains(OTHER) && reason.endsWith("is higher"));
    }

    private void write(SimulatedPort by, Managers.One master, int masterLid) {
        PortInfo written = managers.info(managers.port("H-0.0.0.0"))
                .set(PortInfo.MASTER_SM_LID, masterLid)
                .set(PortInfo.STATE, 0)
                .set(PortInfo.PHYSICAL_STATE, 0);
        by.send(
                Mad.lidRouted(MadMethod.SET, PortInfo.TYPE, Modifiers.port(1)).setData(PortInfo.TYPE, written),
                MadAddress.smp(master.lid()),
                0);
        managers.subnet.loop().runFor(Managers.SECOND / 100);
        assertThat(managers.info(managers.port("H-0.0.0.0")).getInt(PortInfo.MASTER_SM_LID))
                .isEqualTo(masterLid);
    }

    /** Its port does not say that there is a subnet manager, but its LID is written into ours. */
    @Test
    void oneThatOnlyItsLidTellsOfIsAsked() {
        SimulatedPort bare = managers.subnet.attach(managers.port(OTHER));
        Managers.One master = managers.start("H-0.0.0.0", 1);
        assertThat(managers.settle(master)).isTrue();
        bare.receiver(new Answering(bare));
        write(bare, master, managers.info(managers.port(OTHER)).getInt(PortInfo.LID));
        assertThat(managers.subnet
                        .loop()
                        .runUntil(() -> master.master.manager().role() == SmRole.STANDBY, 30 * Managers.SECOND))
                .isTrue();
    }

    /** Another master writes itself into all ports, and takes the bits away that tell of changes. */
    @Test
    void anotherMasterIsSeenAtTheOwnPort() {
        Managers.One master = managers.start("H-0.0.0.0", 1);
        assertThat(managers.settle(master)).isTrue();
        int port = managers.port("H-0.0.0.0");
        write(managers.subnet.attach(managers.port(OTHER)), master, 77);
        int sweeps = master.reports.size();
        managers.subnet.loop().runFor(30 * Managers.SECOND);
        assertThat(reasons(master).subList(sweeps, master.reports.size()))
                .anyMatch(reason -> reason.contains("another subnet manager, at LID 77, has made itself master"));
        assertThat(managers.info(port).getInt(PortInfo.MASTER_SM_LID)).isEqualTo(master.lid());
    }
}
