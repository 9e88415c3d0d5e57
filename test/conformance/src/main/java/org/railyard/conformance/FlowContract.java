package org.railyard.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.wire.Wire;

/** Many messages: in order, in both directions, from many threads, and held back by a receiver that does not answer. */
public abstract class FlowContract extends LndContract {
    /** For subclasses. */
    protected FlowContract() {}

    @ParameterizedTest
    @ValueSource(ints = {0, 64, 100_000})
    void messagesOfOneSizeKeepTheirOrder(int length) {
        need(Capability.ONE_LINE);
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        if (from != to) {
            settle(from, to);
        }
        int count = length > 10_000 ? 60 : 2000;
        List<Loan> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sent.add(from.put(to, i, length));
        }
        await("all arrivals", () -> to.ledger().hasStored(count));
        awaitReturned(sent);
        List<IncomingHeader> arrivals = to.ledger().arrivals();
        assertThat(arrivals).hasSize(count);
        for (int i = 0; i < count; i++) {
            assertThat(arrivals.get(i).number()).isEqualTo(i);
            assertThat(arrivals.get(i).flaw()).isEmpty();
        }
    }

    @Test
    void messagesHandedOverTogetherArriveOnceEach() {
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        List<Loan> sent = new ArrayList<>(from.putTogether(to, 0, 64, 64));
        await("the first arrivals", () -> to.ledger().hasStored(2));
        for (int i = 0; i < 100; i++) {
            sent.addAll(from.putTogether(to, sent.size(), 0, 64, 100, 64, i % 10 == 0 ? 100_000 : 64, 0, 64));
        }
        await("all arrivals", () -> to.ledger().hasStored(sent.size()));
        awaitReturned(sent);
        assertThat(sent).allMatch(Loan::isGood);
        assertAllOnce(to, sent.size());
    }

    @Test
    void bothDirectionsAtOnce() {
        need(Capability.NODES_APART);
        ContractNode one = node(0);
        ContractNode other = node(1);
        List<Loan> sent = new ArrayList<>();
        int count = 300;
        for (int i = 0; i < count; i++) {
            int length = i % 10 == 0 ? 200_000 : i * 13 % 3000;
            sent.add(one.put(other, i, length));
            sent.add(other.put(one, i, length));
        }
        await(
                "all arrivals",
                () -> one.ledger().hasStored(count) && other.ledger().hasStored(count));
        awaitReturned(sent);
        assertThat(sent).allMatch(Loan::isGood);
        assertAllOnce(one, count);
        assertAllOnce(other, count);
    }

    private static void assertAllOnce(ContractNode node, int count) {
        List<IncomingHeader> arrivals = node.ledger().arrivals();
        assertThat(arrivals).hasSize(count).allMatch(incoming -> incoming.flaw().isEmpty());
        assertThat(arrivals.stream().map(IncomingHeader::number).distinct().count())
                .isEqualTo(count);
    }

    @Test
    void threeNodesEachWithEach() {
        need(Capability.NODES_APART);
        List<ContractNode> nodes = List.of(node(0), node(1), node(2));
        int rounds = 40;
        for (int i = 0; i < rounds; i++) {
            for (ContractNode from : nodes) {
                for (ContractNode to : nodes) {
                    if (from != to) {
                        from.put(to, from.number() * 1000L + i, i * 500);
                    }
                }
            }
        }
        for (ContractNode node : nodes) {
            await("all arrivals at " + node, () -> node.ledger().hasStored(2 * rounds));
            assertAllOnce(node, 2 * rounds);
        }
    }

    @Test
    void aNodeReachesItself() {
        ContractNode node = node(0);
        // Recovery pings of a local NI go to its own NID, through its transport (spec 10 §13).
        for (int i = 0; i < 20; i++) {
            exchange(node, node, i, i * 1000);
        }
    }

    @Test
    void manyThreads() throws InterruptedException {
        need(Capability.SEVERAL_THREADS);
        ContractNode one = node(0);
        ContractNode other = partnerOf(one);
        if (one != other) {
            // While connections are being made, several ways lead to a peer.
            settle(one, other);
        }
        int threads = 4;
        int each = 400;
        ConcurrentLinkedQueue<Loan> sent = new ConcurrentLinkedQueue<>();
        List<Thread> senders = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int sender = t;
            senders.add(Thread.ofPlatform().start(() -> {
                ContractNode from = sender % 2 == 0 ? one : other;
                ContractNode to = sender % 2 == 0 ? other : one;
                for (int i = 0; i < each; i++) {
                    sent.add(from.put(to, sender * 10_000L + i, i % 17 == 0 ? 3000 + i * 100 : i % 200));
                }
            }));
        }
        for (Thread sender : senders) {
            sender.join();
        }
        assertThat(sent).as("no sender failed").hasSize(threads * each);
        boolean apart = one != other;
        int atEach = apart ? threads * each / 2 : threads * each;
        await(
                "all arrivals",
                () -> one.ledger().hasStored(atEach) && other.ledger().hasStored(atEach));
        awaitReturned(List.copyOf(sent));
        assertAllOnce(one, atEach);
        assertAllOnce(other, atEach);
        assertInOrder(one.ledger().arrivals(), threads);
        assertInOrder(other.ledger().arrivals(), threads);
    }

    /** Small messages of one thread keep their order, whatever others do. */
    private static void assertInOrder(List<IncomingHeader> arrivals, int threads) {
        for (int t = 0; t < threads; t++) {
            int sender = t;
            assertThat(arrivals.stream()
                            .filter(incoming -> incoming.header().payloadLength() < 200)
                            .map(IncomingHeader::number)
                            .filter(number -> number / 10_000 == sender))
                    .isSorted();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 100_000})
    void aReceiverThatDoesNotAnswerHoldsBackItsSenderOnly(int length) {
        need(Capability.ANSWER_LATER, Capability.NODES_APART, Capability.ONE_LINE);
        ContractNode to = node(2);
        ContractNode held = node(0);
        ContractNode free = node(1);
        settle(to, held, free);
        to.ledger().forgetArrivals();
        Held unanswered = new Held();
        to.ledger().policy(incoming -> {
            if (incoming.from().equals(held.nid()) && unanswered.isEmpty()) {
                return unanswered.hold(incoming);
            }
            incoming.store();
            return 0;
        });
        List<Loan> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiting.add(held.put(to, i, length));
        }
        await("the first header", () -> !unanswered.isEmpty());
        for (int i = 0; i < 20; i++) {
            exchange(free, to, 1000 + i, length);
        }
        assertThat(to.ledger().arrivals())
                .as("headers of the sender that waits for an answer")
                .filteredOn(incoming -> incoming.from().equals(held.nid()))
                .hasSize(1);
        unanswered.first().store();
        await("the rest", () -> to.ledger().hasStored(40));
        awaitReturned(waiting);
        assertThat(to.ledger().arrivals())
                .filteredOn(incoming -> incoming.from().equals(held.nid()))
                .extracting(IncomingHeader::number)
                .isSorted()
                .hasSize(20);
    }

    @Test
    void bulkLeavesFromWhereItIs() {
        need(Capability.BULK_IN_PLACE, Capability.ANSWER_LATER, Capability.NODES_APART);
        ContractNode from = node(0);
        ContractNode to = node(1);
        settle(from, to);
        Held unanswered = new Held();
        Memory last = Memory.inParts(Wire.MTU, 1);
        to.ledger().policy(incoming -> {
            if (unanswered.isEmpty()) {
                return unanswered.hold(incoming);
            }
            incoming.storeInto(last);
            return 0;
        });
        List<Loan> flood = from.flood(to);
        await("the first header", () -> !unanswered.isEmpty());
        Loan unsent = flood.getLast();
        assertThat(unsent.isReturned())
                .as("there is room for all of them on the way")
                .isFalse();
        unsent.memory().setLast((byte) 123);
        unanswered.first().discard();
        await("the others", () -> to.ledger().hasStored(flood.size() - 1));
        awaitReturned(flood);
        assertThat(last.last()).isEqualTo((byte) 123);
    }
}
