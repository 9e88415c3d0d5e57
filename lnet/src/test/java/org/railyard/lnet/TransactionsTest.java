package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.GetResult;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.PutResult;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.Requirement;

/** PUT, PUT with ACK, GET: which events there are, and in which order (spec 10 §5.1–§5.4). */
class TransactionsTest extends TwoNodes {
    private final Recorder at = new Recorder();
    private final Recorder from = new Recorder();

    private void attach(MdOption... more) {
        List<MdOption> options = new ArrayList<>(List.of(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        options.addAll(List.of(more));
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory(64))
                        .withOptions(options.toArray(MdOption[]::new))
                        .withHandler(at));
    }

    private Md limited(int threshold) {
        return a.bind(
                MdConfig.of(memory(8)).withThreshold(threshold).withAutoUnlink().withHandler(from));
    }

    @Test
    @Requirement({"rsl-008", "rsl-012"})
    void sendComesBeforeOrAfterTheResponse() {
        attach();
        put(limited(2), true);
        assertThat(from.lines()).containsExactly("SEND", "ACK!");
        from.clear();
        get(limited(2), BITS, 0);
        assertThat(from.lines()).containsExactly("SEND", "REPLY!");
        from.clear();

        net.late().keep(packet -> true);
        put(limited(2), true);
        assertThat(from.lines()).containsExactly("ACK");
        net.late().complete();
        assertThat(from.lines()).containsExactly("ACK", "SEND!");
        from.clear();
        get(limited(2), BITS, 0);
        assertThat(from.lines()).containsExactly("REPLY");
        net.late().complete();
        assertThat(from.lines()).containsExactly("REPLY", "SEND!");
    }

    @Test
    void anAnswerProvesThatTheRequestArrivedWhateverTheTransportSays() {
        attach();
        net.late()
                .keep(packet -> packet.header().type() == MessageType.PUT
                        || packet.header().type() == MessageType.GET);
        put(limited(2), true);
        net.late().complete(Errno.ETIMEDOUT.status(), HealthStatus.NETWORK_TIMEOUT);
        assertThat(from.lines()).containsExactly("ACK", "SEND!");
        from.clear();
        get(limited(2), BITS, 0);
        net.late().complete(Errno.ECONNRESET.status(), HealthStatus.REMOTE_DROPPED);
        assertThat(from.lines()).containsExactly("REPLY", "SEND!");
        assertThat(at.lines()).as("nothing is sent again").hasSize(2);
        from.clear();
        put(limited(2), true);
        net.pass(200);
        assertThat(from.lines()).as("the transport still has the memory").containsExactly("ACK");
        net.late().complete();
        assertThat(from.lines()).containsExactly("ACK", "SEND!");
    }

    @Test
    @Requirement({"rsl-001", "rsl-003", "rsl-014"})
    void theAckLeavesWhenTheTargetHasBeenTold() {
        attach();
        List<MessageType> sentBefore = new ArrayList<>();
        at.then(event -> sentBefore.addAll(net.takeTypes()));
        put(source(8, from), true);
        assertThat(sentBefore).containsExactly(MessageType.PUT);
        assertThat(net.takeTypes()).containsExactly(MessageType.ACK);
        put(source(8, from), false);
        assertThat(from.lines()).as("a PUT without ACK yields only SEND").containsExactly("SEND", "ACK", "SEND");
    }

    @Test
    void ackDisableSuppressesTheAck() {
        attach(MdOption.ACK_DISABLE);
        put(source(8, from), true);
        assertThat(at.lines()).containsExactly("PUT");
        assertThat(from.lines()).containsExactly("SEND");
    }

    @Test
    void aPutThatDidNotArriveWholeIsToldButNotAcknowledged() {
        attach();
        net.damage(packet -> true);
        put(source(8, from), true);
        assertThat(at.lines()).containsExactly("PUT EIO");
        assertThat(from.lines()).containsExactly("SEND");
    }

    @Test
    @Requirement("rsl-007")
    void aRefusedCallRaisesNoEvent() {
        Md attached = sink(BITS, 8, at);
        Md gone = source(8, from);
        gone.unlink();
        from.clear();
        Md used = a.bind(MdConfig.of(memory(8)).withThreshold(1).withHandler(from));
        attach();
        put(used, false);
        from.clear();
        Md others = b.bind(MdConfig.of(memory(8)).withHandler(at));
        for (Md md : new Md[] {attached, gone, used, others}) {
            expect(Errno.ENOENT, () -> put(md, false));
            expect(Errno.ENOENT, () -> get(md, BITS, 0));
        }
        expect(Errno.EINVAL, () -> a.put(source(8, from), false, Nid.ANY, ProcessId.ANY, PORTAL, BITS, 0, 0));
        expect(Errno.EINVAL, () -> get(a.bind(MdConfig.of(memory(8).asReadOnly())), BITS, 0));
        assertThat(from.lines()).isEmpty();
        assertThat(a.messagesInUse()).isZero();
    }

    @Test
    @Requirement({"rsl-007", "rsl-028"})
    void everyOtherFailureIsAnEvent() {
        for (String self : new String[] {"10.9.9.9@tcp", "0@lo"}) {
            a.put(source(8, from), true, Nid.parse(self), TO_B, PORTAL, BITS, 0, 0);
            net.settle();
        }
        assertThat(from.lines()).as("a source that is not mine").containsExactly("SEND EINVAL", "SEND EINVAL");
        from.clear();
        a.get(source(8, from), Nid.ANY, ProcessId.of(Nid.parse("1.2.3.4@tcp7")), PORTAL, BITS, 0);
        net.settle();
        assertThat(from.lines()).as("a net without a way").containsExactly("SEND EHOSTUNREACH");
        assertThat(net.takeLog()).isEmpty();
        assertThat(a.statistics().get(Statistic.RESEND_COUNT)).isZero();
    }

    @Test
    @Requirement({"rsl-009", "rsl-027"})
    void nothingFollowsASendThatFailed() {
        attach();
        net.fail(header -> new TestNetwork.Failure(Errno.ECONNRESET, HealthStatus.REMOTE_DROPPED));
        get(source(8, from), BITS, 0);
        put(source(8, from), true);
        assertThat(from.lines()).containsExactly("SEND ECONNRESET", "SEND ECONNRESET");
        net.fail(header -> null);
        net.refuse(header -> Errno.ENETDOWN);
        get(source(8, from), BITS, 0);
        put(source(8, from), true);
        net.refuse(header -> null);
        net.pass(200);
        assertThat(from.lines())
                .containsExactly("SEND ECONNRESET", "SEND ECONNRESET", "SEND ENETDOWN", "SEND ENETDOWN");
    }

    @Test
    void anAckAfterAFailedSendIsIgnored() {
        List<LNetHeader> seen = new ArrayList<>();
        net.fail(header -> {
            seen.add(header);
            return new TestNetwork.Failure(Errno.ETIMEDOUT, HealthStatus.NETWORK_TIMEOUT);
        });
        put(source(8, from), true);
        LNetHeader ack = new LNetHeader();
        ack.setAck(seen.getFirst().interfaceCookie(), seen.getFirst().objectCookie(), BITS, 8);
        ack.setRoute(A, ProcessId.LUSTRE_PID, B, ProcessId.LUSTRE_PID);
        net.inject(ack, new byte[0]);
        assertThat(from.lines()).containsExactly("SEND ETIMEDOUT");
        assertThat(a.dropCount()).isEqualTo(1);
    }

    @Test
    void theThresholdCountsRequestAndResponse() {
        attach();
        put(limited(1), true);
        assertThat(from.lines()).as("no room for the ACK").containsExactly("SEND!");
        from.clear();
        Md md = a.bind(MdConfig.of(memory(8)).withThreshold(3).withHandler(from));
        put(md, true);
        put(md, true);
        assertThat(from.lines()).containsExactly("SEND", "ACK", "SEND");
        assertThat(a.dropCount()).isEqualTo(2);
        expect(Errno.ENOENT, () -> put(md, false));
        from.clear();
        get(limited(1), BITS, 0);
        assertThat(from.lines()).containsExactly("SEND!");
    }

    @Test
    @Requirement({"rsl-010", "rsl-011", "rsl-020"})
    void aDamagedReplyIsNoneAndTheGetTimesOut() {
        attach();
        net.damage(packet -> packet.header().type() == MessageType.REPLY);
        Md md = limited(2);
        get(md, BITS, 0);
        assertThat(from.lines()).containsExactly("SEND");
        net.damage(packet -> false);
        net.pass(151);
        assertThat(from.lines()).containsExactly("SEND", "REPLY ETIMEDOUT!");
    }

    @Test
    void aWholeReplyAfterADamagedOneIsStillTaken() {
        attach();
        net.damage(packet -> packet.header().type() == MessageType.REPLY);
        get(limited(2), BITS, 0);
        LNetHeader get = net.takeLog().getFirst().header();
        net.inject(replyTo(get, 8), new byte[8]);
        assertThat(from.lines()).containsExactly("SEND", "REPLY!");
    }

    private static LNetHeader replyTo(LNetHeader get, int length) {
        LNetHeader reply = new LNetHeader();
        reply.setReply(length, get.interfaceCookie(), get.objectCookie());
        reply.setRoute(A, ProcessId.LUSTRE_PID, B, ProcessId.LUSTRE_PID);
        return reply;
    }

    @Test
    void aReplyThatIsTooLongIsDropped() {
        attach();
        net.lose(MessageType.REPLY);
        get(limited(2), BITS, 0);
        LNetHeader get = net.takeLog().getFirst().header();
        net.inject(replyTo(get, 9), new byte[9]);
        assertThat(from.lines()).containsExactly("SEND");
        assertThat(a.dropCount()).isEqualTo(1);
        net.inject(replyTo(get, 5), new byte[5]);
        assertThat(from.only(EventKind.REPLY).mlength())
                .as("a short one is normal")
                .isEqualTo(5);
    }

    @Test
    @Requirement("rsl-152")
    void lateUnknownAndRepeatedResponsesAreDropped() {
        attach();
        Md md = source(8, from);
        get(md, BITS, 0);
        LNetHeader get = net.takeLog().getFirst().header();
        net.inject(replyTo(get, 8), new byte[8]);
        assertThat(from.lines()).as("repeated").containsExactly("SEND", "REPLY");
        md.unlink();
        net.inject(replyTo(get, 8), new byte[8]);
        assertThat(from.lines()).as("late").containsExactly("SEND", "REPLY", "UNLINK!");

        Md other = source(8, from);
        LNetHeader ack = new LNetHeader();
        ack.setRoute(A, ProcessId.LUSTRE_PID, B, ProcessId.LUSTRE_PID);
        ack.setAck(get.interfaceCookie() + 1, get.objectCookie(), BITS, 8);
        net.inject(ack, new byte[0]);
        ack.setAck(get.interfaceCookie(), get.objectCookie(), BITS, 8);
        net.inject(ack, new byte[0]);
        ack.setAck(get.interfaceCookie(), -1, BITS, 8);
        net.inject(ack, new byte[0]);
        assertThat(a.dropCount()).isEqualTo(5);
        assertThat(niOf(a).traffic().dropped().reply()).isEqualTo(2);
        assertThat(niOf(a).traffic().dropped().ack()).isEqualTo(3);
        assertThat(other.isUnlinked()).isFalse();
    }

    @Test
    void aResponseToAnAttachedDescriptorIsDropped() {
        attach();
        a.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory(8)).withOptions(MdOption.OP_PUT).withHandler(at));
        get(source(8, from), BITS, 0);
        at.clear();
        LNetHeader get = net.takeLog().getFirst().header();
        LNetHeader ack = new LNetHeader();
        ack.setRoute(A, ProcessId.LUSTRE_PID, B, ProcessId.LUSTRE_PID);
        // Handles are near each other: among these are those of all descriptors.
        for (int near = -64; near < 64; near++) {
            ack.setAck(get.interfaceCookie(), get.objectCookie() + near, BITS, 8);
            net.inject(ack, new byte[0]);
            net.inject(replyTo(ack, 8), new byte[8]);
        }
        assertThat(a.dropCount()).isEqualTo(256);
        assertThat(at.lines()).isEmpty();
    }

    @Test
    void aReplyNobodyAskedForDoesNotTouchWhatIsBeingSent() {
        net.lose(MessageType.ACK);
        attach();
        MemorySegment data = counting(8);
        put(a.bind(MdConfig.of(data).withHandler(from)), true);
        LNetHeader put = net.takeLog().getFirst().header();
        net.inject(replyTo(put, 8), new byte[8]);
        assertThat(bytes(data)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(from.lines()).containsExactly("SEND");
    }

    @Test
    void aGetWhoseReplyCannotBeSentTellsTheTarget() {
        attach();
        net.fail(header -> header.type() == MessageType.REPLY
                ? new TestNetwork.Failure(Errno.ECONNREFUSED, HealthStatus.REMOTE_ERROR)
                : null);
        get(source(8, from), BITS, 0);
        assertThat(at.lines()).containsExactly("GET ECONNREFUSED");
    }

    @Test
    @Requirement({"rsl-002", "rsl-021"})
    void aPutThatIsLostOnTheWayIsNotNoticed() {
        net.lose(MessageType.PUT);
        put(source(8, from), false);
        net.pass(200);
        assertThat(from.lines()).containsExactly("SEND");
        net.lose(packet -> false);
        net.fail(header -> new TestNetwork.Failure(Errno.ENETDOWN, HealthStatus.LOCAL_ERROR));
        put(source(8, from), false);
        assertThat(from.lines()).containsExactly("SEND", "SEND ENETDOWN");
    }

    @Test
    void aStageIsDoneOnlyWhenTheMemoryIsFree() {
        attach();
        net.late().keep(packet -> packet.header().type() == MessageType.PUT);
        CompletionStage<PutResult> put = a.put(TO_B, PORTAL, BITS, counting(8));
        net.settle();
        assertThat(at.lines()).containsExactly("PUT");
        assertThat(put.toCompletableFuture()).as("the transport still has it").isNotDone();
        net.late().complete();
        assertThat(net.await(put).mlength()).isEqualTo(8);
    }

    @Test
    void aStageThatFailsLeavesNothing() {
        net.fail(header -> new TestNetwork.Failure(Errno.ECONNREFUSED, HealthStatus.REMOTE_ERROR));
        assertThat(net.awaitError(a.put(TO_B, PORTAL, BITS, memory(8))).errno()).isEqualTo(Errno.ECONNREFUSED);
        assertThat(net.awaitError(a.get(TO_B, PORTAL, BITS, memory(8))).errno()).isEqualTo(Errno.ECONNREFUSED);
        expect(Errno.EINVAL, () -> a.put(ProcessId.ANY, PORTAL, BITS, memory(8)));
        expect(
                Errno.EINVAL,
                () -> a.get(TO_B, PORTAL, BITS, Arena.global().allocate(8).asReadOnly()));
        assertThat(a.messagesInUse()).isZero();
    }

    @Test
    @Requirement("rsl-055")
    void aCallMayHaveALimitOfItsOwn() {
        net.lose(packet -> packet.header().portal() == PORTAL);
        CompletionStage<PutResult> put = a.put(TO_B, PORTAL, BITS, memory(8), Duration.ofSeconds(2));
        CompletionStage<GetResult> get = a.get(TO_B, PORTAL, BITS, memory(8), Duration.ofMillis(2500));
        CompletionStage<PutResult> patient = a.put(TO_B, PORTAL, BITS, memory(8), Duration.ofSeconds(200));
        net.settle();
        assertThat(net.timeoutOn(PORTAL))
                .as("what the transport gets of the node's limit")
                .isEqualTo(75_000_000_000L);
        net.jump(1_999_999_999L);
        assertThat(put.toCompletableFuture()).isNotDone();
        net.jump(1);
        assertThat(net.awaitError(put).errno()).isEqualTo(Errno.ETIMEDOUT);
        assertThat(get.toCompletableFuture()).isNotDone();
        net.jump(500_000_000L);
        assertThat(net.awaitError(get).errno()).isEqualTo(Errno.ETIMEDOUT);
        net.pass(197);
        assertThat(patient.toCompletableFuture()).isNotDone();
        net.pass(1);
        assertThat(net.awaitError(patient).errno()).as("longer than the node's").isEqualTo(Errno.ETIMEDOUT);
        CompletionStage<PutResult> years = a.put(TO_B, PORTAL, BITS, memory(8), Duration.ofDays(1_000_000));
        net.pass(1);
        assertThat(years.toCompletableFuture()).isNotDone();
        expect(Errno.EINVAL, () -> a.put(TO_B, PORTAL, BITS, memory(8), Duration.ZERO));
        expect(Errno.EINVAL, () -> a.get(TO_B, PORTAL, BITS, memory(8), Duration.ofSeconds(-1)));
        assertThat(a.messagesInUse()).isZero();
    }
}
