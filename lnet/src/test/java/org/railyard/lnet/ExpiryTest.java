package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.base.Errno;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;

/** Deadlines of messages, wherever they are (spec 10 §14, §15). */
class ExpiryTest extends TwoNodes {
    private static final long SECOND = 1_000_000_000L;

    private final Recorder from = new Recorder();

    @Override
    TestNetwork network() {
        return new TestNetwork().withTunables(2, 4);
    }

    private void hold() {
        net.hold(header -> header.portal() == PORTAL);
    }

    @Test
    @Requirement({"rsl-042", "rsl-062", "rsl-080", "rsl-081", "rsl-127"})
    void aMessageInTheTransportEndsForItsOwnerAndWhatBecomesOfItIsOfNoInterest() {
        sink(BITS, 8, new Recorder());
        hold();
        put(source(8, from), true);
        net.pass(149);
        assertThat(from.lines()).isEmpty();
        net.pass(1);
        assertThat(from.lines()).containsExactly("SEND ETIMEDOUT");
        assertThat(peerNiOf(a).credits()).as("the transport still has it").isEqualTo(1);
        int inUse = a.messagesInUse();
        long sent = niOf(a).traffic().sent().put();
        net.releaseAll();
        assertThat(from.lines()).as("the end was the end").containsExactly("SEND ETIMEDOUT");
        assertThat(niOf(a).traffic().sent().put()).as("it did leave").isEqualTo(sent + 1);
        assertThat(peerNiOf(a).credits()).isEqualTo(2);
        assertThat(a.messagesInUse()).isEqualTo(inUse - 1);
        assertThat(niOf(a).health()).isEqualTo(1000);
    }

    @Test
    @Requirement({"rsl-042", "rsl-127"})
    void aGetInTheTransportEndsOnce() {
        hold();
        get(source(8, from), BITS, 0);
        net.pass(150);
        Event end = from.only(EventKind.SEND);
        assertThat(end.status()).isEqualTo(Errno.ETIMEDOUT.status());
        assertThat(end.messageType()).isEqualTo(MessageType.GET);
        assertThat(end.targetNid()).isEqualTo(B);
        assertThat(end.portal()).isEqualTo(PORTAL);
        assertThat(end.matchBits()).isEqualTo(BITS);
        net.pass(160);
        assertThat(from.lines()).as("no REPLY is waited for any more").containsExactly("SEND ETIMEDOUT");
        assertThat(a.statistics().get(Statistic.RESPONSE_TIMEOUT_COUNT)).isZero();
    }

    @Test
    @Requirement({"rsl-042", "rsl-127"})
    void theMemoryIsItsOwnersAgainWhenTheTransportIsDoneWithIt() {
        hold();
        put(a.bind(MdConfig.of(memory(8)).withThreshold(1).withAutoUnlink().withHandler(from)), false);
        Recorder unlinked = new Recorder();
        Md other = a.bind(MdConfig.of(memory(8)).withHandler(unlinked));
        put(other, false);
        net.pass(150);
        assertThat(from.lines()).as("told in time").containsExactly("SEND ETIMEDOUT");
        other.unlink();
        assertThat(unlinked.lines()).containsExactly("SEND ETIMEDOUT");
        net.releaseAll();
        assertThat(from.lines()).containsExactly("SEND ETIMEDOUT", "UNLINK!");
        assertThat(unlinked.lines()).containsExactly("SEND ETIMEDOUT", "UNLINK!");
        assertThat(a.messagesInUse()).isZero();
    }

    @Test
    @Requirement("rsl-127")
    void aMessageThatComesBackLateCostsNothingWhateverItsTransportSays() {
        hold();
        put(source(8, from), false);
        net.pass(150);
        net.failNext(1, HealthStatus.NETWORK_TIMEOUT, header -> header.portal() == PORTAL);
        net.releaseAll();
        assertThat(from.lines()).containsExactly("SEND ETIMEDOUT");
        assertThat(niOf(a).health()).isEqualTo(1000);
        assertThat(peerNiOf(a).health()).isEqualTo(1000);
        assertThat(a.statistics().get(Statistic.RESEND_COUNT)).isZero();
    }

    @Test
    void theLogSaysHowLateMessagesCameBack() {
        hold();
        put(source(8, from), false);
        net.pass(4);
        put(source(8, from), false);
        net.pass(156);
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            net.releaseAll();
            net.pass(120);
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("after their deadline"))
                    .containsExactly("INFO 2 messages ended after their deadline, by 8000 ms on average");
        }
    }

    @Test
    @Requirement("rsl-126")
    void whatIsFoundTogetherEndsInItsOrder() {
        hold();
        List<String> ended = new ArrayList<>();
        for (String name : List.of("first", "second", "third")) {
            put(a.bind(MdConfig.of(memory(8)).withHandler(_ -> ended.add(name))), false);
            net.jump(1_000_000);
        }
        net.jump(100 * SECOND);
        put(a.bind(MdConfig.of(memory(8)).withHandler(_ -> ended.add("alive"))), false);
        net.jump(51 * SECOND);
        assertThat(ended).containsExactly("first", "second", "third");
    }

    @Test
    @Requirement({"rsl-059", "rsl-126", "rsl-127"})
    void theOldestEndFirstAndTheLiveOnesStay() {
        hold();
        Recorder second = new Recorder();
        put(source(8, from), false);
        net.pass(10);
        put(source(8, second), false);
        net.pass(140);
        assertThat(from.lines()).containsExactly("SEND ETIMEDOUT");
        assertThat(second.lines()).isEmpty();
        net.pass(10);
        assertThat(second.lines()).containsExactly("SEND ETIMEDOUT");
    }

    @Test
    @Requirement("dbg-025")
    void messagesThatWaitForCreditsLeaveTheLine() {
        hold();
        for (int i = 0; i < 5; i++) {
            put(source(8, from), false);
        }
        assertThat(peerNiOf(a).credits()).isEqualTo(-3);
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            net.pass(150);
            assertThat(log.lines()).anyMatch(line -> line.contains("PUT to " + B + " was not sent in time"));
        }
        assertThat(from.lines()).hasSize(5).containsOnly("SEND ETIMEDOUT");
        assertThat(peerNiOf(a).credits()).isZero();
        assertThat(a.dropCount()).isEqualTo(3);
        assertThat(niOf(a).traffic().dropped().put()).isEqualTo(3);
        assertThat(peerNiOf(a).traffic().dropped().put()).isEqualTo(3);
        net.takeLog();
        net.releaseAll();
        assertThat(net.takeLog()).as("what waited is not sent").hasSize(2);
        assertThat(peerNiOf(a).credits()).isEqualTo(2);
        assertThat(peerNiOf(a).queuedBytes()).isZero();
    }

    @Test
    void messagesThatWaitForAnNiCreditLeaveTheLine() {
        Nid c = Nid.parse("10.0.0.3@tcp");
        Nid d = Nid.parse("10.0.0.4@tcp");
        net.node(c.toString());
        net.node(d.toString());
        net.await(a.discover(c, false));
        net.await(a.discover(d, false));
        hold();
        for (Nid to : new Nid[] {B, c, d}) {
            for (int i = 0; i < 2; i++) {
                a.put(source(8, from), false, Nid.ANY, ProcessId.of(to), PORTAL, BITS, 0, 0);
            }
        }
        net.settle();
        assertThat(niOf(a).credits()).isEqualTo(-2);
        net.pass(150);
        assertThat(from.lines()).hasSize(6).containsOnly("SEND ETIMEDOUT");
        assertThat(niOf(a).credits()).isZero();
        net.releaseAll();
        assertThat(niOf(a).credits()).isEqualTo(4);
    }

    @Test
    @Requirement("rsl-088")
    void messagesThatWaitForDiscoveryEnd() {
        Nid stranger = Nid.parse("10.0.0.3@tcp");
        net.node(stranger.toString());
        net.hold(header -> header.destNid().equals(stranger));
        MdConfig config = MdConfig.of(memory(8)).withTimeoutNanos(3 * SECOND).withHandler(from);
        a.put(a.bind(config), false, Nid.ANY, ProcessId.of(stranger), PORTAL, BITS, 0, 0);
        net.settle();
        net.pass(2);
        assertThat(from.lines()).isEmpty();
        net.pass(1);
        assertThat(from.lines()).containsExactly("SEND ETIMEDOUT");
        net.takeLog();
        net.releaseAll();
        assertThat(net.takeLog())
                .as("discovery goes on")
                .isNotEmpty()
                .noneMatch(packet -> packet.header().portal() == PORTAL);
    }

    @Test
    @Requirement({"rsl-055", "rsl-137"})
    void theLimitOfADescriptorBoundsItsMessagesToo() {
        hold();
        Recorder slow = new Recorder();
        put(a.bind(MdConfig.of(memory(8)).withTimeoutNanos(20_000_000L).withHandler(from)), false);
        put(a.bind(MdConfig.of(memory(8)).withTimeoutNanos(400 * SECOND).withHandler(slow)), false);
        net.jump(19_999_999);
        assertThat(from.lines()).isEmpty();
        net.jump(1);
        assertThat(from.lines()).as("on time").containsExactly("SEND ETIMEDOUT");
        net.pass(149);
        assertThat(slow.lines()).isEmpty();
        net.pass(1);
        assertThat(slow.lines()).as("never longer than a transaction").containsExactly("SEND ETIMEDOUT");
    }

    @Test
    void theLimitOfADescriptorIsNotRenewed() {
        a.set(Tunable.DEADLINE_RULE, 1);
        hold();
        put(a.bind(MdConfig.of(memory(8)).withTimeoutNanos(20 * SECOND).withHandler(from)), false);
        net.pass(19);
        assertThat(from.lines()).isEmpty();
        net.pass(1);
        assertThat(from.lines()).containsExactly("SEND ETIMEDOUT");
    }

    /** Also where it is no less than that of the node. */
    @Test
    void aLimitOfADescriptorThatIsLongIsNotRenewedEither() {
        a.set(Tunable.DEADLINE_RULE, 1);
        hold();
        put(a.bind(MdConfig.of(memory(8)).withTimeoutNanos(200 * SECOND).withHandler(from)), false);
        net.pass(149);
        assertThat(from.lines()).isEmpty();
        net.pass(1);
        assertThat(from.lines()).containsExactly("SEND ETIMEDOUT");
    }

    /** Under Lustre's rules nothing but the transport ends what no response is awaited for. */
    @Test
    void theLimitOfADescriptorCountsForTheTransportUnderLustre() {
        net.withLnd(50, 1);
        a.set(Tunable.DEADLINE_RULE, 1);
        a.set(Tunable.EXPIRE_ACTIVE_MESSAGES, 0);
        a.set(Tunable.TIMEOUT_FORMULA, 1);
        put(a.bind(MdConfig.of(memory(8)).withTimeoutNanos(20 * SECOND).withHandler(from)), false);
        assertThat(net.timeoutOn(PORTAL)).isEqualTo(20 * SECOND);
    }

    @Test
    void withoutExpiryAMessageEndsWhenItsTransportSaysSo() {
        a.set(Tunable.EXPIRE_ACTIVE_MESSAGES, 0);
        hold();
        put(source(8, from), false);
        net.pass(400);
        assertThat(from.lines()).isEmpty();
        net.releaseAll();
        assertThat(from.lines()).containsExactly("SEND");
    }

    @ParameterizedTest
    @CsvSource({"0,1,75", "0,2,37.5", "50,1,50", "100,1,75"})
    @Requirement({"rsl-039", "rsl-059", "rsl-087", "rsl-139", "rsl-150"})
    void theTransportIsToldHowLongItMayTake(int own, int parts, double seconds) {
        net.withLnd(own, parts);
        put(source(8, from), false);
        assertThat(net.timeoutOn(PORTAL)).isEqualTo((long) (seconds * SECOND));
    }

    @ParameterizedTest
    @CsvSource({"1,75,30", "2,37.5,15"})
    @Requirement({"rsl-039", "rsl-038"})
    void aResendGetsWhatIsLeftOfTheTime(int parts, double first, double last) {
        net.withLnd(0, parts);
        a.set(Tunable.RESEND_INTERVAL, 60_000);
        net.failNext(2, HealthStatus.LOCAL_DROPPED, header -> header.portal() == PORTAL);
        put(source(8, from), false);
        assertThat(net.timeoutOn(PORTAL)).isEqualTo((long) (first * SECOND));
        net.jump(60 * SECOND);
        net.jump(60 * SECOND);
        assertThat(from.lines()).containsExactly("SEND");
        assertThat(net.timeoutOn(PORTAL)).as("not what the others had").isEqualTo((long) (last * SECOND));
    }

    /** A message that waited for its credits for almost as long as it may take. */
    @ParameterizedTest
    @CsvSource({"1,10", "0,75"})
    void aRenewedDeadlineCountsForTheTransportIfItEndsMessages(int expires, double seconds) {
        a.set(Tunable.DEADLINE_RULE, 1);
        a.set(Tunable.EXPIRE_ACTIVE_MESSAGES, expires);
        hold();
        IntStream.range(0, 16).forEach(_ -> put(source(8, from), false));
        assertThat(net.heldCount()).as("with credits").isLessThan(16);
        net.pass(140);
        net.releaseAll();
        assertThat(net.timeoutOn(PORTAL)).isEqualTo((long) (seconds * SECOND));
    }

    @Test
    void underLustreTheDeadlineIsRenewedByEachAttempt() {
        net.withLnd(50, 1);
        LNet lustre = net.node(Settings.of(CompatProfile.LUSTRE), "10.0.0.7@tcp", "10.0.1.7@tcp");
        lustre.set(Tunable.RESEND_INTERVAL, 100_000);
        net.await(lustre.discover(B, false));
        net.failNext(2, HealthStatus.LOCAL_DROPPED, header -> header.portal() == PORTAL);
        lustre.put(lustre.bind(MdConfig.of(memory(8)).withHandler(from)), false, Nid.ANY, TO_B, PORTAL, BITS, 0, 0);
        net.settle();
        net.pass(200);
        assertThat(from.lines())
                .as("200 s after the first, 100 s after the second")
                .containsExactly("SEND");
        assertThat(net.timeoutOn(PORTAL)).isEqualTo(50 * SECOND);
    }
}
