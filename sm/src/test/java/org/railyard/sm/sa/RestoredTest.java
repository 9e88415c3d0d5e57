package org.railyard.sm.sa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.railyard.sm.sa.SaClient.CREATE;
import static org.railyard.sm.sa.SaClient.JOIN;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.InformInfo;
import org.railyard.mad.sa.InformInfoRecord;
import org.railyard.mad.sa.McMemberRecord;
import org.railyard.mad.sa.ServiceRecord;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.SaHeader;
import org.railyard.sm.conf.PartitionGroup;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.model.SubnetSnapshot;

/** What a master takes over of what another one has kept, and what of it can not be any more. */
final class RestoredTest {
    private static final SampleTorus TORUS = SampleTorus.torus(2, 3, 1, 2);
    private static final long SECOND = 1_000_000_000L;
    private static final Gid GROUP = new Gid(0xFF12_0000_0000_0000L, 0x42);
    private static final Gid BROADCAST = PartitionGroup.broadcast(0x7FFF, PartitionGroup.DEFAULT_SCOPE);

    private final SubnetSnapshot snapshot = Snapshots.torus(TORUS, 0, PartitionsConf.none());
    private final Fabric fabric = snapshot.fabric();
    private final SaClient first = new SaClient(SaSettings.DEFAULT, snapshot, lid(1));
    private final List<String> kept = new ArrayList<>();

    /** The time of day. */
    private Instant wall = Instant.parse("2025-02-03T04:05:06.789Z");

    @BeforeEach
    void keep() {
        first.sa.keep(kept::add, () -> wall);
    }

    private int lid(int number) {
        return fabric.lid(host(number));
    }

    private int host(int number) {
        return fabric.portIndex(fabric.switchCount() + number, 1);
    }

    private Gid gid(int number) {
        return new Gid(Gid.DEFAULT_PREFIX, fabric.portGuid(host(number)));
    }

    private Mad member(MadMethod method, long mask, Gid mgid, int number, int state) {
        Mad request = Mad.sa(method, McMemberRecord.TYPE, mask);
        request.data(McMemberRecord.TYPE)
                .setGid(McMemberRecord.MGID, mgid)
                .setGid(McMemberRecord.PORT_GID, gid(number))
                .set(McMemberRecord.JOIN_STATE, state)
                .set(McMemberRecord.P_KEY, 0xFFFF);
        return request;
    }

    private Mad create(Gid mgid, int number) {
        return member(MadMethod.SET, CREATE, mgid, number, McMemberRecord.FULL_MEMBER);
    }

    /** Lets a host ask the first master for something that is to be kept. */
    private void ask(int number, Mad request) {
        first.sa.received(request, MadAddress.gmp(lid(number), 0));
        assertThat(first.sent.removeLast().status()).isZero();
    }

    private static Mad trusted(Mad request) {
        request.saHeader().set(SaHeader.SM_KEY, SaClient.KEY);
        return request;
    }

    private String text() {
        first.sa.saveNow();
        return kept.getLast();
    }

    private SaClient next(SaSettings settings, String text, SubnetSnapshot subnet) {
        SaClient next = new SaClient(settings, lid(1));
        next.sa.restore(text, wall);
        next.sa.update(subnet);
        next.sa.checkInvariants();
        return next;
    }

    private SaClient next() {
        return next(SaSettings.DEFAULT, text(), snapshot);
    }

    private static int mlid(SaClient asker, Gid mgid) {
        Mad request = Mad.sa(MadMethod.GET, McMemberRecord.TYPE, McMemberRecord.MGID.mask());
        request.data(McMemberRecord.TYPE).setGid(McMemberRecord.MGID, mgid);
        Mad answer = asker.ask(request);
        return answer.status() == 0 ? answer.data(McMemberRecord.TYPE).getInt(McMemberRecord.MLID) : -1;
    }

    @Test
    void groupsKeepTheirMulticastLids() {
        Gid second = new Gid(GROUP.prefix(), 0x43);
        ask(1, create(GROUP, 1));
        ask(1, create(second, 1));
        ask(1, member(MadMethod.DELETE, JOIN, GROUP, 1, McMemberRecord.FULL_MEMBER));
        SaClient next = next();
        assertThat(mlid(next, BROADCAST)).isEqualTo(0xC000);
        assertThat(mlid(next, second)).isEqualTo(0xC002);
        assertThat(mlid(next, GROUP)).isEqualTo(-1);
        assertThat(next.ask(create(GROUP, 1)).data(McMemberRecord.TYPE).getInt(McMemberRecord.MLID))
                .isEqualTo(0xC001);
        next.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        assertThat(next.routed.getFirst()).hasSize(2);
    }

    /** A group of another partition file gets what is left. */
    @Test
    void groupsOfThePartitionsAreAsTheSettingsSay() {
        ask(1, create(GROUP, 1));
        PartitionsConf conf = PartitionsConf.parse("""
            Default=0x7fff, ipoib, mtu=3 : ALL=full ;
            Some=0x10, ipoib : ALL=full ;
            """);
        SaClient next = next(SaSettings.DEFAULT.withPartitions(conf), text(), Snapshots.torus(TORUS, 0, conf));
        assertThat(mlid(next, BROADCAST)).isEqualTo(0xC000);
        assertThat(mlid(next, GROUP)).isEqualTo(0xC001);
        assertThat(mlid(next, PartitionGroup.broadcast(0x10, PartitionGroup.DEFAULT_SCOPE)))
                .isEqualTo(0xC002);
        Mad join = member(MadMethod.SET, JOIN, BROADCAST, 1, McMemberRecord.FULL_MEMBER);
        assertThat(next.ask(join).data(McMemberRecord.TYPE).getInt(McMemberRecord.MTU))
                .isEqualTo(3);
        assertThat(next.sa.counters().groups()).isEqualTo(3);
    }

    /** What has the prefix of before is at the same port, which has no such GID any more. */
    @Test
    void theSubnetMayHaveAnotherPrefix() {
        long old = 0xFEC0_0000_0000_0001L;
        ask(1, create(GROUP, 1));
        ask(2, member(MadMethod.SET, JOIN, GROUP, 2, McMemberRecord.FULL_MEMBER));
        Mad service =
                Mad.sa(MadMethod.SET, ServiceRecord.TYPE, ServiceRecord.SERVICE_ID.mask() | ServiceRecord.GID.mask());
        service.data(ServiceRecord.TYPE).set(ServiceRecord.SERVICE_ID, 7).setGid(ServiceRecord.GID, gid(2));
        ask(2, service);
        String text = text().replace("%016x".formatted(Gid.DEFAULT_PREFIX), "%016x".formatted(old));
        SaClient next = next(SaSettings.DEFAULT, text, snapshot);
        Mad joined = next.ask(member(MadMethod.SET, JOIN, GROUP, 1, McMemberRecord.FULL_MEMBER));
        assertThat(joined.data(McMemberRecord.TYPE).getGid(McMemberRecord.PORT_GID))
                .isEqualTo(gid(1));
        next.sa.keep(kept::add, () -> wall);
        next.sa.saveNow();
        assertThat(kept.getLast())
                .contains("%016x %016x".formatted(Gid.DEFAULT_PREFIX, gid(2).guid()))
                .doesNotContain("%016x".formatted(old));
    }

    /** Both are GIDs of the port; the answer has the one of the request. */
    @Test
    void whoJoinsAgainByAnotherGidIsKnownByThat() {
        SaSettings other = new SaSettings(
                1,
                0xFEC0_0000_0000_0001L,
                SaSettings.DEFAULT.packetLife(),
                SaSettings.ANY_SL,
                PartitionsConf.none(),
                SaSettings.DEFAULT.prefixRoutes(),
                SaSettings.DEFAULT.qos(),
                SaSettings.DEFAULT.limits());
        ask(1, create(GROUP, 1));
        SaClient next = next(other, text(), snapshot);
        Gid now = new Gid(other.subnetPrefix(), gid(1).guid());
        Mad request = member(MadMethod.SET, JOIN, GROUP, 1, McMemberRecord.FULL_MEMBER);
        request.data(McMemberRecord.TYPE).setGid(McMemberRecord.PORT_GID, now);
        assertThat(next.ask(request).data(McMemberRecord.TYPE).getGid(McMemberRecord.PORT_GID))
                .isEqualTo(now);
        assertThat(next.sa.counters().memberships()).isEqualTo(1);
    }

    @Test
    void aProxyIsStillOne() {
        ask(1, create(GROUP, 1));
        Mad join = member(MadMethod.SET, JOIN | McMemberRecord.PROXY_JOIN.mask(), GROUP, 2, McMemberRecord.FULL_MEMBER);
        join.data(McMemberRecord.TYPE).set(McMemberRecord.PROXY_JOIN, 1);
        ask(1, join);
        SaClient next = next();
        next.lid = lid(3);
        assertThat(next.ask(member(MadMethod.DELETE, JOIN, GROUP, 1, McMemberRecord.FULL_MEMBER))
                        .status())
                .isEqualTo(MadStatus.SA_DENIED);
        assertThat(next.ask(member(MadMethod.DELETE, JOIN, GROUP, 2, McMemberRecord.FULL_MEMBER))
                        .status())
                .isZero();
    }

    private static Mad inSome(Mad request) {
        request.data(McMemberRecord.TYPE).set(McMemberRecord.P_KEY, 0x8010);
        return request;
    }

    @Test
    void whoMayNotBeAMemberAnyMoreIsNone() {
        PartitionsConf all = PartitionsConf.parse("Default=0x7fff, ipoib : ALL=full ; Some=0x10 : ALL=full ;");
        SubnetSnapshot before = Snapshots.torus(TORUS, 0, all);
        first.sa.update(before);
        ask(1, inSome(create(GROUP, 1)));
        ask(2, member(MadMethod.SET, JOIN, GROUP, 2, McMemberRecord.FULL_MEMBER));
        ask(3, inSome(create(new Gid(GROUP.prefix(), 0x43), 3)));
        PartitionsConf conf = PartitionsConf.parse(
                "Default=0x7fff, ipoib : ALL=full ; Some=0x10 : 0x%x=full ;".formatted(gid(2).guid()));
        SaSettings settings = SaSettings.DEFAULT.withPartitions(conf);
        SaClient reloaded = new SaClient(SaSettings.DEFAULT.withPartitions(all), lid(1));
        reloaded.sa.restore(text(), wall);
        reloaded.sa.configure(settings, conf.keys(fabric.portGuid(before.smPort())));
        reloaded.sa.update(before);
        for (SaClient next : List.of(next(settings, text(), Snapshots.torus(TORUS, 0, conf)), reloaded)) {
            assertThat(next.sa.counters().memberships()).isEqualTo(1);
            assertThat(next.sa.groups())
                    .singleElement()
                    .satisfies(group -> assertThat(group.portGuids()).containsExactly(gid(2).guid()));
            assertThat(next.sa.counters().groups())
                    .as("one of the partition, one with a member")
                    .isEqualTo(2);
        }
    }

    /** Nobody may stay where it does not belong by not telling its P_Keys. */
    @Test
    void whoseKeysAreNotKnownStaysInGroupsOfItsPartitions() {
        PartitionsConf all = PartitionsConf.parse("Default=0x7fff, ipoib : ALL=full ; Some=0x10 : ALL=full ;");
        first.sa.update(Snapshots.torus(TORUS, 0, all));
        ask(1, inSome(create(GROUP, 1)));
        ask(2, member(MadMethod.SET, JOIN, GROUP, 2, McMemberRecord.FULL_MEMBER));
        ask(1, member(MadMethod.SET, JOIN, BROADCAST, 1, McMemberRecord.FULL_MEMBER));
        PartitionsConf conf = PartitionsConf.parse(
                "Default=0x7fff, ipoib : ALL=full ; Some=0x10 : 0x%x=full ;".formatted(gid(2).guid()));
        SubnetSnapshot.Builder silent = Snapshots.again(snapshot, fabric);
        for (int number = 1; number <= 2; number++) {
            silent.pKeys(host(number), List.of());
        }
        SaSettings settings = SaSettings.DEFAULT.withPartitions(conf);
        SaClient next = new SaClient(settings, lid(1));
        next.sa.configure(settings, conf.keys(fabric.portGuid(snapshot.smPort())));
        next.sa.restore(text(), wall);
        next.sa.update(silent.build());
        assertThat(next.sa.groups())
                .extracting(group -> List.copyOf(group.portGuids()))
                .containsExactlyInAnyOrder(List.of(gid(1).guid()), List.of(gid(2).guid()));
    }

    /** Of groups that switches have no room for, and those that nobody keeps. */
    @Test
    void groupsThatCanNotBeAreForgotten() {
        for (int i = 0; i < 3; i++) {
            ask(1, create(new Gid(GROUP.prefix(), i), 1));
        }
        ask(2, member(MadMethod.SET, JOIN, new Gid(GROUP.prefix(), 0), 2, McMemberRecord.NON_MEMBER));
        SubnetSnapshot.Builder small = Snapshots.again(snapshot, fabric);
        small.node(0, SwitchInfo.TYPE.copy(snapshot.switchInfo(0).orElseThrow()).set(SwitchInfo.MULTICAST_CAP, 3));
        assertThat(next(SaSettings.DEFAULT, text(), small.build()).sa.counters().groups())
                .isEqualTo(3);
        List<String> lines = new ArrayList<>(text().lines().toList());
        int group = 0;
        while (!lines.get(group).endsWith(" 0000000000000002 0000000000000000")) {
            group++;
        }
        String nobody = lines.get(group).replace(" 0000000000000002 ", " 00000000000000f0 ");
        lines.set(group, nobody);
        lines.remove(group - 1);
        lines.add(lines.get(1));
        SaClient next = next(SaSettings.DEFAULT, String.join("\n", lines) + "\n", snapshot);
        assertThat(next.sa.counters().groups())
                .as("the first has no full member")
                .isEqualTo(3);
        assertThat(next.sa.counters().memberships()).isEqualTo(2);
    }

    /** As many as a port may have are counted on. */
    @Test
    void groupsAreStillThoseOfTheirPort() {
        int made = 0;
        while (first.ask(create(Gid.ZERO, 1)).status() == MadStatus.OK) {
            made++;
        }
        ask(1, member(MadMethod.SET, JOIN, BROADCAST, 1, McMemberRecord.FULL_MEMBER));
        Gid one = new Gid(0xFF12_A01B_FE80_0000L, 1);
        ask(1, member(MadMethod.DELETE, JOIN, one, 1, McMemberRecord.FULL_MEMBER));
        SaClient next = next();
        assertThat(next.sa.counters().memberships()).isEqualTo(made);
        assertThat(next.ask(create(Gid.ZERO, 1)).status())
                .as("in place of that")
                .isZero();
        assertThat(next.ask(create(Gid.ZERO, 1)).status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
        next.lid = lid(2);
        assertThat(next.ask(create(Gid.ZERO, 2)).status()).isZero();
    }

    @Test
    void moreThanTheLimitsIsForgotten() {
        for (int i = 0; i < 4; i++) {
            ask(1, create(new Gid(GROUP.prefix(), i), 1));
            ask(1, service(i, 1));
            ask(2, service(i, 2));
        }
        SaLimits limits = new SaLimits(1 << 16, 8, 3, 5, 3, 8, 8, 8, 8);
        SaClient next = next(SaSettings.DEFAULT.withLimits(limits), text(), snapshot);
        assertThat(next.sa.counters().memberships()).isEqualTo(3);
        assertThat(next.sa.counters().groups()).isEqualTo(4);
        assertThat(next.sa.counters().services()).isEqualTo(5);
    }

    private Mad service(int id, int number) {
        Mad request =
                Mad.sa(MadMethod.SET, ServiceRecord.TYPE, ServiceRecord.SERVICE_ID.mask() | ServiceRecord.GID.mask());
        request.data(ServiceRecord.TYPE).set(ServiceRecord.SERVICE_ID, id).setGid(ServiceRecord.GID, gid(number));
        return request;
    }

    @Test
    void whoWasTrustedIs() {
        for (boolean isTrusted : new boolean[] {true, false}) {
            Mad request = SubscriptionsTest.subscribe(info -> info.set(InformInfo.IS_GENERIC, isTrusted ? 1 : 0xFF)
                    .set(InformInfo.TRAP_NUMBER, isTrusted ? Notice.BAD_P_KEY : 0xFFFF)
                    .set(InformInfo.QPN, isTrusted ? 7 : 8));
            ask(1, isTrusted ? trusted(request) : request);
        }
        SaClient next = next();
        Notice notice = Notice.TYPE
                .create()
                .set(Notice.IS_GENERIC, 1)
                .set(Notice.PRODUCER_TYPE, Notice.FROM_CA)
                .set(Notice.TRAP_NUMBER, Notice.BAD_P_KEY);
        next.sa.trap(notice, lid(2));
        next.loop.runFor(0);
        assertThat(next.sentTo).extracting(MadAddress::qpn).containsExactly(7);
        String forged = text().replace("0000000000000007 0000000000000001", "0000000000000007 0000000000000000");
        SaClient other = next(SaSettings.DEFAULT, forged, snapshot);
        assertThat(other.sa.counters().subscriptions())
                .as("of security, by one that is not trusted")
                .isEqualTo(1);
        other.sa.trap(notice, lid(2));
        other.loop.runFor(0);
        assertThat(other.sent).isEmpty();
        assertThat(other.ask(Mad.sa(MadMethod.GET_TABLE, InformInfoRecord.TYPE, 0))
                        .records())
                .isEqualTo(1);
    }

    private Mad leased(int id, int seconds) {
        Mad request = service(id, 1);
        request.saHeader()
                .set(
                        SaHeader.COMPONENT_MASK,
                        request.saHeader().get(SaHeader.COMPONENT_MASK) | ServiceRecord.LEASE.mask());
        request.data(ServiceRecord.TYPE).set(ServiceRecord.LEASE, seconds);
        return request;
    }

    /** From the last writing of the one master to the beginning of the next one is 38,500 ms. */
    @Test
    void leasesGoOnWhileNobodyIsMaster() {
        ask(1, leased(7, 60));
        ask(1, leased(8, 30));
        ask(1, service(9, 1));
        String text = text();
        wall = wall.plusMillis(38_500);
        SaClient next = next(SaSettings.DEFAULT, text, snapshot);
        assertThat(next.sa.counters().services()).as("one ended 8.5 s ago").isEqualTo(2);
        next.loop.runFor(21 * SECOND + SECOND / 2 - 1);
        assertThat(next.sa.counters().services()).as("60 s were left").isEqualTo(2);
        next.loop.runFor(1);
        assertThat(next.sa.counters().services()).isEqualTo(1);
    }

    /** What is written with the clock of one machine may be read with that of another one. */
    @ParameterizedTest
    @ValueSource(strings = {"2025-02-03T03:00:00Z", "1969-12-31T23:59:59Z", "-1000000-01-01T00:00:00Z"})
    void aClockThatGoesBackMakesNoLeaseLonger(String now) {
        ask(1, leased(7, 60));
        String text = text();
        wall = Instant.parse(now);
        SaClient next = next(SaSettings.DEFAULT, text, snapshot);
        next.loop.runFor(60 * SECOND - 1);
        assertThat(next.sa.counters().services()).isEqualTo(1);
        next.loop.runFor(1);
        assertThat(next.sa.counters().services()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ffffffffffffffff", "8000000000000000", "7fffffffffffffff", ""})
    void aTimeThatCanNotBeCountsAsNow(String time) {
        ask(1, leased(7, 60));
        String line = text().lines()
                .filter(each -> each.startsWith("time "))
                .findFirst()
                .orElseThrow();
        String text = text().replace(line + "\n", time.isEmpty() ? "" : "time " + time + "\n");
        SaClient next = next(SaSettings.DEFAULT, text, snapshot);
        next.loop.runFor(60 * SECOND - 1);
        assertThat(next.sa.counters().services()).isEqualTo(1);
    }

    @Test
    void withoutALeaseThatEndsThereIsNoTimeAndNothingChangesWithIt() {
        ask(1, service(7, 1));
        String text = text();
        assertThat(text).contains("service ").doesNotContain("time ");
        wall = wall.plusSeconds(300);
        first.loop.runFor(SubnetAdministration.REFRESH_NANOS);
        assertThat(kept.getLast()).isEqualTo(text);
    }

    @Test
    void leasesGoOn() {
        ask(1, leased(7, 60));
        ask(1, service(8, 1));
        first.loop.runFor(10 * SECOND);
        SaClient next = next();
        next.loop.runFor(57 * SECOND);
        assertThat(next.sa.counters().services()).isEqualTo(2);
        next.loop.runFor(SECOND);
        assertThat(next.sa.counters().services()).as("58 s were left").isEqualTo(1);
    }

    @Test
    void changesAreKeptTogetherAndNowAndThenWithoutAny() {
        kept.clear();
        first.loop.runFor(SubnetAdministration.REFRESH_NANOS);
        assertThat(kept).as("nothing to be kept yet").isEmpty();
        ask(1, service(7, 1));
        first.loop.runFor(SubnetAdministration.SAVE_NANOS - 1);
        ask(1, service(8, 1));
        assertThat(kept).isEmpty();
        first.loop.runFor(1);
        assertThat(kept).singleElement().asString().contains("0000000000000008");
        first.loop.runFor(SubnetAdministration.REFRESH_NANOS - SubnetAdministration.SAVE_NANOS / 2);
        assertThat(kept).hasSize(1);
        ask(1, service(9, 1));
        first.sa.saveNow();
        assertThat(kept).hasSize(2);
        first.sa.saveNow();
        first.loop.runFor(SubnetAdministration.REFRESH_NANOS - 1);
        assertThat(kept)
                .as("neither for the change again nor as it would have been")
                .hasSize(2);
        first.loop.runFor(1);
        assertThat(kept).hasSize(3);
        ask(1, service(10, 1));
        first.loop.runFor(SubnetAdministration.SAVE_NANOS);
        first.loop.runFor(SubnetAdministration.REFRESH_NANOS - 1);
        assertThat(kept).hasSize(4);
        ask(1, service(11, 1));
        first.sa.close();
        first.sa.saveNow();
        first.loop.runFor(2 * SubnetAdministration.REFRESH_NANOS);
        assertThat(kept).hasSize(4);
    }

    @Test
    void aSweepIsKept() {
        ask(1, service(7, 1));
        text();
        first.sa.update(Snapshots.without(snapshot, host(1)));
        assertThat(text()).doesNotContain("service ");
    }

    @Test
    void whatIsNoSuchTextIsRefused() {
        String title = "# railyard subnet administration 1\n";
        for (String[] wrong : new String[][] {
            {"", "line 1, column 1"},
            {"# railyard subnet administration 2\n", "line 1, column 1"},
            {title + "alias 1\n", "line 2, column 1"},
            {title + "time 00\nfriend 1\n", "line 3, column 1"},
            {title + "member 1 2 3 00000000000000004\n", "line 2, column 1"},
            {title + "service 1 0g\n", "line 2, column 1"},
            {title + "time\n", "line 2, column 1"},
            {title + "time 1 2\n", "line 2, column 1"},
            {title + "time 12", "line 2, column 1: found \"time 12\", expected a line that ends: the text is cut"},
            {title + "group 00\n", "found \"group 00\", expected a record of 56 bytes, not of 1"},
            {title + "group " + "00".repeat(57) + "\n", "expected a record of 56 bytes, not of 57"},
            {title + "service 1 \n", "expected a record of 176 bytes, not of 0"}
        }) {
            assertThatThrownBy(() -> SubnetAdministration.check(wrong[0]))
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining(wrong[1]);
        }
        SubnetAdministration.check(title);
    }

    /** What a disk has lost of a number or of a record would be something else, not nothing. */
    @Test
    void aTextThatIsCutWithinALineIsRefused() {
        ask(1, create(GROUP, 1));
        ask(1, leased(7, 60));
        ask(1, SubscriptionsTest.subscribe(_ -> {}));
        String whole = text();
        assertThat(whole).contains("\ngroup ", "\nmember ", "\ntime ", "\nservice ", "\nsubscription ");
        int title = whole.indexOf('\n') + 1;
        for (int length = title; length <= whole.length(); length++) {
            String cut = whole.substring(0, length);
            int lines = (int) cut.lines().count();
            if (cut.endsWith("\n")) {
                SubnetAdministration.check(cut);
            } else {
                assertThatThrownBy(() -> SubnetAdministration.check(cut))
                        .as("the first %d characters", length)
                        .isInstanceOfSatisfying(
                                FormatException.class, e -> assertThat(e.line()).isEqualTo(lines));
            }
        }
    }
}
