package org.railyard.ibverbs;

import java.lang.foreign.MemorySegment;
import org.railyard.ibverbs.ffi.Layout;
import org.railyard.ibverbs.ffi.Memory;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.verbs.Completion.Operation;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.WorkChain;
import org.railyard.verbs.WorkStatus;

/**
 * A queue pair of a card. The card may have more room than was asked for; what was asked for counts. Each request has a
 * tag, which the card gives back: the queue pair, the queue, and the place in it; so it is known what completes even
 * when the card tells nothing but that it failed.
 */
final class IbvQp implements Qp {
    private static final int SERIAL_SHIFT = 40;
    private static final long PLACE_MASK = (1L << SERIAL_SHIFT) - 1;
    private static final long RECEIVE = 1L << 63;

    /** Bits of a serial number: with the place and the queue they fill a tag. */
    static final long SERIAL_MASK = (1L << 23) - 1;

    private final IbvCmId end;
    private final IbvLoop loop;
    private final IbvPd pd;
    private final IbvCq cq;
    private final QpCapabilities capabilities;
    private final long address;
    private final int number;
    private final long tag;
    private final MemorySegment postSend;
    private final MemorySegment postReceive;
    private final long[] sendIds;
    private final Operation[] operations;
    private final long[] receiveIds;
    private long sent;
    private long sendsDone;
    private long received;
    private long receivesDone;
    private State state = State.INIT;
    private boolean closed;

    /** Takes the queue pair of an end, which was made just now. */
    IbvQp(IbvCmId end, IbvPd pd, IbvCq cq, QpCapabilities capabilities, long address, long serial) {
        this.end = end;
        this.loop = end.loop();
        this.pd = pd;
        this.cq = cq;
        this.capabilities = capabilities;
        this.address = address;
        this.number = Memory.getInt(address + Layout.QP_NUM) & 0xFFFFFF;
        this.tag = (serial & SERIAL_MASK) << SERIAL_SHIFT;
        long context = cq.device().context();
        this.postSend = NativeVerbs.operation(context, Layout.CONTEXT_POST_SEND);
        this.postReceive = NativeVerbs.operation(context, Layout.CONTEXT_POST_RECV);
        this.sendIds = new long[capabilities.sends()];
        this.operations = new Operation[capabilities.sends()];
        this.receiveIds = new long[capabilities.receives()];
        cq.add(this);
        pd.add(this);
    }

    boolean owns(long itsTag) {
        return (itsTag & ~RECEIVE & ~PLACE_MASK) == tag;
    }

    Operation operation(long itsTag) {
        return itsTag < 0 ? Operation.RECEIVE : operations[(int) ((itsTag & PLACE_MASK) % operations.length)];
    }

    /** Returns the number that a request was posted with. */
    long id(long itsTag) {
        long place = itsTag & PLACE_MASK;
        return itsTag < 0 ? receiveIds[(int) (place % receiveIds.length)] : sendIds[(int) (place % sendIds.length)];
    }

    /** A request has completed, and those of its queue before it, which were not signalled. */
    void completed(long itsTag, WorkStatus status) {
        long done = (itsTag & PLACE_MASK) + 1;
        if (itsTag < 0) {
            receivesDone = Math.max(receivesDone, done);
        } else {
            sendsDone = Math.max(sendsDone, done);
        }
        if (status != WorkStatus.SUCCESS) {
            setState(State.ERROR);
        }
    }

    void setState(State newState) {
        if (state != State.ERROR) {
            state = newState;
        }
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public int postSend(WorkChain chain) {
        loop.check(this);
        int count = closed || state == State.INIT || state == State.READY_TO_RECEIVE ? 0 : fitting(chain);
        if (count == 0) {
            return 0;
        }
        for (int i = 0; i < count; i++) {
            int slot = (int) ((sent + i) % sendIds.length);
            sendIds[slot] = chain.id(i);
            operations[slot] = chain.operation(i);
        }
        if (state == State.ERROR) {
            for (int i = 0; i < count; i++) {
                cq.flushLater(tag | sent++);
            }
            return count;
        }
        PostBlock block = loop.block();
        block.write(chain, count, tag | sent);
        int errno = NativeVerbs.postSend(postSend, address, block.requests(), block.bad());
        int taken = errno == 0 ? count : Math.clamp(block.takenBeforeBad(), 0, count);
        sent += taken;
        return taken;
    }

    /** Returns how many requests of a chain there is room for. */
    private int fitting(WorkChain chain) {
        long room = capabilities.sends() - (sent - sendsDone);
        for (int i = 0; i < chain.size(); i++) {
            boolean travels = chain.operation(i) == Operation.SEND || chain.operation(i) == Operation.RDMA_WRITE;
            if (i >= room || !travels || chain.gatherEnd(i) - chain.gatherStart(i) > capabilities.gather()) {
                return i;
            }
        }
        return chain.size();
    }

    @Override
    public boolean postReceive(long id, long memory, int length, int key) {
        loop.check(this);
        if (closed || received - receivesDone >= capabilities.receives()) {
            return false;
        }
        receiveIds[(int) (received % receiveIds.length)] = id;
        if (state == State.ERROR) {
            cq.flushLater(RECEIVE | tag | received++);
            return true;
        }
        PostBlock block = loop.block();
        long request = block.writeReceive(RECEIVE | tag | received, memory, length, key);
        if (NativeVerbs.postReceive(postReceive, address, request, block.bad()) != 0) {
            return false;
        }
        received++;
        return true;
    }

    @Override
    public void modifyToError() {
        loop.check(this);
        if (closed || state == State.ERROR) {
            return;
        }
        int errno = loop.provider().verbs().modifyToError(address);
        if (errno != 0) {
            throw NativeVerbs.failed(this + " can not be put in error", errno);
        }
        state = State.ERROR;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        state = State.ERROR;
        loop.provider().verbs().destroyQp(end.address());
        cq.forget(this);
        pd.forget(this);
    }

    @Override
    public String toString() {
        return "queue pair " + number + " of " + cq.device();
    }
}
