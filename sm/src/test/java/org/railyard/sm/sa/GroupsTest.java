package org.railyard.sm.sa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.railyard.sm.sa.SaClient.CREATE;
import static org.railyard.sm.sa.SaClient.JOIN;

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
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.SaHeader;
import org.railyard.sm.conf.PartitionGroup;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.model.GroupMembers;
import org.railyard.sm.model.SubnetSnapshot;

/** Multicast groups: beside what the captured queries show. */
final class GroupsTest {
    private static final SampleTorus TORUS = SampleTorus.torus(2, 3, 1, 2);
    private static final String SOME = "Default=0x7fff, ipoib : ALL=full ; Some=0x10";
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

    /** A group is what it is: whoever joins has to agree with it. The broadcast group has 2048 bytes, 10 Gb/s, 2^18. */
    @Test
    void whoJoinsAsksForWhatTheGroupHas() {
        Gid broadcast = PartitionGroup.broadcast(0x7FFF, PartitionGroup.DEFAULT_SCOPE);
        BitField[][] fields = {
            {McMemberRecord.MTU_SELECTOR, McMemberRecord.MTU},
            {McMemberRecord.RATE_SELECTOR, McMemberRecord.RATE},
            {McMemberRecord.LIFE_SELECTOR, McMemberRecord.LIFE}
        };
        // Less, the same and more; of rates 5, 10 and 20 Gb/s.
        int[][] values = {{3, 4, 5}, {5, 3, 6}, {17, 18, 19}};
        int[] selectors = {SaSelector.GREATER, SaSelector.LESS, SaSelector.EXACTLY, SaSelector.LARGEST};
        boolean[][] agrees = {{true, false, false}, {false, false, true}, {false, true, false}, {true, true, true}};
        for (int field = 0; field < fields.length; field++) {
            BitField how = fields[field][0];
            BitField what = fields[field][1];
            for (int i = 0; i < selectors.length; i++) {
                for (int j = 0; j < 3; j++) {
                    Mad join = request(MadMethod.SET, JOIN | how.mask() | what.mask(), broadcast, host(1), 1);
                    join.data(McMemberRecord.TYPE).set(how, selectors[i]).set(what, values[field][j]);
                    assertThat(client.ask(join).status())
                            .as("%s: %d %d", what.name(), selectors[i], values[field][j])
                            .isEqualTo(agrees[i][j] ? 0 : MadStatus.SA_INVALID);
                    join.saHeader().set(SaHeader.COMPONENT_MASK, JOIN | what.mask());
                    assertThat(client.ask(join).status()).as("no selector").isZero();
                    join.saHeader().set(SaHeader.COMPONENT_MASK, JOIN | how.mask());
                    assertThat(client.ask(join).status()).as("no value").isZero();
                    Mad list = Mad.sa(MadMethod.GET_TABLE, McMemberRecord.TYPE, how.mask() | what.mask());
                    list.data(McMemberRecord.TYPE).set(how, selectors[i]).set(what, values[field][j]);
                    assertThat(client.ask(list).records()).isEqualTo(agrees[i][j] ? 1 : 0);
                }
            }
        }
    }

    @Test
    void aNewGroupHasThePacketLifeOfTheSubnetOrNoneThatIsShorter() {
        BitField how = McMemberRecord.LIFE_SELECTOR;
        assertThat(createWith(how, SaSelector.LARGEST, McMemberRecord.LIFE, 0)).isEqualTo(18);
        assertThat(createWith(how, SaSelector.EXACTLY, McMemberRecord.LIFE, 20)).isEqualTo(20);
        assertThat(createWith(how, SaSelector.EXACTLY, McMemberRecord.LIFE, 17)).isEqualTo(-MadStatus.SA_INVALID);
        Mad value = request(MadMethod.SET, CREATE | McMemberRecord.LIFE.mask(), Gid.ZERO, host(1), 1);
        value.data(McMemberRecord.TYPE).set(how, SaSelector.EXACTLY).set(McMemberRecord.LIFE, 3);
        assertThat(client.ask(value).data(McMemberRecord.TYPE).getInt(McMemberRecord.LIFE))
                .as("the selector is not in the mask")
                .isEqualTo(18);
    }

    @Test
    void whatIsNotInTheMaskIsNotAskedFor() {
        Mad few = create(GROUP);
        few.saHeader().set(SaHeader.COMPONENT_MASK, CREATE & ~McMemberRecord.JOIN_STATE.mask());
        assertThat(client.ask(few).status()).isEqualTo(MadStatus.SA_FEW_COMPONENTS);
        for (BitField needed : List.of(McMemberRecord.MGID, McMemberRecord.PORT_GID, McMemberRecord.JOIN_STATE)) {
            Gid broadcast = PartitionGroup.broadcast(0x7FFF, PartitionGroup.DEFAULT_SCOPE);
            Mad join = request(MadMethod.SET, JOIN & ~needed.mask(), broadcast, host(1), 1);
            assertThat(client.ask(join).status()).isEqualTo(MadStatus.SA_FEW_COMPONENTS);
        }
        long more = McMemberRecord.MLID.mask() | McMemberRecord.HOP_LIMIT.mask();
        for (long mask : new long[] {CREATE | more, CREATE}) {
            Mad create = request(MadMethod.SET, mask, Gid.ZERO, host(1), McMemberRecord.FULL_MEMBER);
            create.data(McMemberRecord.TYPE).set(McMemberRecord.MLID, 0xC010).set(McMemberRecord.HOP_LIMIT, 7);
            McMemberRecord made = client.ask(create).data(McMemberRecord.TYPE);
            assertThat(made.getInt(McMemberRecord.MLID)).isEqualTo(mask == CREATE ? 0xC001 : 0xC010);
            assertThat(made.getInt(McMemberRecord.HOP_LIMIT)).isEqualTo(mask == CREATE ? 0 : 7);
            long number = mask == CREATE ? 1 : 0;
            assertThat(made.getGid(McMemberRecord.MGID)).isEqualTo(new Gid(0xFF12_A01B_FE80_0000L, number));
        }
    }

    /** The link-local prefix is that of each subnet. */
    @Test
    void portsAreThoseOfThisSubnet() {
        long own = 0xFEC0_0000_0000_0001L;
        SaSettings some = SaSettings.DEFAULT;
        SaClient asker = client(new SaSettings(
                some.saKey(),
                own,
                some.packetLife(),
                some.groupSls(),
                some.partitions(),
                some.prefixRoutes(),
                some.qos(),
                some.limits()));
        for (long prefix : new long[] {own, Gid.DEFAULT_PREFIX, own + 1}) {
            Mad create = create(GROUP);
            create.data(McMemberRecord.TYPE).setGid(McMemberRecord.PORT_GID, new Gid(prefix, fabric.portGuid(host(1))));
            assertThat(asker.ask(create).status()).isEqualTo(prefix == own + 1 ? MadStatus.SA_INVALID : 0);
        }
        assertThat(asker.ask(create(Gid.ZERO)).data(McMemberRecord.TYPE).getGid(McMemberRecord.MGID))
                .isEqualTo(new Gid(0xFF12_A01B_FEC0_0000L, 1L << 32));
    }

    @Test
    void onlyMembersOfAPartitionMakeAGroupInIt() {
        SubnetSnapshot.Builder spaces = Snapshots.again(snapshot, fabric);
        spaces.pKeys(host(1), List.of(0xFFFF, 0, 0x0010));
        SaClient asker = new SaClient(SaSettings.DEFAULT, spaces.build(), fabric.lid(host(1)));
        for (int key : new int[] {0x8000, 0, 0x8011}) {
            Mad create = create(GROUP);
            create.data(McMemberRecord.TYPE).set(McMemberRecord.P_KEY, key);
            assertThat(asker.ask(create).status()).isEqualTo(MadStatus.SA_INVALID);
        }
        Mad create = create(GROUP);
        create.data(McMemberRecord.TYPE).set(McMemberRecord.P_KEY, 0x0010);
        assertThat(asker.ask(create).data(McMemberRecord.TYPE).getInt(McMemberRecord.P_KEY))
                .as("as it was asked for")
                .isEqualTo(0x0010);
    }

    /** Full and limited members ask for a group by keys of their own, whichever it was made with. */
    @Test
    void aGroupIsFoundByItsPartition() {
        client.ask(create(GROUP));
        for (int key : new int[] {0xFFFF, 0x7FFF, 0x8010}) {
            Mad get = request(MadMethod.GET, McMemberRecord.MGID.mask() | McMemberRecord.P_KEY.mask(), GROUP, 0, 0);
            get.data(McMemberRecord.TYPE).set(McMemberRecord.P_KEY, key);
            assertThat(client.ask(get).status())
                    .as("0x%04x", key)
                    .isEqualTo(key == 0x8010 ? MadStatus.SA_NO_RECORDS : MadStatus.OK);
        }
    }

    @Test
    void whoJoinsIsToldTheMulticastLidWhateverItAskedFor() {
        int mlid = client.ask(create(GROUP)).data(McMemberRecord.TYPE).getInt(McMemberRecord.MLID);
        Mad join = request(MadMethod.SET, JOIN | McMemberRecord.MLID.mask(), GROUP, host(1), 1);
        join.data(McMemberRecord.TYPE).set(McMemberRecord.MLID, mlid + 1);
        Mad answer = client.ask(join);
        assertThat(answer.status()).isZero();
        assertThat(answer.data(McMemberRecord.TYPE).getInt(McMemberRecord.MLID)).isEqualTo(mlid);
    }

    @Test
    void aSlowPortDoesNotJoin() {
        SubnetSnapshot slow = Snapshots.torus(TORUS, (said, port) -> {
            if (port == host(1)) {
                said.set(PortInfo.WIDTH_ACTIVE, 1);
            } else if (port == host(2)) {
                said.set(PortInfo.MTU_CAP, 3);
            } else if (port == host(3)) {
                said.set(PortInfo.WIDTH_ACTIVE, 0);
            }
        });
        SaClient asker = new SaClient(SaSettings.DEFAULT, slow, fabric.lid(host(1)));
        Gid broadcast = PartitionGroup.broadcast(0x7FFF, PartitionGroup.DEFAULT_SCOPE);
        for (int number = 1; number <= 4; number++) {
            asker.lid = fabric.lid(host(number));
            assertThat(asker.ask(request(MadMethod.SET, JOIN, broadcast, host(number), 1))
                            .status())
                    .isEqualTo(number < 3 ? MadStatus.SA_INVALID : 0);
        }
    }

    private List<String> configure(String partitions) {
        return configure(client, partitions);
    }

    private List<String> configure(SaClient of, String partitions) {
        PartitionsConf conf = PartitionsConf.parse(partitions);
        return of.sa.configure(
                SaSettings.DEFAULT.withPartitions(conf),
                conf.keys(snapshot.fabric().portGuid(snapshot.smPort())));
    }

    /** A client at a host of a subnet where all are in another partition, too. */
    private SaClient inSomePartition() {
        PartitionsConf conf = PartitionsConf.parse(SOME + " : ALL=full ;");
        return new SaClient(
                SaSettings.DEFAULT.withPartitions(conf), Snapshots.torus(TORUS, 0, conf), fabric.lid(host(1)));
    }

    private Mad createInSome() {
        Mad create = create(GROUP);
        create.data(McMemberRecord.TYPE).set(McMemberRecord.P_KEY, 0x8010);
        return create;
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
        SaClient some = inSomePartition();
        assertThat(some.ask(createInSome()).status()).isZero();
        Mad other = request(MadMethod.SET, JOIN, GROUP, host(2), McMemberRecord.FULL_MEMBER);
        some.lid = fabric.lid(host(2));
        assertThat(some.ask(other).status()).isZero();
        assertThat(some.sa.groups().getFirst().portGuids()).hasSize(2);
        some.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        assertThat(some.routed).hasSize(1);
        configure(some, SOME + " : SELF=full, 0x%x=full ;".formatted(fabric.portGuid(host(2))));
        some.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        assertThat(some.routed).hasSize(2);
        assertThat(some.sa.groups().getFirst().portGuids()).containsExactly(fabric.portGuid(host(2)));
        configure(some, SOME + " : SELF=full ;");
        assertThat(some.sa.groups()).isEmpty();
        assertThat(some.sa.counters().memberships()).isZero();
        some.sa.checkInvariants();
    }

    /** Until the next sweep has ended ports still have the P_Keys of before. */
    @Test
    void whoIsToLeaveThePartitionDoesNotJoin() {
        SaClient some = inSomePartition();
        configure(some, SOME + ", ipoib : SELF=full ;");
        Gid broadcast = PartitionGroup.broadcast(0x10, PartitionGroup.DEFAULT_SCOPE);
        Mad join = request(MadMethod.SET, JOIN, broadcast, host(1), McMemberRecord.FULL_MEMBER);
        assertThat(some.ask(createInSome()).status()).isEqualTo(MadStatus.SA_INVALID);
        assertThat(some.ask(join).status()).isEqualTo(MadStatus.SA_INVALID);
        configure(some, SOME + ", ipoib : ALL=full ;");
        assertThat(some.ask(createInSome()).status()).isZero();
        assertThat(some.ask(join).status()).isZero();
    }

    @Test
    void subscribersHearOfGroupsOfNewPartitions() {
        client.ask(subscription());
        configure("Default=0x7fff, ipoib : ALL=full ; Some=0x10, ipoib : ALL=full ;");
        client.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        assertThat(client.sent).as("it does not belong to that partition yet").isEmpty();
        assertThat(client.routed).as("nobody is in it").isEmpty();
        configure("Default=0x7fff : ALL=full ;");
        configure("Default=0x7fff, ipoib : ALL=full ;");
        client.confirmAll();
        assertThat(client.sent)
                .extracting(mad -> mad.data(ReportNotice.TYPE).notice().getInt(Notice.TRAP_NUMBER))
                .containsExactly(Notice.GROUP_DELETED, Notice.GROUP_CREATED);
    }

    @Test
    void someOfTheStateMayBeGivenUp() {
        int both = McMemberRecord.FULL_MEMBER | McMemberRecord.NON_MEMBER;
        assertThat(client.ask(request(MadMethod.SET, CREATE, GROUP, host(1), both))
                        .status())
                .isZero();
        client.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        Mad left = client.ask(request(MadMethod.DELETE, JOIN, GROUP, host(1), McMemberRecord.NON_MEMBER));
        assertThat(left.data(McMemberRecord.TYPE).getInt(McMemberRecord.JOIN_STATE))
                .isEqualTo(McMemberRecord.FULL_MEMBER);
        client.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        assertThat(client.routed).as("its tree stays").hasSize(1);
        assertThat(client.ask(request(MadMethod.DELETE, JOIN, GROUP, host(1), McMemberRecord.NON_MEMBER))
                        .status())
                .isEqualTo(MadStatus.SA_INVALID);
    }

    /** Like a full member, whose group stays. */
    @Test
    void sendOnlyFullMembersMakeAndKeepAGroup() {
        Mad sender = request(MadMethod.SET, CREATE, GROUP, host(1), McMemberRecord.SEND_ONLY_FULL_MEMBER);
        sender.data(McMemberRecord.TYPE).set(McMemberRecord.SL, 8);
        assertThat(client.ask(sender).status()).isZero();
        assertThat(client.sa.groups().getFirst().sl()).isEqualTo(8);
        client.lid = fabric.lid(host(2));
        assertThat(client.ask(request(MadMethod.SET, JOIN, GROUP, host(2), McMemberRecord.FULL_MEMBER))
                        .status())
                .isZero();
        assertThat(client.ask(request(MadMethod.DELETE, JOIN, GROUP, host(2), McMemberRecord.FULL_MEMBER))
                        .status())
                .isZero();
        assertThat(isThere(GROUP)).isTrue();
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
        assertThat(client.ask(create(new Gid(0xFF1E_0000_0000_0000L, 1))).status())
                .as("global")
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
        for (int i = 0; i < 2; i++) {
            assertThat(client.ask(proxy).status()).isZero();
        }
        assertThat(client.ask(leave).status()).as("joined twice is once").isZero();
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

    /** As OpenSM does: the JoinState of 0 that is told does not mean that nobody has joined. */
    @Test
    void aGroupIsFoundAsOneThatHasFullMembers() {
        client.ask(create(GROUP));
        long mask = McMemberRecord.MGID.mask() | McMemberRecord.JOIN_STATE.mask();
        for (int state = 0; state <= 0xF; state++) {
            Mad query = request(MadMethod.GET_TABLE, mask, GROUP, host(1), state);
            int found = state == McMemberRecord.FULL_MEMBER ? 1 : 0;
            assertThat(client.ask(query).records()).as("JoinState %d", state).isEqualTo(found);
            assertThat(client.askTrusted(query).records())
                    .as("JoinState %d, trusted", state)
                    .isEqualTo(found);
        }
        Mad query = request(MadMethod.GET, mask, GROUP, host(1), McMemberRecord.FULL_MEMBER);
        McMemberRecord group = client.ask(query).data(McMemberRecord.TYPE);
        assertThat(group.getInt(McMemberRecord.JOIN_STATE)).as("is not told").isZero();
    }

    @Test
    void theTableOfGroupsIsBounded() {
        SaLimits limits = SaLimits.DEFAULT;
        SaClient small =
                client(SaSettings.DEFAULT.withLimits(new SaLimits(limits.answerBytes(), 3, 2, 1, 1, 1, 1, 1, 1)));
        assertThat(small.ask(create(Gid.ZERO)).status()).isZero();
        assertThat(small.ask(create(Gid.ZERO)).status()).isZero();
        assertThat(small.ask(create(Gid.ZERO)).status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
        Gid made = new Gid(0xFF12_A01B_FE80_0000L, 1);
        assertThat(small.ask(request(MadMethod.SET, JOIN, made, host(1), McMemberRecord.NON_MEMBER))
                        .status())
                .as("it is a member already")
                .isZero();
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

    private static Mad subscription() {
        Mad subscribe = Mad.sa(MadMethod.SET, InformInfo.TYPE, 0);
        subscribe
                .data(InformInfo.TYPE)
                .set(InformInfo.LID_BEGIN, 0xFFFF)
                .set(InformInfo.IS_GENERIC, 1)
                .set(InformInfo.SUBSCRIBE, 1)
                .set(InformInfo.TYPE_CODE, 0xFFFF)
                .set(InformInfo.TRAP_NUMBER, 0xFFFF)
                .set(InformInfo.PRODUCER_TYPE, 0xFFFFFF);
        return subscribe;
    }

    @Test
    void whoLeavesTheSubnetLeavesItsGroups() {
        client.ask(subscription());
        client.lid = fabric.lid(host(5));
        client.ask(request(MadMethod.SET, CREATE, GROUP, host(5), McMemberRecord.FULL_MEMBER));
        client.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        client.sa.update(Snapshots.without(snapshot, host(5)));
        client.sa.checkInvariants();
        assertThat(client.sa.counters().memberships()).isZero();
        client.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        assertThat(client.routed.getLast()).isEmpty();
        client.confirmAll();
        assertThat(client.sent)
                .extracting(mad -> mad.data(ReportNotice.TYPE).notice().getInt(Notice.TRAP_NUMBER))
                .contains(Notice.GROUP_CREATED, Notice.GROUP_DELETED, Notice.OUT_OF_SERVICE);
    }
}
