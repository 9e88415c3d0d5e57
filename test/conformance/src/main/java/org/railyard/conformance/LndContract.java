package org.railyard.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.nid.Nid;

/**
 * What the parts of the contract share. After each test everything is stopped, and then every message must have come
 * back exactly once, with a status that agrees with its health status, untouched since.
 */
public abstract class LndContract {
    private LndFixture fixture;
    private final List<ContractNode> nodes = new ArrayList<>();

    /** For subclasses. */
    protected LndContract() {}

    /** Returns the transport to test, with a world of its own. */
    protected abstract LndFixture open();

    @BeforeEach
    void openFixture() {
        fixture = open();
    }

    @AfterEach
    void everythingCameBackOnce() {
        List<String> violations = new ArrayList<>();
        try {
            nodes.forEach(ContractNode::close);
            for (ContractNode node : nodes) {
                violations.addAll(node.ledger().violations());
                node.ledger().open().forEach(loan -> violations.add(loan + ": never completed"));
            }
        } finally {
            fixture.close();
        }
        assertThat(violations).isEmpty();
    }

    /** Skips the test, with the reason, if the transport or the fixture can not do what it needs. */
    void need(Capability... needed) {
        for (Capability capability : needed) {
            Optional<String> reason = fixture.lacks(capability);
            if (reason.isPresent()) {
                Assumptions.abort("no " + capability + ": " + reason.get());
            }
        }
    }

    boolean has(Capability capability) {
        return fixture.lacks(capability).isEmpty();
    }

    LndFixture fixture() {
        return fixture;
    }

    /** Starts a node with an NI on rail 0. */
    ContractNode node(int number) {
        return node(number, fixture.nid(number, 0));
    }

    /** Starts a node with an NI. */
    ContractNode node(int number, Nid nid) {
        ContractNode node = new ContractNode(fixture, number, nid);
        nodes.add(node);
        return node;
    }

    /** Starts the other node of a pair, if nodes are apart; otherwise it is the same. */
    ContractNode partnerOf(ContractNode node) {
        return has(Capability.NODES_APART) ? node(node.number() + 1) : node;
    }

    void await(String what, BooleanSupplier condition) {
        if (!fixture.await(condition)) {
            throw new AssertionError("did not happen: " + what + describe());
        }
    }

    void elapse(String what, BooleanSupplier condition) {
        if (!fixture.elapse(condition)) {
            throw new AssertionError("did not happen, however much time went by: " + what + describe());
        }
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        for (ContractNode node : nodes) {
            text.append("; ")
                    .append(node)
                    .append(": ")
                    .append(node.ledger().arrived())
                    .append(" arrived, lent are ");
            text.append(node.ledger().open())
                    .append(", wrong was ")
                    .append(node.ledger().violations());
        }
        return text.toString();
    }

    void awaitReturned(Loan loan) {
        await("the return of " + loan, loan::isReturned);
    }

    void awaitReturned(List<Loan> loans) {
        await(
                "the return of " + loans.size() + " messages",
                () -> loans.stream().allMatch(Loan::isReturned));
    }

    /** Sends a message and sees it arrive whole. */
    void exchange(ContractNode from, ContractNode to, long number, int length) {
        exchange(from, from.ni(), to, to.nid(), number, length);
    }

    /** Sends a message between two NIs and sees it arrive whole. */
    void exchange(ContractNode from, LndNi ni, ContractNode to, Nid nid, long number, int length) {
        Loan sent = from.put(ni, nid, number, length);
        await("arrival of " + sent, () -> find(to, number, nid).isPresent());
        IncomingHeader incoming = find(to, number, nid).orElseThrow();
        assertThat(incoming.flaw()).isEmpty();
        assertThat(incoming.from()).isEqualTo(ni.nid());
        awaitReturned(sent);
        assertThat(sent.isGood()).as("%s", sent).isTrue();
    }

    private static Optional<IncomingHeader> find(ContractNode node, long number, Nid nid) {
        return node.ledger().arrivals().stream()
                .filter(each -> each.number() == number && each.ni().nid().equals(nid) && each.isStored())
                .findFirst();
    }

    /** Makes a node and others talk, until they have all the connections that they are going to have. */
    void settle(ContractNode node, ContractNode... others) {
        long number = -1000;
        for (ContractNode other : others) {
            exchange(node, other, number--, 10);
            exchange(node, other, number--, 100_000);
        }
        await("all connections of " + node, () -> fixture.isSettled(node.lnd(), others.length));
        for (ContractNode other : others) {
            await("all connections of " + other, () -> fixture.isSettled(other.lnd(), 1));
            other.ledger().forgetArrivals();
        }
    }

    /** Sends to a node that may not be reachable at once, until something arrives. */
    void getThrough(ContractNode from, ContractNode to, long number) {
        List<Loan> tries = new ArrayList<>();
        elapse("anything of " + from + " at " + to, () -> {
            if (tries.isEmpty()
                    || tries.getLast().isReturned() && !tries.getLast().isGood()) {
                Loan loan = Loan.put(
                        from.nid(), to.nid(), number, Memory.inParts(100, 1).fill(number));
                if (from.send(from.ni(), loan) == 0) {
                    tries.add(loan);
                }
            } else if (tries.getLast().isGood() && find(to, number, to.nid()).isEmpty()) {
                // It left, and may have been lost with the connection it left on.
                tries.clear();
            }
            return find(to, number, to.nid()).isPresent();
        });
    }
}
