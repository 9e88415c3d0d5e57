package org.railyard.o2iblnd.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.testkit.Requirement;

/** The counters of two sides that talk with each other, in any order of events (spec 20 §9). */
class ConnectionCreditsTest {
    private static final int OUT_OF_BAND = 2;

    private enum Message {
        IMMEDIATE,
        REQUEST,
        ANSWER,
        DONE,
        NOOP
    }

    private record OnWire(Message message, int credits) {}

    /** One side: what it wants to send, what is on its way from it, what its buffers hold. */
    private static final class Side {
        private final ConnectionCredits credits;
        private final ArrayDeque<Message> answers = new ArrayDeque<>();
        private final ArrayDeque<Message> noops = new ArrayDeque<>();
        private final ArrayDeque<Message> requests = new ArrayDeque<>();
        private final ArrayDeque<Message> ready = new ArrayDeque<>();
        private final ArrayDeque<OnWire> wire = new ArrayDeque<>();
        private final ArrayDeque<Message> sending = new ArrayDeque<>();
        private final ArrayDeque<Message> held = new ArrayDeque<>();
        private int buffers;
        private int finished;

        Side(int depth, int sends, int mark, boolean old) {
            credits = new ConnectionCredits(depth, sends, mark, old);
            buffers = 2 * depth + (old ? 0 : OUT_OF_BAND);
        }

        void post() {
            while (!requests.isEmpty() && credits.reserve()) {
                ready.add(requests.remove());
            }
            if (noops.isEmpty() && credits.wantsNoop(false, !answers.isEmpty(), !ready.isEmpty())) {
                (credits.noopsTakeCredits() ? noops : answers).add(Message.NOOP);
            }
            if (!credits.mayPost()) {
                return;
            }
            Message next = answers.poll();
            if (next == null && credits.hasCreditForNoop()) {
                next = noops.poll();
            }
            if (next == null && credits.hasCredit()) {
                next = ready.poll();
            }
            if (next != null) {
                boolean takes = next == Message.IMMEDIATE || next == Message.REQUEST;
                wire.add(new OnWire(next, credits.post(takes, next == Message.NOOP)));
                sending.add(next);
            }
        }

        void complete() {
            Message done = sending.poll();
            if (done != null) {
                credits.sent(done == Message.NOOP);
            }
        }

        void receive(Side from) {
            OnWire arrived = from.wire.poll();
            if (arrived == null) {
                return;
            }
            assertThat(buffers).as("a buffer for " + arrived).isPositive();
            buffers--;
            assertThat(credits.returned(arrived.credits)).isTrue();
            switch (arrived.message) {
                case NOOP -> {
                    buffers++;
                    if (credits.noopsTakeCredits()) {
                        credits.bufferFreed();
                    }
                }
                case ANSWER -> {
                    credits.unreserve();
                    buffers++;
                    answers.add(Message.DONE);
                }
                case DONE -> {
                    buffers++;
                    credits.bufferFreed();
                    finished++;
                }
                case IMMEDIATE, REQUEST -> held.add(arrived.message);
            }
        }

        /** The stack answers. */
        void consume() {
            Message message = held.poll();
            if (message == null) {
                return;
            }
            buffers++;
            if (message == Message.IMMEDIATE) {
                credits.bufferFreed();
                finished++;
            } else {
                answers.add(Message.ANSWER);
            }
        }

        boolean isIdle() {
            return answers.isEmpty() && requests.isEmpty() && ready.isEmpty() && wire.isEmpty() && held.isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 127})
    @Requirement("ibl-050")
    void everythingArrivesInAnyOrderOfEvents(int depth) {
        run(depth, depth, false);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8})
    @Requirement("ibl-050")
    void everythingArrivesWhereNoopsTakeCredits(int depth) {
        run(depth, depth - 1, true);
    }

    private static void run(int depth, int maxMark, boolean old) {
        for (int seed = 0; seed < 40; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int sends = 1 + random.nextInt(2 * depth);
            int mark = 1 + random.nextInt(maxMark);
            Side one = new Side(depth, sends, mark, old);
            Side other = new Side(depth, sends, mark, old);
            int each = 200;
            int toOne = random.nextBoolean() ? each : 0;
            want(one, each, random);
            want(other, toOne, random);
            int steps = 0;
            while (one.finished < toOne || other.finished < each || !one.isIdle() || !other.isIdle()) {
                Side side = random.nextBoolean() ? one : other;
                switch (random.nextInt(4)) {
                    case 0 -> side.post();
                    case 1 -> side.complete();
                    case 2 -> side.receive(side == one ? other : one);
                    default -> side.consume();
                }
                assertThat(one.credits.flaw()).isEmpty();
                assertThat(other.credits.flaw()).isEmpty();
                assertThat(steps++)
                        .as("depth %d, seed %d: nothing moves any more", depth, seed)
                        .isLessThan(200_000);
            }
        }
    }

    private static void want(Side side, int messages, SplittableRandom random) {
        for (int i = 0; i < messages; i++) {
            if (random.nextBoolean()) {
                side.requests.add(Message.REQUEST);
            } else {
                side.ready.add(Message.IMMEDIATE);
            }
        }
    }

    @Test
    void moreCreditsThanThereCanBeAreNoticed() {
        ConnectionCredits credits = new ConnectionCredits(8, 8, 4, false);
        assertThat(credits.returned(1)).isFalse();
        assertThat(credits.post(true, false)).isZero();
        assertThat(credits.returned(1)).isTrue();
        assertThat(credits.returned(1)).isFalse();
        assertThat(credits.flaw()).isEmpty();
    }

    @Test
    @Requirement("ibl-050")
    void theLastCreditIsKeptForANoopWhereNoopsTakeOne() {
        ConnectionCredits credits = new ConnectionCredits(2, 8, 1, true);
        credits.post(true, false);
        assertThat(credits.hasCredit()).isFalse();
        credits.bufferFreed();
        assertThat(credits.wantsNoop(false, false, true))
                .as("nothing else can take the credit back")
                .isTrue();
        assertThat(credits.hasCreditForNoop()).isTrue();
        assertThat(credits.post(false, true)).isEqualTo(1);
        assertThat(credits.hasCreditForNoop()).isFalse();
    }
}
