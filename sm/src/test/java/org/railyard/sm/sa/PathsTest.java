package org.railyard.sm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.MultiPathRecord;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.sa.SaSelector;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.SaHeader;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.conf.PrefixRoutes;
import org.railyard.sm.conf.QosPolicy;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.testkit.Requirement;

/** PathRecord and MultiPathRecord. */
final class PathsTest {
    private static final SampleTorus TORUS = SampleTorus.torus(3, 4, 2, 2);
    private static final int MTU_2048 = 4;
    private static final int RATE_10 = 3;

    private final SubnetSnapshot snapshot = Snapshots.torus(TORUS, 0, PartitionsConf.none());
    private final Fabric fabric = snapshot.fabric();
    private final int one = host(fabric, 0);
    private final int other = host(fabric, 17);
    private final SaClient client = new SaClient(SaSettings.DEFAULT, snapshot, fabric.lid(one));

    private static int host(Fabric fabric, int number) {
        return fabric.portIndex(fabric.switchCount() + number, 1);
    }

    private Mad query(MadMethod method, long mask) {
        Mad request = Mad.sa(method, SaPathRecord.TYPE, mask | SaPathRecord.SGID.mask() | SaPathRecord.DGID.mask());
        request.data(SaPathRecord.TYPE)
                .setGid(SaPathRecord.SGID, Gid.DEFAULT_PREFIX, fabric.portGuid(one))
                .setGid(SaPathRecord.DGID, Gid.DEFAULT_PREFIX, fabric.portGuid(other));
        return request;
    }

    /** Asks for the path from one host to another with a value, and its selector, if it has one. */
    private Mad with(BitField field, long value) {
        Mad request = query(MadMethod.GET, field.mask());
        request.data(SaPathRecord.TYPE).set(field, value);
        return client.ask(request);
    }

    private Mad selected(BitField selector, int how, BitField field, int value) {
        Mad request = query(MadMethod.GET, selector.mask() | field.mask());
        request.data(SaPathRecord.TYPE).set(selector, how).set(field, value);
        return client.ask(request);
    }

    private int mtu(int how, int value) {
        Mad answer = selected(SaPathRecord.MTU_SELECTOR, how, SaPathRecord.MTU, value);
        return answer.status() != 0
                ? -answer.status()
                : answer.data(SaPathRecord.TYPE).getInt(SaPathRecord.MTU);
    }

    private int rate(int how, int value) {
        Mad answer = selected(SaPathRecord.RATE_SELECTOR, how, SaPathRecord.RATE, value);
        return answer.status() != 0
                ? -answer.status()
                : answer.data(SaPathRecord.TYPE).getInt(SaPathRecord.RATE);
    }

    private int life(int how, int value) {
        Mad answer = selected(SaPathRecord.LIFE_SELECTOR, how, SaPathRecord.LIFE, value);
        return answer.status() != 0
                ? -answer.status()
                : answer.data(SaPathRecord.TYPE).getInt(SaPathRecord.LIFE);
    }

    @Test
    void selectorsOfTheMtu() {
        int none = -MadStatus.SA_NO_RECORDS;
        assertThat(mtu(SaSelector.GREATER, 3)).isEqualTo(MTU_2048);
        assertThat(mtu(SaSelector.GREATER, 4)).isEqualTo(none);
        assertThat(mtu(SaSelector.LESS, 5)).isEqualTo(MTU_2048);
        assertThat(mtu(SaSelector.LESS, 3)).isEqualTo(2);
        assertThat(mtu(SaSelector.LESS, 1)).isEqualTo(none);
        assertThat(mtu(SaSelector.EXACTLY, 2)).isEqualTo(2);
        assertThat(mtu(SaSelector.EXACTLY, 5)).isEqualTo(none);
        assertThat(mtu(SaSelector.LARGEST, 0)).isEqualTo(MTU_2048);
        assertThat(mtu(SaSelector.EXACTLY, 0)).isEqualTo(-MadStatus.SA_INVALID);
        assertThat(mtu(SaSelector.GREATER, 63)).isEqualTo(-MadStatus.SA_INVALID);
    }

    /** Whoever sends more than the link takes is not told: the other end drops it. */
    @Test
    void aLinkThatIsUpWithASmallerMtuCounts() {
        assertThat(mtuOver(PortState.ACTIVE, MTU_2048 - 2)).isEqualTo(MTU_2048 - 2);
        assertThat(mtuOver(PortState.INIT, MTU_2048 - 2)).as("not in use yet").isEqualTo(MTU_2048);
        assertThat(mtuOver(PortState.ACTIVE, 0)).as("not told").isEqualTo(MTU_2048);
    }

    /** Returns the MTU of a path whose last link has this one. */
    private int mtuOver(PortState state, int mtu) {
        int last = fabric.peer(other);
        SubnetSnapshot changed = Snapshots.torus(TORUS, (said, port) -> {
            if (port == last) {
                said.set(PortInfo.STATE, state.code()).set(PortInfo.NEIGHBOR_MTU, mtu);
            }
        });
        SaClient asked = new SaClient(SaSettings.DEFAULT, changed, fabric.lid(one));
        return path(asked, SaPathRecord.NUMB_PATH, 1).getInt(SaPathRecord.MTU);
    }

    private SaPathRecord path(SaClient asked, BitField field, long value) {
        Mad request = query(MadMethod.GET, field.mask());
        request.data(SaPathRecord.TYPE).set(field, value);
        Mad answer = asked.ask(request);
        assertThat(answer.status()).isZero();
        return answer.data(SaPathRecord.TYPE);
    }

    /** Of the SL of a level torus-2QoS takes the QoS level, and no other bit. */
    @Test
    void levelsOfThePolicy() {
        QosPolicy policy = QosPolicy.parse("""
            qos-levels
                qos-level
                    name: DEFAULT
                    sl: 3
                end-qos-level
                qos-level
                    name: Slow
                    sl: 9
                    mtu-limit: 2
                    rate-limit: 5
                    packet-life: 16
                end-qos-level
                qos-level
                    name: Other partition
                    sl: 0
                    pkey: 0x10
                end-qos-level
            end-qos-levels
            port-groups
                port-group
                    name: Target
                    port-guid: 0x%x
                end-port-group
            end-port-groups
            qos-match-rules
                qos-match-rule
                    destination: Target
                    service-id: 100-200
                    qos-level-name: Slow
                end-qos-match-rule
                qos-match-rule
                    qos-class: 5
                    qos-level-name: Other partition
                end-qos-match-rule
            end-qos-match-rules
            """.formatted(fabric.portGuid(other)), PartitionsConf.none());
        SaClient asked = new SaClient(SaSettings.DEFAULT.withQos(policy), snapshot, fabric.lid(one));
        PathSls sls = snapshot.routing().orElseThrow().sls();
        SaPathRecord plain = path(asked, SaPathRecord.SERVICE_ID, 99);
        assertThat(plain.getInt(SaPathRecord.SL)).isEqualTo(sls.sl(fabric.lid(one), fabric.lid(other), 0));
        assertThat(plain.getInt(SaPathRecord.MTU)).isEqualTo(MTU_2048);
        SaPathRecord slow = path(asked, SaPathRecord.SERVICE_ID, 150);
        assertThat(slow.getInt(SaPathRecord.SL))
                .isEqualTo(sls.sl(fabric.lid(one), fabric.lid(other), 8))
                .isGreaterThanOrEqualTo(8);
        assertThat(slow.getInt(SaPathRecord.MTU)).isEqualTo(2);
        assertThat(slow.getInt(SaPathRecord.RATE)).isEqualTo(5);
        assertThat(slow.getInt(SaPathRecord.LIFE)).isEqualTo(16);
        Mad request = query(MadMethod.GET, SaPathRecord.QOS_CLASS.mask());
        request.data(SaPathRecord.TYPE).set(SaPathRecord.QOS_CLASS, 5);
        assertThat(asked.ask(request).status()).as("no such P_Key").isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    /** Codes of rates are not in the order of rates: 5 is 5 Gb/s, 3 is 10 Gb/s. */
    @Test
    void selectorsOfTheRate() {
        int none = -MadStatus.SA_NO_RECORDS;
        assertThat(rate(SaSelector.GREATER, 5)).isEqualTo(RATE_10);
        assertThat(rate(SaSelector.GREATER, RATE_10)).isEqualTo(none);
        assertThat(rate(SaSelector.LESS, 24)).isEqualTo(RATE_10);
        assertThat(rate(SaSelector.LESS, RATE_10)).isEqualTo(5);
        assertThat(rate(SaSelector.LESS, 2)).isEqualTo(none);
        assertThat(rate(SaSelector.EXACTLY, 2)).isEqualTo(2);
        assertThat(rate(SaSelector.EXACTLY, 12)).isEqualTo(none);
        assertThat(rate(SaSelector.LARGEST, 0)).isEqualTo(RATE_10);
        assertThat(rate(SaSelector.EXACTLY, 1)).isEqualTo(-MadStatus.SA_INVALID);
    }

    @Test
    void selectorsOfThePacketLife() {
        int none = -MadStatus.SA_NO_RECORDS;
        assertThat(life(SaSelector.GREATER, 17)).isEqualTo(18);
        assertThat(life(SaSelector.GREATER, 18)).isEqualTo(none);
        assertThat(life(SaSelector.LESS, 19)).isEqualTo(18);
        assertThat(life(SaSelector.LESS, 18)).isEqualTo(none);
        assertThat(life(SaSelector.EXACTLY, 18)).isEqualTo(18);
        assertThat(life(SaSelector.EXACTLY, 17)).isEqualTo(none);
        assertThat(life(SaSelector.LARGEST, 0)).isEqualTo(18);
    }

    @Test
    @Requirement("t2q-035")
    void theSlIsTheEnginesForEveryPairAndLevel() {
        PathSls sls = snapshot.routing().orElseThrow().sls();
        for (int from = 0; from < fabric.portCount(); from++) {
            for (int to = 0; to < fabric.portCount(); to++) {
                if (!fabric.isEndPort(from) || !fabric.isEndPort(to) || from == to) {
                    continue;
                }
                for (int level = 0; level < 2; level++) {
                    int sl = sls.sl(fabric.lid(from), fabric.lid(to), 8 * level);
                    Mad request = Mad.sa(
                            MadMethod.GET,
                            SaPathRecord.TYPE,
                            SaPathRecord.SLID.mask() | SaPathRecord.DLID.mask() | SaPathRecord.SL.mask());
                    request.data(SaPathRecord.TYPE)
                            .set(SaPathRecord.SLID, fabric.lid(from))
                            .set(SaPathRecord.DLID, fabric.lid(to))
                            .set(SaPathRecord.SL, sl);
                    assertThat(client.ask(request).data(SaPathRecord.TYPE).getInt(SaPathRecord.SL))
                            .isEqualTo(sl);
                }
            }
        }
    }

    @Test
    void anotherSlThanTheEnginesHasNoRecord() {
        int sl = snapshot.routing().orElseThrow().sls().sl(fabric.lid(one), fabric.lid(other), 0);
        assertThat(with(SaPathRecord.SL, sl).status()).isZero();
        assertThat(with(SaPathRecord.SL, sl ^ 1).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    @Test
    void endsThatContradictEachOther() {
        Mad request = query(MadMethod.GET, SaPathRecord.DLID.mask());
        request.data(SaPathRecord.TYPE).set(SaPathRecord.DLID, fabric.lid(one));
        assertThat(client.ask(request).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
        request.data(SaPathRecord.TYPE).set(SaPathRecord.DLID, fabric.lid(other));
        assertThat(client.ask(request).status()).isZero();
    }

    @Test
    void rawTrafficIsNotCarried() {
        assertThat(with(SaPathRecord.RAW_TRAFFIC, 1).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
        assertThat(with(SaPathRecord.RAW_TRAFFIC, 0).status()).isZero();
    }

    @Test
    void severalLidsOfAPortGiveSeveralPaths() {
        SubnetSnapshot wide = Snapshots.torus(TORUS, 2, PartitionsConf.none());
        Fabric lids = wide.fabric();
        SaClient asker = new SaClient(SaSettings.DEFAULT, wide, lids.lid(host(lids, 0)));
        Mad request = query(MadMethod.GET_TABLE, SaPathRecord.NUMB_PATH.mask());
        request.data(SaPathRecord.TYPE).set(SaPathRecord.NUMB_PATH, 127);
        Mad all = asker.ask(request);
        assertThat(all.records()).isEqualTo(16);
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < all.records(); i++) {
            SaPathRecord path = all.record(SaPathRecord.TYPE, i);
            pairs.add(path.getInt(SaPathRecord.SLID) - lids.lid(host(lids, 0)) + ":"
                    + (path.getInt(SaPathRecord.DLID) - lids.lid(host(lids, 17))));
        }
        assertThat(pairs).doesNotHaveDuplicates().startsWith("0:0", "1:1", "2:2", "3:3");
        request.data(SaPathRecord.TYPE).set(SaPathRecord.NUMB_PATH, 3);
        assertThat(asker.ask(request).records()).isEqualTo(3);
        Mad ofLid = query(MadMethod.GET_TABLE, SaPathRecord.DLID.mask());
        ofLid.data(SaPathRecord.TYPE).set(SaPathRecord.DLID, lids.lid(host(lids, 17)) + 2);
        assertThat(asker.ask(ofLid).records()).isEqualTo(4);
        Mad toSwitch = Mad.sa(MadMethod.GET_TABLE, SaPathRecord.TYPE, SaPathRecord.DLID.mask());
        toSwitch.data(SaPathRecord.TYPE).set(SaPathRecord.DLID, lids.lid(lids.portIndex(0, 0)));
        assertThat(asker.ask(toSwitch).records()).isEqualTo(4);
    }

    @Test
    void partitionsSeparate() {
        String guid = "0x%x".formatted(fabric.portGuid(other));
        PartitionsConf partitions = PartitionsConf.parse("""
            Default=0x7fff : ALL=limited, SELF=full ;
            Some=0x10, sl=8 : %s=full, 0x%x=limited ;
            """.formatted(guid, fabric.portGuid(host(fabric, 3))));
        SubnetSnapshot parted = Snapshots.torus(TORUS, 0, partitions);
        SaSettings settings = SaSettings.DEFAULT.withPartitions(partitions);
        SaClient manager = new SaClient(settings, parted, fabric.lid(one));
        SaPathRecord path = manager.ask(query(MadMethod.GET, 0)).data(SaPathRecord.TYPE);
        assertThat(path.getInt(SaPathRecord.P_KEY)).isEqualTo(0xFFFF);

        SaClient limited = new SaClient(settings, parted, fabric.lid(host(fabric, 5)));
        Mad between = Mad.sa(MadMethod.GET, SaPathRecord.TYPE, SaPathRecord.DLID.mask());
        between.data(SaPathRecord.TYPE).set(SaPathRecord.DLID, fabric.lid(host(fabric, 7)));
        assertThat(limited.ask(between).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
        assertThat(limited.askTrusted(between).status())
                .as("two limited members, whoever asks")
                .isEqualTo(MadStatus.SA_NO_RECORDS);

        SaClient member = new SaClient(settings, parted, fabric.lid(host(fabric, 3)));
        Mad inside = Mad.sa(MadMethod.GET, SaPathRecord.TYPE, SaPathRecord.DLID.mask());
        inside.data(SaPathRecord.TYPE).set(SaPathRecord.DLID, fabric.lid(other));
        SaPathRecord found = member.ask(inside).data(SaPathRecord.TYPE);
        assertThat(found.getInt(SaPathRecord.P_KEY)).isEqualTo(0x0010);
        assertThat(found.getInt(SaPathRecord.SL))
                .isEqualTo(parted.routing().orElseThrow().sls().sl(fabric.lid(host(fabric, 3)), fabric.lid(other), 8));
    }

    @Test
    void otherSubnetsAreReachedByTheirRouters() {
        Mad request = query(MadMethod.GET, 0);
        request.data(SaPathRecord.TYPE).setGid(SaPathRecord.DGID, 0xFEC0_0000_0000_0001L, 0x77);
        assertThat(client.ask(request).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
        PrefixRoutes routes = PrefixRoutes.parse("fec0000000000001 %x".formatted(fabric.portGuid(other)));
        SaClient routed = new SaClient(SaSettings.DEFAULT.withPrefixRoutes(routes), snapshot, fabric.lid(one));
        SaPathRecord path = routed.ask(request).data(SaPathRecord.TYPE);
        assertThat(path.getInt(SaPathRecord.DLID)).isEqualTo(fabric.lid(other));
        assertThat(path.getGid(SaPathRecord.DGID)).isEqualTo(new Gid(0xFEC0_0000_0000_0001L, 0x77));
        assertThat(path.getInt(SaPathRecord.HOP_LIMIT)).isEqualTo(255);
    }

    @Test
    void aHostSeesThePortsOfItsPartitionFromItsOwn() {
        Mad from = Mad.sa(MadMethod.GET_TABLE, SaPathRecord.TYPE, SaPathRecord.SLID.mask());
        from.data(SaPathRecord.TYPE).set(SaPathRecord.SLID, fabric.lid(one));
        int seen = client.ask(from).records();
        from.data(SaPathRecord.TYPE).set(SaPathRecord.SLID, fabric.lid(other));
        assertThat(client.ask(from).records()).as("to itself").isEqualTo(1);
        from.data(SaPathRecord.TYPE).set(SaPathRecord.SLID, fabric.lid(one));
        assertThat(seen).isEqualTo(client.askTrusted(from).records()).isGreaterThan(48);
    }

    @Test
    void aRequestForVeryManyPairsIsRefused() throws Exception {
        SubnetSnapshot wide = Snapshots.torus(TORUS, 7, PartitionsConf.none());
        SaClient asker = new SaClient(SaSettings.DEFAULT, wide, wide.fabric().lid(one));
        byte[] bytes = new byte[Mad.SA_DATA + MultiPathRecord.LAYOUT.size() + 100 * MultiPathRecord.GID_BYTES];
        // No path has this SL: all pairs of LIDs are looked at.
        Mad small = Mad.sa(MadMethod.GET_MULTI, MultiPathRecord.TYPE, MultiPathRecord.SL.mask());
        System.arraycopy(small.bytes(), 0, bytes, 0, Mad.SIZE);
        Mad request = Mad.over(bytes);
        MultiPathRecord asked = request.data(MultiPathRecord.TYPE)
                .set(MultiPathRecord.SL, 15)
                .set(MultiPathRecord.SGID_COUNT, 50)
                .set(MultiPathRecord.DGID_COUNT, 50);
        for (int i = 0; i < 100; i++) {
            asked.setGid(i, new Gid(Gid.DEFAULT_PREFIX, wide.fabric().portGuid(host(wide.fabric(), i % 48))));
        }
        assertThat(asker.ask(request).status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
    }

    @Test
    void answersAreLimited() {
        SaLimits limits = SaLimits.DEFAULT;
        SaLimits small = new SaLimits(640, limits.memberships(), limits.membershipsPerPort(), 1, 1, 1, 1, 1, 1);
        SaClient asker = new SaClient(SaSettings.DEFAULT.withLimits(small), snapshot, fabric.lid(one));
        Mad all = Mad.sa(MadMethod.GET_TABLE, SaPathRecord.TYPE, 0);
        assertThat(asker.ask(all).records()).as("its own").isEqualTo(1);
        assertThat(asker.askTrusted(all).status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
        Mad from = Mad.sa(MadMethod.GET_TABLE, SaPathRecord.TYPE, SaPathRecord.SLID.mask());
        from.data(SaPathRecord.TYPE).set(SaPathRecord.SLID, fabric.lid(one));
        assertThat(asker.askTrusted(from).status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
    }

    @Test
    void pathsBetweenManyPorts() throws Exception {
        byte[] bytes = new byte[1024];
        Mad small = Mad.sa(MadMethod.GET_MULTI, MultiPathRecord.TYPE, 0);
        System.arraycopy(small.bytes(), 0, bytes, 0, Mad.SIZE);
        Mad request = Mad.over(bytes);
        MultiPathRecord asked = request.data(MultiPathRecord.TYPE)
                .set(MultiPathRecord.SGID_COUNT, 2)
                .set(MultiPathRecord.DGID_COUNT, 9);
        for (int i = 0; i < 11; i++) {
            asked.setGid(i, new Gid(Gid.DEFAULT_PREFIX, fabric.portGuid(host(fabric, i))));
        }
        Mad answer = client.ask(request);
        assertThat(answer.is(MadMethod.GET_MULTI, true)).isTrue();
        assertThat(answer.saHeader().getInt(SaHeader.ATTRIBUTE_OFFSET)).isEqualTo(8);
        assertThat(answer.records()).isEqualTo(18);
        assertThat(answer.record(SaPathRecord.TYPE, 17).getInt(SaPathRecord.DLID))
                .isEqualTo(fabric.lid(host(fabric, 10)));
        asked.set(MultiPathRecord.DGID_COUNT, 255);
        assertThat(client.ask(request).status()).isEqualTo(MadStatus.SA_INVALID);
        asked.set(MultiPathRecord.DGID_COUNT, 0);
        assertThat(client.ask(request).status()).isEqualTo(MadStatus.SA_FEW_COMPONENTS);
    }

    @Test
    void withoutRoutesThereAreNoPaths() {
        SubnetSnapshot bare = new SubnetSnapshot.Builder(1, 0, fabric, one).build();
        SaClient asker = new SaClient(SaSettings.DEFAULT, bare, fabric.lid(one));
        assertThat(asker.askTrusted(query(MadMethod.GET, 0)).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
    }
}
