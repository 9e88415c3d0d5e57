package org.railyard.mad.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.mad.sim.VirtualLoop;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.DirectedRoute;
import org.railyard.mad.wire.LidRoute;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.MgmtClass;

/** Windows, time-outs, retries and what is ignored, over a transport that only notes what it was given. */
final class MadRequestsTest {
    private static final long MILLI = 1_000_000L;
    private static final RequestSettings SETTINGS = RequestSettings.DEFAULT.withWindow(4, 8, 2);

    /** Notes what is sent; answers when the test says so. */
    private static final class Noting implements MadTransport {
        private final VirtualLoop loop = new VirtualLoop();
        private final List<Mad> sent = new ArrayList<>();
        private final int most;
        private @Nullable MadReceiver receiver;
        private @Nullable Errno refusal;
        private boolean reportsTimeouts;
        private int toldMillis;

        Noting(int most) {
            this.most = most;
        }

        @Override
        public VirtualLoop loop() {
            return loop;
        }

        @Override
        public LocalPort port() {
            return new LocalPort("test", 1, 1);
        }

        @Override
        public void receiver(MadReceiver newReceiver) {
            receiver = newReceiver;
        }

        MadReceiver receiver() {
            return Objects.requireNonNull(receiver);
        }

        @Override
        public void send(Mad mad, MadAddress to, int timeoutMillis) {
            if (refusal != null) {
                throw new ErrnoException(refusal, "refused");
            }
            sent.add(mad.copy());
            toldMillis = timeoutMillis;
        }

        @Override
        public int maxOutstanding() {
            return most;
        }

        @Override
        public boolean reportsTimeouts() {
            return reportsTimeouts;
        }

        @Override
        public boolean reassembles() {
            return true;
        }

        @Override
        public void markSm(boolean isSm) {}

        @Override
        public void close() {}
    }

    private final Noting transport = new Noting(6);
    private final List<Mad> unsolicited = new ArrayList<>();
    private final MadRequests requests = new MadRequests(transport, SETTINGS, (mad, from) -> unsolicited.add(mad));
    private final List<RequestOutcome> outcomes = new ArrayList<>();

    private void submit(int port) {
        requests.submit(
                Mad.directed(MadMethod.GET, NodeInfo.TYPE, 0, DirectedPath.of(port)),
                MadAddress.DIRECTED,
                outcomes::add);
    }

    private void run(long millis) {
        transport.loop().runFor(millis * MILLI);
    }

    private void answer(int sent) {
        transport.receiver().received(transport.sent.get(sent).answer(MadStatus.OK, 0), MadAddress.DIRECTED);
    }

    @Test
    void nothingIsSentWithinTheCall() {
        submit(1);
        assertThat(transport.sent).isEmpty();
        run(0);
        assertThat(transport.sent).hasSize(1);
    }

    @Test
    void theWindowHoldsAndGrowsWithAnswersUpToWhatTheTransportTakes() {
        for (int port = 1; port <= 20; port++) {
            submit(port);
        }
        run(1);
        assertThat(transport.sent).hasSize(4);
        answer(0);
        assertThat(requests.window()).isEqualTo(5);
        assertThat(transport.sent).as("one for the answer, one for the window").hasSize(6);
        answer(1);
        answer(2);
        answer(3);
        assertThat(requests.window()).isEqualTo(6);
        assertThat(requests.outstanding()).isEqualTo(6);
        assertThat(requests.queued()).isEqualTo(10);
    }

    @Test
    void aTargetGetsNoMoreThanItsShare() {
        for (int i = 0; i < 4; i++) {
            submit(1);
        }
        submit(2);
        run(1);
        assertThat(transport.sent)
                .extracting(mad -> mad.directedRoute().path())
                .containsExactly(DirectedPath.of(1), DirectedPath.of(2), DirectedPath.of(1));
    }

    @Test
    void whatIsNotAnsweredIsSentAgainWithTheSameTransactionAndThenGivenUp() {
        submit(1);
        run(1000);
        assertThat(transport.sent).hasSize(4);
        assertThat(transport.sent)
                .extracting(Mad::tid)
                .containsOnly(transport.sent.getFirst().tid());
        assertThat(outcomes).containsExactly(new RequestOutcome.Unanswered(4));
        assertThat(requests.outstanding()).isZero();
        assertThat(requests.counters().resent()).isEqualTo(3);
        run(100_000);
        assertThat(transport.sent).hasSize(4);
    }

    /** Sent one by one, each request would wake whoever answers it, and each answer whoever asks. */
    @Test
    void aLargeWindowIsFilledWhenAQuarterOfItIsFree() {
        Noting large = new Noting(MadRequests.LARGE_WINDOW);
        MadRequests many = new MadRequests(large, RequestSettings.DEFAULT.withWindow(32, 32, 2), (mad, from) -> {});
        for (int port = 1; port <= 60; port++) {
            many.submit(
                    Mad.directed(MadMethod.GET, NodeInfo.TYPE, 0, DirectedPath.of(port)),
                    MadAddress.DIRECTED,
                    outcomes::add);
        }
        large.loop().runFor(MILLI);
        assertThat(large.sent).hasSize(32);
        for (int i = 0; i < 7; i++) {
            large.receiver().received(large.sent.get(i).answer(MadStatus.OK, 0), MadAddress.DIRECTED);
        }
        large.loop().runFor(MILLI);
        assertThat(large.sent).hasSize(32);
        large.receiver().received(large.sent.get(7).answer(MadStatus.OK, 0), MadAddress.DIRECTED);
        assertThat(large.sent).hasSize(40);
        large.loop().runFor(60_000 * MILLI);
        assertThat(outcomes).as("those without an answer hold up nobody").hasSize(60);
    }

    @Test
    void silenceOfThoseWhoAnsweredHalvesTheWindowOfThoseWhoNeverDidDoesNot() {
        for (int i = 0; i < 2; i++) {
            submit(1);
            run(1);
            answer(i);
        }
        int before = requests.window();
        submit(2);
        run(300);
        assertThat(requests.window()).isEqualTo(before);
        submit(1);
        run(300);
        assertThat(requests.window()).isEqualTo(4);
    }

    /** What several targets do not answer at the same time says no more than one of them does. */
    @Test
    void theWindowIsHalvedOnceInATimeOut() {
        MadRequests wide = new MadRequests(transport, RequestSettings.DEFAULT.withWindow(1, 6, 2), (mad, from) -> {});
        for (int round = 0; round < 6; round++) {
            ask(wide, 1, SETTINGS);
            run(1);
            answer(round);
        }
        assertThat(wide.window()).isEqualTo(6);
        ask(wide, 1, SETTINGS);
        run(1);
        ask(wide, 1, SETTINGS);
        run(SETTINGS.timeoutNanos() / MILLI + 1);
        assertThat(wide.window()).isEqualTo(3);
        run(SETTINGS.timeoutNanos() / MILLI + 1);
        assertThat(wide.window()).as("they are silent for longer").isEqualTo(1);
    }

    private void ask(MadRequests by, int port, RequestSettings limits) {
        by.submit(
                Mad.directed(MadMethod.GET, NodeInfo.TYPE, 0, DirectedPath.of(port)),
                MadAddress.DIRECTED,
                limits,
                outcomes::add);
    }

    @Test
    void eachRequestHasItsOwnTimeOut() {
        ask(requests, 1, SETTINGS.withTimeout(1000 * MILLI, 0));
        run(0);
        assertThat(transport.toldMillis).isEqualTo(1000);
        ask(requests, 2, SETTINGS.withTimeout(300 * MILLI, 0));
        run(0);
        assertThat(transport.toldMillis).isEqualTo(300);
        run(299);
        assertThat(outcomes).isEmpty();
        run(1);
        assertThat(outcomes).hasSize(1);
        run(699);
        assertThat(outcomes).hasSize(1);
        run(1);
        assertThat(outcomes).containsExactly(new RequestOutcome.Unanswered(1), new RequestOutcome.Unanswered(1));
        assertThat(requests.counters().unanswered()).isEqualTo(2);
    }

    /** A kernel tells of its time-out, which is the same: what it tells counts. */
    @Test
    void aTransportThatReportsTimeOutsHasTimeToDoSo() {
        transport.reportsTimeouts = true;
        ask(requests, 1, SETTINGS.withTimeout(300 * MILLI, 0));
        run(399);
        assertThat(outcomes).isEmpty();
        run(1);
        assertThat(outcomes).hasSize(1);
    }

    /** Of a target that stays silent those that wait for their turn come to their end, too. */
    @Test
    void whatWaitsForASilentTargetIsSentWhenOthersWereGivenUp() {
        for (int i = 0; i < 5; i++) {
            submit(1);
        }
        run(10_000);
        assertThat(outcomes).hasSize(5).allMatch(outcome -> outcome instanceof RequestOutcome.Unanswered);
        assertThat(transport.sent).hasSize(5 * (1 + SETTINGS.retries()));
        assertThat(requests.queued()).isZero();
        assertThat(requests.outstanding()).isZero();
    }

    /** Such as the answer for another block of a table, or that of an agent that mixes things up. */
    @Test
    void onlyWhatWasAskedForIsAnAnswer() {
        Mad asked = Mad.directed(MadMethod.GET, LinearForwardingTable.TYPE, 5, DirectedPath.of(1));
        requests.submit(asked, MadAddress.DIRECTED, outcomes::add);
        run(1);
        Mad right = transport.sent.getFirst().answer(MadStatus.OK, 0);
        List<Mad> wrong = List.of(
                right.copy().set(Mad.ATTRIBUTE_MODIFIER, 6),
                right.copy().set(Mad.ATTRIBUTE_ID, PortInfo.TYPE.id()),
                right.copy().set(Mad.METHOD, MadMethod.TRAP_REPRESS.code()).set(Mad.RESPONSE, 1),
                right.copy().set(Mad.MGMT_CLASS, MgmtClass.SMP_LID));
        wrong.forEach(mad -> transport.receiver().received(mad, MadAddress.DIRECTED));
        assertThat(outcomes).isEmpty();
        assertThat(requests.outstanding()).isEqualTo(1);
        transport.receiver().received(right, MadAddress.DIRECTED);
        assertThat(outcomes).singleElement().isInstanceOf(RequestOutcome.Answered.class);
    }

    @Test
    void onlyTheLowHalfOfTheTransactionCounts() {
        submit(1);
        run(1);
        Mad answer = transport.sent.getFirst().answer(MadStatus.OK, 0);
        answer.set(Mad.TRANSACTION_ID, answer.get(Mad.TRANSACTION_ID) | 0xABCD_0000_0000_0000L);
        transport.receiver().received(answer, MadAddress.DIRECTED);
        assertThat(outcomes).singleElement().isInstanceOf(RequestOutcome.Answered.class);
    }

    @Test
    void duplicatesStaleAndForeignAnswersAreIgnoredAndCounted() {
        submit(1);
        run(1);
        Mad foreign = Mad.directed(MadMethod.GET, PortInfo.TYPE, 0, DirectedPath.of(1))
                .set(Mad.TRANSACTION_ID, transport.sent.getFirst().get(Mad.TRANSACTION_ID));
        transport.receiver().received(foreign.answer(MadStatus.OK, 0), MadAddress.DIRECTED);
        assertThat(outcomes).isEmpty();
        answer(0);
        answer(0);
        answer(0);
        Mad stale = foreign.copy().set(Mad.TRANSACTION_ID, 0x7777);
        transport.receiver().received(stale.answer(MadStatus.OK, 0), MadAddress.DIRECTED);
        RequestCounters counters = requests.counters();
        assertThat(outcomes).hasSize(1);
        assertThat(counters.mismatched()).isEqualTo(1);
        assertThat(counters.duplicates()).isEqualTo(2);
        assertThat(counters.stale()).isEqualTo(1);
        assertThat(unsolicited).isEmpty();
    }

    private void answer(int sent, int status) {
        transport.receiver().received(transport.sent.get(sent).answer(status, 0), MadAddress.DIRECTED);
    }

    @Test
    void whoIsBusyIsAskedAgainLater() {
        requests.keys(List.of(7L, 8L));
        submit(1);
        run(1);
        answer(0, MadStatus.BUSY);
        assertThat(outcomes).isEmpty();
        assertThat(transport.sent).as("not at once").hasSize(1);
        run(SETTINGS.timeoutNanos() / MILLI);
        assertThat(transport.sent).hasSize(2);
        assertThat(sentKey(1)).as("it did not say nothing to the key").isEqualTo(7);
        run(SETTINGS.timeoutNanos() / MILLI);
        assertThat(sentKey(2)).as("now it did").isEqualTo(8);
        answer(2, MadStatus.OK);
        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        RequestOutcome.Answered.class,
                        answered -> assertThat(answered.attempts()).isEqualTo(3));
    }

    /** Two answers may be on their way, of a request that was sent twice. */
    @Test
    void anAnswerBehindABusyOneCounts() {
        submit(1);
        run(1);
        answer(0, MadStatus.BUSY);
        assertThat(requests.outstanding()).isEqualTo(1);
        answer(0, MadStatus.OK);
        assertThat(outcomes).singleElement().isInstanceOf(RequestOutcome.Answered.class);
        assertThat(requests.outstanding()).isZero();
    }

    @Test
    void whoStaysBusyHasAnsweredSo() {
        submit(1);
        run(1);
        for (int i = 0; i <= SETTINGS.retries(); i++) {
            assertThat(outcomes).isEmpty();
            answer(i, MadStatus.BUSY);
            run(SETTINGS.timeoutNanos() / MILLI);
        }
        assertThat(transport.sent).hasSize(SETTINGS.retries() + 1);
        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        RequestOutcome.Answered.class,
                        answered -> assertThat(answered.mad().status()).isEqualTo(MadStatus.BUSY));
        assertThat(requests.counters().answered()).isEqualTo(1);
        assertThat(requests.counters().unanswered()).isZero();
    }

    @Test
    void whatComesBackUndeliveredIsSentAgainAtOnce() {
        submit(1);
        run(1);
        for (int i = 0; i < 4; i++) {
            transport.receiver().undelivered(transport.sent.get(i), 110);
        }
        assertThat(transport.sent).hasSize(4);
        assertThat(outcomes).containsExactly(new RequestOutcome.Unanswered(4));
        assertThat(transport.loop().nanoTime()).isLessThan(200 * MILLI);
    }

    @Test
    void whatTheTransportCanNotTakeNowIsSentLater() {
        transport.refusal = Errno.EAGAIN;
        submit(1);
        run(1);
        transport.refusal = null;
        run(300);
        answer(0);
        assertThat(outcomes).singleElement().isInstanceOf(RequestOutcome.Answered.class);
    }

    @Test
    void whatTheTransportNeverTakesIsRefused() {
        transport.refusal = Errno.EMSGSIZE;
        submit(1);
        run(1);
        assertThat(outcomes).containsExactly(new RequestOutcome.Refused(Errno.EMSGSIZE.number(), 0));
        assertThat(requests.outstanding()).isZero();
    }

    @Test
    void anAnswerThatIsNotTakenIsCountedAndHurtsNobody() {
        transport.refusal = Errno.EINVAL;
        assertThat(requests.answer(Mad.lidRouted(MadMethod.GET, NodeInfo.TYPE, 0), MadAddress.smp(0)))
                .isFalse();
        assertThat(requests.counters().answersLost()).isEqualTo(1);
        transport.refusal = null;
        assertThat(requests.answer(Mad.lidRouted(MadMethod.GET, NodeInfo.TYPE, 0), MadAddress.smp(1)))
                .isTrue();
    }

    @Test
    void whatIsNotWantedAnyMoreIsCancelledWhenItsTurnComes() {
        boolean[] wanted = {true};
        requests.cancelling(mad -> !wanted[0]);
        submit(1);
        run(1);
        assertThat(transport.sent).hasSize(1);
        wanted[0] = false;
        submit(2);
        run(1);
        assertThat(outcomes).containsExactly(new RequestOutcome.Cancelled(0));
        answer(0);
        assertThat(outcomes.getLast()).as("sent before").isInstanceOf(RequestOutcome.Answered.class);
        wanted[0] = true;
        submit(2);
        run(1);
        wanted[0] = false;
        run(10_000);
        assertThat(transport.sent).as("not again").hasSize(2);
        assertThat(outcomes.getLast()).isEqualTo(new RequestOutcome.Cancelled(1));
        assertThat(requests.outstanding() + requests.queued()).isZero();
    }

    /** Others number their requests by themselves: an answer to one may have the number of one of ours. */
    @Test
    void anAnswerThatComesBackEndsNoRequest() {
        submit(1);
        run(1);
        Mad answer = transport.sent.getFirst().becomeAnswer(MadStatus.OK);
        transport.receiver().undelivered(answer, Errno.ETIMEDOUT.number());
        assertThat(requests.counters().answersLost()).isEqualTo(1);
        assertThat(requests.counters().resent()).isZero();
        assertThat(requests.outstanding()).isEqualTo(1);
    }

    @Test
    void closeTellsAllAndNothingIsTakenAfterwards() {
        for (int port = 1; port <= 10; port++) {
            submit(port);
        }
        run(1);
        requests.close();
        assertThat(outcomes).hasSize(10).allMatch(outcome -> outcome instanceof RequestOutcome.Cancelled);
        assertThatThrownBy(() -> submit(1)).isInstanceOf(ErrnoException.class).hasMessageContaining("ESHUTDOWN");
        run(10_000);
        assertThat(outcomes).hasSize(10);
    }

    @Test
    void aTransportThatFailsEndsAllRequests() {
        List<ErrnoException> told = new ArrayList<>();
        requests.onFailure(told::add);
        submit(1);
        run(1);
        assertThat(requests.isClosed()).isFalse();
        transport.receiver().failed(new ErrnoException(Errno.ENODEV, "the device is gone"));
        assertThat(told).singleElement().extracting(ErrnoException::errno).isEqualTo(Errno.ENODEV);
        assertThat(requests.isClosed()).isTrue();
        assertThat(outcomes).containsExactly(new RequestOutcome.Cancelled(1));
        assertThatThrownBy(() -> submit(1)).isInstanceOf(ErrnoException.class).hasMessageContaining("device is gone");
    }

    @Test
    void requestsAndTrapsOfOthersGoToTheirReceiver() {
        Mad request = Mad.lidRouted(MadMethod.GET, NodeInfo.TYPE, 0);
        transport.receiver().received(request, MadAddress.smp(3));
        assertThat(unsolicited).containsExactly(request);
        assertThat(requests.counters().unsolicited()).isEqualTo(1);
    }

    /** An agent that sent a trap stops when it gets TrapRepress with its key; answers have that of who asked. */
    @Test
    void trapRepressHasTheKeyAndAnswersHaveNot() {
        requests.keys(List.of(7L));
        Mad trap = Mad.lidRouted(MadMethod.TRAP, Notice.TYPE, 0);
        requests.answer(trap.trapRepress(), MadAddress.smp(3));
        requests.answer(Mad.lidRouted(MadMethod.GET, NodeInfo.TYPE, 0).answer(MadStatus.OK, 0), MadAddress.smp(3));
        assertThat(transport.sent)
                .extracting(mad -> mad.lidRoute().get(LidRoute.M_KEY))
                .containsExactly(7L, 0L);
    }

    private long sentKey(int sent) {
        return transport.sent.get(sent).directedRoute().get(DirectedRoute.M_KEY);
    }

    @Test
    void aSilentTargetIsAskedWithEachKeyInTurn() {
        requests.keys(List.of(7L, 8L, 9L));
        submit(1);
        long timeout = SETTINGS.timeoutNanos() / MILLI;
        run(3 * timeout);
        assertThat(List.of(sentKey(0), sentKey(1), sentKey(2), sentKey(3))).containsExactly(7L, 8L, 9L, 7L);
        run(timeout);
        submit(2);
        run(timeout);
        answer(5);
        submit(2);
        submit(3);
        run(0);
        assertThat(List.of(sentKey(4), sentKey(5))).containsExactly(7L, 8L);
        assertThat(sentKey(6)).as("it answered to this one").isEqualTo(8);
        assertThat(sentKey(7)).as("others are likely to have the same").isEqualTo(8);
        requests.keys(List.of(7L, 8L));
        submit(4);
        run(0);
        assertThat(sentKey(8)).as("the first of others").isEqualTo(7);
        answer(8);
        submit(5);
        run(0);
        assertThat(sentKey(9)).isEqualTo(7);
    }

    @Test
    void anAnswerThatEveryoneGetsTellsNothingOfOthers() {
        requests.keys(List.of(7L, 8L));
        submit(1);
        run(SETTINGS.timeoutNanos() / MILLI);
        submit(2);
        run(0);
        answer(2);
        submit(3);
        run(0);
        assertThat(List.of(sentKey(0), sentKey(1), sentKey(2), sentKey(3)))
                .as("the first target is silent, the second one is not")
                .containsExactly(7L, 8L, 7L, 7L);
    }

    @Test
    void theKeyThatASetHasGivenIsTheNextOne() {
        requests.keys(List.of(7L, 8L));
        Mad set = Mad.directed(MadMethod.SET, PortInfo.TYPE, 1, DirectedPath.of(1));
        set.data(PortInfo.TYPE).set(PortInfo.M_KEY, 8);
        requests.submit(set, MadAddress.DIRECTED, outcomes::add);
        run(0);
        answer(0);
        submit(1);
        run(0);
        assertThat(List.of(sentKey(0), sentKey(1))).containsExactly(7L, 8L);
        requests.keys(List.of(9L));
        submit(1);
        run(0);
        assertThat(sentKey(2)).isEqualTo(9);
        assertThatThrownBy(() -> requests.keys(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
