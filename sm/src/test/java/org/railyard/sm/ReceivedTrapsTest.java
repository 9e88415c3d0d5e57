package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.railyard.base.ErrnoException;
import org.railyard.mad.sim.VirtualLoop;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.TrapDetails;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.role.SmRole;
import org.railyard.sm.subnet.ManagedNode;

/** What is told of traps, and how often. */
final class ReceivedTrapsTest implements SmListener {
    private static final int SWITCH_LID = 3;
    private static final int HOST_LID = 8;
    private static final int STRANGER = 99;
    private static final long SECOND = 1_000_000_000L;

    private final VirtualLoop loop = new VirtualLoop();
    private final Map<Long, ManagedNode> nodes = new LinkedHashMap<>();
    private final List<String> told = new ArrayList<>();
    private final List<String> noise = new ArrayList<>();
    private final ReceivedTraps traps = new ReceivedTraps(loop, this, nodes);

    ReceivedTrapsTest() {
        add(NodeInfo.SWITCH, 4, "S\u001b[2J-1", 0, SWITCH_LID, 0);
        add(NodeInfo.CA, 2, "H-1", 2, HOST_LID, 1);
    }

    private void add(int type, int ports, String description, int port, int lid, int lmc) {
        ManagedNode node = new ManagedNode(NodeInfo.TYPE
                .create()
                .set(NodeInfo.NODE_TYPE, type)
                .set(NodeInfo.NUM_PORTS, ports)
                .set(NodeInfo.NODE_GUID, lid));
        node.description(description);
        node.port(port, PortInfo.TYPE.create().set(PortInfo.LID, lid).set(PortInfo.LMC, lmc));
        nodes.put((long) lid, node);
    }

    private static Notice generic(int number) {
        return Notice.TYPE.create().set(Notice.IS_GENERIC, 1).set(Notice.TRAP_NUMBER, number);
    }

    private String text(Notice notice, int fromLid) {
        assertThat(traps.received(notice, fromLid)).isTrue();
        return told.getLast();
    }

    @Test
    void linksAndChangesAreNamed() {
        Notice link = generic(Notice.LINK_STATE);
        link.details().set(TrapDetails.SWITCH_LID, SWITCH_LID);
        assertThat(text(link, SWITCH_LID)).isEqualTo("trap 128 from LID 3 (S_[2J-1): a port changed its state");
        link.details().set(TrapDetails.SWITCH_LID, 0);
        assertThat(text(link, SWITCH_LID)).endsWith("): a port changed its state");
        Notice errors = generic(Notice.LINK_INTEGRITY);
        errors.details().set(TrapDetails.PORT_LID, SWITCH_LID).set(TrapDetails.PORT, 4);
        assertThat(text(errors, SWITCH_LID)).isEqualTo("trap 129 from LID 3 (S_[2J-1): port 4: too many link errors");
        assertThat(text(errors, STRANGER))
                .isEqualTo("trap 129 from LID 99: port 4 of LID 3 (S_[2J-1): too many link errors");
        Notice change = generic(Notice.LOCAL_CHANGES);
        change.details()
                .set(TrapDetails.CHANGES_LID, HOST_LID + 1)
                .set(TrapDetails.OTHER_CHANGES, 1)
                .set(TrapDetails.CHANGE_FLAGS, TrapDetails.CHANGED_DESCRIPTION | TrapDetails.CHANGED_SPEED | 0x100);
        assertThat(text(change, HOST_LID + 1))
                .isEqualTo("trap 144 from LID 9 (H-1[2]): changed: description, enabled link speed, flags 0x0100");
        change.details()
                .set(
                        TrapDetails.CHANGE_FLAGS,
                        TrapDetails.CHANGED_WIDTH
                                | TrapDetails.CHANGED_SM_PRIORITY
                                | TrapDetails.CHANGED_CAPABILITY_MASK2);
        assertThat(text(change, HOST_LID + 1))
                .endsWith("changed: enabled link width, priority of the subnet manager, CapabilityMask2");
        change.details().set(TrapDetails.OTHER_CHANGES, 0).set(TrapDetails.CAPABILITY_MASK, 0x8251_0868L);
        assertThat(text(change, HOST_LID + 1)).endsWith("changed: CapabilityMask, now 0x82510868");
        Notice image = generic(Notice.SYSTEM_IMAGE_GUID);
        image.details().set(TrapDetails.SYSTEM_LID, HOST_LID).set(TrapDetails.SYSTEM_IMAGE_GUID, 0xfedcL);
        assertThat(text(image, HOST_LID)).endsWith("the system image GUID is 0x000000000000fedc now");
    }

    private String source(int lid) {
        return text(generic(Notice.LINK_INTEGRITY), lid).replaceAll("trap 129 from (.*): port .*", "$1");
    }

    /** Not those of whoever had the LID when it was last looked for. */
    @Test
    void sourcesAreNamedByTheLastSweep() {
        assertThat(source(HOST_LID)).isEqualTo("LID 8 (H-1[2])");
        assertThat(source(HOST_LID - 1)).isEqualTo("LID 7");
        assertThat(source(HOST_LID + 2)).as("behind the two of its LMC").isEqualTo("LID 10");
        Objects.requireNonNull(nodes.get((long) HOST_LID))
                .port(2, PortInfo.TYPE.create().set(PortInfo.LID, 20));
        assertThat(source(HOST_LID)).as("it has another one").isEqualTo("LID 8");
        assertThat(source(20)).isEqualTo("LID 20 (H-1[2])");
        add(NodeInfo.CA, 1, "H-3", 1, 20, 0);
        nodes.remove((long) HOST_LID);
        assertThat(source(20)).as("another node has it").isEqualTo("LID 20 (H-3[1])");
        nodes.clear();
        assertThat(source(20)).isEqualTo("LID 20");
    }

    @Test
    void wrongKeysAreToldWithWhoUsedThem() {
        Notice mKey = generic(Notice.BAD_M_KEY);
        mKey.details()
                .set(TrapDetails.M_KEY_LID, HOST_LID)
                .set(TrapDetails.M_KEY_METHOD, 2)
                .set(TrapDetails.M_KEY_ATTRIBUTE, PortInfo.TYPE.id())
                .set(TrapDetails.M_KEY_MODIFIER, 2)
                .set(TrapDetails.M_KEY, 0xabcdef77L);
        assertThat(text(mKey, HOST_LID))
                .isEqualTo("trap 256 from LID 8 (H-1[2]): an SMP with a wrong M_Key: Set PortInfo port 2,"
                        + " LID 8 (H-1[2])");
        mKey.details()
                .set(TrapDetails.M_KEY_METHOD, 0x7F)
                .set(TrapDetails.M_KEY_ATTRIBUTE, 0xFF33)
                .set(TrapDetails.M_KEY_DIRECTED, 1)
                .set(TrapDetails.M_KEY_PATH_CUT, 1)
                .set(TrapDetails.M_KEY_DR_SLID, 0xFFFF)
                .set(TrapDetails.M_KEY_HOPS, 63);
        assertThat(text(mKey, HOST_LID))
                .contains("method 0x7f attribute 0xff33", "DrSLID 65535, return path 0,0,0,", "0,0 and more")
                .doesNotContainIgnoringCase("abcdef77");

        Notice pKey = generic(Notice.BAD_P_KEY);
        pKey.details()
                .set(TrapDetails.KEY_LID1, STRANGER)
                .set(TrapDetails.KEY_LID2, HOST_LID)
                .set(TrapDetails.KEY, 0x8011)
                .set(TrapDetails.KEY_SL, 5)
                .set(TrapDetails.KEY_QP1, 18)
                .set(TrapDetails.KEY_QP2, 1);
        assertThat(text(pKey, HOST_LID))
                .endsWith(": wrong P_Key 0x8011, from LID 99 QP 18 to LID 8 (H-1[2]) QP 1, SL 5");
        pKey.set(Notice.TRAP_NUMBER, Notice.BAD_Q_KEY);
        pKey.details().set(TrapDetails.KEY, 0x8001_0000L);
        assertThat(text(pKey, HOST_LID)).contains("wrong Q_Key 0x80010000, from LID 99 QP 18");

        Notice atSwitch = generic(Notice.SWITCH_BAD_P_KEY);
        atSwitch.details()
                .set(TrapDetails.SWITCH_KEY_SWITCH, SWITCH_LID)
                .set(TrapDetails.SWITCH_KEY_PORT, 4)
                .set(TrapDetails.SWITCH_KEY, 0x11)
                .set(TrapDetails.SWITCH_KEY_LID1, HOST_LID)
                .set(TrapDetails.SWITCH_KEY_LID2, STRANGER);
        assertThat(text(atSwitch, SWITCH_LID))
                .contains("port 4 of LID 3 (S_[2J-1) saw a wrong P_Key 0x0011, from LID 8 (H-1[2]) QP 0 to LID 99");
        assertThat(text(Notice.TYPE.create().set(Notice.PRODUCER_TYPE, 0x2c9), STRANGER))
                .isEqualTo("trap 0 of vendor 0x0002c9 from LID 99");
    }

    @Test
    void aNoisySourceIsNamedWhenItBeginsAndWhenItEnds() {
        for (int i = 0; i < 3 * TrapFilter.MOST_OF_ALL; i++) {
            traps.received(generic(Notice.LINK_INTEGRITY), HOST_LID);
        }
        for (int i = 0; i < TrapFilter.MOST_OF_ALL; i++) {
            traps.received(generic(Notice.LINK_STATE), HOST_LID);
        }
        assertThat(told).hasSize(TrapFilter.MOST);
        assertThat(noise)
                .containsExactly("true: LID 8 (H-1[2]) sends too many traps, such as 129: they are ignored until there"
                        + " were not so many for a minute");
        loop.runFor(40 * SECOND);
        for (int i = 0; i <= TrapFilter.MOST_OF_ALL; i++) {
            assertThat(traps.received(generic(Notice.LINK_INTEGRITY), HOST_LID)).isFalse();
        }
        loop.runFor(40 * SECOND);
        assertThat(noise).as("there were too many within a minute").hasSize(1);
        loop.runFor(21 * SECOND);
        assertThat(noise).hasSize(2);
        assertThat(noise.getLast())
                .isEqualTo("false: LID 8 (H-1[2]) is quiet again: its traps count, 191 were ignored");
        assertThat(traps.received(generic(Notice.LINK_INTEGRITY), HOST_LID)).isTrue();
        loop.runFor(200 * SECOND);
        assertThat(noise).hasSize(2);
    }

    @Test
    void trapsAreCountedByKnownNumbers() {
        traps.received(generic(Notice.LINK_STATE), SWITCH_LID);
        for (int i = 0; i < 2; i++) {
            traps.received(Notice.TYPE.create().set(Notice.TRAP_NUMBER, Notice.LINK_STATE), SWITCH_LID);
        }
        for (int number = 300; number < 400; number++) {
            traps.received(generic(number), STRANGER);
        }
        assertThat(traps.counts()).hasSize(11).containsEntry("128", 1L).containsEntry("129", 0L);
        assertThat(traps.counts()).containsEntry("other", 102L);
        assertThat(traps.ignored()).isEqualTo(100 - TrapFilter.MOST_OF_ALL);
    }

    @Test
    void nothingIsToldAfterTheEnd() {
        for (int i = 0; i < 2 * TrapFilter.MOST; i++) {
            traps.received(generic(Notice.LINK_INTEGRITY), HOST_LID);
        }
        traps.stop();
        loop.runFor(200 * SECOND);
        assertThat(noise).hasSize(1);
    }

    @Override
    public void trapped(Notice notice, int fromLid, String text) {
        told.add(text);
    }

    @Override
    public void noisy(int fromLid, boolean isIgnored, String text) {
        noise.add(isIgnored + ": " + text);
    }

    @Override
    public void swept(SweepReport report) {
        throw new AssertionError();
    }

    @Override
    public void published(SubnetSnapshot snapshot) {
        throw new AssertionError();
    }

    @Override
    public void failed(ErrnoException why) {
        throw why;
    }

    @Override
    public void role(SmRole role, String why) {
        throw new AssertionError();
    }
}
