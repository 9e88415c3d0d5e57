package org.railyard.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.wire.Wire;

/** What is taken is completed once, what is refused never; and an upcall may do whatever a thread of its own may do. */
public abstract class CompletionContract extends LndContract {
    private static final int LONG_CHAIN = 20_000;
    private static final int SHORT_CHAIN = 100;
    private static final long JOIN_MILLIS = 20_000;
    private static final String SENT = "sent";

    /** For subclasses. */
    protected CompletionContract() {}

    @Test
    void whatIsTakenIsCompletedOnce() {
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        List<Loan> sent = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            sent.add(from.put(to, i, i % 11 == 0 ? 30_000 + i : i * 7 % 900));
        }
        awaitReturned(sent);
        await("all arrivals", () -> to.ledger().hasStored(sent.size()));
        assertThat(sent).allMatch(Loan::isGood);
        assertThat(to.ledger().arrivals())
                .hasSize(sent.size())
                .allMatch(incoming -> incoming.flaw().isEmpty());
    }

    @Test
    void whatIsRefusedIsNeverCompleted() {
        need(Capability.START_AND_STOP);
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        exchange(from, to, 1, 100);
        from.lnd().shutdown(from.ni());
        Loan refused = Loan.put(from.nid(), to.nid(), 2, Memory.inParts(100, 1));
        assertThat(from.send(from.ni(), refused)).isNegative();
        from.start(from.ni());
        getThrough(from, to, 3);
        assertThat(refused.state()).isEqualTo(Loan.State.REFUSED);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5000})
    void aCompletionMaySend(int length) {
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        to.ledger().policy(incoming -> {
            incoming.discard();
            return 0;
        });
        int hops = has(Capability.LONG_CHAINS) ? LONG_CHAIN : SHORT_CHAIN;
        Memory memory = Memory.inParts(length, 1);
        AtomicInteger sent = new AtomicInteger(1);
        from.ledger().whenReturned(loan -> {
            int next = sent.getAndIncrement();
            if (next <= hops && from.send(from.ni(), Loan.put(from.nid(), to.nid(), next, memory)) != 0) {
                from.ledger().violation("send " + next + " was refused");
            }
        });
        from.put(to, 0, length);
        await("the end of the chain", () -> to.ledger().arrived() == hops + 1 && sent.get() > hops);
        from.ledger().whenReturned(loan -> {});
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anArrivalMaySend(boolean answerFirst) {
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        int hops = has(Capability.LONG_CHAINS) ? LONG_CHAIN : SHORT_CHAIN;
        Memory memory = Memory.inParts(8, 1);
        to.ledger().policy(incoming -> bounce(to, from, incoming, memory, hops, answerFirst));
        from.ledger().policy(incoming -> bounce(from, to, incoming, memory, hops, answerFirst));
        from.put(to, 0, 8);
        boolean apart = from != to;
        await(
                "the end of the chain",
                () -> from.ledger().arrived() + (apart ? to.ledger().arrived() : 0) == hops + 1);
    }

    private static int bounce(
            ContractNode here,
            ContractNode there,
            IncomingHeader incoming,
            Memory memory,
            int hops,
            boolean answerFirst) {
        if (answerFirst) {
            incoming.discard();
        }
        if (incoming.number() < hops) {
            Loan next = Loan.put(here.nid(), there.nid(), incoming.number() + 1, memory);
            if (here.send(here.ni(), next) != 0) {
                here.ledger().violation("send " + next + " was refused");
            }
        }
        if (!answerFirst) {
            incoming.discard();
        }
        return 0;
    }

    @Test
    void noLockIsHeldWhileAMessageIsGivenBack() {
        need(Capability.SEVERAL_THREADS);
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        List<String> outcome = new CopyOnWriteArrayList<>();
        from.ledger().whenReturned(loan -> {
            from.ledger().whenReturned(other -> {});
            outcome.add(sendElsewhere(from, to));
        });
        from.put(to, 1, 5000);
        await("the completion", () -> !outcome.isEmpty());
        assertThat(outcome).containsExactly(SENT);
        await("both arrivals", () -> to.ledger().arrived() == 2);
    }

    @Test
    void noLockIsHeldWhileAHeaderIsHandedOver() {
        need(Capability.SEVERAL_THREADS);
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        exchange(to, from, 1, 10);
        List<String> outcome = new CopyOnWriteArrayList<>();
        to.ledger().policy(incoming -> {
            to.ledger().storeAll();
            outcome.add(sendElsewhere(to, from));
            incoming.store();
            return 0;
        });
        from.put(to, 2, 5000);
        await("the arrival", () -> !outcome.isEmpty());
        assertThat(outcome).containsExactly(SENT);
        await("the arrival back", () -> from.ledger().arrivals().stream().anyMatch(each -> each.number() == 99));
    }

    /** Sends from another thread, while the caller is in an upcall; tells how that went. */
    private static String sendElsewhere(ContractNode from, ContractNode to) {
        Loan loan = Loan.put(from.nid(), to.nid(), 99, Memory.inParts(10, 1).fill(99));
        Thread other = Thread.ofPlatform().start(() -> from.send(from.ni(), loan));
        try {
            other.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
        if (other.isAlive()) {
            return "a send from another thread waits for this upcall to end";
        }
        return loan.state() == Loan.State.REFUSED ? "the send was refused" : SENT;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 50_000, Wire.MTU})
    void theAnswerMayComeLater(int length) {
        need(Capability.ANSWER_LATER);
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        Held held = new Held();
        to.ledger().policy(held::hold);
        for (int i = 0; i < 5; i++) {
            Loan loan = from.put(to, i, length);
            await("the header of " + loan, () -> !held.isEmpty());
            IncomingHeader incoming = held.takeFirst();
            if (i % 2 == 0) {
                incoming.store();
                await("the payload of " + loan, incoming::isReturned);
                assertThat(incoming.flaw()).isEmpty();
            } else {
                incoming.discard();
            }
            awaitReturned(loan);
        }
        to.ledger().storeAll();
        exchange(from, to, 100, length);
    }

    @Test
    void theAnswerMayComeFromWithinAnotherUpcall() {
        need(Capability.ANSWER_LATER, Capability.NODES_APART);
        ContractNode to = node(2);
        ContractNode first = node(0);
        ContractNode second = node(1);
        Held held = new Held();
        to.ledger().policy(incoming -> {
            if (held.isEmpty()) {
                return held.hold(incoming);
            }
            held.first().store();
            incoming.store();
            return 0;
        });
        first.put(to, 1, 40_000);
        await("the first header", () -> !held.isEmpty());
        second.put(to, 2, 40_000);
        await("both payloads", () -> to.ledger().hasStored(2));
        assertThat(to.ledger().arrivals()).allMatch(incoming -> incoming.flaw().isEmpty());
    }
}
