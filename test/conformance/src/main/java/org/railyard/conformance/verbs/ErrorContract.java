package org.railyard.conformance.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.PortAttributes;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.WorkChain;
import org.railyard.verbs.WorkStatus;

/** What goes wrong: each failure with its status, everything else flushed, other connections untouched. */
public abstract class ErrorContract extends VerbsContract {
    /** For subclasses. */
    protected ErrorContract() {}

    /**
     * The request with the failure ends with its status, all others of this side are flushed, those behind it in their
     * order.
     */
    private void assertFailed(End end, long id, WorkStatus status, int others) {
        elapse("the end of everything", () -> end.completions().size() >= 1 + others);
        fixture().settle();
        assertThat(end.completions()).hasSize(1 + others);
        assertThat(end.completions().getFirst().id()).isEqualTo(id);
        assertThat(end.completions().getFirst().status()).isEqualTo(status);
        assertThat(end.completions().stream().skip(1)).allMatch(done -> done.status() == WorkStatus.FLUSHED);
        assertThat(end.qp().state()).isEqualTo(Qp.State.ERROR);
        assertThat(end.sends().stream().map(End.Done::id)).isSorted();
    }

    private static void sends(WorkChain chain, End end, int from, int count) {
        for (int i = from; i < from + count; i++) {
            chain.send(i, false)
                    .gather(end.region().addressOf(End.SOURCE), 8, end.region().localKey());
        }
    }

    @Test
    void aReceiverWithoutReceivesIsGivenUp() {
        Pair pair = connect(new ConnectParameters(5, 1), USUAL, 0);
        pair.one().post(chain -> sends(chain, pair.one(), 1, 3));
        assertFailed(pair.one(), 1, WorkStatus.RNR_RETRY_EXCEEDED, 2);
    }

    @Test
    void aReceiverThatPostsInTimeIsWaitedFor() {
        Pair pair = connect(new ConnectParameters(5, ConnectParameters.FOR_EVER), USUAL, 0);
        pair.one().send(1, End.SOURCE, 8);
        pair.one().send(2, End.SOURCE, 9);
        fixture().settle();
        assertThat(pair.one().sends()).isEmpty();
        pair.other().postReceives(2);
        await("the messages", () -> pair.other().receives().size() == 2);
        await("the completions", () -> pair.one().sends().size() == 2);
        assertThat(pair.one().sends()).allMatch(done -> done.status() == WorkStatus.SUCCESS);
        assertThat(pair.other().receives()).extracting(End.Done::bytes).containsExactly(8, 9);
    }

    @Test
    void aWrongRemoteKeyIsTurnedAway() {
        Pair pair = connect();
        End one = pair.one();
        one.post(chain -> {
            chain.write(
                            1,
                            false,
                            pair.other().region().addressOf(End.SINK),
                            pair.other().region().remoteKey() ^ 0x40)
                    .gather(one.region().addressOf(End.SOURCE), 8, one.region().localKey());
            sends(chain, one, 2, 2);
        });
        assertFailed(one, 1, WorkStatus.REMOTE_ACCESS, 2 + 8);
        await("the other side's error", () -> pair.other().qp().state() == Qp.State.ERROR);
        await("flushed receives", () -> pair.other().receives().size() == 8);
        assertThat(pair.other().receives()).as("nothing arrived").allMatch(done -> done.status() == WorkStatus.FLUSHED);
        if (fixture().lacks(VerbsCapability.QP_EVENTS).isEmpty()) {
            await("the event", () -> pair.other().party().had(AsyncEvent.Type.QP_FATAL));
        }
    }

    @Test
    void aWriteBeyondTheRegionIsTurnedAway() {
        Party asking = new Party(fixture(), 0);
        Party asked = new Party(fixture(), 1);
        for (long start : List.of(End.MEMORY - 7L, (long) End.MEMORY)) {
            Pair pair = connect(asking, asked, 1, ConnectParameters.DEFAULT, USUAL, 8);
            End one = pair.one();
            long address = pair.other().region().addressOf(0) + start;
            one.post(chain -> chain.write(
                            1, true, address, pair.other().region().remoteKey())
                    .gather(one.region().addressOf(End.SOURCE), 8, one.region().localKey()));
            assertFailed(one, 1, WorkStatus.REMOTE_ACCESS, 8);
            asking.run(() -> one.id().close());
        }
    }

    @Test
    void aWrongLocalKeyIsNoticedBeforeAnythingLeaves() {
        Pair pair = connect();
        End one = pair.one();
        one.post(chain -> {
            chain.send(1, true)
                    .gather(one.region().addressOf(End.SOURCE), 8, one.region().localKey() ^ 0x10000);
            sends(chain, one, 2, 1);
        });
        assertFailed(one, 1, WorkStatus.LOCAL_PROTECTION, 1 + 8);
        assertThat(pair.other().receives()).noneMatch(done -> done.status() == WorkStatus.SUCCESS);
    }

    @Test
    void aMessageThatIsTooLongFailsOnBothSides() {
        Pair pair = connect(ConnectParameters.DEFAULT, USUAL, 0);
        pair.other().party().run(() -> {
            pair.other().postReceive(0, 100);
            pair.other().postReceive(1, 100);
        });
        pair.one().send(1, End.SOURCE, 101);
        assertFailed(pair.one(), 1, WorkStatus.REMOTE_OPERATION, 0);
        boolean exact = fixture().lacks(VerbsCapability.LENGTH_STATUS).isEmpty();
        WorkStatus status = exact ? WorkStatus.LOCAL_LENGTH : WorkStatus.LOCAL_PROTECTION;
        assertFailed(pair.other(), End.RECEIVE_ID, status, 1);
    }

    /** What was posted before it is on its way: nothing new is sent, but what is lost is sent again. */
    @Test
    void whatIsLostBeforeARequestThatFailsStillComes() {
        need(VerbsCapability.CUT);
        Pair pair = connect();
        End one = pair.one();
        fixture().cut(0, 1, true);
        one.send(1, End.SOURCE, 8);
        one.post(chain -> chain.send(2, true)
                .gather(one.region().addressOf(End.SOURCE), 8, one.region().localKey() ^ 0x10000));
        fixture().cut(0, 1, false);
        elapse("the end of everything", () -> one.completions().size() >= 2 + 8);
        assertThat(one.sends())
                .extracting(End.Done::id, End.Done::status)
                .containsExactly(tuple(1L, WorkStatus.SUCCESS), tuple(2L, WorkStatus.LOCAL_PROTECTION));
        assertThat(pair.other().receives()).extracting(End.Done::bytes).containsExactly(8);
    }

    @Test
    void aReceiveIntoNobodysMemoryFailsOnBothSides() {
        Pair pair = connect(ConnectParameters.DEFAULT, USUAL, 0);
        pair.other()
                .party()
                .run(() -> pair.other()
                        .qp()
                        .postReceive(
                                End.RECEIVE_ID, 4096, 100, pair.other().region().localKey()));
        pair.one().send(1, End.SOURCE, 50);
        assertFailed(pair.one(), 1, WorkStatus.REMOTE_OPERATION, 0);
        assertFailed(pair.other(), End.RECEIVE_ID, WorkStatus.LOCAL_PROTECTION, 0);
    }

    @Test
    void inErrorEverythingIsFlushed() {
        Pair pair = connect();
        End one = pair.one();
        one.party().run(() -> one.qp().modifyToError());
        await("flushed receives", () -> one.receives().size() == 8);
        one.send(1, End.SOURCE, 8);
        one.party().run(() -> one.postReceive(0, 100));
        await("flushed requests", () -> one.completions().size() == 10);
        assertThat(one.completions()).allMatch(done -> done.status() == WorkStatus.FLUSHED);
        // The other side is not told; it notices when it sends.
        assertThat(pair.other().qp().state()).isEqualTo(Qp.State.READY_TO_SEND);
        pair.other().send(1, End.SOURCE, 8);
        assertFailed(pair.other(), 1, WorkStatus.RETRY_EXCEEDED, 8);
    }

    @Test
    void otherConnectionsAreUntouched() {
        Party asking = new Party(fixture(), 0);
        Party asked = new Party(fixture(), 1);
        Pair good = connect(asking, asked, 1, ConnectParameters.DEFAULT, USUAL, 8);
        Pair bad = connect(asking, asked, 1, ConnectParameters.DEFAULT, USUAL, 8);
        End one = bad.one();
        one.post(chain -> chain.write(1, true, 12_345, 0x777)
                .gather(one.region().addressOf(End.SOURCE), 8, one.region().localKey()));
        assertFailed(one, 1, WorkStatus.REMOTE_ACCESS, 8);
        good.one().fill(End.SOURCE, 500, 4);
        good.one().send(1, End.SOURCE, 500);
        await("a message on the other connection", () -> good.other().receives().size() == 1);
        assertThat(good.other().differs(End.RECEIVES, 500, 4)).isEqualTo(-1);
        assertThat(good.one().qp().state()).isEqualTo(Qp.State.READY_TO_SEND);
    }

    @Test
    void aPeerThatDoesNotAnswerIsGivenUp() {
        need(VerbsCapability.CUT);
        Pair pair = connect();
        fixture().cut(0, 1, true);
        pair.one().post(chain -> sends(chain, pair.one(), 1, 2));
        assertFailed(pair.one(), 1, WorkStatus.RETRY_EXCEEDED, 1 + 8);
        assertThat(pair.other().receives()).isEmpty();
        fixture().cut(0, 1, false);
        Pair again = connect(pair.one().party(), pair.other().party(), 1, ConnectParameters.DEFAULT, USUAL, 1);
        again.one().send(1, End.SOURCE, 8);
        await("a message on a new connection", () -> again.other().receives().size() == 1);
    }

    @Test
    void aPortTellsOfItsState() {
        need(VerbsCapability.PORT_EVENTS);
        Party party = new Party(fixture(), 0);
        assertThat(party.device().port(1).state()).isEqualTo(PortAttributes.State.ACTIVE);
        fixture().port(0, false);
        await("the event", () -> party.had(AsyncEvent.Type.PORT_ERROR));
        assertThat(party.device().port(1).isActive()).isFalse();
        assertThat(party.had(AsyncEvent.Type.PORT_ACTIVE)).isFalse();
        fixture().port(0, true);
        await("the event", () -> party.had(AsyncEvent.Type.PORT_ACTIVE));
        assertThat(party.device().port(1).linkRate()).isPositive();
        assertThatThrownBy(() -> party.device().port(99)).isInstanceOf(VerbsException.class);
    }

    @Test
    void limitsOfTheDeviceAreKept() {
        Party asking = new Party(fixture(), 0);
        Party asked = new Party(fixture(), 1);
        asked.listen(fixture().address(1, SERVICE));
        int requests = asking.device().attributes().maxQpWr();
        int entries = asking.device().attributes().maxCqe();
        End tooManyEntries = asking.resolve(fixture().address(1, SERVICE));
        assertThatThrownBy(() -> tooManyEntries.prepare(USUAL, entries + 1))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.code()).isEqualTo(VerbsException.Code.EINVAL));
        End tooManyRequests = asking.resolve(fixture().address(1, SERVICE));
        assertThatThrownBy(() -> tooManyRequests.prepare(new QpCapabilities(requests + 1, 1, 1), 100))
                .isInstanceOf(VerbsException.class);
    }

    @Test
    void aCompletionQueueThatIsTooShortIsFatal() {
        Party asking = new Party(fixture(), 0);
        Party asked = new Party(fixture(), 1);
        asked.listen(fixture().address(1, SERVICE));
        End one = asking.resolve(fixture().address(1, SERVICE));
        one.prepare(USUAL, 2);
        int posted = 8;
        one.postReceives(posted);
        asking.run(() -> one.qp().modifyToError());
        await("the event", () -> asking.had(AsyncEvent.Type.CQ_ERROR));
        // A real card goes on with them while the first ones are polled, and may have more entries than were asked for.
        assertThat(one.completions()).as("one at least had no room").hasSizeLessThan(posted);
    }

    @Test
    void onlyTheLoopMayPost() {
        Pair pair = connect();
        WorkChain chain = new WorkChain();
        IntStream.range(0, 1).forEach(i -> chain.send(i, true));
        assertThatThrownBy(() -> pair.one().qp().postSend(chain)).isInstanceOf(IllegalStateException.class);
    }
}
