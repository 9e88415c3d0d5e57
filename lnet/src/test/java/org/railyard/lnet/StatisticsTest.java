package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Latency;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Traffic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.api.Usage;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.Requirement;

/** What is counted, where, and who may ask for it (spec 10 §17). */
class StatisticsTest extends TwoNodes {
    private static final List<String> KEYS = List.of(
            "msgs_alloc",
            "msgs_max",
            "rst_alloc",
            "errors",
            "send_count",
            "resend_count",
            "response_timeout_count",
            "local_interrupt_count",
            "local_dropped_count",
            "local_aborted_count",
            "local_no_route_count",
            "local_timeout_count",
            "local_error_count",
            "remote_dropped_count",
            "remote_error_count",
            "remote_timeout_count",
            "network_timeout_count",
            "failed_resends",
            "successful_resends",
            "recv_count",
            "route_count",
            "drop_count",
            "send_length",
            "recv_length",
            "route_length",
            "drop_length");

    private void reset() {
        a.inventory().resetStatistics();
        b.inventory().resetStatistics();
    }

    private static long count(LNet node, Statistic statistic) {
        return node.statistics().get(statistic);
    }

    private Traffic trafficOfA() {
        return niOf(a).traffic();
    }

    private static Traffic.Counts counts(long put, long get, long reply, long ack) {
        return new Traffic.Counts(put, get, reply, ack, 0);
    }

    @Test
    @Requirement("dbg-045")
    void theKeysAreThoseOfLustreInItsOrder() {
        assertThat(a.statistics().toMap().keySet()).containsExactlyElementsOf(KEYS);
    }

    @Test
    @Requirement({"dbg-010", "dbg-015", "dbg-050", "dbg-055"})
    void discoveryOnBothSidesLooksAsOnRealNodes() {
        // a pinged and pushed; b pinged back for its own discovery and pushed: the same on both sides, seen from each.
        Traffic atA = trafficOfA();
        Traffic atB = niOf(b).traffic();
        assertThat(atA.sent().reply()
                        + atA.sent().ack()
                        + atB.sent().reply()
                        + atB.sent().ack())
                .as("an end node counts what it answers under the request")
                .isZero();
        assertThat(atA.sent().sum()).isEqualTo(atB.received().sum());
        assertThat(atB.sent().sum()).isEqualTo(atA.received().sum());
        assertThat(atA.received().reply()).as("its own pings").isPositive();
        assertThat(peerNiOf(a).traffic()).isEqualTo(atA);
        assertThat(count(a, Statistic.SEND_COUNT)).isEqualTo(atA.sent().sum());
        assertThat(count(a, Statistic.RECV_COUNT)).isEqualTo(atA.received().sum());
    }

    @Test
    void aPutWithAckAndAGet() {
        reset();
        sink(BITS, 64, new Recorder());
        put(source(40, new Recorder()), true);
        assertThat(trafficOfA().sent()).isEqualTo(counts(1, 0, 0, 0));
        assertThat(trafficOfA().received()).isEqualTo(counts(0, 0, 0, 1));
        assertThat(niOf(b).traffic().sent()).as("the ACK").isEqualTo(counts(1, 0, 0, 0));
        assertThat(niOf(b).traffic().received()).isEqualTo(counts(1, 0, 0, 0));
        assertThat(count(a, Statistic.SEND_LENGTH)).isEqualTo(40);
        assertThat(count(b, Statistic.RECV_LENGTH)).isEqualTo(40);
        assertThat(count(b, Statistic.SEND_LENGTH)).as("an ACK carries nothing").isZero();

        b.attach(MeConfig.of(PORTAL, 99), MdConfig.of(counting(24)).withOptions(MdOption.OP_GET, MdOption.TRUNCATE));
        get(source(40, new Recorder()), 99, 0);
        assertThat(trafficOfA().sent()).isEqualTo(counts(1, 1, 0, 0));
        assertThat(trafficOfA().received()).isEqualTo(counts(0, 0, 1, 1));
        assertThat(niOf(b).traffic().sent()).as("the ACK and the REPLY").isEqualTo(counts(1, 1, 0, 0));
        assertThat(count(a, Statistic.SEND_LENGTH)).as("a GET carries nothing").isEqualTo(40);
        assertThat(count(b, Statistic.SEND_LENGTH)).isEqualTo(24);
        assertThat(count(a, Statistic.RECV_LENGTH)).isEqualTo(24);
    }

    @Test
    void onlyWhatIsAcceptedCountsAsReceived() {
        reset();
        b.attach(MeConfig.of(PORTAL, BITS), MdConfig.of(memory(16)).withOptions(MdOption.OP_PUT, MdOption.TRUNCATE));
        put(40, BITS, 0);
        assertThat(count(b, Statistic.RECV_LENGTH)).isEqualTo(16);
        assertThat(count(a, Statistic.SEND_LENGTH)).isEqualTo(40);
    }

    @Test
    void payloadIsCountedOnNisAndPeerNis() {
        reset();
        sink(BITS, 64, new Recorder());
        put(source(40, new Recorder()), true);
        b.attach(MeConfig.of(PORTAL, 99), MdConfig.of(counting(24)).withOptions(MdOption.OP_GET, MdOption.TRUNCATE));
        get(source(40, new Recorder()), 99, 0);
        for (Traffic atA : List.of(trafficOfA(), peerNiOf(a).traffic())) {
            assertThat(atA.sentBytes()).as("the PUT").isEqualTo(40);
            assertThat(atA.receivedBytes()).as("the REPLY").isEqualTo(24);
        }
        for (Traffic atB : List.of(niOf(b).traffic(), peerNiOf(b).traffic())) {
            assertThat(atB.sentBytes()).isEqualTo(24);
            assertThat(atB.receivedBytes()).isEqualTo(40);
        }
        assertThat(trafficOfA().plus(trafficOfA()).sentBytes()).isEqualTo(80);
        reset();
        assertThat(trafficOfA()).isEqualTo(Traffic.NONE);
    }

    @Test
    void messagesThatEndTogetherCountAsEachAlone() {
        sink(BITS, 64, new Recorder());
        b.attach(MeConfig.of(PORTAL, 99), MdConfig.of(counting(24)).withOptions(MdOption.OP_GET, MdOption.TRUNCATE));
        reset();
        net.late().keep(packet -> packet.from().equals(A));
        put(10, BITS, 0);
        net.pass(1);
        put(30, BITS, 0);
        get(source(24, new Recorder()), 99, 0);
        put(5, BITS, 0);
        net.pass(2);
        put(7, BITS, 0);
        assertThat(trafficOfA().sent()).isEqualTo(Traffic.Counts.NONE);
        net.late().giveBack(5).run();
        net.late().keep(packet -> false);
        for (Traffic atA : List.of(trafficOfA(), peerNiOf(a).traffic())) {
            assertThat(atA.sent()).isEqualTo(counts(4, 1, 0, 0));
            assertThat(atA.sentBytes()).isEqualTo(52);
            assertThat(atA.putEgress()).isEqualTo(new Latency(4, 0, 3_000_000_000L, 7_000_000_000L));
            assertThat(atA.send()).isEqualTo(new Latency(5, 0, 3_000_000_000L, 9_000_000_000L));
        }
        assertThat(count(a, Statistic.SEND_COUNT)).isEqualTo(5);
        assertThat(count(a, Statistic.SEND_LENGTH)).isEqualTo(52);
        put(9, BITS, 0);
        assertThat(trafficOfA().sentBytes()).as("one that ends alone").isEqualTo(61);
    }

    @Test
    void whatIsDroppedIsCountedOnNodeNiAndPeerNi() {
        sink(BITS, 8, new Recorder());
        reset();
        put(32, 0xbad, 0);
        assertThat(count(b, Statistic.DROP_COUNT)).isEqualTo(1);
        assertThat(count(b, Statistic.DROP_LENGTH)).isEqualTo(32);
        assertThat(niOf(b).traffic().dropped()).isEqualTo(counts(1, 0, 0, 0));
        assertThat(peerNiOf(b).traffic().dropped()).isEqualTo(counts(1, 0, 0, 0));
        assertThat(count(b, Statistic.RECV_COUNT)).isZero();
        assertThat(count(a, Statistic.SEND_COUNT)).as("it was sent").isEqualTo(1);
    }

    @Test
    void whatBreaksTheProtocolIsAnError() {
        LNetHeader bad = fromAToB();
        bad.setPut(2_000_000, 1, 1, PORTAL, BITS, 0, 0);
        assertThat(net.inject(bad, new byte[0])).isEqualTo(Errno.EPROTO.status());
        assertThat(count(b, Statistic.ERRORS)).isEqualTo(1);
    }

    @Test
    void aFailedSendIsNeitherSentNorDropped() {
        reset();
        net.fail(header -> new TestNetwork.Failure(Errno.EIO, HealthStatus.LOCAL_ERROR));
        put(8, BITS, 0);
        net.fail(header -> null);
        assertThat(count(a, Statistic.SEND_COUNT)).isZero();
        assertThat(count(a, Statistic.DROP_COUNT)).isZero();
        assertThat(trafficOfA()).isEqualTo(Traffic.NONE);
    }

    @Test
    void messagesInUseAndTheirPeak() {
        reset();
        net.hold(header -> header.type() == MessageType.PUT);
        for (int i = 0; i < 5; i++) {
            put(source(8, new Recorder()), true);
        }
        assertThat(count(a, Statistic.MSGS_ALLOC)).isEqualTo(5);
        assertThat(count(a, Statistic.MSGS_MAX)).isEqualTo(5);
        assertThat(count(a, Statistic.RST_ALLOC)).as("timed responses").isEqualTo(5);
        sink(BITS, 8, new Recorder());
        net.releaseAll();
        assertThat(count(a, Statistic.MSGS_ALLOC)).isZero();
        assertThat(count(a, Statistic.RST_ALLOC)).isZero();
        assertThat(count(a, Statistic.MSGS_MAX)).isGreaterThanOrEqualTo(5);
    }

    @Test
    @Requirement({"rsl-161", "rsl-162"})
    void latenciesAreTakenFromTheInjectedClock() {
        reset();
        sink(BITS, 64, new Recorder());
        b.attach(MeConfig.of(PORTAL, 99), MdConfig.of(counting(64)).withOptions(MdOption.OP_GET));
        net.hold(header -> header.type() != MessageType.REPLY && header.type() != MessageType.ACK);
        a.put(source(8, new Recorder()), true, Nid.ANY, TO_B, PORTAL, BITS, 0, 0);
        net.settle();
        net.jump(3_000);
        net.releaseAll();
        net.hold(header -> header.type() == MessageType.REPLY);
        a.get(source(8, new Recorder()), Nid.ANY, TO_B, PORTAL, 99, 0);
        net.settle();
        net.jump(5_000);
        net.releaseAll();
        for (Traffic traffic : List.of(trafficOfA(), peerNiOf(a).traffic())) {
            assertThat(traffic.putEgress()).isEqualTo(new Latency(1, 3_000, 3_000, 3_000));
            assertThat(traffic.putAck()).isEqualTo(new Latency(1, 3_000, 3_000, 3_000));
            assertThat(traffic.getRtt()).isEqualTo(new Latency(1, 5_000, 5_000, 5_000));
            assertThat(traffic.send()).as("PUT and GET").isEqualTo(new Latency(2, 0, 3_000, 3_000));
            assertThat(traffic.send().average()).isEqualTo(1_500);
            assertThat(traffic.transaction()).isEqualTo(new Latency(2, 3_000, 5_000, 8_000));
            assertThat(traffic.transaction().average()).isEqualTo(4_000);
        }
        Traffic back = niOf(b).traffic();
        assertThat(back.putEgress()).as("only PUTs, no ACKs").isEqualTo(Latency.NONE);
        assertThat(back.send().samples()).as("ACK and REPLY").isEqualTo(2);
        assertThat(back.send().max()).isEqualTo(5_000);
    }

    @Test
    void aResponseThatComesTooLateIsNotTimed() {
        reset();
        sink(BITS, 64, new Recorder());
        net.hold(header -> header.type() == MessageType.ACK);
        put(source(8, new Recorder()), true);
        net.pass(160);
        net.releaseAll();
        assertThat(trafficOfA().putAck()).isEqualTo(Latency.NONE);
    }

    @Test
    @Requirement({"dbg-070", "dbg-075"})
    void heatCountsUseAndCoolsDown() {
        sink(BITS, 64, new Recorder());
        Md md = source(8, new Recorder());
        double before = a.inventory().heat(A);
        for (int i = 0; i < 100; i++) {
            put(md, true);
        }
        assertThat(a.inventory().heat(A)).as("100 PUTs, 100 ACKs").isCloseTo(before + 200, within(1e-6));
        assertThat(a.inventory().heat(B)).isCloseTo(a.inventory().heat(A), within(1e-6));
        double hot = a.inventory().heat(B);
        net.pass(60);
        assertThat(a.inventory().heat(B)).isCloseTo(hot / 2, within(1e-6));
        assertThat(a.inventory().heat(A)).isCloseTo(hot / 2, within(1e-6));
        expect(Errno.ENOENT, () -> a.inventory().heat(Nid.parse("9.9.9.9@tcp")));
    }

    @Test
    @Requirement("dbg-105")
    void theRateOfAnNi() {
        sink(BITS, 64, new Recorder());
        Md md = source(8, new Recorder());
        for (int second = 0; second < 60; second++) {
            for (int i = 0; i < 10; i++) {
                put(md, false);
            }
            if (second < 59) {
                net.pass(1);
            }
        }
        assertThat(a.inventory().txRate(A)).isCloseTo(10, within(0.1));
        assertThat(niOf(a).usage().txBytesPerSecond()).isCloseTo(80, within(1.0));
        assertThat(peerNiOf(a).usage().txMessagesPerSecond()).isCloseTo(10, within(0.1));
        net.pass(120);
        assertThat(a.inventory().txRate(A)).isLessThan(0.01);
    }

    @Test
    @Requirement({"dbg-040", "dbg-085", "dbg-090", "dbg-095"})
    void nisOneByOneAndInSums() {
        a.addNi(net.request("10.0.0.3@tcp"));
        a.addNi(net.request("10.1.0.1@tcp1"));
        b.addNi(net.request("10.0.0.4@tcp"));
        net.settle();
        reset();
        sink(BITS, 64, new Recorder());
        Md md = source(8, new Recorder());
        for (int i = 0; i < 10; i++) {
            put(md, true);
        }
        Inventory inventory = a.inventory();
        assertThat(inventory.ni(Net.TCP, 0)).contains(a.nis().getFirst());
        assertThat(inventory.ni(Net.TCP, 1)).contains(a.nis().get(1));
        assertThat(inventory.ni(Net.TCP, 2)).isEmpty();
        assertThat(inventory.ni(Net.TCP, -1)).isEmpty();
        assertThat(inventory.ni(Net.parse("tcp1"), 0)).contains(a.nis().get(2));
        assertThat(inventory.ni(Net.parse("tcp9"), 0)).isEmpty();
        assertThat(inventory.ni(Net.LO, 0).orElseThrow().nid()).isEqualTo(Nid.LOOPBACK);
        assertThat(inventory.nis())
                .hasSize(3)
                .allSatisfy(ni -> assertThat(ni.traffic()).isNotNull());
        assertThat(inventory.nis())
                .filteredOn(ni -> ni.nid().net().equals(Net.TCP))
                .allSatisfy(ni -> {
                    assertThat(ni.traffic().sent().sum()).isPositive();
                    assertThat(ni.traffic().received().sum()).isPositive();
                });
        Traffic sum = inventory.trafficOf(Net.TCP);
        assertThat(sum.received())
                .isEqualTo(a.nis()
                        .getFirst()
                        .traffic()
                        .received()
                        .plus(a.nis().get(1).traffic().received()));
        assertThat(sum.sent())
                .isEqualTo(a.nis()
                        .getFirst()
                        .traffic()
                        .sent()
                        .plus(a.nis().get(1).traffic().sent()));
        assertThat(sum.putAck().samples()).isEqualTo(10);
        assertThat(a.peers().getFirst().nis())
                .hasSize(2)
                .allSatisfy(ni -> assertThat(ni.traffic().sent().sum()).isPositive());
        assertThat(inventory.trafficOf(B).sent()).as("one peer, one net").isEqualTo(sum.sent());
        assertThat(inventory.trafficOf(B).received()).isEqualTo(sum.received());
        expect(Errno.ENODEV, () -> inventory.trafficOf(Net.parse("tcp9")));
        expect(Errno.ENOENT, () -> inventory.trafficOf(Nid.parse("9.9.9.9@tcp")));
    }

    @Test
    @Requirement({"dbg-065", "dbg-100"})
    void peersOneByOneAndByPages() {
        List<Nid> known = IntStream.rangeClosed(1, 25)
                .mapToObj(i -> Nid.parse("10.7.0." + i + "@tcp"))
                .toList();
        for (Nid nid : known) {
            a.put(source(8, new Recorder()), false, Nid.ANY, ProcessId.of(nid), PORTAL, BITS, 0, 0);
        }
        net.settle();
        Inventory inventory = a.inventory();
        assertThat(inventory.peers(0, 10)).hasSize(10);
        assertThat(inventory.peers(20, 10)).hasSize(6);
        assertThat(inventory.peers(26, 10)).isEmpty();
        assertThat(inventory.peer(0).orElseThrow().primaryNid()).isEqualTo(B);
        assertThat(inventory.peer(25).orElseThrow().primaryNid()).isEqualTo(known.getLast());
        assertThat(inventory.peer(26)).isEmpty();
        assertThat(inventory.peer(-1)).isEmpty();
        assertThat(inventory.peer(known.get(3)).orElseThrow().primaryNid()).isEqualTo(known.get(3));
        assertThat(inventory.peer(Nid.parse("9.9.9.9@tcp"))).isEmpty();
        expect(Errno.EINVAL, () -> inventory.peers(-1, 5));
    }

    @Test
    @Requirement("dbg-060")
    void aPeerNiTellsTheLocalNiUsedLast() {
        sink(BITS, 64, new Recorder());
        put(8, BITS, 0);
        PeerInfo.PeerNiInfo ni = peerNiOf(a);
        assertThat(ni.lastLocal()).isEqualTo(A);
        assertThat(ni.credits()).isEqualTo(ni.maxCredits()).isEqualTo(8);
        assertThat(ni.minCredits()).isLessThan(ni.maxCredits());
        assertThat(ni.queuedBytes()).isZero();
        assertThat(ni.traffic().sent().sum()).isPositive();
        assertThat(ni.traffic().received().sum()).isPositive();
    }

    @Test
    void aPeerThatIsOnlyKnownHasNoCounters() {
        assertThat(a.inventory().peerCount())
                .isEqualTo(a.inventory().peers(0, 9).size())
                .isPositive();
        assertThat(a.inventory().peers(0, 9).getFirst().nis().getFirst().traffic())
                .isNotEqualTo(Traffic.NONE);
        b.addNi(net.request("10.1.0.2@tcp1"));
        net.settle();
        PeerInfo.PeerNiInfo far = a.peers().getFirst().nis().getLast();
        assertThat(far.traffic()).isSameAs(Traffic.NONE);
        assertThat(far.usage()).isSameAs(Usage.NONE);
        assertThat(far.lastLocal()).isNull();
        assertThat(far.maxCredits()).isZero();
    }

    @Test
    @Requirement("dbg-120")
    void aResetTakesAllToZero() {
        sink(BITS, 64, new Recorder());
        put(source(8, new Recorder()), true);
        put(8, 0xbad, 0);
        reset();
        for (LNet node : List.of(a, b)) {
            assertThat(node.statistics().toMap().values()).containsOnly(0L);
            assertThat(niOf(node).traffic()).isEqualTo(Traffic.NONE);
            assertThat(peerNiOf(node).traffic()).isEqualTo(Traffic.NONE);
        }
    }

    @ParameterizedTest
    @EnumSource(CompatProfile.class)
    @Requirement("dbg-120")
    void theProfileSaysWhetherFailuresGoTo0Too(CompatProfile profile) {
        a.set(Tunable.STATS_RESET_HEALTH, Tunable.STATS_RESET_HEALTH.defaultIn(profile));
        net.fail(header -> new TestNetwork.Failure(Errno.ETIMEDOUT, HealthStatus.LOCAL_TIMEOUT));
        put(8, BITS, 0);
        net.fail(header -> new TestNetwork.Failure(Errno.ETIMEDOUT, HealthStatus.REMOTE_TIMEOUT));
        put(8, BITS, 0);
        net.fail(header -> null);
        assertThat(niOf(a).failures().timeouts()).isPositive();
        assertThat(peerNiOf(a).failures().timeout()).isPositive();
        a.inventory().resetStatistics();
        boolean kept = profile == CompatProfile.LUSTRE;
        assertThat(niOf(a).failures().timeouts() > 0).isEqualTo(kept);
        assertThat(peerNiOf(a).failures().timeout() > 0).isEqualTo(kept);
        assertThat(count(a, Statistic.REMOTE_TIMEOUT_COUNT)).isZero();
    }

    @Test
    void loopbackIsCountedOnItsOwnNi() {
        reset();
        a.attach(MeConfig.of(PORTAL, BITS), MdConfig.of(memory(64)).withOptions(MdOption.OP_PUT));
        a.put(source(8, new Recorder()), true, Nid.ANY, ProcessId.of(Nid.LOOPBACK), PORTAL, BITS, 0, 0);
        net.settle();
        Traffic loopback = a.inventory().ni(Net.LO, 0).orElseThrow().traffic();
        assertThat(loopback.sent()).as("PUT and ACK").isEqualTo(counts(2, 0, 0, 0));
        assertThat(loopback.received()).isEqualTo(counts(1, 0, 0, 1));
        assertThat(count(a, Statistic.SEND_COUNT)).isEqualTo(2);
        assertThat(trafficOfA()).isEqualTo(Traffic.NONE);
    }

    /** By one peer or by two, whole or truncated, some with and some without an answer. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsReceivedTogetherCountsAsWhatIsReceivedOneByOne(boolean together) {
        Nid third = Nid.parse("10.0.0.3@tcp");
        LNet c = net.node(settings(), third.toString());
        net.await(c.discover(B, false));
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory(64))
                        .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.TRUNCATE, MdOption.MANAGE_REMOTE));
        reset();
        Md md = source(40, new Recorder());
        if (together) {
            net.slow();
        }
        for (int offset : new int[] {0, 24, 34}) {
            put(md, false, BITS, offset);
        }
        c.put(c.bind(MdConfig.of(memory(10))), true, Nid.ANY, TO_B, PORTAL, BITS, 0, 0);
        net.settle();
        put(md, true, BITS, 60);
        get(md, BITS, 0);
        net.fast();
        assertThat(count(b, Statistic.RECV_COUNT)).isEqualTo(6);
        assertThat(count(b, Statistic.RECV_LENGTH)).as("what was taken").isEqualTo(40 + 40 + 30 + 10 + 4);
        assertThat(count(a, Statistic.RECV_LENGTH)).isEqualTo(40);
        Traffic all = niOf(b).traffic();
        assertThat(all.received()).isEqualTo(counts(5, 1, 0, 0));
        assertThat(all.receivedBytes()).as("what was sent").isEqualTo(4 * 40 + 10);
        assertThat(b.inventory()
                        .peer(A)
                        .orElseThrow()
                        .nis()
                        .getFirst()
                        .traffic()
                        .received())
                .isEqualTo(counts(4, 1, 0, 0));
        assertThat(b.inventory()
                        .peer(third)
                        .orElseThrow()
                        .nis()
                        .getFirst()
                        .traffic()
                        .receivedBytes())
                .isEqualTo(10);
        assertThat(trafficOfA().received()).isEqualTo(counts(0, 0, 1, 1));
    }
}
