package org.railyard.mad.rmpp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.NodeType;
import org.railyard.mad.sa.LinkRecord;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.RmppHeader;
import org.railyard.mad.wire.SaHeader;

/** Tables from one end of a cable to the other, over both ends of RMPP, in virtual time. */
final class RmppTransportTest {
    private static final long MINUTE = 60_000_000_000L;
    private static final RequestSettings PATIENT = RequestSettings.DEFAULT.withTimeout(30_000_000_000L, 3);

    private final Fabric fabric = cable();
    private final SimulatedSubnet subnet =
            new SimulatedSubnet(fabric, SimulationSettings.DEFAULT, new SplittableRandom(3));
    private final SimulatedPort one = subnet.attach(fabric.portIndex(0, 1));
    private final SimulatedPort two = subnet.attach(fabric.portIndex(1, 1));
    private final List<RequestOutcome> outcomes = new ArrayList<>();

    private static Fabric cable() {
        FabricBuilder builder = new FabricBuilder();
        builder.connect(builder.node(NodeType.CA, 0x10, 1, "one"), 1, builder.node(NodeType.CA, 0x20, 1, "two"), 1);
        return builder.build();
    }

    /** Gives both ports a LID, 1 and 2, and brings the link up. */
    private MadRequests client(RmppTransport transport) {
        return client(transport, PATIENT);
    }

    private MadRequests client(RmppTransport transport, RequestSettings settings) {
        MadRequests requests = new MadRequests(transport, settings, (mad, from) -> {});
        for (PortState state : new PortState[] {PortState.ARMED, PortState.ACTIVE}) {
            set(requests, DirectedPath.OWN_NODE, 1, state);
            set(requests, DirectedPath.of(1), 2, state);
        }
        return requests;
    }

    private void set(MadRequests requests, DirectedPath path, int lid, PortState state) {
        PortInfo info = PortInfo.TYPE.create().set(PortInfo.LID, lid).set(PortInfo.STATE, state.code());
        Mad mad = Mad.directed(MadMethod.SET, PortInfo.TYPE, 1, path).setData(PortInfo.TYPE, info);
        requests.submit(mad, MadAddress.DIRECTED, outcomes::add);
        assertThat(subnet.loop().runUntil(() -> !outcomes.isEmpty(), MINUTE)).isTrue();
        assertThat(((RequestOutcome.Answered) outcomes.removeFirst()).mad().status())
                .isZero();
    }

    /** Answers each request with a table of so many records. */
    private MadRequests serve(RmppTransport transport, int records) {
        MadRequests[] server = new MadRequests[1];
        server[0] = new MadRequests(transport, PATIENT, (mad, from) -> {
            Mad answer = mad.answer(MadStatus.OK, records * LinkRecord.TYPE.recordSize());
            answer.saHeader().set(SaHeader.ATTRIBUTE_OFFSET, LinkRecord.TYPE.attributeOffset());
            for (int i = 0; i < records; i++) {
                answer.record(LinkRecord.TYPE, i).set(LinkRecord.FROM_LID, i % 0xC000);
            }
            server[0].answer(answer, from.forAnswer(mad.mgmtClass()));
        });
        return server[0];
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 25, 26, 400, 425, 5000})
    void aTableArrivesWhole(int records) {
        RmppTransport client = new RmppTransport(one, RmppSettings.DEFAULT);
        MadRequests requests = client(client);
        RmppTransport server = new RmppTransport(two, RmppSettings.DEFAULT);
        serve(server, records);
        check(ask(requests), records);
        assertThat(subnet.loop().runUntil(() -> client.transfers() + server.transfers() == 0, MINUTE))
                .isTrue();
    }

    @Test
    void lossAndRepetitionChangeNothing() {
        RmppTransport client = new RmppTransport(one, RmppSettings.DEFAULT);
        MadRequests requests = client(client);
        serve(new RmppTransport(two, RmppSettings.DEFAULT), 3000);
        subnet.loss(0.05);
        subnet.duplication(0.2);
        check(ask(requests), 3000);
        assertThat(subnet.lost()).isPositive();
    }

    @Test
    void aCrowdOfTablesIsBoundedAndComesToItsEnd() {
        RmppTransport client = new RmppTransport(one, RmppSettings.DEFAULT);
        MadRequests eager =
                client(client, PATIENT.withTimeout(1_000_000_000L, 100).withWindow(64, 64, 64));
        RmppTransport server = new RmppTransport(two, RmppSettings.DEFAULT);
        serve(server, 400);
        for (int i = 0; i < 200; i++) {
            eager.submit(Mad.sa(MadMethod.GET_TABLE, LinkRecord.TYPE, 0), MadAddress.gmp(2, 0), outcomes::add);
        }
        int[] most = new int[1];
        assertThat(subnet.loop()
                        .runUntil(
                                () -> {
                                    most[0] = Math.max(most[0], server.transfers());
                                    return outcomes.size() == 200;
                                },
                                10 * MINUTE))
                .isTrue();
        assertThat(most[0]).isEqualTo(RmppSettings.DEFAULT.maxTransfersPerPeer());
        assertThat(outcomes).allSatisfy(outcome -> check(((RequestOutcome.Answered) outcome).mad(), 400));
    }

    private Mad ask(MadRequests requests) {
        requests.submit(Mad.sa(MadMethod.GET_TABLE, LinkRecord.TYPE, 0), MadAddress.gmp(2, 0), outcomes::add);
        assertThat(subnet.loop().runUntil(() -> !outcomes.isEmpty(), 10 * MINUTE))
                .isTrue();
        return ((RequestOutcome.Answered) outcomes.removeFirst()).mad();
    }

    private static void check(Mad table, int records) {
        assertThat(table.is(MadMethod.GET_TABLE, true)).isTrue();
        assertThat(table.records()).isEqualTo(records);
        for (int i = 0; i < records; i++) {
            assertThat(table.record(LinkRecord.TYPE, i).getInt(LinkRecord.FROM_LID))
                    .isEqualTo(i);
        }
    }

    @Test
    void aTableThatIsTooLargeIsStopped() {
        RmppSettings small = new RmppSettings(16, 2000, 4, 4, 1 << 20, 200_000_000L, 3, 3, MINUTE);
        RmppTransport client = new RmppTransport(one, small);
        MadRequests requests = client(client);
        RmppTransport server = new RmppTransport(two, RmppSettings.DEFAULT);
        MadRequests answers = serve(server, 3000);
        requests.submit(
                Mad.sa(MadMethod.GET_TABLE, LinkRecord.TYPE, 0),
                MadAddress.gmp(2, 0),
                PATIENT.withTimeout(1_000_000_000L, 0),
                outcomes::add);
        assertThat(subnet.loop().runUntil(() -> !outcomes.isEmpty(), MINUTE)).isTrue();
        assertThat(outcomes.removeFirst()).isEqualTo(new RequestOutcome.Unanswered(1));
        assertThat(answers.counters().answersLost()).isEqualTo(1);
        assertThat(subnet.loop().runUntil(() -> client.transfers() + server.transfers() == 0, MINUTE))
                .isTrue();
    }

    @Test
    void aTableThatArrivesIsNotCountedAsLost() {
        MadRequests requests = client(new RmppTransport(one, RmppSettings.DEFAULT));
        RmppTransport server = new RmppTransport(two, RmppSettings.DEFAULT);
        MadRequests answers = serve(server, 400);
        check(ask(requests), 400);
        assertThat(subnet.loop().runUntil(() -> server.transfers() == 0, MINUTE))
                .isTrue();
        assertThat(answers.counters().answersLost()).isZero();
    }

    /** Who asks may not know RMPP, and have it all the same: nothing is known of it. */
    @ParameterizedTest
    @CsvSource({"0, 0", "3, 1"})
    void whatNobodyAcknowledges(int firstRetries, int lost) {
        client(new RmppTransport(one, RmppSettings.DEFAULT));
        RmppSettings settings = new RmppSettings(16, 16 << 20, 3, 2, 1 << 20, 200_000_000L, 3, firstRetries, MINUTE);
        RmppTransport server = new RmppTransport(two, settings);
        MadRequests answers = serve(server, 1);
        answers.answer(table(1, 1000), MadAddress.gmp(5, 0));
        assertThat(subnet.loop().runUntil(() -> server.transfers() == 0, MINUTE))
                .isTrue();
        assertThat(answers.counters().answersLost()).isEqualTo(lost);
    }

    @Test
    void aReceiverThatVanishesEndsTheTransferWithAnAbort() {
        List<Mad> sent = new ArrayList<>();
        Mad message = Mad.sa(MadMethod.GET_TABLE, LinkRecord.TYPE, 0).answer(MadStatus.OK, 1000);
        RmppSender sender = new RmppSender(message, RmppSettings.DEFAULT, 0, sent::add);
        for (int i = 0; i < 10 && sender.state() == RmppSender.State.SENDING; i++) {
            sender.run(sender.nextRun());
        }
        assertThat(sender.state()).isEqualTo(RmppSender.State.FAILED);
        assertThat(sender.status()).isEqualTo(RmppStatus.RETRIES);
        assertThat(sent).hasSize(1 + RmppSettings.DEFAULT.retries() + 1);
        assertThat(sent.getLast().rmpp().getInt(RmppHeader.TYPE)).isEqualTo(RmppHeader.ABORT);
        assertThat(sent.getLast().rmpp().getInt(RmppHeader.STATUS)).isEqualTo(RmppStatus.RETRIES);
    }

    @Test
    void aReceiverThatDoesNotKnowRmppGetsTheFirstSegmentOnce() {
        List<Mad> sent = new ArrayList<>();
        Mad message = Mad.sa(MadMethod.GET_TABLE, LinkRecord.TYPE, 0).answer(MadStatus.OK, 1000);
        RmppSettings settings = RmppSettings.DEFAULT.towardsTools();
        RmppSender sender = new RmppSender(message, settings, 0, sent::add);
        sender.run(sender.nextRun());
        assertThat(sender.state()).isEqualTo(RmppSender.State.UNCONFIRMED);
        assertThat(sent).hasSize(1);

        sent.clear();
        RmppSender known = new RmppSender(message, settings, 0, sent::add);
        RmppReceiver receiver = new RmppReceiver(settings, 0, ack -> known.received(ack, 0));
        receiver.received(sent.getFirst(), 0);
        assertThat(sent).hasSizeGreaterThan(2);
        int before = sent.size();
        known.run(known.nextRun());
        assertThat(sent).hasSizeGreaterThan(before);
    }

    @Test
    void lengthsOfFirstAndLastSegmentAreAsTheProtocolSays() {
        List<Mad> sent = new ArrayList<>();
        Mad message = Mad.sa(MadMethod.GET_TABLE, LinkRecord.TYPE, 0).answer(MadStatus.OK, 450);
        RmppSender sender = new RmppSender(message, RmppSettings.DEFAULT, 0, sent::add);
        RmppReceiver receiver = new RmppReceiver(RmppSettings.DEFAULT, 0, ack -> sender.received(ack, 0));
        for (int i = 0; i < sent.size(); i++) {
            receiver.received(sent.get(i), 0);
        }
        assertThat(sender.state()).isEqualTo(RmppSender.State.DONE);
        assertThat(sent).extracting(mad -> mad.rmpp().getInt(RmppHeader.LENGTH)).containsExactly(20 * 3 + 450, 0, 70);
        assertThat(sent).extracting(mad -> mad.rmpp().getInt(RmppHeader.FLAGS)).containsExactly(3, 1, 5);
        assertThat(sent).extracting(Mad::length).containsExactly(256, 256, 56 + 50);
        assertThat(receiver.takeMessage()).isNotNull();
    }

    @Test
    void wrongSegmentsEndTheTransferAndTellWhy() {
        assertThat(statusOf(mad -> mad.rmpp().set(RmppHeader.TYPE, 9))).isEqualTo(RmppStatus.BAD_TYPE);
        assertThat(statusOf(mad -> mad.rmpp().set(RmppHeader.VERSION, 2))).isEqualTo(RmppStatus.BAD_VERSION);
        assertThat(statusOf(mad -> mad.rmpp().set(RmppHeader.SEGMENT, 0))).isEqualTo(RmppStatus.BAD_FIRST);
        assertThat(statusOf(mad -> mad.rmpp().set(RmppHeader.SEGMENT, 2))).isEqualTo(RmppStatus.BAD_FIRST);
        assertThat(statusOf(mad -> mad.rmpp().set(RmppHeader.SEGMENT, 9).set(RmppHeader.FLAGS, 1)))
                .isEqualTo(RmppStatus.BAD_SEGMENT);
        assertThat(statusOf(mad -> mad.rmpp().set(RmppHeader.LENGTH, 2000))).isEqualTo(RmppStatus.BAD_LAST);
        assertThat(statusOf(mad -> mad.rmpp().set(RmppHeader.LENGTH, 3))).isEqualTo(RmppStatus.BAD_LAST);
    }

    private static int statusOf(Consumer<Mad> change) {
        List<Mad> sent = new ArrayList<>();
        new RmppSender(
                Mad.sa(MadMethod.GET_TABLE, LinkRecord.TYPE, 0).answer(MadStatus.OK, 100),
                RmppSettings.DEFAULT,
                0,
                sent::add);
        Mad segment = sent.getFirst();
        change.accept(segment);
        List<Mad> replies = new ArrayList<>();
        RmppReceiver receiver = new RmppReceiver(RmppSettings.DEFAULT, 0, replies::add);
        receiver.received(segment, 0);
        assertThat(receiver.isFailed()).isTrue();
        assertThat(replies).hasSize(1);
        assertThat(replies.getFirst().rmpp().getInt(RmppHeader.TYPE)).isEqualTo(RmppHeader.ABORT);
        return replies.getFirst().rmpp().getInt(RmppHeader.STATUS);
    }

    /** The segments of a message, the first as it is sent, the others as after its acknowledgement. */
    private static List<Mad> segments(Mad message) {
        List<Mad> sent = new ArrayList<>();
        RmppSender sender = new RmppSender(message, RmppSettings.DEFAULT, 0, sent::add);
        RmppReceiver receiver = new RmppReceiver(RmppSettings.DEFAULT, 0, ack -> sender.received(ack, 0));
        for (int i = 0; i < sent.size(); i++) {
            receiver.received(sent.get(i), 0);
        }
        assertThat(sender.state()).isEqualTo(RmppSender.State.DONE);
        return sent;
    }

    /** So a kernel at the other end finds the transfer. */
    @Test
    void acknowledgementsHaveTheOtherResponseBit() {
        Mad request = Mad.sa(MadMethod.GET_MULTI, LinkRecord.TYPE, 0);
        for (Mad message : List.of(request, request.answer(MadStatus.OK, 450))) {
            List<Mad> replies = new ArrayList<>();
            RmppReceiver receiver = new RmppReceiver(RmppSettings.DEFAULT, 0, replies::add);
            receiver.received(segments(message).getFirst(), 0);
            assertThat(replies).singleElement().satisfies(ack -> {
                assertThat(ack.isResponse()).isNotEqualTo(message.isResponse());
                assertThat(ack.rmpp().getInt(RmppHeader.TYPE)).isEqualTo(RmppHeader.ACK);
            });
        }
    }

    @Test
    void aSegmentThatIsSentAgainIsAcknowledgedAgain() {
        List<Mad> sent =
                segments(Mad.sa(MadMethod.GET_TABLE, LinkRecord.TYPE, 0).answer(MadStatus.OK, 4000));
        assertThat(sent).hasSize(20);
        List<Mad> replies = new ArrayList<>();
        RmppReceiver receiver = new RmppReceiver(RmppSettings.DEFAULT, 0, replies::add);
        int[] order = {1, 1, 2, 1, 17, 16, 3};
        for (int number : order) {
            receiver.received(sent.get(number - 1), 0);
        }
        assertThat(replies)
                .hasSize(5)
                .allSatisfy(
                        ack -> assertThat(ack.rmpp().getInt(RmppHeader.TYPE)).isEqualTo(RmppHeader.ACK));
        assertThat(replies)
                .extracting(ack -> ack.rmpp().getInt(RmppHeader.SEGMENT))
                .as("17 and 16 come before what precedes them")
                .containsExactly(1, 1, 2, 2, 2);
        assertThat(replies)
                .as("window of the acknowledgement")
                .extracting(ack -> ack.rmpp().getInt(RmppHeader.LENGTH))
                .containsExactly(17, 17, 18, 18, 18);
    }

    @Test
    void whatIsTooLargeIsStoppedAtTheFirstByteTooMany() {
        int size = 56 + 2 * 200;
        for (int most : new int[] {size, size - 1}) {
            RmppSettings small = new RmppSettings(16, most, 4, 4, 1 << 20, 200_000_000L, 3, 3, MINUTE);
            List<Mad> replies = new ArrayList<>();
            RmppReceiver receiver = new RmppReceiver(small, 0, replies::add);
            segments(Mad.sa(MadMethod.GET_TABLE, LinkRecord.TYPE, 0).answer(MadStatus.OK, 400))
                    .forEach(segment -> receiver.received(segment, 0));
            boolean fits = most == size;
            assertThat(receiver.isComplete()).isEqualTo(fits);
            assertThat(receiver.isFailed()).isNotEqualTo(fits);
            RmppHeader last = replies.getLast().rmpp();
            assertThat(last.getInt(RmppHeader.TYPE)).isEqualTo(fits ? RmppHeader.ACK : RmppHeader.STOP);
            assertThat(last.getInt(RmppHeader.STATUS)).isEqualTo(fits ? 0 : RmppStatus.RESOURCES);
        }
    }

    @Test
    void aTransferIsRememberedForWhatIsStillUnderWay() {
        RmppSettings settings = RmppSettings.DEFAULT;
        List<Mad> sent =
                segments(Mad.sa(MadMethod.GET_TABLE, LinkRecord.TYPE, 0).answer(MadStatus.OK, 400));
        RmppReceiver receiver = new RmppReceiver(settings, 7, ack -> {});
        assertThat(receiver.endsAt()).isEqualTo(7 + settings.totalNanos());
        receiver.received(sent.getFirst(), 8);
        assertThat(receiver.endsAt()).as("as long as it lasts").isEqualTo(7 + settings.totalNanos());
        receiver.received(sent.getLast(), 9);
        long remembered = settings.timeoutNanos() * (settings.retries() + 2);
        assertThat(receiver.endsAt()).isEqualTo(9 + remembered);
        assertThat(receiver.takeMessage()).isNotNull();
        receiver.received(sent.getLast(), 10);
        assertThat(receiver.endsAt()).as("whatever is sent again").isEqualTo(9 + remembered);
        receiver.run(receiver.endsAt());
        assertThat(receiver.isFailed()).isFalse();

        RmppReceiver late = new RmppReceiver(settings, 0, ack -> {});
        late.received(sent.getFirst(), 0);
        late.run(settings.totalNanos() - 1);
        assertThat(late.isFailed()).isFalse();
        late.run(settings.totalNanos());
        assertThat(late.isFailed()).isTrue();
    }

    @Test
    void wrongAcknowledgementsEndTheTransferAndTellWhy() {
        assertThat(statusOfAck(4, 20)).isEqualTo(RmppStatus.BAD_SEGMENT);
        assertThat(statusOfAck(2, 1)).isEqualTo(RmppStatus.BAD_WINDOW);
        assertThat(statusOfAck(2, 2)).as("no more for now").isZero();
        assertThat(statusOfAck(0, 3)).as("of a receiver that begins").isZero();
    }

    /** What a sender of three segments makes of an acknowledgement. */
    private static int statusOfAck(int segment, int windowLast) {
        List<Mad> sent = new ArrayList<>();
        Mad message = Mad.sa(MadMethod.GET_TABLE, LinkRecord.TYPE, 0)
                .set(Mad.TRANSACTION_ID, 77)
                .answer(MadStatus.OK, 450);
        RmppSender sender = new RmppSender(message, RmppSettings.DEFAULT, 0, sent::add);
        Mad ack = RmppSender.control(sent.getFirst().copy(), RmppHeader.ACK, 0, segment, windowLast);
        sender.received(ack, 0);
        if (sender.state() == RmppSender.State.SENDING) {
            return 0;
        }
        Mad abort = sent.getLast();
        assertThat(abort.rmpp().getInt(RmppHeader.TYPE)).isEqualTo(RmppHeader.ABORT);
        assertThat(abort.rmpp().getInt(RmppHeader.STATUS)).isEqualTo(sender.status());
        assertThat(abort.tid()).as("whom it is for").isEqualTo(77);
        return sender.status();
    }

    /** Tables of many segments take longer than a few retries: these are for each part that does not arrive. */
    @Test
    void progressGivesRetriesBackAndOldAcknowledgementsDoNot() {
        RmppSettings settings = RmppSettings.DEFAULT;
        List<Mad> sent = new ArrayList<>();
        Mad message = table(77, 20 * 200);
        RmppSender sender = new RmppSender(message, settings, 0, sent::add);
        Mad first = sent.getFirst();
        for (int segment = 1; segment <= 3; segment++) {
            sender.received(RmppSender.control(first.copy(), RmppHeader.ACK, 0, segment, segment + 1), 0);
            for (int i = 0; i < settings.retries(); i++) {
                sender.run(sender.nextRun());
            }
            assertThat(sender.state()).as("segment %d", segment).isEqualTo(RmppSender.State.SENDING);
        }
        for (int old = 2; old <= 3; old++) {
            sender.received(RmppSender.control(first.copy(), RmppHeader.ACK, 0, old, 4), 0);
        }
        sender.run(sender.nextRun());
        assertThat(sender.state()).isEqualTo(RmppSender.State.FAILED);
        assertThat(sender.status()).isEqualTo(RmppStatus.RETRIES);
    }

    /** Sends a table, of which some segments are lost on the way; returns how many were sent before any time-out. */
    private static int sentWithoutTimeOut(List<Integer> lost) {
        List<Mad> sent = new ArrayList<>();
        RmppSender sender = new RmppSender(table(77, 60 * 200), RmppSettings.DEFAULT, 0, sent::add);
        RmppReceiver receiver = new RmppReceiver(RmppSettings.DEFAULT, 0, ack -> sender.received(ack, 0));
        List<Integer> toLose = new ArrayList<>(lost);
        for (int i = 0; i < sent.size(); i++) {
            if (!toLose.remove((Integer) sent.get(i).rmpp().getInt(RmppHeader.SEGMENT))) {
                receiver.received(sent.get(i), 0);
            }
        }
        assertThat(sender.state()).isEqualTo(RmppSender.State.DONE);
        Mad whole = receiver.takeMessage();
        assertThat(whole).isNotNull();
        return sent.size();
    }

    @Test
    void aLostSegmentIsSentAgainBeforeTheTimeOut() {
        assertThat(sentWithoutTimeOut(List.of())).isEqualTo(60);
        assertThat(sentWithoutTimeOut(List.of(5))).as("again from 5 to 17").isEqualTo(60 + 13);
        assertThat(sentWithoutTimeOut(List.of(5, 40))).as("and from 40 to 49").isEqualTo(60 + 13 + 10);
    }

    /** Such as one that comes twice: each would be followed by a window of segments, and these by others. */
    @Test
    void whatWasSentAgainIsNotSentAThirdTimeBeforeTheTimeOut() {
        List<Mad> sent = new ArrayList<>();
        RmppSender sender = new RmppSender(table(77, 20 * 200), RmppSettings.DEFAULT, 0, sent::add);
        Mad first = sent.getFirst();
        int[][] acks = {{1, 4}, {1, 4}, {1, 4}, {2, 4}, {2, 4}, {4, 6}, {4, 6}, {6, 8}, {6, 8}};
        int[] sentThen = {3, 3, 0, 0, 0, 2, 0, 2, 2};
        for (int i = 0; i < acks.length; i++) {
            int before = sent.size();
            sender.received(RmppSender.control(first.copy(), RmppHeader.ACK, 0, acks[i][0], acks[i][1]), 0);
            assertThat(sent.size() - before).as("acknowledgement %d", i).isEqualTo(sentThen[i]);
        }
    }

    /** With a place among the transfers, for as long as a whole transfer may take. */
    @Test
    void anAcknowledgementThatTellsNothingNewPutsNothingOff() {
        RmppSettings settings = RmppSettings.DEFAULT;
        List<Mad> sent = new ArrayList<>();
        RmppSender sender = new RmppSender(table(77, 20 * 200), settings, 0, sent::add);
        Mad first = sent.getFirst();
        Mad ack = RmppSender.control(first.copy(), RmppHeader.ACK, 0, 1, 4);
        sender.received(ack, 0);
        sender.received(ack, 0);
        for (int i = 0; i <= settings.retries(); i++) {
            long due = (i + 1) * settings.timeoutNanos();
            sender.received(ack, due - 1);
            assertThat(sender.state()).isEqualTo(RmppSender.State.SENDING);
            assertThat(sender.nextRun()).isEqualTo(due);
            sender.run(due);
        }
        assertThat(sender.status()).isEqualTo(RmppStatus.RETRIES);
        assertThat(sent).hasSize(1 + 3 * (2 + settings.retries()) + 1);

        RmppSender growing = new RmppSender(table(77, 20 * 200), settings, 0, sent::add);
        for (int last = 2; last <= 5; last++) {
            growing.received(RmppSender.control(first.copy(), RmppHeader.ACK, 0, 1, last), last);
            assertThat(growing.nextRun()).as("window to %d", last).isEqualTo(last + settings.timeoutNanos());
        }
    }

    @Test
    void aWordThatIsNotOfTheProtocolEndsWhatIsSent() {
        List<Mad> sent = new ArrayList<>();
        RmppSender sender = new RmppSender(table(77, 450), RmppSettings.DEFAULT, 0, sent::add);
        sender.received(RmppSender.control(sent.getFirst().copy(), 9, 0, 1, 3), 0);
        assertThat(sender.state()).isEqualTo(RmppSender.State.FAILED);
        assertThat(sender.status()).isEqualTo(RmppStatus.BAD_TYPE);
        assertThat(sent.getLast().rmpp().getInt(RmppHeader.TYPE)).isEqualTo(RmppHeader.ABORT);
    }

    /** It is not waited for until the time of a transfer is over, and the same may begin anew. */
    @Test
    void aSenderThatGivesUpEndsWhatIsReceived() {
        List<Mad> segments = segments(table(77, 450));
        for (int type : new int[] {RmppHeader.STOP, RmppHeader.ABORT}) {
            List<Mad> replies = new ArrayList<>();
            RmppReceiver receiver = new RmppReceiver(RmppSettings.DEFAULT, 0, replies::add);
            receiver.received(segments.getFirst(), 0);
            receiver.received(RmppSender.control(segments.getFirst().copy(), type, RmppStatus.TOTAL_TIME, 0, 0), 5);
            assertThat(receiver.isFailed()).isTrue();
            receiver.received(segments.get(1), 6);
            assertThat(replies).as("nobody is told of more").hasSize(1);
            RmppReceiver whole = new RmppReceiver(RmppSettings.DEFAULT, 0, replies::add);
            segments.forEach(segment -> whole.received(segment, 0));
            whole.received(RmppSender.control(segments.getFirst().copy(), type, RmppStatus.TOTAL_TIME, 0, 0), 5);
            assertThat(whole.isFailed()).as("it is there").isFalse();
            assertThat(whole.takeMessage()).isNotNull();
        }
    }

    private static Mad table(int tid, int bytes) {
        return Mad.sa(MadMethod.GET_TABLE, LinkRecord.TYPE, 0)
                .set(Mad.TRANSACTION_ID, tid)
                .answer(MadStatus.OK, bytes);
    }

    private void refused(RmppTransport transport, Mad message, int lid, String why) {
        assertThatThrownBy(() -> transport.send(message, MadAddress.gmp(lid, 0), 0))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EAGAIN))
                .hasMessageContaining(why);
    }

    /** Nobody acknowledges anything; places are free again when senders have given up. */
    @Test
    void messagesThatAreSentAreBounded() {
        RmppSettings few = new RmppSettings(16, 16 << 20, 3, 2, 1 << 20, 200_000_000L, 3, 3, MINUTE);
        RmppTransport server = new RmppTransport(two, few);
        MadRequests answers = serve(server, 1);
        for (int round = 1; round <= 2; round++) {
            server.send(table(1, 1000), MadAddress.gmp(5, 0), 0);
            server.send(table(2, 1000), MadAddress.gmp(5, 0), 0);
            server.send(table(2, 1000), MadAddress.gmp(5, 0), 0);
            assertThat(server.transfers()).as("asked for again").isEqualTo(2);
            refused(server, table(3, 1000), 5, "2 messages to LID 5");
            server.send(table(1, 1000), MadAddress.gmp(6, 0), 0);
            refused(server, table(1, 1000), 7, "3 messages");
            assertThat(subnet.loop().runUntil(() -> server.transfers() == 0, MINUTE))
                    .isTrue();
            assertThat(answers.counters().answersLost()).isEqualTo(3L * round);
        }
    }

    @Test
    void bytesThatAreSentAreBounded() {
        RmppSettings few = new RmppSettings(16, 16 << 20, 256, 64, 3 * 1056, 200_000_000L, 3, 3, MINUTE);
        RmppTransport server = new RmppTransport(two, few);
        for (int round = 0; round < 3; round++) {
            for (int lid = 5; lid <= 7; lid++) {
                server.send(table(1, 1000), MadAddress.gmp(lid, 0), 0);
            }
            refused(server, table(4, 1), 5, "3168 bytes of 3168");
            assertThat(subnet.loop().runUntil(() -> server.transfers() == 0, MINUTE))
                    .isTrue();
        }
        server.send(table(1, 5000), MadAddress.gmp(5, 0), 0);
        assertThat(server.transfers()).as("one message of any size").isEqualTo(1);
    }

    /** A few tables of a large subnet are as long as all that may be sent at a time. */
    @Test
    void aPeerLeavesAsManyBytesToOthersAsItHas() {
        RmppSettings few = new RmppSettings(16, 16 << 20, 256, 64, 4 * 1056, 200_000_000L, 3, 3, MINUTE);
        RmppTransport server = new RmppTransport(two, few);
        for (int round = 0; round < 3; round++) {
            server.send(table(1, 1000), MadAddress.gmp(5, 0), 0);
            server.send(table(2, 1000), MadAddress.gmp(5, 0), 0);
            refused(server, table(3, 1000), 5, "2112 bytes to LID 5, and leaves 2112 to others");
            server.send(table(1, 1000), MadAddress.gmp(6, 0), 0);
            server.send(table(1, 1000), MadAddress.gmp(7, 0), 0);
            assertThat(subnet.loop().runUntil(() -> server.transfers() == 0, MINUTE))
                    .isTrue();
        }
    }

    @Test
    void aSenderThatVanishesIsForgottenInTheEnd() {
        client(new RmppTransport(one, RmppSettings.DEFAULT));
        RmppTransport server = new RmppTransport(two, RmppSettings.DEFAULT);
        serve(server, 1);
        one.send(segments(table(1, 1000)).getFirst(), MadAddress.gmp(2, 0), 0);
        subnet.loop().runFor(RmppSettings.DEFAULT.totalNanos() / 2);
        assertThat(server.transfers()).isEqualTo(1);
        subnet.loop().runFor(RmppSettings.DEFAULT.totalNanos());
        assertThat(server.transfers()).isZero();
    }

    @Test
    void aPeerCanNotTakeThePlacesOfAllOthers() {
        RmppTransport client = new RmppTransport(one, RmppSettings.DEFAULT);
        client(client);
        RmppTransport server = new RmppTransport(two, RmppSettings.DEFAULT);
        serve(server, 1);
        int more = 6;
        List<Mad> first = new ArrayList<>();
        for (int i = 0; i < RmppSettings.DEFAULT.maxTransfersPerPeer() + more; i++) {
            Mad message = Mad.sa(MadMethod.GET_MULTI, LinkRecord.TYPE, 0).answer(MadStatus.OK, 450);
            new RmppSender(message.set(Mad.TRANSACTION_ID, i + 1), RmppSettings.DEFAULT, 0, first::add);
            one.send(first.removeFirst(), MadAddress.gmp(2, 0), 0);
            first.clear();
            subnet.loop().runFor(1_000_000);
        }
        assertThat(server.transfers()).isEqualTo(RmppSettings.DEFAULT.maxTransfersPerPeer());
    }
}
