package org.railyard.sm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.GuidInfoRecord;
import org.railyard.mad.sa.InformInfo;
import org.railyard.mad.sa.McMemberRecord;
import org.railyard.mad.sa.ReportNotice;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.sa.ServiceRecord;
import org.railyard.mad.smp.GuidInfo;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.TrapDetails;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.SaHeader;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.model.GroupMembers;
import org.railyard.sm.model.PortGuids;
import org.railyard.sm.model.SubnetSnapshot;

/** Alias GUIDs: who may ask for which, what is declined, and that they are as good as a port's own GUID. */
final class AliasGuidsTest {
    private static final long PLACE = GuidInfoRecord.LID.mask() | GuidInfoRecord.BLOCK.mask();
    private static final long FIRST = GuidInfoRecord.GUIDS.mask() & -GuidInfoRecord.GUIDS.mask();
    private static final long ALIAS = 0x0002_C903_0000_0042L;
    private static final Gid MGID = new Gid(0xFF12_401B_FFFF_0000L, 0x1234);
    private static final int BLOCKS = 4;
    private static final int CAPACITY = BLOCKS * PortGuids.BLOCK;

    private final SubnetSnapshot snapshot = Snapshots.torus(SampleTorus.torus(2, 2, 1, 1), 0, PartitionsConf.none());
    private final Fabric fabric = snapshot.fabric();
    private final SaClient client = new SaClient(SaSettings.DEFAULT, snapshot, lid(1));

    private int host(int number) {
        return fabric.portIndex(fabric.switchCount() + number, 1);
    }

    private int lid(int number) {
        return fabric.lid(host(number));
    }

    private long guid(int number) {
        return fabric.portGuid(host(number));
    }

    /** Asks for GUIDs from an index of the block on; 0 for one of the SA's. */
    private static Mad request(MadMethod method, int lid, int block, int first, Long... guids) {
        long mask = PLACE;
        for (int i = 0; i < guids.length; i++) {
            mask |= FIRST << first + i;
        }
        Mad request = Mad.sa(method, GuidInfoRecord.TYPE, mask);
        GuidInfoRecord record =
                request.data(GuidInfoRecord.TYPE).set(GuidInfoRecord.LID, lid).set(GuidInfoRecord.BLOCK, block);
        for (int i = 0; i < guids.length; i++) {
            record.set(GuidInfoRecord.GUIDS, first + i, guids[i]);
        }
        return request;
    }

    private static Mad set(int lid, int block, int first, Long... guids) {
        return request(MadMethod.SET, lid, block, first, guids);
    }

    private static List<Long> guids(Mad answer) {
        assertThat(answer.status()).isEqualTo(MadStatus.OK);
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < PortGuids.BLOCK; i++) {
            all.add(answer.data(GuidInfoRecord.TYPE).get(GuidInfoRecord.GUIDS, i));
        }
        return all;
    }

    private List<Long> get(int lid, int block) {
        return guids(client.ask(request(MadMethod.GET, lid, block, 0)));
    }

    @Test
    void whatAHostAsksForItGets() {
        Mad answer = client.ask(set(lid(1), 0, 3, ALIAS, 0L));
        assertThat(answer.data(GuidInfoRecord.TYPE).getInt(GuidInfoRecord.LID)).isEqualTo(lid(1));
        List<Long> given = guids(answer);
        assertThat(given.getFirst()).isEqualTo(guid(1));
        assertThat(given.get(3)).isEqualTo(ALIAS);
        assertThat(given.get(4) >>> 24).isEqualTo(0x0014_0500_00L);
        assertThat(get(lid(1), 0))
                .isEqualTo(given)
                .filteredOn(each -> each != 0)
                .hasSize(3);
        assertThat(guids(client.ask(set(lid(1), 0, 3, ALIAS, 0L))))
                .as("asked again")
                .isEqualTo(given);
        assertThat(client.sa.counters().aliases()).isEqualTo(2);
        client.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        assertThat(client.given).hasSize(1);
        PortGuids block = client.given.getFirst().getFirst();
        assertThat(block.portGuid()).isEqualTo(guid(1));
        assertThat(block.guids().subList(1, 8)).isEqualTo(given.subList(1, 8));
        client.ask(set(lid(1), 0, 3, ALIAS));
        client.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        assertThat(client.given.getLast().getFirst())
                .as("written again: the port may have lost it")
                .isNotEqualTo(block);
    }

    /** Ports of an adapter have GUIDs that follow each other: whoever asks first must not matter after a takeover. */
    @Test
    void theGuidsOfAPlaceDependOnNobodyElse() {
        Long[] ours = {0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L};
        List<List<Long>> given = new ArrayList<>();
        for (int number : new int[] {1, 2}) {
            SaClient alone = new SaClient(SaSettings.DEFAULT, snapshot, lid(number));
            for (int block = 0; block < BLOCKS; block++) {
                given.add(guids(alone.ask(set(lid(number), block, 0, ours))));
            }
        }
        for (int number : new int[] {2, 1}) {
            client.lid = lid(number);
            for (int block = BLOCKS - 1; block >= 0; block--) {
                assertThat(guids(client.ask(set(lid(number), block, 0, ours))))
                        .isEqualTo(given.get((number - 1) * BLOCKS + block));
            }
        }
    }

    /** A place that another port has taken means the next one. */
    @Test
    void oursAreFreeOnes() {
        long first = guids(client.ask(set(lid(1), 0, 1, 0L))).get(1);
        client.ask(request(MadMethod.DELETE, lid(1), 0, 1, 0L));
        client.lid = lid(2);
        client.ask(set(lid(2), 0, 1, first));
        client.lid = lid(1);
        assertThat(guids(client.ask(set(lid(1), 0, 1, 0L))).get(1)).isEqualTo(first + 1);
    }

    @Test
    void anotherGuidTakesThePlaceOfTheFirst() {
        client.ask(set(lid(1), 2, 7, ALIAS));
        assertThat(guids(client.ask(set(lid(1), 2, 7, ALIAS + 1)))).endsWith(ALIAS + 1);
        assertThat(client.sa.counters().aliases()).isEqualTo(1);
    }

    @Test
    void whatIsTakenIsDeclined() {
        client.ask(set(lid(1), 1, 0, ALIAS));
        client.lid = lid(2);
        Mad answer = client.ask(set(lid(2), 1, 0, ALIAS, guid(3), guid(2), -1L, ALIAS + 1));
        assertThat(guids(answer)).containsExactly(0L, 0L, 0L, 0L, ALIAS + 1, 0L, 0L, 0L);
        assertThat(guids(client.ask(set(lid(2), 1, 0, ALIAS + 1))))
                .as("at another place of the same port")
                .startsWith(0L);
        assertThat(get(lid(2), 1)).containsExactly(0L, 0L, 0L, 0L, ALIAS + 1, 0L, 0L, 0L);
        assertThat(guids(client.ask(set(lid(2), 1, 3, ALIAS + 2, ALIAS, ALIAS + 3))))
                .containsExactly(0L, 0L, 0L, ALIAS + 2, 0L, ALIAS + 3, 0L, 0L);
        assertThat(get(lid(2), 1))
                .as("the one that was there stays")
                .containsExactly(0L, 0L, 0L, ALIAS + 2, ALIAS + 1, ALIAS + 3, 0L, 0L);
    }

    @Test
    void aPortsOwnGuidStays() {
        assertThat(guids(client.ask(set(lid(1), 0, 0, ALIAS)))).startsWith(guid(1), 0L);
        assertThat(guids(client.ask(request(MadMethod.DELETE, lid(1), 0, 0, 0L))))
                .startsWith(guid(1), 0L);
        assertThat(client.sa.counters().aliases()).isZero();
    }

    @Test
    void onlyThePortItselfAndTheTrustedMayAsk() {
        assertThat(client.ask(set(lid(2), 0, 1, ALIAS)).status()).isEqualTo(MadStatus.SA_DENIED);
        assertThat(client.ask(request(MadMethod.DELETE, lid(2), 0, 1, 0L)).status())
                .isEqualTo(MadStatus.SA_DENIED);
        assertThat(guids(client.askTrusted(set(lid(2), 0, 1, ALIAS)))).startsWith(guid(2), ALIAS);
    }

    @Test
    void whatCanNotBeIsRefused() {
        Mad few = Mad.sa(MadMethod.SET, GuidInfoRecord.TYPE, FIRST << 1 | GuidInfoRecord.LID.mask());
        assertThat(client.ask(few).status()).isEqualTo(MadStatus.SA_FEW_COMPONENTS);
        assertThat(client.ask(set(0x3FFF, 0, 1, ALIAS)).status()).isEqualTo(MadStatus.SA_INVALID);
        assertThat(client.ask(set(lid(1), BLOCKS, 1, ALIAS)).status()).isEqualTo(MadStatus.SA_INVALID);
        int switchLid = fabric.lid(fabric.portIndex(0, 0));
        assertThat(guids(client.askTrusted(set(switchLid, 0, 1, ALIAS))))
                .as("GUIDCap 1")
                .startsWith(fabric.portGuid(fabric.portIndex(0, 0)), 0L);
    }

    @Test
    void deletedOnesAreFree() {
        client.ask(set(lid(1), 1, 0, ALIAS, ALIAS + 1));
        assertThat(guids(client.ask(request(MadMethod.DELETE, lid(1), 1, 0, -1L))))
                .containsExactly(0L, ALIAS + 1, 0L, 0L, 0L, 0L, 0L, 0L);
        client.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        assertThat(client.given.getLast().getFirst().guids()).startsWith(0L, ALIAS + 1);
        client.lid = lid(2);
        assertThat(guids(client.ask(set(lid(2), 1, 0, ALIAS)))).startsWith(ALIAS);
    }

    @Test
    void thereAreNoMoreThanTheLimit() {
        int limit = CAPACITY + 3;
        SaLimits all = SaLimits.DEFAULT;
        SaClient small = new SaClient(
                SaSettings.DEFAULT.withLimits(new SaLimits(
                        all.answerBytes(), all.memberships(), all.membershipsPerPort(), 1, 1, 1, 1, 1, limit)),
                snapshot,
                lid(1));
        Long[] ours = {0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L};
        for (int block = 0; block < BLOCKS; block++) {
            assertThat(guids(small.ask(set(lid(1), block, 0, ours)))).doesNotContain(0L);
        }
        small.lid = lid(2);
        assertThat(small.ask(set(lid(2), 0, 0, ours)).status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
        assertThat(small.sa.counters().aliases()).isEqualTo(CAPACITY - 1);
        small.lid = lid(1);
        assertThat(guids(small.ask(set(lid(1), 0, 0, ours)))).as("no new ones").doesNotContain(0L);
    }

    @Test
    void absentPortsGiveWayBeforeTheLimitIsReached() {
        SaLimits all = SaLimits.DEFAULT;
        SaClient small = new SaClient(
                SaSettings.DEFAULT.withLimits(
                        new SaLimits(all.answerBytes(), all.memberships(), all.membershipsPerPort(), 1, 1, 1, 1, 1, 2)),
                snapshot,
                lid(1));
        small.ask(set(lid(1), 0, 1, ALIAS));
        small.lid = lid(2);
        small.ask(set(lid(2), 0, 1, ALIAS + 1));
        assertThat(small.ask(set(lid(2), 0, 2, ALIAS + 2)).status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
        small.sa.update(without(1));
        assertThat(guids(small.ask(set(lid(2), 0, 2, ALIAS + 2)))).startsWith(guid(2), ALIAS + 1, ALIAS + 2);
        assertThat(small.sa.counters().aliases()).isEqualTo(2);
        small.sa.update(snapshot);
        assertThat(guids(small.ask(request(MadMethod.GET, lid(1), 0, 0)))).startsWith(guid(1), 0L);
    }

    /** The last block may have space for a part of its GUIDs. */
    @Test
    void aPortHasNoMoreThanItsCapacity() {
        SubnetSnapshot.Builder builder = Snapshots.again(snapshot, fabric);
        PortInfo said = PortInfo.TYPE.copy(snapshot.portInfo(host(1)).orElseThrow());
        builder.port(host(1), said.set(PortInfo.GUID_CAP, 11));
        client.sa.update(builder.build());
        Long[] ours = {0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L};
        assertThat(guids(client.ask(set(lid(1), 0, 0, ours)))).doesNotContain(0L);
        List<Long> second = guids(client.ask(set(lid(1), 1, 0, ours)));
        assertThat(second.subList(0, 3)).doesNotContain(0L);
        assertThat(second.subList(3, 8)).containsOnly(0L);
        assertThat(client.ask(set(lid(1), 2, 0, ours)).status()).isEqualTo(MadStatus.SA_INVALID);
        Mad all = request(MadMethod.GET_TABLE, lid(1), 0, 0);
        all.saHeader().set(SaHeader.COMPONENT_MASK, GuidInfoRecord.LID.mask());
        assertThat(client.ask(all).records()).isEqualTo(2);
    }

    @Test
    void pathsLeadToThem() {
        client.ask(set(lid(1), 0, 1, ALIAS));
        Mad path = Mad.sa(
                MadMethod.GET,
                SaPathRecord.TYPE,
                SaPathRecord.SGID.mask() | SaPathRecord.DGID.mask() | SaPathRecord.SLID.mask());
        path.data(SaPathRecord.TYPE)
                .setGid(SaPathRecord.SGID, Gid.DEFAULT_PREFIX, guid(2))
                .set(SaPathRecord.SLID, lid(2))
                .setGid(SaPathRecord.DGID, Gid.DEFAULT_PREFIX, ALIAS);
        Mad answer = client.ask(path);
        assertThat(answer.status()).isEqualTo(MadStatus.OK);
        SaPathRecord found = answer.data(SaPathRecord.TYPE);
        assertThat(found.getInt(SaPathRecord.DLID)).isEqualTo(lid(1));
        assertThat(found.getGid(SaPathRecord.DGID).guid()).isEqualTo(ALIAS);
        client.ask(request(MadMethod.DELETE, lid(1), 0, 1, 0L));
        assertThat(client.ask(path).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    private Mad join(long guid) {
        Mad request = Mad.sa(
                MadMethod.SET,
                McMemberRecord.TYPE,
                McMemberRecord.MGID.mask()
                        | McMemberRecord.PORT_GID.mask()
                        | McMemberRecord.JOIN_STATE.mask()
                        | McMemberRecord.Q_KEY.mask()
                        | McMemberRecord.TCLASS.mask()
                        | McMemberRecord.P_KEY.mask()
                        | McMemberRecord.FLOW_LABEL.mask()
                        | McMemberRecord.SL.mask());
        request.data(McMemberRecord.TYPE)
                .setGid(McMemberRecord.MGID, MGID)
                .setGid(McMemberRecord.PORT_GID, Gid.DEFAULT_PREFIX, guid)
                .set(McMemberRecord.P_KEY, 0xFFFF)
                .set(McMemberRecord.JOIN_STATE, McMemberRecord.FULL_MEMBER);
        return request;
    }

    @Test
    void theyJoinGroupsAndTheirPortIsRouted() {
        client.ask(set(lid(1), 0, 1, ALIAS, ALIAS + 1));
        assertThat(client.ask(join(ALIAS)).status()).isEqualTo(MadStatus.OK);
        assertThat(client.ask(join(ALIAS + 1)).status()).isEqualTo(MadStatus.OK);
        assertThat(client.ask(join(guid(1))).status()).isEqualTo(MadStatus.OK);
        assertThat(client.ask(join(ALIAS + 2)).status()).isEqualTo(MadStatus.SA_INVALID);
        GroupMembers group = client.sa.groups().getFirst();
        assertThat(group.portGuids()).containsExactly(guid(1));
        assertThat(client.sa.counters().memberships()).isEqualTo(3);
        Mad members = Mad.sa(MadMethod.GET_TABLE, McMemberRecord.TYPE, McMemberRecord.PORT_GID.mask());
        members.data(McMemberRecord.TYPE).setGid(McMemberRecord.PORT_GID, Gid.DEFAULT_PREFIX, ALIAS);
        assertThat(client.ask(members).records()).isEqualTo(1);
        client.ask(request(MadMethod.DELETE, lid(1), 0, 1, 0L));
        assertThat(client.sa.counters().memberships()).isEqualTo(2);
        client.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        int routed = client.routed.size();
        client.ask(request(MadMethod.DELETE, lid(1), 0, 2, 0L));
        assertThat(client.sa.groups().getFirst().portGuids()).containsExactly(guid(1));
        client.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        assertThat(client.routed).hasSize(routed + 1);
    }

    @Test
    void servicesGoWithThem() {
        client.ask(set(lid(1), 0, 1, ALIAS));
        Mad service =
                Mad.sa(MadMethod.SET, ServiceRecord.TYPE, ServiceRecord.SERVICE_ID.mask() | ServiceRecord.GID.mask());
        service.data(ServiceRecord.TYPE)
                .set(ServiceRecord.SERVICE_ID, 7)
                .setGid(ServiceRecord.GID, Gid.DEFAULT_PREFIX, ALIAS);
        assertThat(client.ask(service).status()).isEqualTo(MadStatus.OK);
        service.data(ServiceRecord.TYPE).setGid(ServiceRecord.GID, Gid.DEFAULT_PREFIX, guid(1));
        assertThat(client.ask(service).status()).isEqualTo(MadStatus.OK);
        client.ask(request(MadMethod.DELETE, lid(1), 0, 1, 0L));
        assertThat(client.sa.counters().services()).isEqualTo(1);
        Mad get = Mad.sa(MadMethod.GET, ServiceRecord.TYPE, ServiceRecord.GID.mask());
        get.data(ServiceRecord.TYPE).setGid(ServiceRecord.GID, Gid.DEFAULT_PREFIX, guid(1));
        assertThat(client.ask(get).status()).as("that of the port itself").isZero();
    }

    private static MadAddress from(int lid, long guid) {
        return new MadAddress(lid, 1, MadAddress.GMP_Q_KEY, 0, 0, 0, new Gid(Gid.DEFAULT_PREFIX, guid));
    }

    @Test
    void requestsComeFromThem() {
        client.ask(set(lid(1), 0, 1, ALIAS));
        Mad get = request(MadMethod.GET, lid(1), 0, 0);
        MadAddress from = from(lid(1), ALIAS);
        assertThat(client.sa.answer(get, from)).isPresent();
        MadAddress other = from(lid(2), ALIAS);
        assertThat(client.sa.answer(get, other)).isEmpty();
    }

    private static Mad subscription(int trap) {
        Mad request = Mad.sa(MadMethod.SET, InformInfo.TYPE, 0);
        request.data(InformInfo.TYPE)
                .set(InformInfo.LID_BEGIN, 0xFFFF)
                .set(InformInfo.IS_GENERIC, 1)
                .set(InformInfo.SUBSCRIBE, 1)
                .set(InformInfo.TYPE_CODE, 0xFFFF)
                .set(InformInfo.TRAP_NUMBER, trap)
                .set(InformInfo.PRODUCER_TYPE, 0xFFFFFF);
        return request;
    }

    @Test
    void subscribersHearOfThem() {
        for (int trap : new int[] {Notice.IN_SERVICE, Notice.OUT_OF_SERVICE}) {
            client.ask(subscription(trap));
        }
        client.ask(set(lid(1), 0, 1, ALIAS));
        assertReported(Notice.IN_SERVICE);
        client.ask(request(MadMethod.DELETE, lid(1), 0, 1, 0L));
        assertReported(Notice.OUT_OF_SERVICE);
    }

    private void assertReported(int trap) {
        client.loop.runFor(0);
        Mad report = client.sent.getLast();
        client.confirm(report);
        Notice notice = report.data(Notice.TYPE);
        assertThat(notice.getInt(Notice.TRAP_NUMBER)).isEqualTo(trap);
        assertThat(notice.details().getGid(TrapDetails.GID).guid()).isEqualTo(ALIAS);
    }

    private SubnetSnapshot without(int number) {
        return Snapshots.without(snapshot, host(number));
    }

    @Test
    void theyWaitForTheirPortUnlessAnotherOneTakesThem() {
        client.ask(set(lid(1), 0, 1, ALIAS, ALIAS + 1));
        client.ask(join(ALIAS));
        client.sa.update(without(1));
        client.sa.checkInvariants();
        assertThat(client.sa.counters().aliases()).isEqualTo(2);
        assertThat(client.sa.counters().memberships()).isZero();
        client.lid = lid(2);
        assertThat(guids(client.ask(set(lid(2), 0, 1, ALIAS)))).startsWith(guid(2), ALIAS);
        client.sa.update(snapshot);
        assertThat(get(lid(1), 0)).startsWith(guid(1), 0L, ALIAS + 1);
        assertThat(get(lid(2), 0)).startsWith(guid(2), ALIAS, 0L);
    }

    @Test
    void subscribersHearOfThemWithTheirPort() {
        client.ask(set(lid(1), 0, 1, ALIAS));
        client.lid = lid(2);
        client.ask(subscription(0xFFFF));
        client.sa.update(without(1));
        client.sa.update(snapshot);
        client.confirmAll();
        assertThat(reported()).containsExactly(gone(guid(1)), gone(ALIAS), there(guid(1)), there(ALIAS));
    }

    private static String gone(long guid) {
        return Notice.OUT_OF_SERVICE + " " + guid;
    }

    private static String there(long guid) {
        return Notice.IN_SERVICE + " " + guid;
    }

    private List<String> reported() {
        return client.sent.stream()
                .map(report -> report.data(ReportNotice.TYPE).notice())
                .map(notice -> notice.getInt(Notice.TRAP_NUMBER) + " "
                        + notice.details().getGid(TrapDetails.GID).guid())
                .toList();
    }

    @Test
    void aPortThatComesKeepsItsOwnGuid() {
        client.sa.update(without(3));
        assertThat(guids(client.ask(set(lid(1), 0, 1, guid(3))))).startsWith(guid(1), guid(3));
        client.ask(join(guid(3)));
        client.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        PortGuids before = client.given.getLast().getFirst();
        client.sa.update(snapshot);
        client.sa.checkInvariants();
        assertThat(get(lid(1), 0)).startsWith(guid(1), 0L);
        assertThat(client.sa.counters().memberships()).isZero();
        client.loop.runFor(SubnetAdministration.COLLECT_NANOS);
        assertThat(client.given.getLast().getFirst().guids()).containsOnly(0L);
        assertThat(client.given.getLast().getFirst().revision()).isGreaterThan(before.revision());
    }

    @Test
    void theyAreKept() {
        List<String> kept = new ArrayList<>();
        client.sa.keep(kept::add, () -> Instant.EPOCH);
        client.sa.received(set(lid(1), 0, 1, ALIAS, 0L), MadAddress.gmp(lid(1), 0));
        client.sa.received(join(ALIAS), MadAddress.gmp(lid(1), 0));
        client.loop.runFor(SubnetAdministration.SAVE_NANOS);
        List<Long> before = get(lid(1), 0);
        SaClient next = new SaClient(SaSettings.DEFAULT, lid(1));
        next.sa.restore(kept.getLast(), Instant.EPOCH);
        assertThat(next.sa.portGuids().getFirst().guids().subList(1, 8)).isEqualTo(before.subList(1, 8));
        next.sa.update(snapshot);
        next.sa.checkInvariants();
        assertThat(guids(next.ask(request(MadMethod.GET, lid(1), 0, 0)))).isEqualTo(before);
        assertThat(next.sa.counters().memberships()).isEqualTo(1);
        assertThat(kept.getLast()).contains("alias ");
        client.sa.received(request(MadMethod.DELETE, lid(1), 0, 1, 0L, 0L), MadAddress.gmp(lid(1), 0));
        client.sa.saveNow();
        assertThat(kept.getLast()).doesNotContain("alias ");
        assertThat(client.sa.portGuids()).as("the port is to lose them").hasSize(1);
        client.sa.update(without(1));
        assertThat(client.sa.portGuids()).isEmpty();
    }

    @Test
    void whatIsKeptAndCanNotBeIsForgotten() {
        String zeros = " 0".repeat(6);
        String alias = "alias %x ".formatted(guid(1));
        String other = "alias %x ".formatted(guid(2));
        SaClient next = new SaClient(SaSettings.DEFAULT, lid(1));
        next.sa.restore(
                "# railyard subnet administration 1\n"
                        + alias + "0 5 6" + zeros + "\n"
                        + other + "0 0 6" + zeros + "\n"
                        + other + "20 0 7" + zeros + "\n"
                        + other + "ffffffffffffffff 0 8" + zeros + "\n"
                        + other + "1 0 ffffffffffffffff" + zeros + "\n",
                Instant.EPOCH);
        next.sa.update(snapshot);
        next.sa.checkInvariants();
        assertThat(next.sa.counters().aliases()).isEqualTo(1);
        Mad answer = next.ask(request(MadMethod.GET, lid(1), 0, 0));
        assertThat(answer.data(GuidInfoRecord.TYPE).table().get(GuidInfo.GUIDS, 1))
                .isEqualTo(6);
    }
}
