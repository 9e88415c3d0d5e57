package org.railyard.conformance.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.verbs.Completion;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.WorkStatus;

/** Messages: in order, once, whole; RDMA writes before the SEND behind them; room in the queues. */
public abstract class TransferContract extends VerbsContract {
    /** For subclasses. */
    protected TransferContract() {}

    @Test
    void messagesComeInOrder() {
        Pair pair = connect(ConnectParameters.DEFAULT, USUAL, 16);
        for (int i = 0; i < 16; i++) {
            pair.one().fill(End.SOURCE + i * End.SLOT, 10 + i, i);
        }
        pair.one().post(chain -> {
            for (int i = 0; i < 16; i++) {
                chain.send(i, true)
                        .gather(
                                pair.one().region().addressOf(End.SOURCE + (long) i * End.SLOT),
                                10 + i,
                                pair.one().region().localKey());
            }
        });
        await("all messages", () -> pair.other().receives().size() == 16);
        await("all completions", () -> pair.one().sends().size() == 16);
        for (int i = 0; i < 16; i++) {
            End.Done received = pair.other().receives().get(i);
            assertThat(received)
                    .isEqualTo(
                            new End.Done(End.RECEIVE_ID + i, WorkStatus.SUCCESS, Completion.Operation.RECEIVE, 10 + i));
            assertThat(pair.other().differs(End.RECEIVES + i * End.SLOT, 10 + i, i))
                    .isEqualTo(-1);
            assertThat(pair.one().sends().get(i).id()).isEqualTo(i);
            assertThat(pair.one().sends().get(i).status()).isEqualTo(WorkStatus.SUCCESS);
        }
    }

    @Test
    void bothSidesSend() {
        Pair pair = connect();
        for (End end : List.of(pair.one(), pair.other())) {
            end.fill(End.SOURCE, 1000, 3);
            end.send(1, End.SOURCE, 1000);
        }
        for (End end : List.of(pair.one(), pair.other())) {
            await("a message at each side", () -> end.receives().size() == 1);
            assertThat(end.differs(End.RECEIVES, 1000, 3)).isEqualTo(-1);
        }
    }

    @Test
    void aSendBehindWritesComesWhenTheirDataIsThere() {
        Pair pair = connect();
        End one = pair.one();
        End other = pair.other();
        int half = 300_000;
        one.fill(End.SOURCE, 2 * half, 7);
        int taken = one.post(chain -> chain.write(
                        1,
                        false,
                        other.region().addressOf(End.SINK),
                        other.region().remoteKey())
                .gather(one.region().addressOf(End.SOURCE), half, one.region().localKey())
                .write(
                        2,
                        false,
                        other.region().addressOf(End.SINK + half),
                        other.region().remoteKey())
                .gather(
                        one.region().addressOf(End.SOURCE + half),
                        half,
                        one.region().localKey())
                .send(3, true)
                .gather(one.region().addressOf(End.SOURCE), 8, one.region().localKey()));
        assertThat(taken).isEqualTo(3);
        await("the message", () -> other.receives().size() == 1);
        assertThat(other.differs(End.SINK, 2 * half, 7)).isEqualTo(-1);
        await("the completion", () -> !one.sends().isEmpty());
        fixture().settle();
        assertThat(one.sends())
                .extracting(End.Done::id)
                .as("writes were not signalled")
                .containsExactly(3L);
    }

    @Test
    void aMessageIsGathered() {
        Pair pair = connect();
        End one = pair.one();
        one.fill(End.SOURCE, 100, 1);
        one.fill(End.SOURCE + 5000, 200, 2);
        one.fill(End.SOURCE + 9001, 1, 3);
        one.post(chain -> chain.send(1, true)
                .gather(
                        one.region().addressOf(End.SOURCE + 5000L),
                        200,
                        one.region().localKey())
                .gather(one.region().addressOf(End.SOURCE), 100, one.region().localKey())
                .gather(one.region().addressOf(End.SOURCE), 0, one.region().localKey())
                .gather(
                        one.region().addressOf(End.SOURCE + 9001L),
                        1,
                        one.region().localKey()));
        await("the message", () -> pair.other().receives().size() == 1);
        assertThat(pair.other().receives().getFirst().bytes()).isEqualTo(301);
        assertThat(pair.other().differs(End.RECEIVES, 200, 2)).isEqualTo(-1);
        assertThat(pair.other().differs(End.RECEIVES + 200, 100, 1)).isEqualTo(-1);
        assertThat(pair.other().differs(End.RECEIVES + 300, 1, 3)).isEqualTo(-1);
    }

    @Test
    void emptyMessagesAndWritesTakeNoMemory() {
        Pair pair = connect();
        pair.one().post(chain -> chain.write(1, true, 0, 0).send(2, true));
        await("the message", () -> pair.other().receives().size() == 1);
        assertThat(pair.other().receives().getFirst().bytes()).isZero();
        await("both completions", () -> pair.one().sends().size() == 2);
        assertThat(pair.one().sends()).allMatch(done -> done.status() == WorkStatus.SUCCESS);
    }

    @Test
    void whatDoesNotFitIsNotTakenAndNothingBehindIt() {
        Pair pair = connect(ConnectParameters.DEFAULT, new QpCapabilities(4, 16, 2), 16);
        End one = pair.one();
        int taken = one.post(chain -> IntStream.range(0, 6).forEach(i -> chain.send(i, true)));
        assertThat(taken).isEqualTo(4);
        await("those that were taken", () -> pair.other().receives().size() == 4);
        await("their completions", () -> one.sends().size() == 4);
        int tooManyPieces = one.post(chain -> {
            chain.send(10, true).send(11, true);
            for (int i = 0; i < 3; i++) {
                chain.gather(one.region().addressOf(End.SOURCE), 1, one.region().localKey());
            }
            chain.send(12, true);
        });
        assertThat(tooManyPieces)
                .as("the second has three pieces, two are allowed")
                .isEqualTo(1);
        await("the first", () -> pair.other().receives().size() == 5);
        fixture().settle();
        assertThat(pair.other().receives()).hasSize(5);
        assertThat(one.sends()).extracting(End.Done::id).containsExactly(0L, 1L, 2L, 3L, 10L);
    }

    @Test
    void receivesHaveTheirRoomToo() {
        Pair pair = connect(ConnectParameters.DEFAULT, new QpCapabilities(4, 3, 1), 3);
        assertThat(pair.other().party().call(() -> pair.other().postReceive(5, 10)))
                .isFalse();
        pair.one().send(1, End.SOURCE, 1);
        await("a message", () -> pair.other().receives().size() == 1);
        assertThat(pair.other().party().call(() -> pair.other().postReceive(5, 10)))
                .isTrue();
    }

    @Test
    void aStreamGoesOnAsLongAsReceivesArePosted() {
        Pair pair = connect();
        End one = pair.one();
        End other = pair.other();
        int count = 500;
        for (int i = 0; i < count; i++) {
            int number = i;
            await("room", () -> one.sends().size() > number - 4);
            one.send(i, End.SOURCE, i % End.SLOT);
            await("message " + i, () -> other.receives().size() == number + 1);
            other.party().run(() -> other.postReceive(number % 8, End.SLOT));
        }
        assertThat(other.receives())
                .extracting(End.Done::bytes)
                .containsExactlyElementsOf(
                        IntStream.range(0, count).map(i -> i % End.SLOT).boxed().toList());
    }

    @Test
    void onAPoorNetworkEverythingStillComesOnceAndInOrder() {
        need(VerbsCapability.LOSS);
        Pair pair = connect(new ConnectParameters(7, 7), new QpCapabilities(64, 64, 1), 0);
        fixture().disturb(0.05, 0.05);
        End one = pair.one();
        End other = pair.other();
        other.party().run(() -> IntStream.range(0, 60).forEach(i -> other.postReceive(i, End.SLOT)));
        one.post(chain -> IntStream.range(0, 60)
                .forEach(i -> chain.send(i, true)
                        .gather(
                                one.region().addressOf(End.SOURCE),
                                100 + i,
                                one.region().localKey())));
        elapse("all completions", () -> one.sends().size() == 60);
        elapse("all messages", () -> other.receives().size() == 60);
        assertThat(one.sends()).allMatch(done -> done.status() == WorkStatus.SUCCESS);
        assertThat(other.receives())
                .extracting(End.Done::bytes)
                .containsExactlyElementsOf(IntStream.range(100, 160).boxed().toList());
    }
}
