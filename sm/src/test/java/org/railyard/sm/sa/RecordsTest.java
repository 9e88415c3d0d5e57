package org.railyard.sm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.ClassPortInfo;
import org.railyard.mad.sa.GuidInfoRecord;
import org.railyard.mad.sa.InformInfo;
import org.railyard.mad.sa.LinearForwardingRecord;
import org.railyard.mad.sa.LinkRecord;
import org.railyard.mad.sa.MulticastForwardingRecord;
import org.railyard.mad.sa.NodeRecord;
import org.railyard.mad.sa.PKeyRecord;
import org.railyard.mad.sa.PortInfoRecord;
import org.railyard.mad.sa.SlToVlRecord;
import org.railyard.mad.sa.SmInfoRecord;
import org.railyard.mad.sa.SwitchInfoRecord;
import org.railyard.mad.sa.VlArbitrationRecord;
import org.railyard.mad.smp.GuidInfo;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.MulticastForwardingTable;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.SlToVlTable;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.smp.VlArbitrationTable;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.SaHeader;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.model.SubnetSnapshot;

/** The records that are plain views of the subnet, and who is answered at all. */
final class RecordsTest {
    private static final SampleTorus TORUS = SampleTorus.torus(2, 3, 1, 2);
    private static final int MLID = 0xC021;

    private final SubnetSnapshot snapshot = Snapshots.torus(
            TORUS,
            0,
            PartitionsConf.none(),
            List.of(new MulticastGroup(MLID, 0, List.of(host(TORUS.fabric(), 0), host(TORUS.fabric(), 5)))));
    private final Fabric fabric = snapshot.fabric();
    private final SaClient client = new SaClient(SaSettings.DEFAULT, snapshot, fabric.lid(host(fabric, 1)));

    private static int host(Fabric fabric, int number) {
        return fabric.portIndex(fabric.switchCount() + number, 1);
    }

    private <T extends BitStruct<T>> Mad table(AttributeType<T> type) {
        return client.ask(Mad.sa(MadMethod.GET_TABLE, type, 0));
    }

    private int switchLid(int node) {
        return fabric.lid(fabric.portIndex(node, 0));
    }

    @Test
    void nodes() {
        assertThat(table(NodeRecord.TYPE).records()).isEqualTo(fabric.nodeCount());
        Mad request = Mad.sa(MadMethod.GET_TABLE, NodeRecord.TYPE, 1L << 4);
        request.data(NodeRecord.TYPE).nodeInfo().set(NodeInfo.NODE_TYPE, NodeInfo.SWITCH);
        assertThat(client.ask(request).records()).isEqualTo(fabric.switchCount());
        Mad one = Mad.sa(MadMethod.GET, NodeRecord.TYPE, NodeRecord.LID.mask());
        one.data(NodeRecord.TYPE).set(NodeRecord.LID, fabric.lid(host(fabric, 3)));
        NodeRecord record = client.ask(one).data(NodeRecord.TYPE);
        assertThat(record.nodeInfo().get(NodeInfo.PORT_GUID)).isEqualTo(fabric.portGuid(host(fabric, 3)));
        assertThat(record.nodeDescription().text()).isEqualTo(fabric.description(fabric.nodeOf(host(fabric, 3))));
        assertThat(client.ask(Mad.sa(MadMethod.GET, NodeRecord.TYPE, 0)).status())
                .isEqualTo(MadStatus.SA_TOO_MANY);
    }

    @Test
    void portsHideTheirKeys() {
        Mad all = table(PortInfoRecord.TYPE);
        assertThat(all.records()).isGreaterThan(5 * fabric.switchCount());
        Mad request = Mad.sa(MadMethod.GET, PortInfoRecord.TYPE, 3);
        request.data(PortInfoRecord.TYPE).set(PortInfoRecord.LID, switchLid(1)).set(PortInfoRecord.PORT, 2);
        assertThat(client.ask(request).data(PortInfoRecord.TYPE).portInfo().get(PortInfo.M_KEY))
                .isZero();
        assertThat(client.askTrusted(request)
                        .data(PortInfoRecord.TYPE)
                        .portInfo()
                        .get(PortInfo.M_KEY))
                .isEqualTo(0x1234);
        Mad guess = Mad.sa(MadMethod.GET_TABLE, PortInfoRecord.TYPE, 1L << 3);
        guess.data(PortInfoRecord.TYPE).portInfo().set(PortInfo.M_KEY, 0x1234);
        assertThat(client.ask(guess).records()).as("a key can not be guessed").isZero();
        assertThat(client.askTrusted(guess).records()).isEqualTo(all.records());
    }

    @Test
    void portsByBitsOfTheirCapabilities() {
        Mad request = Mad.sa(MadMethod.GET_TABLE, PortInfoRecord.TYPE, 1L << 7);
        request.data(PortInfoRecord.TYPE).portInfo().set(PortInfo.CAPABILITY_MASK, PortInfo.CAP_NOTICE);
        assertThat(client.ask(request).records()).as("no other bit").isZero();
        request.set(Mad.ATTRIBUTE_MODIFIER, Integer.toUnsignedLong(PortInfoRecord.MATCH_CAPABILITY_BITS));
        assertThat(client.ask(request).records()).isEqualTo(fabric.nodeCount());
        request.saHeader().set(SaHeader.COMPONENT_MASK, 0);
        assertThat(client.ask(request).records())
                .as("bits that are not asked for")
                .isEqualTo(table(PortInfoRecord.TYPE).records());
        request.data(PortInfoRecord.TYPE).set(PortInfoRecord.PORT, 2);
        request.saHeader().set(SaHeader.COMPONENT_MASK, 1L << 7 | PortInfoRecord.PORT.mask());
        assertThat(client.ask(request).records()).as("others count as they do").isZero();
    }

    /** As {@code saquery PIR LID/PORT/128} does. */
    @Test
    void optionsOfPortsDoNotSelect() {
        Mad request = Mad.sa(MadMethod.GET, PortInfoRecord.TYPE, 7);
        request.data(PortInfoRecord.TYPE)
                .set(PortInfoRecord.LID, switchLid(1))
                .set(PortInfoRecord.PORT, 2)
                .set(PortInfoRecord.OPTIONS, 0x80);
        Mad answer = client.ask(request);
        assertThat(answer.status()).isZero();
        assertThat(answer.data(PortInfoRecord.TYPE).getInt(PortInfoRecord.OPTIONS))
                .isEqualTo(0x80);
        request.saHeader().set(SaHeader.COMPONENT_MASK, 3);
        assertThat(client.ask(request).data(PortInfoRecord.TYPE).getInt(PortInfoRecord.OPTIONS))
                .as("not in the mask")
                .isZero();
    }

    @Test
    void switchesAndLinks() {
        assertThat(table(SwitchInfoRecord.TYPE).records()).isEqualTo(fabric.switchCount());
        Mad links = table(LinkRecord.TYPE);
        for (int i = 0; i < links.records(); i++) {
            LinkRecord link = links.record(LinkRecord.TYPE, i);
            Mad back = Mad.sa(MadMethod.GET, LinkRecord.TYPE, 0xF);
            back.data(LinkRecord.TYPE)
                    .set(LinkRecord.FROM_LID, link.getInt(LinkRecord.TO_LID))
                    .set(LinkRecord.FROM_PORT, link.getInt(LinkRecord.TO_PORT))
                    .set(LinkRecord.TO_LID, link.getInt(LinkRecord.FROM_LID))
                    .set(LinkRecord.TO_PORT, link.getInt(LinkRecord.FROM_PORT));
            assertThat(client.ask(back).status()).isZero();
        }
    }

    @Test
    void forwardingTables() {
        int blocks = fabric.maxLid() / LinearForwardingTable.BLOCK + 1;
        Mad all = table(LinearForwardingRecord.TYPE);
        assertThat(all.records()).isEqualTo(blocks * fabric.switchCount());
        for (int i = 0; i < all.records(); i++) {
            LinearForwardingRecord record = all.record(LinearForwardingRecord.TYPE, i);
            int node = fabric.nodeOf(fabric.portOfLid(record.getInt(LinearForwardingRecord.LID)));
            for (int lid = 0; lid < LinearForwardingTable.BLOCK; lid++) {
                assertThat(record.table().getInt(LinearForwardingTable.PORTS, lid))
                        .isEqualTo(snapshot.routing().orElseThrow().forwarding().port(node, lid));
            }
        }
    }

    @Test
    void forwardingTablesOfManyLids() {
        SubnetSnapshot large = Snapshots.torus(SampleTorus.torus(3, 4, 2, 2), 0, PartitionsConf.none());
        SaClient asker = new SaClient(SaSettings.DEFAULT, large, large.fabric().lid(large.smPort()));
        Mad request = Mad.sa(MadMethod.GET, LinearForwardingRecord.TYPE, 3);
        int last = large.fabric().maxLid();
        request.data(LinearForwardingRecord.TYPE)
                .set(
                        LinearForwardingRecord.LID,
                        large.fabric().lid(large.fabric().portIndex(5, 0)))
                .set(LinearForwardingRecord.BLOCK, 1);
        LinearForwardingTable table =
                asker.ask(request).data(LinearForwardingRecord.TYPE).table();
        for (int i = 0; i < LinearForwardingTable.BLOCK; i++) {
            int lid = LinearForwardingTable.BLOCK + i;
            assertThat(table.getInt(LinearForwardingTable.PORTS, i))
                    .isEqualTo(large.routing().orElseThrow().forwarding().port(5, lid))
                    .isBetween(0, lid <= last ? 254 : 255);
        }
        request.data(LinearForwardingRecord.TYPE).set(LinearForwardingRecord.BLOCK, 2);
        assertThat(asker.ask(request).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    @Test
    void multicastTables() {
        Mad all = table(MulticastForwardingRecord.TYPE);
        MulticastTables trees = snapshot.routing().orElseThrow().multicast();
        int inTree = 0;
        for (int node = 0; node < fabric.switchCount(); node++) {
            inTree += Objects.requireNonNull(trees.tree(MLID)).ports(node).isEmpty() ? 0 : 1;
        }
        assertThat(all.records()).as("others send it nowhere").isEqualTo(inTree).isLessThan(fabric.switchCount());
        MulticastTables.Tree tree = Objects.requireNonNull(
                snapshot.routing().orElseThrow().multicast().tree(MLID));
        for (int i = 0; i < all.records(); i++) {
            MulticastForwardingRecord record = all.record(MulticastForwardingRecord.TYPE, i);
            int node = fabric.nodeOf(fabric.portOfLid(record.getInt(MulticastForwardingRecord.LID)));
            assertThat(record.getInt(MulticastForwardingRecord.BLOCK)).isEqualTo(1);
            int mask = record.table().getInt(MulticastForwardingTable.MASKS, 1);
            for (int port = 0; port < 16; port++) {
                assertThat((mask >>> port & 1) != 0).isEqualTo(tree.ports(node).contains(port));
            }
        }
    }

    /** A mask has 16 ports; switches may have more. */
    @Test
    void multicastTablesOfLargeSwitches() {
        StringBuilder text = new StringBuilder("Switch 20 \"S-0\"\n");
        int[] ports = {3, 15, 16, 19};
        for (int port : ports) {
            text.append("[%d] \"H-%d\"[1]\n".formatted(port, port));
        }
        for (int port : ports) {
            text.append("\nCa 1 \"H-%d\"\n[1] \"S-0\"[%d]\n".formatted(port, port));
        }
        Fabric cabled = NetFile.parse(text.toString()).fabric();
        List<Integer> members = List.of(host(cabled, 0), host(cabled, 1), host(cabled, 2), host(cabled, 3));
        SubnetSnapshot large = Snapshots.minHop(cabled, List.of(new MulticastGroup(MLID, 0, members)));
        SaClient asker = new SaClient(SaSettings.DEFAULT, large, large.fabric().lid(large.smPort()));
        Mad all = asker.ask(Mad.sa(MadMethod.GET_TABLE, MulticastForwardingRecord.TYPE, 0));
        assertThat(all.records()).isEqualTo(2);
        int[] masks = {1 << 3 | 1 << 15, 1 | 1 << 3};
        for (int position = 0; position < 2; position++) {
            MulticastForwardingRecord record = all.record(MulticastForwardingRecord.TYPE, position);
            assertThat(record.getInt(MulticastForwardingRecord.POSITION)).isEqualTo(position);
            assertThat(record.table().getInt(MulticastForwardingTable.MASKS, MLID & 31))
                    .isEqualTo(masks[position]);
        }
    }

    @Test
    void slToVlTables() {
        Mad request = Mad.sa(MadMethod.GET_TABLE, SlToVlRecord.TYPE, SlToVlRecord.LID.mask());
        request.data(SlToVlRecord.TYPE).set(SlToVlRecord.LID, switchLid(2));
        Mad all = client.ask(request);
        assertThat(all.records()).isEqualTo((fabric.ports(2) + 1) * fabric.ports(2));
        for (int i = 0; i < all.records(); i++) {
            SlToVlRecord record = all.record(SlToVlRecord.TYPE, i);
            long table = snapshot.routing()
                    .orElseThrow()
                    .slToVl()
                    .table(2, record.getInt(SlToVlRecord.IN_PORT), record.getInt(SlToVlRecord.OUT_PORT));
            for (int sl = 0; sl < 16; sl++) {
                assertThat(record.table().getInt(SlToVlTable.VLS, sl)).isEqualTo(SlToVl.vl(table, sl));
            }
        }
        request.data(SlToVlRecord.TYPE).set(SlToVlRecord.LID, fabric.lid(host(fabric, 0)));
        assertThat(client.ask(request).records()).isEqualTo(1);
    }

    /** A host has one port by its LID, which tools may or may not name. */
    @Test
    void thePortThatIsAskedForCountsOfSwitchesOnly() {
        int lid = fabric.lid(host(fabric, 0));
        for (int port : new int[] {0, 1, 3}) {
            Mad sls = Mad.sa(MadMethod.GET_TABLE, SlToVlRecord.TYPE, 7);
            sls.data(SlToVlRecord.TYPE)
                    .set(SlToVlRecord.LID, lid)
                    .set(SlToVlRecord.IN_PORT, port)
                    .set(SlToVlRecord.OUT_PORT, port);
            assertThat(client.ask(sls).records()).isEqualTo(1);
            Mad weights = Mad.sa(MadMethod.GET_TABLE, VlArbitrationRecord.TYPE, 7);
            weights.data(VlArbitrationRecord.TYPE)
                    .set(VlArbitrationRecord.LID, lid)
                    .set(VlArbitrationRecord.OUT_PORT, port)
                    .set(VlArbitrationRecord.BLOCK, 1);
            Mad found = client.ask(weights);
            assertThat(found.records()).isEqualTo(1);
            assertThat(found.record(VlArbitrationRecord.TYPE, 0).getInt(VlArbitrationRecord.OUT_PORT))
                    .isEqualTo(1);
            Mad keys = Mad.sa(MadMethod.GET_TABLE, PKeyRecord.TYPE, 7);
            keys.data(PKeyRecord.TYPE).set(PKeyRecord.LID, lid).set(PKeyRecord.PORT, port);
            Mad held = client.askTrusted(keys);
            assertThat(held.records()).isEqualTo(1);
            assertThat(held.record(PKeyRecord.TYPE, 0).getInt(PKeyRecord.PORT)).isEqualTo(1);
        }
    }

    @Test
    void otherTables() {
        Mad request = Mad.sa(MadMethod.GET, VlArbitrationRecord.TYPE, 7);
        request.data(VlArbitrationRecord.TYPE)
                .set(VlArbitrationRecord.LID, switchLid(0))
                .set(VlArbitrationRecord.OUT_PORT, 3)
                .set(VlArbitrationRecord.BLOCK, 1);
        assertThat(client.ask(request).data(VlArbitrationRecord.TYPE).table())
                .satisfies(table -> assertThat(table.differences(snapshot.vlArbitration(fabric.portIndex(0, 3), 1)
                                .orElseThrow()))
                        .isEmpty());
        VlArbitrationTable last = VlArbitrationTable.TYPE.create().set(VlArbitrationTable.WEIGHTS, 0, 77);
        SubnetSnapshot longTable = Snapshots.again(snapshot, fabric)
                .vlArbitration(fabric.portIndex(0, 3), 4, last)
                .build();
        request.data(VlArbitrationRecord.TYPE).set(VlArbitrationRecord.BLOCK, 4);
        Mad fourth = new SaClient(SaSettings.DEFAULT, longTable, client.lid).ask(request);
        assertThat(fourth.data(VlArbitrationRecord.TYPE).table().getInt(VlArbitrationTable.WEIGHTS, 0))
                .isEqualTo(77);
        Mad guids = table(GuidInfoRecord.TYPE);
        assertThat(guids.records()).isGreaterThanOrEqualTo(fabric.nodeCount());
        GuidInfoRecord first = guids.record(GuidInfoRecord.TYPE, 0);
        int port = fabric.portOfLid(first.getInt(GuidInfoRecord.LID));
        assertThat(first.table().get(GuidInfo.GUIDS, 0)).isEqualTo(fabric.portGuid(port));
    }

    /** As paths tell them, where ports have several (LMC). */
    @Test
    void eachLidOfAPortIsItsOwn() {
        SubnetSnapshot wide = Snapshots.torus(TORUS, 2, PartitionsConf.none());
        Fabric lids = wide.fabric();
        int port = host(lids, 3);
        SaClient asker = new SaClient(SaSettings.DEFAULT, wide, lids.lid(port) + 1);
        for (int lid = lids.lid(port); lid < lids.lid(port) + 4; lid++) {
            Mad node = Mad.sa(MadMethod.GET, NodeRecord.TYPE, NodeRecord.LID.mask());
            node.data(NodeRecord.TYPE).set(NodeRecord.LID, lid);
            NodeRecord found = asker.ask(node).data(NodeRecord.TYPE);
            assertThat(found.nodeInfo().get(NodeInfo.PORT_GUID)).isEqualTo(lids.portGuid(port));
            assertThat(found.getInt(NodeRecord.LID)).as("the first one").isEqualTo(lids.lid(port));
            Mad weights = Mad.sa(MadMethod.GET_TABLE, VlArbitrationRecord.TYPE, VlArbitrationRecord.LID.mask());
            weights.data(VlArbitrationRecord.TYPE).set(VlArbitrationRecord.LID, lid);
            assertThat(asker.ask(weights).records()).isEqualTo(1);
            Mad from = Mad.sa(MadMethod.GET, LinkRecord.TYPE, LinkRecord.FROM_LID.mask());
            from.data(LinkRecord.TYPE).set(LinkRecord.FROM_LID, lid);
            assertThat(asker.ask(from).status()).isZero();
            Mad to = Mad.sa(MadMethod.GET, LinkRecord.TYPE, LinkRecord.TO_LID.mask());
            to.data(LinkRecord.TYPE).set(LinkRecord.TO_LID, lid);
            assertThat(asker.ask(to).data(LinkRecord.TYPE).getInt(LinkRecord.TO_PORT))
                    .isEqualTo(1);
        }
        int manager = lids.lid(wide.smPort());
        for (int lid : new int[] {manager, manager + 3, manager + 4}) {
            Mad ask = Mad.sa(MadMethod.GET_TABLE, SmInfoRecord.TYPE, SmInfoRecord.LID.mask());
            ask.data(SmInfoRecord.TYPE).set(SmInfoRecord.LID, lid);
            assertThat(asker.ask(ask).records()).isEqualTo(lid < manager + 4 ? 1 : 0);
        }
    }

    @Test
    void keysAreForTheTrusted() {
        Mad keys = Mad.sa(MadMethod.GET_TABLE, PKeyRecord.TYPE, 0);
        assertThat(client.ask(keys).status()).isEqualTo(MadStatus.SA_INVALID);
        Mad all = client.askTrusted(keys);
        assertThat(all.records()).isEqualTo(fabric.nodeCount());
        assertThat(all.record(PKeyRecord.TYPE, 3).table().getInt(PKeyTable.KEYS, 0))
                .isEqualTo(0xFFFF);
        Mad manager = Mad.sa(MadMethod.GET, SmInfoRecord.TYPE, 0);
        assertThat(client.ask(manager).data(SmInfoRecord.TYPE).smInfo().get(SmInfo.SM_KEY))
                .isZero();
        assertThat(client.askTrusted(manager).data(SmInfoRecord.TYPE).smInfo().get(SmInfo.SM_KEY))
                .isEqualTo(1);
    }

    @Test
    void manyKeysTakeSeveralBlocks() {
        List<Integer> keys =
                IntStream.range(0, 40).map(key -> 0x8001 + key).boxed().toList();
        int port = host(fabric, 2);
        SubnetSnapshot many =
                Snapshots.again(snapshot, fabric).pKeys(port, keys).build();
        SaClient asker = new SaClient(SaSettings.DEFAULT, many, fabric.lid(port));
        Mad request = Mad.sa(MadMethod.GET_TABLE, PKeyRecord.TYPE, PKeyRecord.LID.mask());
        request.data(PKeyRecord.TYPE).set(PKeyRecord.LID, fabric.lid(port));
        Mad all = asker.askTrusted(request);
        assertThat(all.records()).isEqualTo(2);
        for (int i = 0; i < 64; i++) {
            PKeyRecord record = all.record(PKeyRecord.TYPE, i / 32);
            assertThat(record.getInt(PKeyRecord.BLOCK)).isEqualTo(i / 32);
            assertThat(record.table().getInt(PKeyTable.KEYS, i % 32)).isEqualTo(i < 40 ? keys.get(i) : 0);
        }
    }

    @Test
    void otherManagersAreListedWhileTheyAreThere() {
        SaClient asker = new SaClient(SaSettings.DEFAULT, snapshot, client.lid);
        for (long guid : new long[] {fabric.portGuid(host(fabric, 4)), 0x77}) {
            asker.managers.add(SmInfo.TYPE
                    .create()
                    .set(SmInfo.GUID, guid)
                    .set(SmInfo.SM_KEY, 5)
                    .set(SmInfo.STATE, SmInfo.STANDBY));
        }
        Mad all = asker.ask(Mad.sa(MadMethod.GET_TABLE, SmInfoRecord.TYPE, 0));
        assertThat(all.records()).as("one has no port").isEqualTo(2);
        SmInfoRecord other = all.record(SmInfoRecord.TYPE, 1);
        assertThat(other.getInt(SmInfoRecord.LID)).isEqualTo(fabric.lid(host(fabric, 4)));
        assertThat(other.smInfo().getInt(SmInfo.STATE)).isEqualTo(SmInfo.STANDBY);
        assertThat(other.smInfo().get(SmInfo.SM_KEY)).isZero();
    }

    @Test
    void whoSharesNoPartitionIsNotSeen() {
        PartitionsConf partitions = PartitionsConf.parse("Default=0x7fff : ALL=limited, SELF=full ;");
        SubnetSnapshot parted = Snapshots.torus(TORUS, 0, partitions);
        SaClient limited = new SaClient(SaSettings.DEFAULT, parted, fabric.lid(host(fabric, 1)));
        Mad all = Mad.sa(MadMethod.GET_TABLE, NodeRecord.TYPE, 0);
        assertThat(limited.ask(all).records()).as("itself and the manager").isEqualTo(2);
        assertThat(limited.askTrusted(all).records()).isEqualTo(fabric.nodeCount());
        Mad links = Mad.sa(MadMethod.GET_TABLE, LinkRecord.TYPE, 0);
        assertThat(limited.ask(links).records())
                .as("to switches that are not seen")
                .isZero();
        assertThat(limited.askTrusted(links).records()).isPositive();
    }

    @Test
    void classPortInfo() {
        ClassPortInfo info =
                client.ask(Mad.sa(MadMethod.GET, ClassPortInfo.TYPE, 0)).data(ClassPortInfo.TYPE);
        // As OpenSM's: Notice, multicast, MultiPathRecord, bits of CapabilityMask.
        assertThat(info.getInt(ClassPortInfo.CAPABILITY_MASK)).isEqualTo(0x2602);
        // MulticastFDBTop, alias GUIDs, extended speeds, send-only full members.
        assertThat(info.getInt(ClassPortInfo.CAPABILITY_MASK2)).isEqualTo(0x10A8);
        assertThat(info.getInt(ClassPortInfo.REDIRECT_QP)).isEqualTo(1);
    }

    @Test
    void whoIsNotKnownIsNotAnswered() {
        Mad request = Mad.sa(MadMethod.GET, ClassPortInfo.TYPE, 0);
        assertThat(client.sa.answer(request, MadAddress.gmp(0x1000, 0))).isEmpty();
        MadAddress own = MadAddress.gmp(client.lid, 0);
        Gid wrong = new Gid(Gid.DEFAULT_PREFIX, 1);
        Gid right = new Gid(Gid.DEFAULT_PREFIX, fabric.portGuid(host(fabric, 1)));
        assertThat(client.sa.answer(request, withGid(own, wrong))).isEmpty();
        assertThat(client.sa.answer(request, withGid(own, right))).isPresent();
        request.saHeader().set(SaHeader.SM_KEY, 2);
        assertThat(client.sa.answer(request, own)).isEmpty();
        assertThat(client.sa.counters().unknownRequesters()).isEqualTo(2);
        assertThat(client.sa.counters().wrongKeys()).isEqualTo(1);
    }

    private static MadAddress withGid(MadAddress of, Gid gid) {
        return new MadAddress(of.lid(), of.qpn(), of.qKey(), of.sl(), 0, 0, gid);
    }

    @Test
    void whatIsNoRequestOfOursIsTold() {
        assertThat(client.ask(Mad.sa(MadMethod.SET, NodeRecord.TYPE, 0)).status())
                .isEqualTo(MadStatus.BAD_ATTRIBUTE);
        assertThat(client.ask(Mad.sa(MadMethod.GET_MULTI, NodeRecord.TYPE, 0)).status())
                .isEqualTo(MadStatus.BAD_ATTRIBUTE);
        assertThat(client.ask(Mad.sa(MadMethod.GET, NodeRecord.TYPE, 0).set(Mad.ATTRIBUTE_ID, 0x7777))
                        .status())
                .isEqualTo(MadStatus.BAD_ATTRIBUTE);
        assertThat(client.ask(Mad.sa(MadMethod.GET, NodeRecord.TYPE, 0).set(Mad.METHOD, 0x7F))
                        .status())
                .isEqualTo(MadStatus.BAD_ATTRIBUTE);
        assertThat(client.ask(Mad.sa(MadMethod.GET, NodeRecord.TYPE, 0).set(Mad.CLASS_VERSION, 1))
                        .status())
                .isEqualTo(MadStatus.BAD_VERSION);
        Mad response = Mad.sa(MadMethod.GET, NodeRecord.TYPE, 0).set(Mad.RESPONSE, 1);
        assertThat(client.sa.answer(response, MadAddress.gmp(client.lid, 0))).isEmpty();
        assertThat(client.ask(Mad.sa(MadMethod.GET, NodeRecord.TYPE, 0)).status())
                .isEqualTo(MadStatus.SA_TOO_MANY);
        assertThat(client.ask(Mad.sa(MadMethod.GET_TABLE, NodeRecord.TYPE, 0)).status())
                .isZero();
        assertThat(client.ask(Mad.sa(MadMethod.GET, InformInfo.TYPE, 0)).status())
                .isEqualTo(MadStatus.BAD_ATTRIBUTE);
        assertThat(client.sa.counters().answersByStatus())
                .isEqualTo(Map.of(
                        MadStatus.OK,
                        1L,
                        MadStatus.BAD_VERSION,
                        1L,
                        MadStatus.BAD_ATTRIBUTE,
                        5L,
                        MadStatus.SA_TOO_MANY,
                        1L));
        assertThat(client.sa.counters().answersByAttribute())
                .as("0 is for those that the SA can not have")
                .isEqualTo(Map.of(0, 1L, NodeRecord.TYPE.id(), 6L, InformInfo.TYPE.id(), 1L));
    }

    @Test
    void beforeTheFirstSweepItIsBusy() {
        SaClient late = new SaClient(SaSettings.DEFAULT, client.lid);
        assertThat(late.ask(Mad.sa(MadMethod.GET, ClassPortInfo.TYPE, 0)).status())
                .isEqualTo(MadStatus.BUSY);
    }
}
