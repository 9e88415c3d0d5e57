package org.railyard.conformance;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/** A header that a transport brought, and what was done about its payload. */
final class IncomingHeader {
    private final ContractStack ledger;
    private final LndNi ni;
    private final LNetHeader header = new LNetHeader();
    private final Nid from;
    private final int fromPid;
    private final LndReceiver receiver;
    private volatile @Nullable Loan into;

    IncomingHeader(ContractStack ledger, LndNi ni, LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
        this.ledger = ledger;
        this.ni = ni;
        this.header.copyFrom(header);
        this.from = from;
        this.fromPid = fromPid;
        this.receiver = receiver;
    }

    LndNi ni() {
        return ni;
    }

    LNetHeader header() {
        return header;
    }

    Nid from() {
        return from;
    }

    int fromPid() {
        return fromPid;
    }

    /** Returns the number its sender made it with. */
    long number() {
        return header.matchBits();
    }

    /** Takes the whole payload, into a few fragments. */
    void store() {
        storeInto(Memory.inParts(header.payloadLength(), 3));
    }

    /** Takes as much of the payload as some memory holds. */
    void storeInto(Memory memory) {
        Loan loan = Loan.toReceive(memory);
        into = loan;
        ledger.lend(loan);
        receiver.receive(loan, memory.length(), header.payloadLength());
    }

    /** Answers a GET: by the way that it came if it says where to write, else by a message of its own. */
    void answer(ContractNode node, Memory memory) {
        Loan reply = Loan.reply(header.destNid(), header.srcNid(), memory);
        if (receiver.placesReply()) {
            ledger.lend(reply);
            receiver.receive(reply, memory.length(), memory.length());
        } else {
            receiver.receive(null, 0, 0);
            node.send(ni, reply);
        }
    }

    /** Throws the payload away. */
    void discard() {
        receiver.receive(null, 0, header.payloadLength());
    }

    /** Returns the message that was to hold the payload, or null if there was none. */
    @Nullable
    Loan into() {
        return into;
    }

    /** Tells whether the payload is there. */
    boolean isStored() {
        Loan loan = into;
        return loan != null && loan.isGood();
    }

    /** Tells whether the message came back, with the payload or with an error. */
    boolean isReturned() {
        Loan loan = into;
        return loan != null && loan.isReturned();
    }

    /** Tells what is wrong with the stored bytes; empty if nothing. */
    String flaw() {
        Loan loan = into;
        return loan == null || !loan.isGood() ? "not stored" : loan.memory().flaw(number());
    }

    @Override
    public String toString() {
        return header.type() + " " + number() + " of " + header.payloadLength() + " bytes from " + from + " into "
                + into;
    }
}
