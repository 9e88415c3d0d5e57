package org.railyard.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.wire.MessageType;

/**
 * GETs and their answers, which some transports bring as messages, and others write to where the GET said. In either
 * case what was asked for arrives, and memory is given back when nobody writes to it any more.
 */
public abstract class GetContract extends LndContract {
    /** For subclasses. */
    protected GetContract() {}

    /** Lets a node answer GETs with the bytes that belong to their numbers, in so many parts. */
    private static void serve(ContractNode node, int length, int parts) {
        node.ledger().policy(incoming -> {
            if (incoming.header().type() == MessageType.GET) {
                incoming.answer(node, Memory.inParts(length, parts).fill(incoming.number()));
            } else {
                incoming.store();
            }
            return 0;
        });
    }

    private static boolean isPlaced(Loan get) {
        return answerOf(get).state() != Loan.State.OWNED;
    }

    private static Loan answerOf(Loan get) {
        Loan answer = get.answer();
        if (answer == null) {
            throw new IllegalArgumentException("not a GET into memory: " + get);
        }
        return answer;
    }

    private static Optional<IncomingHeader> messageOf(ContractNode from) {
        return from.ledger().arrivals().stream()
                .filter(each -> each.header().type() == MessageType.REPLY && each.isStored())
                .findFirst();
    }

    /** Waits for the answer to the only GET, and tells what is wrong with it; empty if nothing. */
    private String flaw(ContractNode from, Loan get, int length) {
        await(
                "the answer to " + get,
                () -> isPlaced(get)
                        ? get.isReturned()
                        : get.isReturned() && messageOf(from).isPresent());
        assertThat(get.isGood()).as("%s", get).isTrue();
        if (!isPlaced(get)) {
            Loan into = messageOf(from).orElseThrow().into();
            return into == null ? "not stored" : into.memory().flaw(get.number());
        }
        Loan answer = answerOf(get);
        assertThat(answer.isGood()).as("%s", answer).isTrue();
        assertThat(answer.written()).isEqualTo(length);
        return answer.memory().flaw(get.number(), length);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3976, 3977, 65_536, Wire.MTU - 1, Wire.MTU})
    void answersOfEverySizeArriveWhole(int length) {
        need(Capability.NODES_APART);
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        serve(to, length, 3);
        Loan get = from.get(to, 1, Memory.inParts(length, 2));
        assertThat(flaw(from, get, length)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"100000, 0", "100000, 1", "100000, 4096", "100000, 99999", "1048576, 3"})
    void shortAnswersLeaveTheRestAsItWas(int asked, int length) {
        need(Capability.NODES_APART);
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        serve(to, length, 2);
        Loan get = from.get(to, 2, Memory.inParts(asked, 1));
        assertThat(flaw(from, get, length)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"256, 1", "1, 256", "256, 256", "17, 5"})
    void fragmentsNeedNotMatch(int there, int here) {
        need(Capability.NODES_APART);
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        serve(to, 500_000, there);
        Loan get = from.get(to, 3, Memory.inParts(500_000, here));
        assertThat(flaw(from, get, 500_000)).isEmpty();
    }

    @Test
    void whatMatchesNothingIsNotAnswered() {
        need(Capability.NODES_APART);
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        to.ledger().policy(incoming -> {
            incoming.discard();
            return 0;
        });
        Loan get = from.get(to, 4, Memory.inParts(100_000, 1));
        await("the GET", () -> to.ledger().arrived() == 1);
        awaitReturned(get);
        if (isPlaced(get)) {
            assertThat(get.status()).isEqualTo(Errno.ENODATA.status());
            assertThat(get.health()).isEqualTo(HealthStatus.REMOTE_ERROR);
            assertThat(answerOf(get).isGood()).isFalse();
            assertThat(answerOf(get).memory().flaw(4, 0)).isEmpty();
        } else {
            assertThat(get.isGood()).isTrue();
        }
        serve(to, 100_000, 1);
        Loan next = from.get(to, 5, Memory.inParts(100_000, 1));
        assertThat(flaw(from, next, 100_000)).isEmpty();
    }

    @Test
    void manyGetsInBothDirections() {
        need(Capability.NODES_APART);
        ContractNode one = node(0);
        ContractNode other = partnerOf(one);
        serve(one, 100_000, 3);
        serve(other, 100_000, 3);
        List<Loan> gets = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            gets.add(one.get(other, 100 + i, Memory.inParts(100_000, 1)));
            gets.add(other.get(one, 200 + i, Memory.inParts(100_000, 1)));
        }
        awaitReturned(gets);
        assertThat(gets).allMatch(Loan::isGood);
        assertThat(gets)
                .filteredOn(GetContract::isPlaced)
                .allMatch(get ->
                        answerOf(get).memory().flaw(get.number(), 100_000).isEmpty());
        await(
                "the answers that are messages",
                () -> answers(one) + answers(other)
                        == gets.stream().filter(get -> !isPlaced(get)).count());
    }

    private static long answers(ContractNode node) {
        return node.ledger().arrivals().stream()
                .filter(each -> each.header().type() == MessageType.REPLY && each.isStored())
                .count();
    }

    @Test
    void anAnswerMayTakeItsTime() {
        need(Capability.NODES_APART, Capability.ANSWER_LATER);
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        Held held = new Held();
        to.ledger().policy(held::hold);
        Loan get = from.get(to, 6, Memory.inParts(100_000, 1));
        await("the GET", () -> !held.isEmpty());
        held.first().answer(to, Memory.inParts(100_000, 4).fill(6));
        assertThat(flaw(from, get, 100_000)).isEmpty();
    }

    @Test
    void aPeerThatEndsBeforeItAnswers() {
        need(Capability.NODES_APART, Capability.ANSWER_LATER);
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        Held held = new Held();
        to.ledger().policy(held::hold);
        Loan get = from.get(to, 7, Memory.inParts(100_000, 1));
        await("the GET", () -> !held.isEmpty());
        to.close();
        elapse("the return of " + get, get::isReturned);
        if (isPlaced(get)) {
            assertThat(answerOf(get).isGood()).isFalse();
            assertThat(get.health())
                    .isIn(HealthStatus.REMOTE_ERROR, HealthStatus.REMOTE_TIMEOUT, HealthStatus.NETWORK_TIMEOUT);
            assertThat(answerOf(get).memory().flaw(7, 0)).isEmpty();
        }
    }

    @Test
    void anAnswerThatComesTooLateIsNotWritten() {
        need(Capability.NODES_APART, Capability.ANSWER_LATER, Capability.STALL);
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        Held held = new Held();
        to.ledger().policy(held::hold);
        Loan get = from.get(to, 8, Memory.inParts(100_000, 1));
        await("the GET", () -> !held.isEmpty());
        elapse("the return of " + get, get::isReturned);
        held.first().answer(to, Memory.inParts(100_000, 1).fill(8));
        if (isPlaced(get)) {
            assertThat(get.status()).isEqualTo(Errno.ETIMEDOUT.status());
            assertThat(get.health()).isEqualTo(HealthStatus.REMOTE_TIMEOUT);
            Loan next = from.get(to, 9, Memory.inParts(100_000, 1));
            to.ledger().policy(incoming -> {
                incoming.answer(to, Memory.inParts(100_000, 1).fill(incoming.number()));
                return 0;
            });
            elapse("the return of " + next, next::isReturned);
            assertThat(answerOf(get).memory().flaw(8, 0)).isEmpty();
        } else {
            await("the answer", () -> messageOf(from).isPresent());
        }
    }
}
