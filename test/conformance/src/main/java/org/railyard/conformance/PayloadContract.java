package org.railyard.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.nid.ProcessId;

/** Headers and payloads arrive as they were sent, where the stack wants them, and nowhere else. */
public abstract class PayloadContract extends LndContract {
    /** For subclasses. */
    protected PayloadContract() {}

    private IncomingHeader only(ContractNode node) {
        List<IncomingHeader> arrivals = node.ledger().arrivals();
        assertThat(arrivals).hasSize(1);
        return arrivals.getFirst();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 64, 1023, 1024, 1025, 4096, 65_535, 65_536, Wire.MTU - 1, Wire.MTU})
    void everySizeArrivesWhole(int length) {
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        exchange(from, to, 1, length);
        exchange(to, from, 2, length);
    }

    @ParameterizedTest
    @CsvSource({"256, 1", "1, 256", "256, 256", "17, 5", "3, 200"})
    void fragmentsNeedNotMatch(int sent, int received) {
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        for (int length : new int[] {300, 5000, Wire.MTU}) {
            to.ledger().policy(incoming -> {
                incoming.storeInto(Memory.inParts(length, received));
                return 0;
            });
            Loan loan = Loan.put(
                    from.nid(), to.nid(), length, Memory.inParts(length, sent).fill(length));
            assertThat(from.send(from.ni(), loan)).isZero();
            await(
                    "arrival of " + loan,
                    () -> to.ledger().arrivals().stream()
                            .anyMatch(each -> each.number() == length && each.isReturned()));
            assertThat(to.ledger().arrivals().getLast().flaw()).isEmpty();
            awaitReturned(loan);
            assertThat(loan.memory().flaw(length)).as("the sender's memory").isEmpty();
        }
    }

    @Test
    void oddAndEmptyFragments() {
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        to.ledger().policy(incoming -> {
            incoming.storeInto(Memory.of(0, 1, 0, 3000, 0, 4096, 2905, 0));
            return 0;
        });
        Loan loan = Loan.put(
                from.nid(), to.nid(), 5, Memory.of(1, 0, 4097, 0, 5903, 1).fill(5));
        assertThat(from.send(from.ni(), loan)).isZero();
        await("arrival of " + loan, () -> to.ledger().hasStored(1));
        assertThat(only(to).flaw()).isEmpty();
        awaitReturned(loan);
    }

    @Test
    void headersOfAllKindsArriveAsTheyWere() {
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        List<Loan> all = List.of(
                Loan.put(from.nid(), to.nid(), 0x8877665544332211L, Memory.inParts(10, 1)),
                Loan.get(from.nid(), to.nid(), 0x8877665544332211L),
                Loan.ack(from.nid(), to.nid(), 0x8877665544332211L),
                Loan.reply(from.nid(), to.nid(), Memory.inParts(10, 1)));
        for (int i = 0; i < all.size(); i++) {
            int count = i + 1;
            assertThat(from.send(from.ni(), all.get(i))).isZero();
            await("arrival of " + all.get(i), () -> to.ledger().hasStored(count));
        }
        awaitReturned(all);
        for (int i = 0; i < all.size(); i++) {
            IncomingHeader incoming = to.ledger().arrivals().get(i);
            Loan copy = Loan.toReceive(Memory.of());
            copy.header().copyFrom(incoming.header());
            assertThat(copy.headerBytes()).isEqualTo(all.get(i).headerBytes());
            assertThat(incoming.from()).isEqualTo(from.nid());
            assertThat(incoming.fromPid()).isEqualTo(ProcessId.LUSTRE_PID);
            assertThat(incoming.ni()).isSameAs(to.ni());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 100_000, Wire.MTU})
    void whatIsThrownAwayLeavesNoTrace(int length) {
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        to.ledger().policy(incoming -> {
            incoming.discard();
            return 0;
        });
        Loan first = from.put(to, 1, length);
        Loan second = from.put(to, 2, length);
        await("both headers", () -> to.ledger().arrived() == 2);
        awaitReturned(List.of(first, second));
        assertThat(first.isGood() && second.isGood())
                .as("what the receiver does is not the sender's affair")
                .isTrue();
        to.ledger().storeAll();
        exchange(from, to, 3, length);
        exchange(from, to, 4, 77);
    }

    @ParameterizedTest
    @CsvSource({"5000, 0", "5000, 1", "5000, 4999", "1048576, 3", "1048576, 1048575", "64, 63", "1, 0"})
    void whatIsTooLongIsCut(int length, int kept) {
        ContractNode from = node(0);
        ContractNode to = partnerOf(from);
        to.ledger().policy(incoming -> {
            incoming.storeInto(Memory.inParts(kept, 2));
            return 0;
        });
        Loan loan = from.put(to, 9, length);
        await("arrival of " + loan, () -> to.ledger().hasStored(1));
        assertThat(only(to).flaw()).isEmpty();
        awaitReturned(loan);
        assertThat(loan.isGood()).isTrue();
        to.ledger().storeAll();
        exchange(from, to, 10, length);
    }

    @Test
    void nidsOfMoreThanFourBytes() {
        need(Capability.LARGE_NIDS, Capability.NODES_APART);
        ContractNode small = node(0);
        ContractNode large = node(1, fixture().largeNid(1));
        exchange(small, large, 1, 20_000);
        exchange(large, small, 2, 20_000);
        exchange(large, small, 3, 0);
    }
}
