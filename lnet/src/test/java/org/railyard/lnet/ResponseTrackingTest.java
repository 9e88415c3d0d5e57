package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PingReply;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.Requirement;

/** Responses that do not come (spec 10 §16). */
class ResponseTrackingTest extends TwoNodes {
    private final Recorder from = new Recorder();

    /** Sends a GET and a PUT with ACK of which nothing comes back, and returns what is told of them within 150 s. */
    private List<String> outcomesAtLevel(int level, MdOption... options) {
        LNet node =
                net.node(Settings.of(CompatProfile.DOCUMENTS).with(Tunable.RESPONSE_TRACKING, level), "10.0.0.3@tcp");
        net.await(node.discover(B, false));
        net.lose(packet -> packet.header().srcNid().equals(B));
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory(8)).withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        MdConfig config = MdConfig.of(memory(8)).withOptions(options).withHandler(from);
        node.get(node.bind(config), Nid.ANY, TO_B, PORTAL, BITS, 0);
        node.put(node.bind(config), true, Nid.ANY, TO_B, PORTAL, BITS, 0, 0);
        net.pass(151);
        return from.lines().stream().filter(line -> !line.equals("SEND")).toList();
    }

    @Test
    @Requirement({"rsl-005", "rsl-082"})
    void byDefaultBothAreTimed() {
        assertThat(outcomesAtLevel(3)).containsExactly("REPLY ETIMEDOUT!", "ACK ETIMEDOUT!");
    }

    @Test
    void levelTwoTimesPuts() {
        assertThat(outcomesAtLevel(2)).containsExactly("ACK ETIMEDOUT!");
    }

    @Test
    void levelOneTimesGets() {
        assertThat(outcomesAtLevel(1)).containsExactly("REPLY ETIMEDOUT!");
    }

    @Test
    void levelZeroTimesNothingOfUsers() {
        assertThat(outcomesAtLevel(0)).isEmpty();
    }

    @Test
    void anOptionTimesAtAnyLevel() {
        assertThat(outcomesAtLevel(0, MdOption.TRACK_RESPONSE)).containsExactly("REPLY ETIMEDOUT!", "ACK ETIMEDOUT!");
    }

    @Test
    void theOptionAgainstItWinsOverEverything() {
        assertThat(outcomesAtLevel(3, MdOption.TRACK_RESPONSE, MdOption.NO_TRACK_RESPONSE))
                .isEmpty();
    }

    @Test
    void whoAnsweredTheRequestBeforeIsNotToBlame() {
        b.attach(
                MeConfig.of(PORTAL, BITS), MdConfig.of(memory(8)).withOptions(MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        Md md = source(8, from);
        get(md, BITS, 0);
        assertThat(from.lines()).contains("REPLY");
        a.get(md, Nid.ANY, ProcessId.of(Nid.LOOPBACK), PORTAL, BITS, 0);
        net.pass(151);
        assertThat(from.lines()).endsWith("SEND", "REPLY ETIMEDOUT!");
        assertThat(peerNiOf(a).health()).isEqualTo(1000);
    }

    @Test
    void whoHasNothingToAnswerIsNotToBlame() {
        Nid other = Nid.parse("10.0.0.3@tcp");
        net.node(settings(), other.toString());
        net.await(a.discover(other, false));
        net.lose(MessageType.GET);
        Md md = source(8, from);
        get(md, BITS, 0);
        a.put(md, false, Nid.ANY, ProcessId.of(other), PORTAL, BITS, 0, 0);
        net.pass(151);
        assertThat(from.lines()).containsExactly("SEND", "SEND", "REPLY ETIMEDOUT!");
        for (PeerInfo peer : a.peers()) {
            assertThat(peer.nis().getFirst().health())
                    .isEqualTo(peer.primaryNid().equals(other) ? 1000 : 900);
        }
    }

    @Test
    void pingsAreTimedAtAnyLevel() {
        LNet node = net.node(Settings.of(CompatProfile.DOCUMENTS).with(Tunable.RESPONSE_TRACKING, 0), "10.0.0.3@tcp");
        net.lose(MessageType.GET);
        node.get(node.bind(MdConfig.of(memory(272)).withHandler(from)), Nid.ANY, TO_B, 0, Wire.PING_MATCH_BITS, 0);
        net.pass(151);
        assertThat(from.lines()).containsExactly("SEND", "REPLY ETIMEDOUT!");
    }

    @Test
    @Requirement({"rsl-020", "rsl-083", "rsl-084", "rsl-063", "rsl-135", "rsl-099", "rsl-013", "rsl-064"})
    void theEventOfAMissingResponse() {
        net.lose(MessageType.PUT);
        Md md = source(8, from);
        put(md, true);
        net.takeLog();
        net.pass(149);
        assertThat(from.lines()).containsExactly("SEND");
        net.pass(2);
        assertThat(from.lines()).containsExactly("SEND", "ACK ETIMEDOUT!");
        Event event = from.only(EventKind.ACK);
        assertThat(event.md()).isSameAs(md);
        assertThat(event.mlength()).isZero();
        assertThat(event.rlength()).isZero();
        assertThat(event.messageType()).as("what caused it").isEqualTo(MessageType.PUT);
        assertThat(md.isUnlinked()).isTrue();
        assertThat(net.takeLog())
                .as("the PUT is not sent again")
                .extracting(packet -> packet.header().type())
                .doesNotContain(MessageType.PUT);
        net.pass(300);
        assertThat(from.lines()).hasSize(2);
    }

    @Test
    @Requirement("rsl-099")
    void anAnswerInTimeEndsTheTiming() {
        sink(BITS, 8, new Recorder());
        Md md = source(8, from);
        put(md, true);
        net.pass(300);
        assertThat(from.lines()).containsExactly("SEND", "ACK");
        assertThat(md.isUnlinked()).isFalse();
    }

    @Test
    void usingTheDescriptorAgainMovesTheDeadline() {
        net.lose(MessageType.PUT);
        Md md = source(8, from);
        put(md, true);
        net.pass(100);
        put(md, true);
        net.pass(100);
        assertThat(from.lines()).containsExactly("SEND", "SEND");
        net.pass(51);
        assertThat(from.lines()).containsExactly("SEND", "SEND", "ACK ETIMEDOUT!");
    }

    @Test
    void oneOfTwoAnswersLeavesTheOtherTimed() {
        sink(BITS, 8, new Recorder());
        Md md = source(8, from);
        net.lose(MessageType.PUT);
        put(md, true);
        net.lose(packet -> false);
        put(md, true);
        assertThat(from.lines()).containsExactly("SEND", "SEND", "ACK");
        net.pass(151);
        assertThat(from.lines()).endsWith("ACK ETIMEDOUT!");
    }

    @Test
    void aFailedBarePutDoesNotEndTheTimingOfAGet() {
        net.lose(MessageType.GET);
        Md md = source(8, from);
        get(md, BITS, 0);
        net.refuse(header -> Errno.ENETDOWN);
        put(md, false);
        net.pass(151);
        assertThat(from.lines()).containsExactly("SEND", "SEND ENETDOWN", "REPLY ETIMEDOUT!");
    }

    @Test
    void aDescriptorThatIsBusyWhenItsTimeIsOverGoesWithItsLastMessage() {
        a.set(Tunable.EXPIRE_ACTIVE_MESSAGES, 0);
        net.hold(header -> header.type() == MessageType.GET);
        get(source(8, from), BITS, 0);
        net.pass(151);
        assertThat(from.lines()).isEmpty();
        net.releaseAll();
        assertThat(from.lines()).containsExactly("SEND ETIMEDOUT!");
    }

    @Test
    @Requirement("rsl-055")
    void aDescriptorMayHaveALimitOfItsOwn() {
        net.lose(MessageType.PUT);
        Recorder slow = new Recorder();
        Recorder hasty = new Recorder();
        put(source(8, from), true);
        put(a.bind(MdConfig.of(memory(8)).withTimeoutNanos(400_000_000_000L).withHandler(slow)), true);
        put(a.bind(MdConfig.of(memory(8)).withTimeoutNanos(20_000_000L).withHandler(hasty)), true);
        net.jump(19_999_999);
        assertThat(hasty.lines()).containsExactly("SEND");
        net.jump(1);
        assertThat(hasty.lines()).as("on time, not at the next full second").containsExactly("SEND", "ACK ETIMEDOUT!");
        net.pass(151);
        assertThat(from.lines()).containsExactly("SEND", "ACK ETIMEDOUT!");
        assertThat(slow.lines()).containsExactly("SEND");
        net.pass(250);
        assertThat(slow.lines()).containsExactly("SEND", "ACK ETIMEDOUT!");
    }

    @Test
    @Requirement("rsl-088")
    void aPingHasItsOwnLimit() {
        net.lose(MessageType.GET);
        CompletionStage<PingReply> ping = a.ping(B, Nid.ANY, Duration.ofMillis(1500));
        net.settle();
        net.jump(1_499_000_000L);
        assertThat(ping.toCompletableFuture()).isNotDone();
        net.jump(1_000_000L);
        assertThat(net.awaitError(ping).errno()).isEqualTo(Errno.ETIMEDOUT);
        expect(Errno.EINVAL, () -> a.ping(B, Nid.ANY, Duration.ZERO));
        expect(Errno.EINVAL, () -> a.ping(B, Nid.ANY, Duration.ofMillis(-1)));
        expect(Errno.EINVAL, () -> a.ping(Nid.ANY, Nid.ANY, Duration.ofSeconds(1)));
    }

    @Test
    @Requirement("rsl-138")
    void theTransactionTimeoutIsConfigurable() {
        LNet node = net.node(Settings.of(CompatProfile.DOCUMENTS).with(Tunable.TRANSACTION_TIMEOUT, 7), "10.0.0.3@tcp");
        net.await(node.discover(B, false));
        net.lose(MessageType.PUT);
        node.put(node.bind(MdConfig.of(memory(8)).withHandler(from)), true, Nid.ANY, TO_B, PORTAL, BITS, 0, 0);
        net.pass(6);
        assertThat(from.lines()).containsExactly("SEND");
        net.pass(1);
        assertThat(from.lines()).containsExactly("SEND", "ACK ETIMEDOUT!");
    }

    /** Serves a GET of 8 bytes whose REPLY is on its way, and will arrive damaged if it is to. */
    private Md repliedSlowly(boolean damaged) {
        b.attach(
                MeConfig.of(PORTAL, BITS), MdConfig.of(memory(8)).withOptions(MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        net.slow();
        net.damage(packet -> damaged && packet.header().type() == MessageType.REPLY);
        Md md = a.bind(MdConfig.of(memory(8)).withThreshold(2).withAutoUnlink().withHandler(from));
        get(md, BITS, 0);
        assertThat(from.lines()).containsExactly("SEND");
        return md;
    }

    @Test
    void aDamagedReplyLeavesItsDescriptorToTheTimeOut() {
        repliedSlowly(true);
        net.fast();
        assertThat(from.lines()).containsExactly("SEND");
        net.pass(151);
        assertThat(from.lines()).containsExactly("SEND", "REPLY ETIMEDOUT!");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDescriptorThatIsUnlinkedWhileItsReplyArrivesGoesWithIt(boolean damaged) {
        Md md = repliedSlowly(damaged);
        md.unlink();
        assertThat(from.lines()).as("the transport writes to it").containsExactly("SEND");
        net.fast();
        assertThat(from.lines()).containsExactly("SEND", "REPLY ETIMEDOUT!");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReplyThatIsOverdueWhileItArrivesIsTheLastThatIsHeard(boolean damaged) {
        repliedSlowly(damaged);
        net.pass(151);
        assertThat(from.lines()).containsExactly("SEND");
        net.fast();
        assertThat(from.lines()).containsExactly("SEND", "REPLY ETIMEDOUT!");
        assertThat(a.statistics().get(Statistic.RESPONSE_TIMEOUT_COUNT)).isEqualTo(1);
    }
}
