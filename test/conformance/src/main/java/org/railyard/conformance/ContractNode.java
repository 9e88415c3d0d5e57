package org.railyard.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;

/** One life of a node: a transport, the books that are kept on it, and its NIs, one to begin with. */
final class ContractNode implements AutoCloseable {
    private final LndFixture fixture;
    private final int number;
    private final ContractStack ledger = new ContractStack();
    private final Lnd lnd;
    private final LndNi ni;

    ContractNode(LndFixture fixture, int number, Nid nid) {
        this.fixture = fixture;
        this.number = number;
        this.lnd = fixture.start(number, ledger);
        this.ni = add(nid);
    }

    /** Starts an NI. */
    LndNi add(Nid nid) {
        NiRequest request = NiRequest.ofNid(nid);
        NiBinding binding = fixture.resolve(lnd, request);
        assertThat(binding.nid()).isEqualTo(nid);
        LndNi added = new TestNi(nid, nid.net(), binding.interfaceName(), request.tunables(), Map.of());
        start(added);
        return added;
    }

    /** Starts an NI that was made before. */
    void start(LndNi stopped) {
        lnd.startup(stopped);
        fixture.started(lnd, stopped);
    }

    int number() {
        return number;
    }

    Nid nid() {
        return ni.nid();
    }

    LndNi ni() {
        return ni;
    }

    Lnd lnd() {
        return lnd;
    }

    ContractStack ledger() {
        return ledger;
    }

    /** Hands a message to the transport; returns what it answered. */
    int send(LndNi from, Loan loan) {
        ledger.lend(loan);
        int status = lnd.send(from, loan);
        if (status > 0) {
            ledger.violation("send answered " + status + ", expected 0 or a negative errno");
        } else if (status < 0) {
            String flaw = loan.refuse();
            if (!flaw.isEmpty()) {
                ledger.violation(loan + ": " + flaw);
            }
        }
        return status;
    }

    /** Sends a PUT of the bytes that belong to its number; it has to be taken. */
    Loan put(ContractNode to, long message, int length) {
        return put(ni, to.nid(), message, length);
    }

    /** Sends a GET of as much as some memory takes; it has to be taken. */
    Loan get(ContractNode to, long message, Memory into) {
        Loan loan = Loan.get(nid(), to.nid(), message, into);
        assertThat(send(ni, loan)).as("%s", loan).isZero();
        return loan;
    }

    /** Sends a PUT from an NI of this node. */
    Loan put(LndNi from, Nid to, long message, int length) {
        Loan loan = Loan.put(from.nid(), to, message, Memory.inParts(length, 2).fill(message));
        assertThat(send(from, loan)).as("%s", loan).isZero();
        return loan;
    }

    /** Sends PUTs of the bytes that belong to their numbers: as many together as the transport likes, then the rest. */
    List<Loan> putTogether(ContractNode to, long first, int... lengths) {
        List<Loan> loans = new ArrayList<>();
        for (int length : lengths) {
            long message = first + loans.size();
            loans.add(
                    Loan.put(nid(), to.nid(), message, Memory.inParts(length, 2).fill(message)));
        }
        loans.forEach(ledger::lend);
        int taken = lnd.sendSome(ni, loans.toArray(LndMessage[]::new), loans.size());
        assertThat(taken).isBetween(0, loans.size());
        for (Loan loan : loans.subList(taken, loans.size())) {
            assertThat(lnd.send(ni, loan)).as("%s", loan).isZero();
        }
        return loans;
    }

    /** Sends many PUTs of one memory that holds the bytes of no number. */
    List<Loan> putMany(ContractNode to, int count, Memory memory) {
        List<Loan> loans = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Loan loan = Loan.put(nid(), to.nid(), i, memory);
            assertThat(send(ni, loan)).as("%s", loan).isZero();
            loans.add(loan);
        }
        return loans;
    }

    /** Sends so many messages of full size that they can not all be under way at once. */
    List<Loan> flood(ContractNode to) {
        return putMany(to, 32, Memory.inParts(Wire.MTU, 4));
    }

    @Override
    public void close() {
        lnd.close();
    }

    @Override
    public String toString() {
        return "node " + number + " " + nid();
    }
}
