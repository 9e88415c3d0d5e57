package org.railyard.sm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.InformInfo;
import org.railyard.mad.sa.InformInfoRecord;
import org.railyard.mad.sa.ReportNotice;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.TrapDetails;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.model.SubnetSnapshot;

/** Subscriptions to notices, and the reports that they lead to. */
final class SubscriptionsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final SampleTorus TORUS = SampleTorus.torus(2, 2, 1, 2);

    private final SubnetSnapshot snapshot = Snapshots.torus(TORUS, 0, PartitionsConf.none());
    private final Fabric fabric = snapshot.fabric();
    private final SaClient client = new SaClient(SaSettings.DEFAULT, snapshot, fabric.lid(host(1)));

    private int host(int number) {
        return fabric.portIndex(fabric.switchCount() + number, 1);
    }

    /** Returns a subscription to everything, changed in some way. */
    static Mad subscribe(Consumer<InformInfo> change) {
        Mad request = Mad.sa(MadMethod.SET, InformInfo.TYPE, 0);
        InformInfo info = request.data(InformInfo.TYPE)
                .set(InformInfo.LID_BEGIN, 0xFFFF)
                .set(InformInfo.IS_GENERIC, 0xFF)
                .set(InformInfo.SUBSCRIBE, 1)
                .set(InformInfo.TYPE_CODE, 0xFFFF)
                .set(InformInfo.TRAP_NUMBER, 0xFFFF)
                .set(InformInfo.PRODUCER_TYPE, 0xFFFFFF);
        change.accept(info);
        return request;
    }

    private static Notice notice(int trap) {
        return Notice.TYPE
                .create()
                .set(Notice.IS_GENERIC, 1)
                .set(Notice.TYPE_CODE, 1)
                .set(Notice.PRODUCER_TYPE, Notice.FROM_SWITCH)
                .set(Notice.TRAP_NUMBER, trap);
    }

    /** Returns how many reports a trap of a switch leads to. */
    private int reports(int trap, int lid) {
        client.sent.clear();
        client.sentTo.clear();
        client.sa.trap(notice(trap).set(Notice.ISSUER_LID, lid), lid);
        client.confirmAll();
        return client.sent.size();
    }

    private int switchLid() {
        return fabric.lid(fabric.portIndex(0, 0));
    }

    @Test
    void filters() {
        client.ask(subscribe(info -> info.set(InformInfo.TRAP_NUMBER, Notice.LINK_STATE)));
        assertThat(reports(Notice.LINK_STATE, switchLid())).isEqualTo(1);
        assertThat(client.sent.getFirst().data(ReportNotice.TYPE).getGid(ReportNotice.ISSUER_GID))
                .isEqualTo(new Gid(Gid.DEFAULT_PREFIX, fabric.portGuid(fabric.portIndex(0, 0))));
        assertThat(client.sentTo.getFirst().lid()).isEqualTo(client.lid);
        assertThat(client.sentTo.getFirst().qpn()).isEqualTo(1);
        assertThat(reports(Notice.LINK_INTEGRITY, switchLid())).isZero();
        assertThat(reports(Notice.LINK_STATE, 0x7000)).as("nobody has this LID").isZero();
    }

    /** An agent could tell of ports and groups that others rely on. */
    @Test
    void whatOnlyASubnetManagerTellsIsNotBelievedOfAgents() {
        client.ask(subscribe(info -> {}));
        for (int trap = Notice.IN_SERVICE; trap <= Notice.GROUP_DELETED; trap++) {
            assertThat(reports(trap, switchLid())).isZero();
        }
        client.sa.trap(notice(Notice.LINK_STATE).set(Notice.PRODUCER_TYPE, Notice.FROM_SUBNET_MANAGEMENT), switchLid());
        client.loop.runFor(0);
        assertThat(client.sent).isEmpty();
        assertThat(reports(Notice.LINK_STATE, switchLid())).isEqualTo(1);
    }

    private void traps(int count) {
        for (int i = 0; i < count; i++) {
            Notice notice = notice(Notice.LINK_STATE);
            notice.details().set(TrapDetails.SWITCH_LID, i);
            client.sa.trap(notice, switchLid());
        }
    }

    /** Half a subnet may lose its power between two sweeps. */
    @Test
    void whoConfirmsHearsOfAllThatChangesAtOnce() {
        client.ask(subscribe(info -> {}));
        traps(1000);
        client.confirmAll();
        assertThat(client.sent)
                .extracting(
                        mad -> mad.data(ReportNotice.TYPE).notice().details().getInt(TrapDetails.SWITCH_LID))
                .containsExactlyElementsOf(IntStream.range(0, 1000).boxed().toList());
        traps(Reports.MOST_TO_A_PORT + 5);
        assertThat(client.sa.counters().reportsDropped()).isEqualTo(5);
    }

    @Test
    void whoConfirmsNothingDoesNotTakeThePlacesOfOthers() {
        int most = Reports.MOST_TO_A_SILENT_PORT;
        client.ask(subscribe(info -> {}));
        traps(1 + most + 7);
        client.loop.runFor(SECOND);
        assertThat(client.sa.counters().reportsUnanswered()).isEqualTo(1);
        assertThat(client.sa.counters().reportsDropped()).as("beyond the first").isEqualTo(7);
        int silent = client.lid;
        client.lid = fabric.lid(host(2));
        client.ask(subscribe(info -> {}));
        traps(1);
        assertThat(client.sa.counters().reportsDropped()).isEqualTo(8);
        client.loop.runFor(0);
        assertThat(client.sentTo.getLast().lid()).as("who is not silent").isEqualTo(client.lid);

        client.sentTo.removeLast();
        client.sent.removeLast();
        assertThat(client.sentTo.getLast().lid()).isEqualTo(silent);
        client.confirm(client.sent.getLast());
        traps(2);
        assertThat(client.sa.counters().reportsDropped())
                .as("it confirms again")
                .isEqualTo(8);
    }

    @Test
    void whoEndsItsSubscriptionHearsNoMore() {
        client.ask(subscribe(info -> {}));
        traps(3);
        client.ask(subscribe(info -> info.set(InformInfo.SUBSCRIBE, 0)));
        client.confirmAll();
        assertThat(client.sent).as("the one that was on its way").hasSize(1);
        client.ask(subscribe(info -> {}));
        traps(3);
        client.confirmAll();
        assertThat(client.sent).hasSize(1 + 3);
    }

    @Test
    void whatWaitsForAPortThatHasGoneIsForgotten() {
        client.ask(subscribe(info -> {}));
        traps(3);
        client.sa.update(Snapshots.without(snapshot, host(1)));
        client.sa.update(snapshot);
        client.ask(subscribe(info -> {}));
        client.confirmAll();
        assertThat(client.sent).hasSize(1);
        traps(1);
        client.confirmAll();
        assertThat(client.sent).hasSize(2);
    }

    @Test
    void eachPartOfAFilterCounts() {
        assertThat(wanted(info -> {})).isTrue();
        assertThat(wanted(info -> info.set(InformInfo.IS_GENERIC, 1))).isTrue();
        assertThat(wanted(info -> info.set(InformInfo.IS_GENERIC, 0))).isFalse();
        assertThat(wanted(info -> info.set(InformInfo.TYPE_CODE, 1))).isTrue();
        assertThat(wanted(info -> info.set(InformInfo.TYPE_CODE, 2))).isFalse();
        assertThat(wanted(info -> info.set(InformInfo.PRODUCER_TYPE, Notice.FROM_SWITCH)))
                .isTrue();
        assertThat(wanted(info -> info.set(InformInfo.PRODUCER_TYPE, Notice.FROM_CA)))
                .isFalse();
        int lid = switchLid();
        assertThat(wanted(info -> info.set(InformInfo.LID_BEGIN, lid))).isTrue();
        assertThat(wanted(info -> info.set(InformInfo.LID_BEGIN, lid + 1).set(InformInfo.LID_END, lid + 9)))
                .isFalse();
        assertThat(wanted(info -> info.set(InformInfo.LID_BEGIN, lid).set(InformInfo.LID_END, lid)))
                .isTrue();
        assertThat(wanted(info -> info.set(InformInfo.LID_BEGIN, 1).set(InformInfo.LID_END, lid)))
                .isTrue();
        assertThat(wanted(info -> info.set(InformInfo.LID_BEGIN, 1).set(InformInfo.LID_END, lid - 1)))
                .isFalse();
        Gid issuer = new Gid(Gid.DEFAULT_PREFIX, fabric.portGuid(fabric.portIndex(0, 0)));
        assertThat(wanted(info -> info.setGid(InformInfo.GID, issuer))).isTrue();
        assertThat(wanted(info -> info.setGid(InformInfo.GID, new Gid(1, 2)))).isFalse();
    }

    private boolean wanted(Consumer<InformInfo> change) {
        assertThat(client.ask(subscribe(change)).status()).isZero();
        int reports = reports(Notice.LINK_STATE, switchLid());
        Mad end = subscribe(change);
        end.data(InformInfo.TYPE).set(InformInfo.SUBSCRIBE, 0);
        assertThat(client.ask(end).status()).isZero();
        assertThat(client.sa.counters().subscriptions()).isZero();
        return reports == 1;
    }

    @Test
    void theSameAgainIsTheSame() {
        client.ask(subscribe(info -> {}));
        client.ask(subscribe(info -> info.set(InformInfo.RESPONSE_TIME, 9)));
        assertThat(client.sa.counters().subscriptions()).isEqualTo(1);
        client.ask(subscribe(info -> info.set(InformInfo.QPN, 55)));
        assertThat(client.sa.counters().subscriptions()).isEqualTo(2);
        Mad list = Mad.sa(MadMethod.GET_TABLE, InformInfoRecord.TYPE, 0);
        assertThat(client.ask(list).records()).isEqualTo(2);
        assertThat(reports(Notice.LINK_STATE, switchLid())).isEqualTo(2);
        assertThat(client.sentTo).extracting(to -> to.qpn()).containsExactly(1, 55);
        client.lid = fabric.lid(host(2));
        assertThat(client.ask(list).records()).isZero();
        assertThat(client.askTrusted(list).records()).isEqualTo(2);
        Mad end = subscribe(info -> info.set(InformInfo.SUBSCRIBE, 0));
        assertThat(client.ask(end).status()).as("not one of this port").isEqualTo(MadStatus.SA_INVALID);
    }

    @Test
    void securityIsForTheTrusted() {
        Consumer<InformInfo> security =
                info -> info.set(InformInfo.TRAP_NUMBER, Notice.BAD_P_KEY).set(InformInfo.IS_GENERIC, 1);
        assertThat(client.ask(subscribe(security)).status()).isEqualTo(MadStatus.SA_DENIED);
        client.ask(subscribe(info -> {}));
        assertThat(reports(Notice.BAD_P_KEY, switchLid())).isZero();
        assertThat(client.askTrusted(subscribe(security)).status()).isZero();
        assertThat(reports(Notice.BAD_P_KEY, switchLid())).isEqualTo(1);
        for (int trap = Notice.BAD_M_KEY; trap <= Notice.SWITCH_BAD_P_KEY; trap++) {
            int number = trap;
            Mad one = subscribe(info -> security.andThen(same -> same.set(InformInfo.TRAP_NUMBER, number))
                    .accept(info));
            assertThat(client.ask(one).status()).isEqualTo(MadStatus.SA_DENIED);
        }
    }

    @Test
    void whoSubscribesAgainWithTheKeyIsTrusted() {
        Mad request = subscribe(info -> {});
        assertThat(client.ask(request).status()).isZero();
        assertThat(reports(Notice.BAD_P_KEY, switchLid())).isZero();
        assertThat(client.askTrusted(subscribe(info -> {})).status()).isZero();
        assertThat(reports(Notice.BAD_P_KEY, switchLid())).isEqualTo(1);
        assertThat(client.ask(request).status()).isZero();
        assertThat(reports(Notice.BAD_P_KEY, switchLid()))
                .as("it has shown the key before")
                .isEqualTo(1);
        assertThat(client.sa.counters().subscriptions()).isEqualTo(1);
    }

    @Test
    void valuesThatMeanNothing() {
        assertThat(client.ask(subscribe(info -> info.set(InformInfo.SUBSCRIBE, 2)))
                        .status())
                .isEqualTo(MadStatus.SA_INVALID);
        assertThat(client.ask(subscribe(info -> info.set(InformInfo.IS_GENERIC, 2)))
                        .status())
                .isEqualTo(MadStatus.SA_INVALID);
        assertThat(client.ask(subscribe(
                                info -> info.set(InformInfo.LID_BEGIN, 9).set(InformInfo.LID_END, 3)))
                        .status())
                .isEqualTo(MadStatus.SA_INVALID);
    }

    @Test
    void subscriptionsAndReportsAreBounded() {
        SaLimits limits = new SaLimits(1 << 16, 1, 1, 1, 1, 3, 2, 1, 1);
        SaClient small = new SaClient(SaSettings.DEFAULT.withLimits(limits), snapshot, client.lid);
        for (int qpn : List.of(10, 11)) {
            small.ask(subscribe(info -> info.set(InformInfo.QPN, qpn)));
        }
        Mad more = subscribe(info -> info.set(InformInfo.QPN, 12));
        assertThat(small.ask(more).status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
        small.lid = fabric.lid(host(2));
        assertThat(small.ask(more).status()).isZero();
        small.lid = fabric.lid(host(3));
        assertThat(small.ask(more).status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
        small.sa.trap(notice(Notice.LINK_STATE), switchLid());
        small.loop.runFor(0);
        assertThat(small.sent).hasSize(1);
        assertThat(small.sa.counters().reportsDropped()).isEqualTo(2);
        small.confirm(small.sent.getFirst());
        small.sa.trap(notice(Notice.LINK_STATE), switchLid());
        small.loop.runFor(0);
        assertThat(small.sent).as("its place is free").hasSize(2);
        assertThat(small.sa.counters().reportsDropped()).isEqualTo(4);
    }

    @Test
    void whoHasManyReportsLeavesAsManyPlacesToOthers() {
        SaLimits limits = new SaLimits(1 << 16, 1, 1, 1, 1, 3, 2, 10, 1);
        SaClient small = new SaClient(SaSettings.DEFAULT.withLimits(limits), snapshot, client.lid);
        small.ask(subscribe(info -> {}));
        for (int i = 0; i < 20; i++) {
            small.sa.trap(notice(Notice.LINK_STATE), switchLid());
        }
        assertThat(small.sa.counters().reportsDropped()).isEqualTo(15);
        small.lid = fabric.lid(host(2));
        small.ask(subscribe(info -> {}));
        small.sa.trap(notice(Notice.LINK_STATE), switchLid());
        small.loop.runFor(0);
        assertThat(small.sentTo).extracting(to -> to.lid()).contains(small.lid);
        small.sa.checkInvariants();
    }

    @Test
    void aReportIsRepeatedUntilItIsConfirmed() {
        client.ask(subscribe(info -> {}));
        client.sa.trap(notice(Notice.LINK_STATE), switchLid());
        client.loop.runFor(SECOND / 2);
        assertThat(client.sent.size()).isGreaterThan(1);
        client.confirm(client.sent.getLast());
        int before = client.sent.size();
        client.loop.runFor(10 * SECOND);
        assertThat(client.sent).hasSize(before);
        assertThat(client.sa.counters().reportsUnanswered()).isZero();
        client.sa.trap(notice(Notice.LINK_STATE), switchLid());
        client.loop.runFor(10 * SECOND);
        assertThat(client.sent).hasSize(before + 4);
        assertThat(client.sa.counters().reportsUnanswered()).isEqualTo(1);
    }

    @Test
    void onlyPortsOfOnesPartitionsAreReported() {
        PartitionsConf partitions = PartitionsConf.parse("Default=0x7fff : ALL=limited, SELF=full ;");
        SubnetSnapshot parted = Snapshots.torus(TORUS, 0, partitions);
        SaClient limited = new SaClient(SaSettings.DEFAULT, parted, client.lid);
        limited.ask(subscribe(info -> {}));
        limited.sa.trap(notice(Notice.LINK_STATE), switchLid());
        limited.sa.trap(notice(Notice.LINK_STATE), fabric.lid(snapshot.smPort()));
        limited.loop.runFor(0);
        assertThat(limited.sent).hasSize(1);
        limited.confirm(limited.sent.getFirst());
        limited.sa.update(Snapshots.without(parted, host(3)));
        limited.sa.update(parted);
        limited.loop.runFor(0);
        assertThat(limited.sent).as("two limited members").hasSize(1);
    }

    @Test
    void portsThatComeAndGoAreReported() {
        client.sa.update(Snapshots.without(snapshot, host(3)));
        client.sa.update(snapshot);
        client.ask(subscribe(info -> {}));
        client.sa.update(snapshot);
        client.loop.runFor(0);
        assertThat(client.sent).as("nothing has changed since").isEmpty();
        client.sa.update(Snapshots.without(snapshot, host(3)));
        client.sa.update(snapshot);
        client.confirmAll();
        assertThat(client.sent)
                .extracting(mad -> mad.data(ReportNotice.TYPE).notice())
                .allSatisfy(notice -> assertThat(
                                notice.details().getGid(TrapDetails.GID).guid())
                        .isEqualTo(fabric.portGuid(host(3))))
                .extracting(notice -> notice.getInt(Notice.TRAP_NUMBER))
                .containsExactly(Notice.OUT_OF_SERVICE, Notice.IN_SERVICE);
    }

    /** A port that has just left has not said whether it took its P_Keys; one that has just come may say so late. */
    @Test
    void portsWhosePKeysAreNotKnownForAWhileAreReported() {
        SubnetSnapshot unknown =
                Snapshots.again(snapshot, fabric).pKeys(host(3), List.of()).build();
        SubnetSnapshot without = Snapshots.without(snapshot, host(3));
        client.ask(subscribe(info -> {}));
        for (SubnetSnapshot next : List.of(unknown, without, unknown, without, unknown, snapshot)) {
            client.sa.update(next);
        }
        client.confirmAll();
        assertThat(client.sent)
                .extracting(mad -> mad.data(ReportNotice.TYPE).notice().getInt(Notice.TRAP_NUMBER))
                .as("when somebody can be told")
                .containsExactly(Notice.OUT_OF_SERVICE, Notice.IN_SERVICE);
    }
}
