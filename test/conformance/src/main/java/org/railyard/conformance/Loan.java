package org.railyard.conformance;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;

/**
 * A message that a test lends to a transport. Notices when the transport changes the header, or uses what it has given
 * back.
 */
final class Loan implements LndMessage {
    /** Where it is. */
    enum State {
        OWNED,
        LENT,
        REFUSED,
        RETURNED
    }

    private final LNetHeader header = new LNetHeader();
    private final Memory memory;
    private final ByteBuffer[] fragments;
    private final int fragmentCount;
    private final Nid nextHop;
    private final long timeoutNanos;
    private volatile State state = State.OWNED;
    private final AtomicInteger lateUses = new AtomicInteger();
    private byte[] before = {};
    private @Nullable Loan answer;
    private volatile int written;
    private volatile int status;
    private volatile HealthStatus health = HealthStatus.OK;

    private Loan(Memory memory, Nid nextHop, long timeoutNanos) {
        this.memory = memory;
        this.nextHop = nextHop;
        this.timeoutNanos = timeoutNanos;
        ByteBuffer[] parts = memory.fragments();
        this.fragmentCount = parts.length;
        this.fragments = new ByteBuffer[parts.length + 1];
        System.arraycopy(parts, 0, fragments, 0, parts.length);
        // Not part of the message: only the first fragmentCount() count.
        fragments[parts.length] = ByteBuffer.allocateDirect(64);
    }

    /** Makes a message to receive into. */
    static Loan toReceive(Memory memory) {
        return new Loan(memory, Nid.ANY, 0);
    }

    /** Makes a PUT of some memory. */
    static Loan put(Nid from, Nid to, long number, Memory memory) {
        return put(from, to, number, memory, 0);
    }

    /** Makes a PUT of some memory, with a limit for the transport, ns. */
    static Loan put(Nid from, Nid to, long number, Memory memory, long timeoutNanos) {
        Loan loan = new Loan(memory, to, timeoutNanos);
        loan.header.setPut(memory.length(), Wire.NO_COOKIE, Wire.NO_COOKIE, 7, number, 11, ~number);
        loan.header.setRoute(to, ProcessId.LUSTRE_PID, from, ProcessId.LUSTRE_PID);
        return loan;
    }

    /** Makes a GET. */
    static Loan get(Nid from, Nid to, long number) {
        Loan loan = new Loan(Memory.of(), to, 0);
        loan.header.setGet(0x1122334455667788L, number, 9, number, 0x01020304, Wire.MTU);
        loan.header.setRoute(to, ProcessId.LUSTRE_PID, from, ProcessId.LUSTRE_PID);
        return loan;
    }

    /** Makes a GET of as much as some memory takes, which the answer may be written to. */
    static Loan get(Nid from, Nid to, long number, Memory into) {
        Loan loan = new Loan(Memory.of(), to, 0);
        loan.header.setGet(0x1122334455667788L, number, 9, number, 0, into.length());
        loan.header.setRoute(to, ProcessId.LUSTRE_PID, from, ProcessId.LUSTRE_PID);
        Loan answer = new Loan(into, Nid.ANY, 0);
        answer.header.setReply(into.length(), 0x1122334455667788L, number);
        answer.header.setRoute(from, ProcessId.LUSTRE_PID, to, ProcessId.LUSTRE_PID);
        loan.answer = answer;
        return loan;
    }

    /** Returns what the answer to a GET may be written to; null for all others. */
    @Nullable
    Loan answer() {
        return answer;
    }

    /** Is said to have been written, so many bytes; tells what is wrong with that, empty if nothing. */
    String write(int length) {
        written = length;
        return state != State.LENT || length < 0 || length > memory.length()
                ? length + " bytes were written while " + state
                : "";
    }

    /** Returns how much of it is said to have been written, bytes. */
    int written() {
        return written;
    }

    /** Makes an ACK. */
    static Loan ack(Nid from, Nid to, long number) {
        Loan loan = new Loan(Memory.of(), to, 0);
        loan.header.setAck(0x1122334455667788L, 0x99AABBCCDDEEFF00L, number, 4711);
        loan.header.setRoute(to, ProcessId.LUSTRE_PID, from, ProcessId.LUSTRE_PID);
        return loan;
    }

    /** Makes a REPLY of some memory. */
    static Loan reply(Nid from, Nid to, Memory memory) {
        Loan loan = new Loan(memory, to, 0);
        loan.header.setReply(memory.length(), 0x1122334455667788L, 0x99AABBCCDDEEFF00L);
        loan.header.setRoute(to, ProcessId.LUSTRE_PID, from, ProcessId.LUSTRE_PID);
        return loan;
    }

    /** Is about to be handed out. */
    void lend() {
        before = bytes(header);
        state = State.LENT;
    }

    /** Was not taken; tells what is wrong with that, empty if nothing. */
    String refuse() {
        State before = moveTo(State.REFUSED);
        return before == State.LENT ? "" : "refused while " + before;
    }

    private synchronized State moveTo(State next) {
        State before = state;
        if (before == State.LENT) {
            state = next;
        }
        return before;
    }

    /** Comes back; tells what is wrong with that, empty if nothing. */
    String giveBack(int newStatus, HealthStatus newHealth) {
        status = newStatus;
        health = newHealth;
        State where = moveTo(State.RETURNED);
        if (where != State.LENT) {
            return "completed while " + where;
        }
        if (newStatus > 0 || newStatus == 0 != (newHealth == HealthStatus.OK)) {
            return "status " + newStatus + " does not go with health status " + newHealth;
        }
        return Arrays.equals(before, bytes(header)) ? "" : "its header was changed";
    }

    private static byte[] bytes(LNetHeader header) {
        byte[] bytes = new byte[LNetHeader.LARGE_BYTES];
        header.write(MemorySegment.ofArray(bytes), 0, true);
        return bytes;
    }

    /** Returns the header as bytes, in the form that holds every NID. */
    byte[] headerBytes() {
        return bytes(header);
    }

    State state() {
        return state;
    }

    boolean isReturned() {
        return state == State.RETURNED;
    }

    /** Tells whether it came back without an error. */
    boolean isGood() {
        return isReturned() && status == 0;
    }

    int status() {
        return status;
    }

    HealthStatus health() {
        return health;
    }

    Memory memory() {
        return memory;
    }

    /** Returns the number it was made with. */
    long number() {
        return header.matchBits();
    }

    /** Returns how often it was used after it had been given back. */
    int lateUses() {
        return lateUses.get();
    }

    private void use() {
        if (state == State.RETURNED) {
            lateUses.incrementAndGet();
        }
    }

    @Override
    public LNetHeader header() {
        use();
        return header;
    }

    @Override
    public Nid nextHop() {
        use();
        return nextHop;
    }

    @Override
    public int nextHopPid() {
        use();
        return ProcessId.LUSTRE_PID;
    }

    @Override
    public int payloadLength() {
        use();
        return memory.length();
    }

    @Override
    public ByteBuffer[] fragments() {
        use();
        return fragments;
    }

    @Override
    public int fragmentCount() {
        use();
        return fragmentCount;
    }

    @Override
    public long timeoutNanos() {
        use();
        return timeoutNanos;
    }

    @Override
    public String toString() {
        return "message " + header.matchBits() + " of " + memory.length() + " bytes, " + state + ", status " + status
                + " " + health;
    }
}
