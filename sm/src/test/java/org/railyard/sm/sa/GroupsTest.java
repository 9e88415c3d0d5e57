package org.railyard.sm.sa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.InformInfo;
import org.railyard.mad.sa.McMemberRecord;
import org.railyard.mad.sa.ReportNotice;
import org.railyard.mad.sa.SaSelector;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.conf.PartitionGroup;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.model.GroupMembers;
import org.railyard.sm.model.SubnetSnapshot;

/** Multicast groups: beside what the captured queries show. */
final class GroupsTest {
    private static final SampleTorus TORUS = SampleTorus.torus(2, 3, 1, 2);
    private static final long JOIN =
            McMemberRecord.MGID.mask() | McMemberRecord.PORT_GID.mask() | McMemberRecord.JOIN_STATE.mask();
    private static final long CREATE = JOIN
            | McMemberRecord.Q_KEY.mask()
            | McMemberRecord.P_KEY.mask()
            | McMemberRecord.TCLASS.mask()
            | McMemberRecord.SL.mask()
            | McMemberRecord.FLOW_LABEL.mask();
    private static final Gid GROUP = new Gid(0xFF12_0000_0000_0000L, 0x42);

    private final SubnetSnapshot snapshot = Snapshots.torus(TORUS, 0, PartitionsConf.none());
    private final Fabric fabric = snapshot.fabric();
    private final SaClient client = client(SaSettings.DEFAULT.withGroupSls(SaSettings.TORUS_GROUP_SLS));

    private SaClient client(SaSettings settings) {
        return new SaClient(settings, snapshot, fabric.lid(host(1)));
    }

    private int host(int number) {
        return fabric.portIndex(fabric.switchCount() + number, 1);
    }

    private Mad request(MadMethod method, long mask, Gid mgid, int port, int state) {
        Mad request = Mad.sa(method, McMemberRecord.TYPE, mask);
        request.data(McMemberRecord.TYPE)
                .setGid(McMemberRecord.MGID, mgid)
                .setGid(McMemberRecord.PORT_GID, Gid.DEFAULT_PREFIX, fabric.portGuid(port))
                .set(McMemberRecord.JOIN_STATE, state)
                .set(McMemberRecord.P_KEY, 0xFFFF);
        return request;
    }

    private Mad create(Gid mgid) {
        return request(MadMethod.SET, CREATE, mgid, host(1), McMemberRecord.FULL_MEMBER);
    }

    private int createWith(BitField selector, int how, BitField field, int value) {
        Mad request = request(
                MadMethod.SET, CREATE | selector.mask() | field.mask(), Gid.ZERO, host(1), McMemberRecord.FULL_MEMBER);
        request.data(McMemberRecord.TYPE).set(selector, how).set(field, value);
        Mad answer = client.ask(request);
        return answer.status() != 0
                ? -answer.status()
                : answer.data(McMemberRecord.TYPE).getInt(field);
    }

    @Test
    void aNewGroupHasWhatIsAskedForOrWhatThePortCan() {
        BitField how = McMemberRecord.MTU_SELECTOR;
        assertThat(createWith(how, SaSelector.EXACTLY, McMemberRecord.MTU, 2)).isEqualTo(2);
        assertThat(createWith(how, SaSelector.LARGEST, McMemberRecord.MTU, 0)).isEqualTo(4);
        assertThat(createWith(how, SaSelector.LESS, McMemberRecord.MTU, 4)).isEqualTo(3);
        assertThat(createWith(how, SaSelector.EXACTLY, McMemberRecord.MTU, 5)).isEqualTo(-MadStatus.SA_INVALID);
        assertThat(createWith(how, SaSelector.EXACTLY, McMemberRecord.MTU, 0)).isEqualTo(-MadStatus.SA_INVALID);
        BitField rate = McMemberRecord.RATE_SELECTOR;
        assertThat(createWith(rate, SaSelector.EXACTLY, McMemberRecord.RATE, 5)).isEqualTo(5);
        assertThat(createWith(rate, SaSelector.GREATER, McMemberRecord.RATE, 3)).isEqualTo(-MadStatus.SA_INVALID);
        assertThat(client.sa.counters().memberships()).isEqualTo(4);
    }

    private List<String> configure(String partitions) {
        PartitionsConf conf = PartitionsConf.parse(partitions);
        return client.sa.configure(
                SaSettings.DEFAULT.withPartitions(conf),
                conf.keys(snapshot.fabric().portGuid(snapshot.smPort())));
    }

    /** torus-2QoS needs the other bits of an SL for itself. */
    @Test
    void theSlOfAPartitionMeansItsLevelWhereThereAreOnlyLevels() {
        PartitionsConf conf = PartitionsConf.parse("""
            Default=0x7fff, ipoib : ALL=full ;
            A=0x10, ipoib, sl=3 : ALL=full ;
            B=0x11, ipoib, sl=11 : ALL=full ;
            """);
        for (boolean torus : new boolean[] {true, false}) {
            SaSettings settings = SaSettings.DEFAULT.withPartitions(conf);
            SaClient asker = client(torus ? settings.withGroupSls(SaSettings.TORUS_GROUP_SLS) : settings);
            for (int key : new int[] {0x10, 0x11}) {
                Mad ask = Mad.sa(MadMethod.GET, McMemberRecord.TYPE, McMemberRecord.MGID.mask());
                ask.data(McMemberRecord.TYPE)
                        .setGid(McMemberRecord.MGID, PartitionGroup.broadcast(key, PartitionGroup.DEFAULT_SCOPE));
                int level = key == 0x10 ? 0 : 8;
                assertThat(asker.askTrusted(ask).data(McMemberRecord.TYPE).getInt(McMemberRecord.SL))
                        .isEqualTo(torus ? level : level + 3);
            }
        }
    }

    private boolean isThere(Gid mgid) {
        Mad ask = Mad.sa(MadMethod.GET, McMemberRecord.TYPE, McMemberRecord.MGID.mask());
        ask.data(McMemberRecord.TYPE).setGid(McMemberRecord.MGID, mgid);
        return client.ask(ask).status() == MadStatus.OK;
    }

    @Test
    void otherPartitionsChangeOnlyWhatNobodyUses() {
        Gid broadcast = new Gid(0xFF12_401B_FFFF_0000L, 0xFFFF_FFFFL);
        assertThat(client.ask(request(MadMethod.SET, JOIN, broadcast, host(1), 1))
                        .status())
                .isZero();
        assertThat(client.ask(create(GROUP)).status()).isZero();

        assertThat(configure("Default=0x7fff, ipoib, mtu=3 : ALL=full ;"))
                .singleElement()
                .asString()
                .contains("stays as it is while it has members");
        assertThat(configure("Default=0x7fff : ALL=full ;")).isEmpty();
        assertThat(isThere(broadcast)).as("it has a member").isTrue();
        assertThat(client.ask(request(MadMethod.DELETE, JOIN, broadcast, host(1), 1))
                        .status())
                .isZero();
        assertThat(isThere(broadcast)).as("and now nothing keeps it").isFalse();

        assertThat(configure("Default=0x7fff, ipoib, mtu=3 : ALL=full ;")).isEmpty();
        assertThat(isThere(broadcast)).isTrue();
        assertThat(configure("Default=0x7fff, ipoib, mtu=4 : ALL=full ;")).isEmpty();
        Mad joined = client.ask(request(MadMethod.SET, JOIN, broadcast, host(1), 1));
        assertThat(joined.data(McMemberRecord.TYPE).getInt(McMemberRecord.MTU)).isEqualTo(4);
        client.sa.checkInvariants();
    }

    @Test
    void whoIsNoMemberOfThePartitionAnyMoreIsTakenOut() {
        assertThat(client.ask(create(GROUP)).status()).isZero();
        Mad other = request(MadMethod.SET, JOIN, GROUP, host(2), McMemberRecord.FULL_MEMBER);
        client.lid = fabric.lid(host(2));
        assertThat(client.ask(other).status()).isZero();
        assertThat(client.sa.groups().getFirst().portGuids()).hasSize(2);
        String stays = "0x%x".formatted(fabric.portGuid(host(2)));
        configure("Default=0x7fff : SELF=full, " + stays + "=full ;");
        assertThat(client.sa.groups().getFirst().portGuids()).containsExactly(fabric.portGuid(host(2)));
        configure("Default=0x7fff : SELF=full ;");
        assertThat(client.sa.groups()).isEmpty();
        assertThat(isThere(GROUP)).isFalse();
        assertThat(client.sa.counters().memberships()).isZero();
        client.sa.checkInvariants();
    }

    @Test
    void prefixAndLimitsStay() {
        assertThatThrownBy(() -> client.sa.configure(
                        SaSettings.DEFAULT.withLimits(new SaLimits(4096, 1, 1, 1, 1, 1, 1, 1, 1)),
                        PartitionsConf.none().keys(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void addressesThatCanNotBe() {
        for (long prefix : new long[] {
            0xFE12_0000_0000_0000L, // no multicast
            0xFF22_0000_0000_0000L, // a flag that nobody knows
            0xFF10_0000_0000_0000L, // no scope
            0xFF1F_0000_0000_0000L, // a reserved scope
            0xFF12_401B_8001_0000L // IP of another partition
        }) {
            assertThat(client.ask(create(new Gid(prefix, 1))).status()).isEqualTo(MadStatus.SA_INVALID);
        }
        assertThat(client.ask(create(new Gid(0xFF12_401B_FFFF_0000L, 1))).status())
                .isZero();
    }

    @Test
    void theScopeThatIsAskedForIsThatOfTheAddress() {
        Mad other = withScope(GROUP, 5);
        assertThat(client.ask(other).status()).isEqualTo(MadStatus.SA_INVALID);
        assertThat(client.ask(withScope(GROUP, 2)).status()).isZero();
        assertThat(client.ask(withScope(Gid.ZERO, 0)).status()).isEqualTo(MadStatus.SA_INVALID);
        Mad made = client.ask(withScope(Gid.ZERO, 5));
        assertThat(made.data(McMemberRecord.TYPE).getInt(McMemberRecord.SCOPE)).isEqualTo(5);
        assertThat(made.data(McMemberRecord.TYPE).getGid(McMemberRecord.MGID).prefix() >>> 48)
                .isEqualTo(0xFF15);
        assertThat(client.ask(create(Gid.ZERO))
                                .data(McMemberRecord.TYPE)
                                .getGid(McMemberRecord.MGID)
                                .prefix()
                        >>> 48)
                .isEqualTo(0xFF12);
    }

    private Mad withScope(Gid mgid, int scope) {
        long mask = CREATE | McMemberRecord.SCOPE.mask();
        Mad request = request(MadMethod.SET, mask, mgid, host(1), McMemberRecord.FULL_MEMBER);
        request.data(McMemberRecord.TYPE).set(McMemberRecord.SCOPE, scope);
        return request;
    }

    @Test
    void onlyFullMembersMakeAndKeepAGroup() {
        Mad sender = request(MadMethod.SET, CREATE, GROUP, host(1), McMemberRecord.SEND_ONLY_NON_MEMBER);
        assertThat(client.ask(sender).status()).isEqualTo(MadStatus.SA_INVALID);
        int mlid = client.ask(create(GROUP)).data(McMemberRecord.TYPE).getInt(McMemberRecord.MLID);
        assertThat(mlid).isEqualTo(0xC001);
        client.lid = fabric.lid(host(2));
        Mad other = request(MadMethod.SET, JOIN, GROUP, host(2), McMemberRecord.NON_MEMBER);
        assertThat(client.ask(other).status()).isZero();
        client.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        assertThat(client.routed)
                .containsExactly(List.of(
                        new GroupMembers(mlid, 0, List.of(fabric.portGuid(host(1)), fabric.portGuid(host(2))))));
        client.lid = fabric.lid(host(1));
        Mad leave = request(MadMethod.DELETE, JOIN, GROUP, host(1), McMemberRecord.FULL_MEMBER);
        assertThat(client.ask(leave).status()).isZero();
        assertThat(client.sa.counters().groups()).isEqualTo(1);
        assertThat(client.sa.counters().memberships()).isZero();
        client.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        assertThat(client.routed.getLast()).isEmpty();
    }

    @Test
    void joinsForOthersNeedTrustOrAProxy() {
        client.ask(create(GROUP));
        Mad strange = request(MadMethod.SET, JOIN, GROUP, host(2), McMemberRecord.FULL_MEMBER);
        assertThat(client.ask(strange).status()).isEqualTo(MadStatus.SA_DENIED);
        Mad proxy = request(
                MadMethod.SET, JOIN | McMemberRecord.PROXY_JOIN.mask(), GROUP, host(2), McMemberRecord.FULL_MEMBER);
        proxy.data(McMemberRecord.TYPE).set(McMemberRecord.PROXY_JOIN, 1);
        assertThat(client.ask(proxy).status()).isZero();
        Mad trusted = request(MadMethod.SET, JOIN, GROUP, host(3), McMemberRecord.FULL_MEMBER);
        assertThat(client.askTrusted(trusted).status()).isZero();
        client.lid = fabric.lid(host(4));
        for (int port : new int[] {host(1), host(3)}) {
            Mad leave = request(
                    MadMethod.DELETE, JOIN | McMemberRecord.PROXY_JOIN.mask(), GROUP, port, McMemberRecord.FULL_MEMBER);
            leave.data(McMemberRecord.TYPE).set(McMemberRecord.PROXY_JOIN, 1);
            assertThat(client.ask(leave).status()).isEqualTo(MadStatus.SA_DENIED);
        }
        Mad leave = request(MadMethod.DELETE, JOIN, GROUP, host(2), McMemberRecord.FULL_MEMBER);
        assertThat(client.ask(leave).status()).as("a proxy joined for it").isZero();
    }

    @Test
    void whoIsListedDependsOnWhoAsks() {
        client.ask(create(GROUP));
        Mad all = Mad.sa(MadMethod.GET_TABLE, McMemberRecord.TYPE, 0);
        Mad groups = client.ask(all);
        assertThat(groups.records()).isEqualTo(2);
        assertThat(groups.record(McMemberRecord.TYPE, 1).getGid(McMemberRecord.PORT_GID))
                .isEqualTo(Gid.ZERO);
        Mad own = request(MadMethod.GET, JOIN & ~McMemberRecord.JOIN_STATE.mask(), GROUP, host(1), 0);
        assertThat(client.ask(own).data(McMemberRecord.TYPE).getInt(McMemberRecord.JOIN_STATE))
                .isEqualTo(McMemberRecord.FULL_MEMBER);
        client.lid = fabric.lid(host(2));
        assertThat(client.ask(own).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
        Mad members = client.askTrusted(all);
        assertThat(members.record(McMemberRecord.TYPE, 1)
                        .getGid(McMemberRecord.PORT_GID)
                        .guid())
                .isEqualTo(fabric.portGuid(host(1)));
    }

    @Test
    void theTableOfGroupsIsBounded() {
        SaLimits limits = SaLimits.DEFAULT;
        SaClient small =
                client(SaSettings.DEFAULT.withLimits(new SaLimits(limits.answerBytes(), 3, 2, 1, 1, 1, 1, 1, 1)));
        assertThat(small.ask(create(Gid.ZERO)).status()).isZero();
        assertThat(small.ask(create(Gid.ZERO)).status()).isZero();
        assertThat(small.ask(create(Gid.ZERO)).status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
        for (int number : new int[] {2, 3}) {
            small.lid = fabric.lid(host(number));
            Mad join = request(MadMethod.SET, CREATE, Gid.ZERO, host(number), McMemberRecord.FULL_MEMBER);
            assertThat(small.ask(join).status()).isEqualTo(number == 2 ? 0 : MadStatus.SA_NO_RESOURCES);
        }
    }

    /** One port may have groups for half of the multicast LIDs, the next one for half of what is left. */
    @Test
    void aPortLeavesMulticastLidsToOthers() {
        int all = snapshot.switchInfo(0).orElseThrow().getInt(SwitchInfo.MULTICAST_CAP) - 1;
        int made = 0;
        while (client.ask(create(Gid.ZERO)).status() == MadStatus.OK) {
            made++;
        }
        assertThat(made).isEqualTo((all + 1) / 2);
        assertThat(client.ask(create(Gid.ZERO)).status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
        client.lid = fabric.lid(host(2));
        Mad other = request(MadMethod.SET, CREATE, GROUP, host(2), McMemberRecord.FULL_MEMBER);
        assertThat(client.ask(other).status()).isZero();
        client.lid = fabric.lid(host(1));
        for (int i = 0; i < 2; i++) {
            Mad leave = request(MadMethod.DELETE, JOIN, first(), host(1), McMemberRecord.FULL_MEMBER);
            assertThat(client.ask(leave).status()).isZero();
        }
        assertThat(client.ask(create(Gid.ZERO)).status()).isZero();
        assertThat(client.ask(create(Gid.ZERO)).status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
    }

    /** Returns the address of the first group that was made for a port. */
    private Gid first() {
        Mad groups = client.ask(Mad.sa(MadMethod.GET_TABLE, McMemberRecord.TYPE, 0));
        return groups.record(McMemberRecord.TYPE, 1).getGid(McMemberRecord.MGID);
    }

    @Test
    void multicastLidsEndWithTheTablesOfTheSwitches() {
        MulticastIds ids = new MulticastIds();
        assertThat(ids.take(0xC002, 3)).isEqualTo(0xC002);
        assertThat(ids.take(0xC002, 3)).isEqualTo(0xC000);
        assertThat(ids.take(0xC003, 3)).isEqualTo(0xC001);
        assertThat(ids.take(0, 3)).isEqualTo(MulticastIds.NONE);
        ids.free(0xC001);
        assertThat(ids.take(0, 3)).isEqualTo(0xC001);
        assertThat(ids.take(0, Integer.MAX_VALUE)).isEqualTo(0xC003);
    }

    @Test
    void whoLeavesTheSubnetLeavesItsGroups() {
        Mad subscribe = Mad.sa(MadMethod.SET, InformInfo.TYPE, 0);
        subscribe
                .data(InformInfo.TYPE)
                .set(InformInfo.LID_BEGIN, 0xFFFF)
                .set(InformInfo.IS_GENERIC, 1)
                .set(InformInfo.SUBSCRIBE, 1)
                .set(InformInfo.TYPE_CODE, 0xFFFF)
                .set(InformInfo.TRAP_NUMBER, 0xFFFF)
                .set(InformInfo.PRODUCER_TYPE, 0xFFFFFF);
        client.ask(subscribe);
        client.lid = fabric.lid(host(5));
        client.ask(request(MadMethod.SET, CREATE, GROUP, host(5), McMemberRecord.FULL_MEMBER));
        client.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        SubnetSnapshot without = without(host(5));
        client.sa.update(without);
        client.sa.checkInvariants();
        assertThat(client.sa.counters().memberships()).isZero();
        client.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        assertThat(client.routed.getLast()).isEmpty();
        assertThat(client.sent)
                .extracting(mad -> mad.data(ReportNotice.TYPE).notice().getInt(Notice.TRAP_NUMBER))
                .contains(Notice.GROUP_CREATED, Notice.GROUP_DELETED, Notice.OUT_OF_SERVICE);
    }

    /** The same subnet, but a port has no LID: it could not be reached. */
    private SubnetSnapshot without(int port) {
        int[] lids = new int[fabric.portCount()];
        int[] lmcs = new int[fabric.portCount()];
        for (int one = 0; one < lids.length; one++) {
            lids[one] = one == port ? 0 : fabric.lid(one);
        }
        SubnetSnapshot.Builder builder =
                new SubnetSnapshot.Builder(2, 0, fabric.withLids(lids, lmcs), snapshot.smPort());
        builder.routing(snapshot.routing().orElseThrow());
        for (int one = 0; one < lids.length; one++) {
            builder.pKeys(one, snapshot.pKeys(one));
        }
        return builder.build();
    }
}
        assertThat(client.ask(proxy).status()).isZero();
        client.lid = fabric.lid(host(2));
        assertThat(client.ask(request(MadMethod.SET, JOIN, GROUP, host(2), McMemberRecord.FULL_MEMBER))
                        .status())
                .isZero();
        client.lid = fabric.lid(host(4));
        assertThat(client.ask(proxy).status()).isZero();
        assertThat(client.ask(leave).status()).as("it has joined by itself").isEqualTo(MadStatus.SA_DENIED);
    }

    /** A host of another partition is no proxy, whatever else it shares with the port. */
    @Test
    void aProxyBelongsToThePartitionOfTheGroup() {
        PartitionsConf partitions = PartitionsConf.parse(
                """
                Default=0x7fff : ALL=full ;
                Some=0x10 : 0x%x=full, 0x%x=limited, 0x%x=limited ;
                """.formatted(fabric.portGuid(host(1)), fabric.portGuid(host(2)), fabric.portGuid(host(3))));
        SaClient asker = new SaClient(SaSettings.DEFAULT, Snapshots.torus(TORUS, 0, partitions), fabric.lid(host(1)));
        Mad create = create(GROUP);
        create.data(McMemberRecord.TYPE).set(McMemberRecord.P_KEY, 0x8010);
        assertThat(asker.ask(create).status()).isZero();
        Mad join = request(
                MadMethod.SET, JOIN | McMemberRecord.PROXY_JOIN.mask(), GROUP, host(2), McMemberRecord.FULL_MEMBER);
        join.data(McMemberRecord.TYPE).set(McMemberRecord.PROXY_JOIN, 1);
        Mad leave = request(MadMethod.DELETE, JOIN, GROUP, host(2), McMemberRecord.FULL_MEMBER);
        for (int number : new int[] {3, 4}) {
            asker.lid = fabric.lid(host(number));
            assertThat(asker.ask(join).status())
                    .as("two limited members, or none")
                    .isEqualTo(MadStatus.SA_DENIED);
        }
        asker.lid = fabric.lid(host(1));
        assertThat(asker.ask(join).status()).isZero();
        asker.lid = fabric.lid(host(4));
        assertThat(asker.ask(leave).status()).isEqualTo(MadStatus.SA_DENIED);
        assertThat(asker.sa.counters().memberships()).isEqualTo(2);
        asker.lid = fabric.lid(host(1));
        assertThat(asker.ask(leave).status()).isZero();
