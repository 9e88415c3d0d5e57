package org.railyard.sm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.MultiPathRecord;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.sa.SaSelector;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.text.MadText;
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
        assertThat(mtu(SaSelector.EXACTLY, MTU_2048)).isEqualTo(MTU_2048);
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
        int port0 = fabric.portIndex(0, 0);
        SubnetSnapshot changed = Snapshots.torus(TORUS, (said, port) -> {
            if (port == port0) {
                said.set(PortInfo.STATE, PortState.ACTIVE.code()).set(PortInfo.NEIGHBOR_MTU, 1);
            }
        });
        Mad request = query(MadMethod.GET, 0);
        request.data(SaPathRecord.TYPE).setGid(SaPathRecord.DGID, new Gid(Gid.DEFAULT_PREFIX, fabric.portGuid(port0)));
        SaPathRecord path = new SaClient(SaSettings.DEFAULT, changed, fabric.lid(one))
                .ask(request)
                .data(SaPathRecord.TYPE);
        assertThat(path.getInt(SaPathRecord.MTU)).as("port 0 has no link").isEqualTo(MTU_2048 - 1);
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

    @Test
    void theSlowestLinkThatTellsItsRateCounts() {
        int last = fabric.peer(other);
        // 4 lanes of 2.5, 5 or 14 Gb/s, 1 lane of 2.5 Gb/s, nothing told.
        int[] widths = {2, 2, 2, 1, 0};
        int[] speeds = {1, 2, 4, 1, 0};
        int[] extended = {0, 0, 1, 0, 0};
        int[] rates = {RATE_10, RATE_10, RATE_10, 2, RATE_10};
        for (int i = 0; i < widths.length; i++) {
            int link = i;
            SubnetSnapshot changed = Snapshots.torus(TORUS, (said, port) -> {
                if (port == last) {
                    said.set(PortInfo.WIDTH_ACTIVE, widths[link])
                            .set(PortInfo.SPEED_ACTIVE, speeds[link])
                            .set(PortInfo.SPEED_EXT_ACTIVE, extended[link]);
                }
            });
            SaClient asked = new SaClient(SaSettings.DEFAULT, changed, fabric.lid(one));
            assertThat(path(asked, SaPathRecord.NUMB_PATH, 1).getInt(SaPathRecord.RATE))
                    .isEqualTo(rates[i]);
        }
        SubnetSnapshot silent = Snapshots.torus(TORUS, (said, port) -> said.set(PortInfo.WIDTH_ACTIVE, 0));
        SaClient asked = new SaClient(SaSettings.DEFAULT, silent, fabric.lid(one));
        assertThat(path(asked, SaPathRecord.NUMB_PATH, 1).getInt(SaPathRecord.RATE))
                .isEqualTo(RATE_10);
    }

    @Test
    void ratesOfWidthsAndSpeeds() {
        int[] lanes = {1, 4, 8, 12, 2};
        int[] speeds = {25, 50, 100};
        int[] extendedSpeeds = {140, 250, 500, 1000};
        for (int width = 0; width < lanes.length; width++) {
            PortInfo info = PortInfo.TYPE.create().set(PortInfo.WIDTH_ACTIVE, 1 << width);
            for (int speed = 0; speed < speeds.length; speed++) {
                info.set(PortInfo.SPEED_ACTIVE, 1 << speed).set(PortInfo.SPEED_EXT_ACTIVE, 0);
                assertThat(SaRates.ofPort(info)).isEqualTo(lanes[width] * speeds[speed]);
                for (int extended = 0; extended < extendedSpeeds.length; extended++) {
                    info.set(PortInfo.SPEED_EXT_ACTIVE, 1 << extended);
                    assertThat(SaRates.ofPort(info)).isEqualTo(lanes[width] * extendedSpeeds[extended]);
                }
            }
        }
        PortInfo unknown = PortInfo.TYPE
                .create()
                .set(PortInfo.WIDTH_ACTIVE, 1 << lanes.length)
                .set(PortInfo.SPEED_ACTIVE, 1);
        assertThat(SaRates.ofPort(unknown)).isZero();
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

    /** For itself the requester need not say that it is the source. */
    @Test
    void pathsBetweenOthers() {
        int third = host(fabric, 30);
        Mad request = query(MadMethod.GET, 0);
        request.data(SaPathRecord.TYPE).setGid(SaPathRecord.SGID, new Gid(Gid.DEFAULT_PREFIX, fabric.portGuid(third)));
        SaPathRecord path = client.ask(request).data(SaPathRecord.TYPE);
        assertThat(path.getInt(SaPathRecord.SLID)).isEqualTo(fabric.lid(third));
        assertThat(path.getInt(SaPathRecord.DLID)).isEqualTo(fabric.lid(other));
    }

    /** A destination that the tables do not lead to, whatever they do instead. */
    @Test
    void tablesWithHoles() {
        int node = fabric.nodeOf(fabric.peer(one));
        int wrongHost = fabric.portNumber(fabric.peer(host(fabric, 1)));
        assertThat(fabric.nodeOf(fabric.peer(host(fabric, 1)))).isEqualTo(node);
        int good = snapshot.routing().orElseThrow().forwarding().port(node, fabric.lid(other));
        int next = fabric.peer(fabric.portIndex(node, good));
        for (int out : new int[] {255, 254, 0, wrongHost}) {
            assertThat(over(Snapshots.rerouted(snapshot, node, fabric.lid(other), out), 0))
                    .isEqualTo(MadStatus.SA_NO_RECORDS);
        }
        assertThat(over(
                        Snapshots.rerouted(snapshot, fabric.nodeOf(next), fabric.lid(other), fabric.portNumber(next)),
                        0))
                .as("to and fro between two switches")
                .isEqualTo(MadStatus.SA_NO_RECORDS);
        assertThat(over(snapshot, 0)).isZero();
        SubnetSnapshot small = Snapshots.withRouter();
        Fabric nodes = small.fabric();
        int from = nodes.lid(host(nodes, 0));
        Mad request = Mad.sa(MadMethod.GET, SaPathRecord.TYPE, SaPathRecord.DLID.mask());
        request.data(SaPathRecord.TYPE).set(SaPathRecord.DLID, nodes.lid(host(nodes, 1)));
        assertThat(new SaClient(SaSettings.DEFAULT, small, from).ask(request).status())
                .isZero();
        SubnetSnapshot nowhere = Snapshots.rerouted(small, 0, nodes.lid(host(nodes, 1)), 4);
        assertThat(new SaClient(SaSettings.DEFAULT, nowhere, from).ask(request).status())
                .as("out of a port without a cable")
                .isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    @Test
    void aPathWithoutAWayBackIsNotReversible() {
        int node = fabric.nodeOf(fabric.peer(other));
        SubnetSnapshot oneWay = Snapshots.rerouted(snapshot, node, fabric.lid(one), 255);
        assertThat(over(oneWay, 1)).isEqualTo(MadStatus.SA_NO_RECORDS);
        assertThat(over(oneWay, 0)).isZero();
        SaClient asker = new SaClient(SaSettings.DEFAULT, oneWay, fabric.lid(one));
        assertThat(path(asker, SaPathRecord.NUMB_PATH, 1).isSet(SaPathRecord.REVERSIBLE))
                .isFalse();
        assertThat(path(client, SaPathRecord.NUMB_PATH, 1).isSet(SaPathRecord.REVERSIBLE))
                .isTrue();
        Mad plain = query(MadMethod.GET, 0);
        plain.data(SaPathRecord.TYPE).set(SaPathRecord.REVERSIBLE, 1);
        assertThat(asker.ask(plain).status()).as("not in the mask").isZero();
    }

    /** Returns the status of a query that wants a reversible path, or does not mind. */
    private int over(SubnetSnapshot subnet, int reversible) {
        Mad request = query(MadMethod.GET, SaPathRecord.REVERSIBLE.mask());
        request.data(SaPathRecord.TYPE).set(SaPathRecord.REVERSIBLE, reversible);
        return new SaClient(SaSettings.DEFAULT, subnet, fabric.lid(one))
                .ask(request)
                .status();
    }

    /** SLs between different LIDs only. */
    private record Between(Fabric fabric, int sl) implements PathSls {
        @Override
        public int levels() {
            return 1;
        }

        @Override
        public int classes() {
            return fabric.maxLid() + 1;
        }

        @Override
        public int classOf(int lid) {
            return lid;
        }

        @Override
        public int classSl(int sourceClass, int destinationClass, int level) {
            return sourceClass == destinationClass ? NO_SL : sl;
        }
    }

    @Test
    void aPathToItselfNeedsNoSlOfTheEngine() {
        Routing own = snapshot.routing().orElseThrow();
        SubnetSnapshot changed = Snapshots.again(snapshot, fabric)
                .routing(new Routing(
                        own.engine(),
                        own.forwarding(),
                        new Between(fabric, 4),
                        own.slToVl(),
                        own.multicast(),
                        List.of()))
                .build();
        SaClient asker = new SaClient(SaSettings.DEFAULT, changed, fabric.lid(one));
        assertThat(path(asker, SaPathRecord.SL, 4).getInt(SaPathRecord.SL)).isEqualTo(4);
        Mad request = query(MadMethod.GET, SaPathRecord.SL.mask());
        request.data(SaPathRecord.TYPE).set(SaPathRecord.SL, 5);
        assertThat(asker.ask(request).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
        request.data(SaPathRecord.TYPE).setGid(SaPathRecord.DGID, new Gid(Gid.DEFAULT_PREFIX, fabric.portGuid(one)));
        SaPathRecord itself = asker.ask(request).data(SaPathRecord.TYPE);
        assertThat(itself.getInt(SaPathRecord.SL)).isEqualTo(5);
        assertThat(itself.getInt(SaPathRecord.LIFE)).isZero();
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
        Mad toGid = query(MadMethod.GET_TABLE, 0);
        toGid.data(SaPathRecord.TYPE)
                .setGid(SaPathRecord.DGID, new Gid(Gid.DEFAULT_PREFIX, lids.portGuid(lids.portIndex(0, 0))));
        Mad back = asker.ask(toGid);
        assertThat(back.records()).isEqualTo(4);
        for (int i = 0; i < 4; i++) {
            SaPathRecord path = back.record(SaPathRecord.TYPE, i);
            assertThat(path.getInt(SaPathRecord.SLID)).isEqualTo(lids.lid(host(lids, 0)) + i);
            assertThat(path.getInt(SaPathRecord.DLID)).isEqualTo(lids.lid(lids.portIndex(0, 0)));
        }
        Mad fromSwitch = query(MadMethod.GET_TABLE, 0);
        fromSwitch
                .data(SaPathRecord.TYPE)
                .setGid(SaPathRecord.SGID, new Gid(Gid.DEFAULT_PREFIX, lids.portGuid(lids.portIndex(0, 0))));
        Mad found = asker.ask(fromSwitch);
        assertThat(found.records()).isEqualTo(4);
        for (int i = 0; i < 4; i++) {
            SaPathRecord path = found.record(SaPathRecord.TYPE, i);
            assertThat(path.getInt(SaPathRecord.SLID)).isEqualTo(lids.lid(lids.portIndex(0, 0)));
            assertThat(path.getInt(SaPathRecord.DLID)).isEqualTo(lids.lid(host(lids, 17)) + i);
        }
    }

    @Test
    void aLidThatIsReachedIsTaken() {
        SubnetSnapshot wide = Snapshots.torus(TORUS, 1, PartitionsConf.none());
        Fabric lids = wide.fabric();
        int from = host(lids, 0);
        int to = lids.lid(host(lids, 17));
        int node = lids.nodeOf(lids.peer(from));
        SubnetSnapshot holed = Snapshots.rerouted(wide, node, to, 255);
        SaClient asker = new SaClient(SaSettings.DEFAULT, holed, lids.lid(from));
        SaPathRecord path = asker.ask(query(MadMethod.GET, 0)).data(SaPathRecord.TYPE);
        assertThat(path.getInt(SaPathRecord.SLID)).isEqualTo(lids.lid(from) + 1);
        assertThat(path.getInt(SaPathRecord.DLID)).isEqualTo(to + 1);
        Mad only = query(MadMethod.GET, SaPathRecord.DLID.mask());
        only.data(SaPathRecord.TYPE).set(SaPathRecord.DLID, to);
        assertThat(asker.ask(only).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
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

        for (int[] ends : new int[][] {{one, other}, {other, one}, {host(fabric, 3), other}}) {
            Mad foreign = Mad.sa(MadMethod.GET, SaPathRecord.TYPE, SaPathRecord.SLID.mask() | SaPathRecord.DLID.mask());
            foreign.data(SaPathRecord.TYPE)
                    .set(SaPathRecord.SLID, fabric.lid(ends[0]))
                    .set(SaPathRecord.DLID, fabric.lid(ends[1]));
            assertThat(limited.ask(foreign).status())
                    .as("one end is not to be seen")
                    .isEqualTo(MadStatus.SA_NO_RECORDS);
            assertThat(limited.askTrusted(foreign).status()).isZero();
        }

        SaClient member = new SaClient(settings, parted, fabric.lid(host(fabric, 3)));
        Mad inside = Mad.sa(MadMethod.GET, SaPathRecord.TYPE, SaPathRecord.DLID.mask());
        inside.data(SaPathRecord.TYPE).set(SaPathRecord.DLID, fabric.lid(other));
        SaPathRecord found = member.ask(inside).data(SaPathRecord.TYPE);
        assertThat(found.getInt(SaPathRecord.P_KEY)).isEqualTo(0x0010);
        assertThat(found.getInt(SaPathRecord.SL))
                .isEqualTo(parted.routing().orElseThrow().sls().sl(fabric.lid(host(fabric, 3)), fabric.lid(other), 8));
    }

    /** Whoever asks by the key of a full or a limited member gets a record of that key, whatever its port holds. */
    @Test
    void aPathHasThePKeyThatWasAskedFor() {
        for (int key : new int[] {0xFFFF, 0x7FFF}) {
            Mad answer = with(SaPathRecord.P_KEY, key);
            assertThat(answer.status()).isZero();
            assertThat(answer.data(SaPathRecord.TYPE).getInt(SaPathRecord.P_KEY))
                    .isEqualTo(key);
        }
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
        assertThat(path.getInt(SaPathRecord.FLOW_LABEL)).isZero();
        Mad labelled = query(MadMethod.GET, SaPathRecord.FLOW_LABEL.mask() | SaPathRecord.TCLASS.mask());
        labelled.data(SaPathRecord.TYPE)
                .setGid(SaPathRecord.DGID, 0xFEC0_0000_0000_0001L, 0x77)
                .set(SaPathRecord.FLOW_LABEL, 0x12345)
                .set(SaPathRecord.TCLASS, 9);
        SaPathRecord with = routed.ask(labelled).data(SaPathRecord.TYPE);
        assertThat(with.getInt(SaPathRecord.FLOW_LABEL)).isEqualTo(0x12345);
        assertThat(with.getInt(SaPathRecord.TCLASS)).isEqualTo(9);
        labelled.saHeader().set(SaHeader.COMPONENT_MASK, request.saHeader().get(SaHeader.COMPONENT_MASK));
        long both = MultiPathRecord.FLOW_LABEL.mask() | MultiPathRecord.TCLASS.mask();
        for (long mask : new long[] {both, 0}) {
            Mad many = multi(
                    mask,
                    asked -> asked.set(MultiPathRecord.FLOW_LABEL, 0x12345)
                            .set(MultiPathRecord.TCLASS, 9)
                            .setGid(1, new Gid(0xFEC0_0000_0000_0001L, 0x77)));
            SaPathRecord found = routed.ask(many).record(SaPathRecord.TYPE, 0);
            assertThat(found.getInt(SaPathRecord.FLOW_LABEL)).isEqualTo(mask == 0 ? 0 : 0x12345);
            assertThat(found.getInt(SaPathRecord.TCLASS)).isEqualTo(mask == 0 ? 0 : 9);
        }
        SaPathRecord without = routed.ask(labelled).data(SaPathRecord.TYPE);
        assertThat(without.getInt(SaPathRecord.FLOW_LABEL))
                .as("not in the mask")
                .isZero();
        assertThat(without.getInt(SaPathRecord.TCLASS)).isZero();
    }

    @Test
    void aRouterThatIsNotNamedIsFound() {
        SubnetSnapshot small = Snapshots.withRouter();
        Fabric nodes = small.fabric();
        int from = host(nodes, 0);
        Mad request = Mad.sa(MadMethod.GET, SaPathRecord.TYPE, SaPathRecord.DGID.mask());
        request.data(SaPathRecord.TYPE).setGid(SaPathRecord.DGID, 0xFEC0_0000_0000_0001L, 0x77);
        PrefixRoutes routes = PrefixRoutes.parse("fec0000000000001 *");
        SaSettings settings = SaSettings.DEFAULT.withPrefixRoutes(routes);
        SaPathRecord path =
                new SaClient(settings, small, nodes.lid(from)).ask(request).data(SaPathRecord.TYPE);
        int router = nodes.portIndex(nodes.nodeCount() - 1, 2);
        assertThat(path.getInt(SaPathRecord.DLID)).isEqualTo(nodes.lid(router)).isNotZero();
        SaClient alone = new SaClient(settings, Snapshots.without(small, router), nodes.lid(from));
        assertThat(alone.ask(request).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
        Mad group = Mad.sa(MadMethod.GET, SaPathRecord.TYPE, SaPathRecord.DGID.mask());
        group.data(SaPathRecord.TYPE).setGid(SaPathRecord.DGID, 0xFF12_401B_FFFF_0000L, 0xFFFF_FFFFL);
        SaSettings any = SaSettings.DEFAULT.withPrefixRoutes(PrefixRoutes.parse("* *"));
        SaClient everywhere = new SaClient(any, small, nodes.lid(from));
        assertThat(everywhere.ask(request).status()).isZero();
        assertThat(everywhere.ask(group).status())
                .as("a group is in no other subnet")
                .isEqualTo(MadStatus.SA_NO_RECORDS);
        SaClient hosts = new SaClient(settings, snapshot, fabric.lid(one));
        assertThat(hosts.ask(request).status()).as("no router").isEqualTo(MadStatus.SA_NO_RECORDS);
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

    /** One more record than there is room for, and as many as there is room for. */
    @Test
    void anAnswerMayBeAsLargeAsTheLimit() {
        Mad from = Mad.sa(MadMethod.GET_TABLE, SaPathRecord.TYPE, SaPathRecord.SLID.mask());
        from.data(SaPathRecord.TYPE).set(SaPathRecord.SLID, fabric.lid(one));
        int records = fabric.switchCount() + 48;
        for (int room : new int[] {records, records - 1}) {
            SaLimits limits = new SaLimits(room * SaPathRecord.TYPE.recordSize(), 1, 1, 1, 1, 1, 1, 1, 1);
            SaClient asker = new SaClient(SaSettings.DEFAULT.withLimits(limits), snapshot, fabric.lid(one));
            Mad answer = asker.ask(from);
            assertThat(answer.status()).isEqualTo(room == records ? 0 : MadStatus.SA_NO_RESOURCES);
            assertThat(answer.records()).isEqualTo(room == records ? records : 0);
        }
    }

    /** From the first host to the other one, for {@code GetMulti}. */
    private Mad multi(long mask, Consumer<MultiPathRecord> change) {
        Mad request = Mad.sa(MadMethod.GET_MULTI, MultiPathRecord.TYPE, mask);
        MultiPathRecord asked = request.data(MultiPathRecord.TYPE)
                .set(MultiPathRecord.SGID_COUNT, 1)
                .set(MultiPathRecord.DGID_COUNT, 1)
                .setGid(0, new Gid(Gid.DEFAULT_PREFIX, fabric.portGuid(one)))
                .setGid(1, new Gid(Gid.DEFAULT_PREFIX, fabric.portGuid(other)));
        change.accept(asked);
        return request;
    }

    private int found(SaClient asker, BitField field, long value) {
        assertThat(asker.ask(multi(0, asked -> asked.set(field, value))).records())
                .as("%s, not in the mask", field.name())
                .isEqualTo(1);
        return asker.ask(multi(field.mask(), asked -> asked.set(field, value))).records();
    }

    /** As OpenSM does, so that whoever reads the answer knows what it holds. */
    @Test
    void theAnswerToAMultiPathRecordHoldsPathRecords() {
        Mad answer = client.ask(multi(0, asked -> asked.set(MultiPathRecord.NUMB_PATH, 1)));
        assertThat(answer.attributeId()).isEqualTo(0x35);
        assertThat(MadText.line(answer)).contains("SA GetMultiResp PathRecord", "DLID=" + fabric.lid(other));
    }

    @Test
    void pathsBetweenManyPortsMayBeAskedForMore() {
        int sl = snapshot.routing().orElseThrow().sls().sl(fabric.lid(one), fabric.lid(other), 0);
        assertThat(found(client, MultiPathRecord.SL, sl)).isEqualTo(1);
        assertThat(found(client, MultiPathRecord.SL, sl ^ 1)).isZero();
        assertThat(found(client, MultiPathRecord.P_KEY, 0xFFFF)).isEqualTo(1);
        assertThat(found(client, MultiPathRecord.P_KEY, 0x8001)).isZero();
        assertThat(found(client, MultiPathRecord.RAW_TRAFFIC, 1)).isZero();
        assertThat(found(client, MultiPathRecord.RAW_TRAFFIC, 0)).isEqualTo(1);
        SubnetSnapshot oneWay = Snapshots.rerouted(snapshot, fabric.nodeOf(fabric.peer(other)), fabric.lid(one), 255);
        SaClient asker = new SaClient(SaSettings.DEFAULT, oneWay, fabric.lid(one));
        assertThat(found(asker, MultiPathRecord.REVERSIBLE, 1)).isZero();
        assertThat(found(asker, MultiPathRecord.REVERSIBLE, 0)).isEqualTo(1);
        BitField[][] values = {
            {MultiPathRecord.MTU_SELECTOR, MultiPathRecord.MTU},
            {MultiPathRecord.RATE_SELECTOR, MultiPathRecord.RATE},
            {MultiPathRecord.LIFE_SELECTOR, MultiPathRecord.LIFE}
        };
        int[] much = {MTU_2048, RATE_10, 18};
        for (int i = 0; i < values.length; i++) {
            int value = much[i];
            BitField[] pair = values[i];
            Consumer<MultiPathRecord> more =
                    asked -> asked.set(pair[0], SaSelector.GREATER).set(pair[1], value);
            assertThat(client.ask(multi(pair[0].mask() | pair[1].mask(), more)).records())
                    .isZero();
            assertThat(client.ask(multi(pair[0].mask(), more)).records()).isEqualTo(1);
            assertThat(client.ask(multi(pair[1].mask(), more)).records()).isEqualTo(1);
        }
        Mad nothing = multi(
                MultiPathRecord.MTU_SELECTOR.mask() | MultiPathRecord.MTU.mask(),
                asked -> asked.set(MultiPathRecord.MTU_SELECTOR, SaSelector.EXACTLY)
                        .set(MultiPathRecord.MTU, 6));
        assertThat(client.ask(nothing).status()).isEqualTo(MadStatus.SA_INVALID);
    }

    @Test
    void pathsBetweenManyPortsHaveTheirLevel() {
        QosPolicy policy = QosPolicy.parse("""
            qos-levels
                qos-level
                    name: DEFAULT
                    sl: 8
                end-qos-level
                qos-level
                    name: Slow
                    sl: 0
                    mtu-limit: 2
                end-qos-level
                qos-level
                    name: Tagged
                    sl: 0
                    mtu-limit: 1
                    pkey: 0x7fff
                end-qos-level
            end-qos-levels
            port-groups
                port-group
                    name: Others
                    port-guid: 0x%x
                end-port-group
                port-group
                    name: Manager
                    node-type: SELF
                end-port-group
            end-port-groups
            qos-match-rules
                qos-match-rule
                    source: Others
                    service-id: 0x4200000000000017
                    qos-level-name: Tagged
                end-qos-match-rule
                qos-match-rule
                    source: Manager
                    service-id: 0x4200000000000017
                    qos-level-name: Slow
                end-qos-match-rule
                qos-match-rule
                    qos-class: 5
                    qos-level-name: Tagged
                end-qos-match-rule
            end-qos-match-rules
            """.formatted(fabric.portGuid(host(fabric, 9))), PartitionsConf.none());
        SaClient asker = new SaClient(SaSettings.DEFAULT.withQos(policy), snapshot, fabric.lid(one));
        long service = MultiPathRecord.SERVICE_ID_HIGH.mask() | MultiPathRecord.SERVICE_ID_LOW.mask();
        Consumer<MultiPathRecord> named = asked -> asked.set(MultiPathRecord.SERVICE_ID_HIGH, 0x42)
                .set(MultiPathRecord.SERVICE_ID_LOW, 0x17)
                .set(MultiPathRecord.QOS_CLASS, 5);
        assertThat(mtuOf(asker.ask(multi(service, named)))).isEqualTo(2);
        assertThat(mtuOf(asker.ask(multi(MultiPathRecord.SERVICE_ID_LOW.mask(), named))))
                .isEqualTo(MTU_2048);
        assertThat(mtuOf(asker.ask(multi(MultiPathRecord.SERVICE_ID_HIGH.mask(), named))))
                .isEqualTo(MTU_2048);
        assertThat(mtuOf(asker.ask(multi(MultiPathRecord.QOS_CLASS.mask(), named))))
                .isEqualTo(1);
        Mad plain = asker.ask(multi(0, named));
        assertThat(mtuOf(plain)).isEqualTo(MTU_2048);
        assertThat(plain.record(SaPathRecord.TYPE, 0).getInt(SaPathRecord.SL))
                .as("of the level that is for all others")
                .isGreaterThanOrEqualTo(8);
        Mad from = multi(service, named);
        from.data(MultiPathRecord.TYPE).setGid(0, new Gid(Gid.DEFAULT_PREFIX, fabric.portGuid(host(fabric, 9))));
        assertThat(mtuOf(asker.ask(from))).isEqualTo(1);
        Mad keyed = query(MadMethod.GET, SaPathRecord.QOS_CLASS.mask() | SaPathRecord.P_KEY.mask());
        keyed.data(SaPathRecord.TYPE).set(SaPathRecord.QOS_CLASS, 5).set(SaPathRecord.P_KEY, 0x7FFF);
        assertThat(asker.ask(keyed).status()).as("the P_Key of the level").isZero();
        SubnetSnapshot.Builder both = Snapshots.again(snapshot, fabric);
        both.pKeys(one, List.of(0xFFFF, 0x8010)).pKeys(other, List.of(0xFFFF, 0x8010));
        SaClient parted = new SaClient(SaSettings.DEFAULT.withQos(policy), both.build(), fabric.lid(one));
        keyed.data(SaPathRecord.TYPE).set(SaPathRecord.P_KEY, 0x8010);
        assertThat(parted.ask(keyed).status()).as("another one").isEqualTo(MadStatus.SA_NO_RECORDS);
        keyed.data(SaPathRecord.TYPE).set(SaPathRecord.QOS_CLASS, 4);
        assertThat(parted.ask(keyed).status()).isZero();
    }

    private static int mtuOf(Mad answer) {
        assertThat(answer.records()).isEqualTo(1);
        return answer.record(SaPathRecord.TYPE, 0).getInt(SaPathRecord.MTU);
    }

    /** Each pair has as many paths as are asked for; what was asked before does not count. */
    @Test
    void pathsOfEachPairAreCounted() {
        SubnetSnapshot wide = Snapshots.torus(TORUS, 2, PartitionsConf.none());
        Fabric lids = wide.fabric();
        SaClient asker = new SaClient(SaSettings.DEFAULT, wide, lids.lid(host(lids, 0)));
        Mad before = query(MadMethod.GET, SaPathRecord.SLID.mask() | SaPathRecord.DLID.mask());
        before.data(SaPathRecord.TYPE)
                .set(SaPathRecord.SLID, lids.lid(host(lids, 0)) + 1)
                .set(SaPathRecord.DLID, lids.lid(host(lids, 17)) + 1);
        assertThat(asker.ask(before).status()).isZero();
        Mad all = asker.ask(multi(0, asked -> asked.set(MultiPathRecord.NUMB_PATH, 3)));
        assertThat(all.records()).isEqualTo(16);
        assertThat(asker.ask(multi(MultiPathRecord.NUMB_PATH.mask(), asked -> asked.set(MultiPathRecord.NUMB_PATH, 3)))
                        .records())
                .isEqualTo(3);
        Mad unknown = multi(0, asked -> asked.setGid(1, new Gid(Gid.DEFAULT_PREFIX, 1)));
        assertThat(asker.ask(unknown).records()).isZero();
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
        int most = (Mad.SA_DATA_SIZE - MultiPathRecord.LAYOUT.size()) / MultiPathRecord.GID_BYTES;
        for (int count : new int[] {most - 1, most}) {
            Mad one = multi(0, record -> record.set(MultiPathRecord.DGID_COUNT, count));
            assertThat(client.ask(one).status())
                    .as("%d GIDs in a MAD that has room for %d", count + 1, most)
                    .isEqualTo(count < most ? 0 : MadStatus.SA_INVALID);
        }
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
