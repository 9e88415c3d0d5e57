package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.NiHealth;
import org.railyard.lnet.api.PeerNiHealth;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;

/** Sending again (spec 10 §12). */
class ResendTest extends TwoRails {
    private final Recorder from = new Recorder();
    private final Recorder at = new Recorder();

    private long count(Statistic statistic) {
        return a.statistics().get(statistic);
    }

    private void failing(int count, HealthStatus health) {
        if (at.events().isEmpty()) {
            sink(BITS, 8, at);
        }
        fail(count, health);
    }

    @ParameterizedTest
    @EnumSource(
            value = HealthStatus.class,
            names = {
                "LOCAL_INTERRUPT",
                "LOCAL_DROPPED",
                "LOCAL_ABORTED",
                "LOCAL_NO_ROUTE",
                "LOCAL_TIMEOUT",
                "REMOTE_DROPPED"
            })
    @Requirement({
        "snd-050", "rsl-023", "rsl-024", "rsl-029", "rsl-030", "rsl-031", "rsl-035", "rsl-040", "rsl-053", "rsl-092",
        "rsl-100", "rsl-132", "rsl-142"
    })
    void whatCanNotHaveArrivedIsSentAgainAndNobodyNotices(HealthStatus status) {
        failing(1, status);
        put(source(8, from), true);
        assertThat(from.lines()).as("one event, at once").containsExactly("SEND", "ACK");
        assertThat(at.lines()).containsExactly("PUT");
        assertThat(tries).hasSize(2);
        String[] failed = tries.getFirst().split(" > ");
        String[] next = tries.getLast().split(" > ");
        assertThat(next[0]).as("another NI").isNotEqualTo(failed[0]);
        assertThat(next[1]).as("another NI of the peer").isNotEqualTo(failed[1]);
        assertThat(count(Statistic.RESEND_COUNT)).isEqualTo(1);
        assertThat(count(Statistic.SUCCESSFUL_RESENDS)).isEqualTo(1);
        assertThat(count(Statistic.FAILED_RESENDS)).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = HealthStatus.class,
            names = {"LOCAL_ERROR", "REMOTE_ERROR", "REMOTE_TIMEOUT", "NETWORK_TIMEOUT"})
    @Requirement({"rsl-009", "rsl-002", "rsl-095", "rsl-098", "rsl-135"})
    void whatMayHaveArrivedOrIsHopelessIsNot(HealthStatus status) {
        failing(1, status);
        put(source(8, from), false);
        assertThat(from.lines()).containsExactly("SEND EIO");
        assertThat(tries).hasSize(1);
        failing(1, status);
        put(source(8, from), true);
        assertThat(tries).hasSize(1);
        failing(1, status);
        get(source(8, from), BITS, 0);
        assertThat(tries).hasSize(1);
        net.pass(200);
        assertThat(from.lines()).as("no ACK, no REPLY").containsExactly("SEND EIO", "SEND EIO", "SEND EIO");
        assertThat(count(Statistic.RESEND_COUNT)).isZero();
        assertThat(count(Statistic.FAILED_RESENDS)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"RESEND_ON_NETWORK_TIMEOUT,NETWORK_TIMEOUT", "RESEND_ON_REMOTE_TIMEOUT,REMOTE_TIMEOUT"})
    @Requirement({"rsl-095", "rsl-098", "rsl-143", "rsl-154", "rsl-155"})
    void unlessSomebodyWantsIt(Tunable tunable, HealthStatus status) {
        a.set(tunable, 1);
        failing(1, status);
        put(source(8, from), false);
        assertThat(from.lines()).containsExactly("SEND");
        assertThat(at.lines()).containsExactly("PUT");
        String[] failed = tries.getFirst().split(" > ");
        String[] next = tries.getLast().split(" > ");
        assertThat(next[0]).as("another NI").isNotEqualTo(failed[0]);
        assertThat(next[1]).as("another NI of the peer").isNotEqualTo(failed[1]);
        long network = status == HealthStatus.NETWORK_TIMEOUT ? 1 : 0;
        NiHealth here = ni(a, Nid.parse(failed[0])).failures();
        assertThat(here.resendsNetworkTimeout()).isEqualTo(network);
        assertThat(here.resendsLocalTimeout()).isZero();
        PeerNiHealth there = peerNi(a, Nid.parse(failed[1])).failures();
        assertThat(there.resendsNetworkTimeout()).isEqualTo(network);
        assertThat(there.resendsRemoteTimeout()).isEqualTo(1 - network);
        assertThat(ni(a, Nid.parse(next[0])).failures().resendsNetworkTimeout())
                .as("the way that worked")
                .isZero();
        assertThat(peerNi(a, Nid.parse(next[1])).failures()).isEqualTo(PeerNiHealth.WELL);
    }

    /** Its transport refuses it in the call. */
    @Test
    @Requirement({"rsl-027", "rsl-030"})
    void whatIsForAnNiThatWasJustRemovedTakesAnother() {
        sink(BITS, 8, at);
        List<Nid> refused = new ArrayList<>();
        net.refuse(header -> {
            boolean first = refused.isEmpty() && header.type() == MessageType.PUT;
            if (first) {
                refused.add(header.srcNid());
            }
            return first ? Errno.ESHUTDOWN : null;
        });
        put(source(8, from), true);
        assertThat(from.lines()).containsExactly("SEND", "ACK");
        assertThat(refused).hasSize(1);
        assertThat(count(Statistic.LOCAL_ABORTED_COUNT)).isEqualTo(1);
    }

    @Test
    @Requirement("rsl-153")
    void resendsAreCountedByCause() {
        failing(2, HealthStatus.LOCAL_TIMEOUT);
        put(source(8, from), false);
        assertThat(a.nis())
                .extracting(ni -> ni.failures().resendsLocalTimeout())
                .containsExactly(1L, 1L);
    }

    @ParameterizedTest
    @CsvSource({"0,5,1", "1,5,2", "2,5,3", "4,5,5", "9,5,6", "9,0,10"})
    @Requirement({"rsl-023", "rsl-035", "rsl-044", "rsl-045", "rsl-046", "rsl-047", "rsl-056", "rsl-133"})
    void attemptsEndAtTheRetryCountOfWhichFiveCount(int retries, int cap, int attempts) {
        a.set(Tunable.RETRY_COUNT_CAP, cap);
        a.set(Tunable.RETRY_COUNT, retries);
        failing(100, HealthStatus.LOCAL_DROPPED);
        Md md = source(8, from);
        put(md, true);
        assertThat(from.lines()).as("the last error, at the end").containsExactly("SEND EIO");
        assertThat(a.messagesInUse()).isZero();
        md.unlink();
        assertThat(from.lines()).as("nothing holds its memory").endsWith("UNLINK!");
        assertThat(tries).hasSize(attempts);
        assertThat(count(Statistic.RESEND_COUNT)).isEqualTo(attempts - 1);
        assertThat(count(Statistic.FAILED_RESENDS)).isEqualTo(retries == 0 ? 0 : 1);
        assertThat(count(Statistic.SUCCESSFUL_RESENDS)).isZero();
    }

    /** Health has no say here, and without the memory of what was tried the best pair would be tried each time. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    @Requirement({"snd-055", "mrx-003", "mrx-008"})
    void everyInterfaceIsTriedBeforeItIsGivenUp(boolean avoids) {
        a.set(Tunable.HEALTH_SENSITIVITY, 1);
        a.setHealth(A2, 500);
        a.setPeerHealth(B2, 500);
        a.set(Tunable.RETRY_COUNT, 1);
        a.set(Tunable.RESEND_AVOID_USED_PATHS, avoids ? 1 : 0);
        failing(100, HealthStatus.REMOTE_DROPPED);
        put(source(8, from), false);
        assertThat(from.lines()).containsExactly("SEND EIO");
        assertThat(tries).containsExactly(A + " > " + B, (avoids ? A2 : A) + " > " + (avoids ? B2 : B));
        a.set(Tunable.RETRY_COUNT, 3);
        failing(100, HealthStatus.REMOTE_DROPPED);
        put(source(8, from), false);
        assertThat(tries).hasSize(4);
        assertThat(tries.stream().distinct()).hasSize(avoids ? 2 : 1);
    }

    @Test
    @Requirement({"rsl-017", "rsl-050", "rsl-074", "rsl-123"})
    void anInterfaceThatFailedIsPreferredLess() {
        a.set(Tunable.RESEND_AVOID_USED_PATHS, 0);
        a.set(Tunable.RETRY_COUNT, 1);
        failing(1, HealthStatus.REMOTE_DROPPED);
        put(source(8, from), false);
        String failed = tries.getFirst().split(" > ")[1];
        assertThat(tries.getLast()).as("health alone moves the resend").doesNotEndWith(failed);
        fail(0, HealthStatus.OK);
        for (int i = 0; i < 20; i++) {
            put(source(8, from), false);
        }
        assertThat(tries).as("and the messages after it").hasSize(20).noneMatch(pair -> pair.endsWith(failed));
        a.setPeerHealth(Nid.parse(failed), 1000);
        for (int i = 0; i < 20; i++) {
            put(source(8, from), false);
        }
        assertThat(tries.subList(20, 40))
                .as("until it is well")
                .filteredOn(pair -> pair.endsWith(failed))
                .hasSize(10);
    }

    /** Fast errors end at the retry count; attempts that each take their time end with the time. */
    @Test
    @Requirement("rsl-102")
    void slowAttemptsAreAsManyAsFitIntoTheTime() {
        a.set(Tunable.RETRY_COUNT, 5);
        net.withLnd(40, 1);
        net.hold(header -> header.portal() == PORTAL);
        failing(100, HealthStatus.LOCAL_TIMEOUT);
        put(source(8, from), false);
        long each = net.timeoutOn(PORTAL);
        assertThat(each).as("a fifth of the time of the transaction").isEqualTo(30_000_000_000L);
        for (int i = 1; i < 5; i++) {
            net.jump(each);
            net.release(1);
            assertThat(tries).hasSize(i);
        }
        net.jump(each);
        net.release(1);
        assertThat(from.lines()).containsExactly("SEND ETIMEDOUT");
        assertThat(tries).as("150 s, 30 s each").hasSize(5);
    }

    @Test
    @Requirement("rsl-041")
    void theDescriptorStaysAttachedAndNoEventComesBeforeTheLastAttempt() {
        net.hold(header -> header.portal() == PORTAL);
        failing(2, HealthStatus.LOCAL_DROPPED);
        Md md = oneUse();
        put(md, false);
        for (int i = 0; i < 2; i++) {
            net.release(1);
            assertThat(from.lines()).isEmpty();
            assertThat(md.isUnlinked()).isFalse();
        }
        net.releaseAll();
        assertThat(from.lines()).as("it went with its message").containsExactly("SEND!");
        assertThat(md.isUnlinked()).isTrue();
    }

    /** A descriptor that goes as soon as no message holds it. */
    private Md oneUse() {
        return a.bind(MdConfig.of(counting(8)).withThreshold(1).withAutoUnlink().withHandler(from));
    }

    @Test
    void thePayloadIsSentAgainFromItsBeginning() {
        MemorySegment target = memory(3000);
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(target)
                        .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .withHandler(at));
        // The transport has read the memory when it turns out that the message was lost.
        net.late().fail(1, HealthStatus.LOCAL_ABORTED, header -> header.portal() == PORTAL);
        put(source(3000, from), false);
        assertThat(at.lines()).containsExactly("PUT");
        assertThat(bytes(target)).isEqualTo(bytes(counting(3000)));
    }

    @Test
    void acksAndRepliesAreSentAgainToo() {
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(counting(8)).withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        int[] left = {2};
        net.fail(header -> (header.type() == MessageType.ACK || header.type() == MessageType.REPLY) && left[0]-- > 0
                ? new TestNetwork.Failure(Errno.EIO, HealthStatus.LOCAL_DROPPED)
                : null);
        put(source(8, from), true);
        get(source(8, from), BITS, 0);
        assertThat(from.lines()).containsExactlyInAnyOrder("SEND", "ACK", "SEND", "REPLY");
        assertThat(b.statistics().get(Statistic.RESEND_COUNT)).isEqualTo(2);
    }

    /** It leaves from the NI that was asked, and only if that fails from another one of the same node. */
    @ParameterizedTest
    @CsvSource({"1, PUT, ACK", "0, PUT, ACK", "1, GET, REPLY", "0, GET, REPLY"})
    @Requirement({"snd-070", "snd-045"})
    void aResponseThatFailsTakesAnotherNiIfItMay(int may, MessageType request, MessageType response) {
        b.set(Tunable.RESPONSE_SRC_FALLBACK, may);
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(counting(8)).withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        List<String> ways = new ArrayList<>();
        net.fail(header -> {
            if (header.type() == request && header.portal() == PORTAL) {
                ways.add(header.destNid() + " > " + header.srcNid());
            }
            if (header.type() == response) {
                ways.add(header.srcNid() + " > " + header.destNid());
            }
            return header.type() == response && ways.size() == 2
                    ? new TestNetwork.Failure(Errno.EIO, HealthStatus.LOCAL_DROPPED)
                    : null;
        });
        if (request == MessageType.PUT) {
            a.put(source(8, from), true, A2, ProcessId.of(B2), PORTAL, BITS, 0, 0);
        } else {
            a.get(source(8, from), A2, ProcessId.of(B2), PORTAL, BITS, 0);
        }
        net.settle();
        assertThat(from.lines()).containsExactlyInAnyOrder("SEND", response.name());
        assertThat(ways).hasSize(3);
        assertThat(ways.get(1))
                .as("from where the request went, to where it came from")
                .isEqualTo(ways.getFirst());
        String asked = ways.getFirst().split(" > ")[0];
        String other = asked.equals(B.toString()) ? B2.toString() : B.toString();
        assertThat(ways.getLast()).startsWith((may == 1 ? other : asked) + " > ");
    }

    @Test
    @Requirement({"rsl-023", "rsl-035", "rsl-037", "rsl-042", "rsl-127", "rsl-134"})
    void attemptsEndAtTheDeadline() {
        a.set(Tunable.RESEND_INTERVAL, 60_000);
        failing(100, HealthStatus.LOCAL_DROPPED);
        a.set(Tunable.RETRY_COUNT, 5);
        Md md = oneUse();
        put(md, false);
        net.pass(149);
        assertThat(tries).hasSize(3);
        assertThat(from.lines()).isEmpty();
        assertThat(md.isUnlinked()).isFalse();
        net.pass(1);
        assertThat(from.lines()).as("with its descriptor").containsExactly("SEND ETIMEDOUT!");
        assertThat(md.isUnlinked()).isTrue();
        net.pass(200);
        assertThat(tries).as("it is on no list any more").hasSize(3);
        assertThat(a.messagesInUse()).isZero();
        assertThat(from.lines()).hasSize(1);
    }

    /** More than are sent again while the lock is held once. */
    @Test
    @Requirement({"rsl-061", "rsl-128"})
    void allThatWaitToBeSentAgainGoAtOnce() {
        a.set(Tunable.RESEND_INTERVAL, 2500);
        int count = 100;
        failing(count, HealthStatus.LOCAL_DROPPED);
        Md md = source(8, from);
        for (int i = 0; i < count; i++) {
            put(md, false);
        }
        assertThat(tries).hasSize(count);
        net.jump(2_499_999_999L);
        assertThat(tries).as("they wait").hasSize(count);
        assertThat(from.lines()).isEmpty();
        net.jump(1);
        assertThat(tries).hasSize(2 * count);
        assertThat(from.lines()).hasSize(count).containsOnly("SEND");
    }

    /** The connection broke behind the request, and the answer took another one. */
    @ParameterizedTest
    @EnumSource(
            value = MessageType.class,
            names = {"PUT", "GET"})
    void whatIsAnsweredWhileItWaitsToBeSentAgainIsNot(MessageType type) {
        a.set(Tunable.RESEND_INTERVAL, 1000);
        breakBehind(type);
        net.releaseAll();
        String answer = type == MessageType.GET ? "REPLY" : "ACK";
        assertThat(from.lines()).containsExactly(answer);
        net.jump(1_000_000_000L);
        assertThat(from.lines()).containsExactly(answer, "SEND");
        assertThat(at.lines()).as("once").containsExactly(type.name());
        assertThat(tries).hasSize(1);
        assertThat(count(Statistic.RESEND_COUNT)).isZero();
        assertThat(count(Statistic.FAILED_RESENDS)).isZero();
    }

    @Test
    void whatIsAnsweredWhileItsResendWaitsForACreditDoesNotLeaveAgain() {
        a.setPeerHealth(B, 500);
        net.hold(header -> header.portal() == PORTAL && header.srcNid().equals(A2));
        for (int i = 0; i < peerNi(a, B2).maxCredits(); i++) {
            a.put(source(8, new Recorder()), false, A2, ProcessId.of(B2), PORTAL, BITS + 1, 0, 0);
        }
        net.settle();
        a.setPeerHealth(B, 1000);
        a.setPeerHealth(B2, 500);
        breakBehind(MessageType.PUT);
        assertThat(peerNi(a, B2).credits()).as("the resend waits").isEqualTo(-1);
        net.hold(header -> header.portal() == PORTAL && header.srcNid().equals(A2));
        net.releaseOthers();
        assertThat(from.lines()).containsExactly("ACK");
        net.releaseAll();
        assertThat(from.lines()).containsExactly("ACK", "SEND");
        assertThat(at.lines()).as("once").containsExactly("PUT");
    }

    /** Makes a request arrive and fail then, while the answer is still on its way. */
    private void breakBehind(MessageType type) {
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(counting(8))
                        .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                        .withHandler(at));
        fail(0, HealthStatus.OK);
        net.late().keep(packet -> packet.header().type() == type);
        net.hold(header -> header.type() == MessageType.ACK
                || header.type() == MessageType.REPLY
                || header.srcNid().equals(A2) && header.portal() == PORTAL);
        if (type == MessageType.GET) {
            get(source(8, from), BITS, 0);
        } else {
            put(source(8, from), true);
        }
        net.late().keep(packet -> false);
        net.late().complete(Errno.ECONNRESET.status(), HealthStatus.REMOTE_DROPPED);
        assertThat(from.lines()).isEmpty();
    }

    @Test
    @Requirement("rsl-048")
    void resendsMayBePaced() {
        a.set(Tunable.RESEND_INTERVAL, 2500);
        failing(2, HealthStatus.LOCAL_DROPPED);
        put(source(8, from), false);
        assertThat(tries).hasSize(1);
        net.jump(2_499_000_000L);
        assertThat(tries).hasSize(1);
        net.jump(1_000_000L);
        assertThat(tries).hasSize(2);
        net.jump(2_500_000_000L);
        assertThat(from.lines()).containsExactly("SEND");
    }

    @Test
    @Requirement({"rsl-028", "rsl-092", "rsl-101"})
    void anErrorOfSelectionEndsItAtOnce() {
        net.hold(header -> header.portal() == PORTAL);
        failing(1, HealthStatus.LOCAL_DROPPED);
        a.put(source(8, from), false, A, TO_B, PORTAL, BITS, 0, 0);
        net.settle();
        net.device(A.toString(), DeviceEvent.FATAL);
        net.releaseAll();
        assertThat(from.lines()).containsExactly("SEND EHOSTUNREACH");
        assertThat(count(Statistic.RESEND_COUNT)).isZero();
    }

    @Test
    @Requirement("rsl-101")
    void resendsEndWhenAllDevicesHaveFailed() {
        a.set(Tunable.RESEND_INTERVAL, 1000);
        a.set(Tunable.RETRY_COUNT, 5);
        a.setHealth(A2, 999);
        failing(100, HealthStatus.LOCAL_DROPPED);
        put(source(8, from), false);
        net.device(A.toString(), DeviceEvent.FATAL);
        net.jump(1_000_000_000L);
        assertThat(tries).as("one is left").hasSize(2).last().asString().startsWith(A2 + " ");
        net.device(A2.toString(), DeviceEvent.FATAL);
        assertThat(from.lines()).isEmpty();
        net.jump(1_000_000_000L);
        assertThat(from.lines()).containsExactly("SEND EHOSTUNREACH");
        assertThat(tries).hasSize(2);
    }

    @Test
    @Requirement("rsl-028")
    void anAbortedDescriptorIsNotSentFromAgain() {
        net.hold(header -> header.portal() == PORTAL);
        failing(1, HealthStatus.LOCAL_DROPPED);
        Md md = source(8, from);
        put(md, false);
        md.unlink();
        net.releaseAll();
        assertThat(from.lines()).containsExactly("SEND EIO!");
        assertThat(tries).hasSize(1);
    }

    @Test
    @Requirement("rsl-134")
    void oneThatWaitsToBeSentAgainIsCancelled() {
        a.set(Tunable.RESEND_INTERVAL, 5000);
        failing(1, HealthStatus.LOCAL_DROPPED);
        Md md = source(8, from);
        put(md, false);
        md.unlink();
        net.pass(5);
        assertThat(from.lines()).containsExactly("SEND ECANCELED!");
        assertThat(tries).hasSize(1);
        assertThat(a.messagesInUse()).isZero();
        net.pass(200);
        assertThat(from.lines()).as("neither list has it any more").hasSize(1);
        assertThat(tries).hasSize(1);
    }

    @Test
    @Requirement("rsl-028")
    void aNodeThatClosesEndsWhatWaitsToBeSentAgain() {
        a.set(Tunable.RESEND_INTERVAL, 5000);
        failing(1, HealthStatus.LOCAL_DROPPED);
        put(source(8, from), false);
        a.close();
        assertThat(from.lines()).containsExactly("SEND ESHUTDOWN", "UNLINK!");
        assertThat(tries).hasSize(1);
        assertThat(a.messagesInUse()).isZero();
    }

    @Test
    void theLogNamesThePairThatFailedAndTheOneThatIsTriedNext() {
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            failing(1, HealthStatus.LOCAL_DROPPED);
            put(source(8, from), false);
            assertThat(log.lines())
                    .filteredOn(line -> line.startsWith("INFO PUT") && line.contains("sent again"))
                    .singleElement()
                    .asString()
                    .contains(
                            tries.getFirst().replace(" > ", " to "),
                            tries.getLast().replace(" > ", " to "));
            for (int i = 0; i < 20; i++) {
                failing(1, HealthStatus.LOCAL_DROPPED);
                put(source(8, from), false);
            }
            assertThat(log.lines())
                    .filteredOn(line -> line.startsWith("INFO PUT") && line.contains("sent again"))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1@tcp", "10.0.1.1@tcp"})
    void aNamedSourceStays(String source) {
        failing(2, HealthStatus.REMOTE_DROPPED);
        a.put(source(8, from), false, Nid.parse(source), TO_B, PORTAL, BITS, 0, 0);
        net.settle();
        assertThat(tries).hasSize(3).allMatch(pair -> pair.startsWith(source));
        assertThat(from.lines()).containsExactly("SEND");
    }

    @Test
    @Requirement({"rsl-063", "rsl-021"})
    void whatIsLostOnTheWayIsNotSentAgain() {
        sink(BITS, 8, at);
        net.takeLog();
        net.lose(packet -> packet.header().portal() == PORTAL);
        put(source(8, from), false);
        net.pass(200);
        assertThat(from.lines()).containsExactly("SEND");
        assertThat(net.takeLog().stream()
                        .filter(packet -> packet.header().portal() == PORTAL
                                && packet.header().type() == MessageType.PUT))
                .hasSize(1);
        assertThat(at.lines()).isEmpty();
    }

    @Test
    @Requirement({"rsl-146", "rsl-087", "rsl-138", "rsl-025"})
    void whatIsConfiguredCountsAtOnceAndFitsTogether() {
        put(source(8, from), false);
        assertThat(net.timeoutOn(PORTAL)).isEqualTo(75_000_000_000L);
        a.set(Tunable.TRANSACTION_TIMEOUT, 20);
        a.set(Tunable.RETRY_COUNT, 4);
        a.set(Tunable.RESEND_INTERVAL, 300);
        put(source(8, from), false);
        assertThat(net.timeoutOn(PORTAL)).isEqualTo(5_000_000_000L);
        expect(Errno.ERANGE, () -> a.set(Tunable.RETRY_COUNT, 20));
        expect(Errno.ERANGE, () -> a.set(Tunable.TRANSACTION_TIMEOUT, 4));
        expect(Errno.ERANGE, () -> a.set(Tunable.RESEND_INTERVAL, 20_000));
        assertThat(a.settings().get(Tunable.RETRY_COUNT)).isEqualTo(4);
    }

    @Test
    @Requirement({"rsl-147", "rsl-064", "rsl-152"})
    void anUpperLayerThatIsToldOfAMissingResponseTriesAgainItself() {
        sink(BITS, 8, at);
        net.lose(MessageType.ACK);
        assertThat(timeOutOf(a.put(TO_B, PORTAL, BITS, counting(8)))).isEqualTo(Errno.ETIMEDOUT);
        net.lose(packet -> false);
        net.await(a.put(TO_B, PORTAL, BITS, counting(8)));
        assertThat(at.lines()).as("nobody filters what comes twice").containsExactly("PUT", "PUT");
    }

    @Test
    void underLustreAMissingResponseIsNoEventOfItsOwn() {
        a.set(Tunable.RESPONSE_TIMEOUT_EVENT, 1);
        net.lose(packet -> true);
        put(source(8, from), true);
        net.pass(151);
        assertThat(from.lines()).containsExactly("SEND", "UNLINK!");
        assertThat(timeOutOf(a.put(TO_B, PORTAL, BITS, counting(8)))).isEqualTo(Errno.ETIMEDOUT);
        assertThat(timeOutOf(a.ping(B, Nid.ANY, Duration.ofSeconds(2)))).isEqualTo(Errno.ETIMEDOUT);
    }

    private Errno timeOutOf(CompletionStage<?> stage) {
        net.settle();
        net.pass(151);
        return net.awaitError(stage).errno();
    }

    @Test
    @Requirement("rsl-052")
    void healthIsNotAveragedWithCredits() {
        net.hold(header -> header.portal() == PORTAL);
        fail(0, HealthStatus.OK);
        a.setHealth(A, 999);
        a.setPeerHealth(B, 999);
        for (int i = 0; i < 30; i++) {
            put(source(8, from), false);
        }
        net.releaseAll();
        assertThat(tries).as("however many wait there").hasSize(30).containsOnly(A2 + " > " + B2);
    }

    @Test
    @Requirement("rsl-077")
    void aPeerNiThatIsDownIsPreferredLessAndNothingElse() {
        net.device(B2.toString(), DeviceEvent.FATAL);
        assertThat(peerNi(a, B2).up()).as("as the peer tells").isFalse();
        a.setPeerHealth(B, peerNi(a, B2).health() - 1);
        failing(0, HealthStatus.OK);
        put(source(8, from), false);
        assertThat(tries).singleElement().asString().endsWith(" > " + B2);
        assertThat(at.lines()).containsExactly("PUT");
    }

    @Test
    @Requirement("rsl-077")
    void aPeerNiIsNeverOutOfTheQuestion() {
        b.removeNi(B2);
        net.settle();
        a.setPeerHealth(B, 0);
        sink(BITS, 8, at);
        put(source(8, from), false);
        assertThat(at.lines()).containsExactly("PUT");
    }
}
