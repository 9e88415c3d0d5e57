package org.railyard.ibverbs;

import java.lang.foreign.MemorySegment;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
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
    private static final System.Logger LOG = System.getLogger(IbvQp.class.getName());
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
    private final RequestRing sends;
    private final Operation[] operations;
    private final RequestRing receives;
    private final BoundWindows windows = new BoundWindows();
    private State state = State.INIT;
    private boolean closed;

    /** Whether the card may never complete what it has, because it could not be told to. */
    private boolean lost;

    /** Takes the queue pair of an end, which was made just now. */
    IbvQp(IbvCmId end, IbvPd pd, IbvCq cq, QpCapabilities capabilities, long address, long serial) {
        this.end = end;
        this.loop = end.loop();
        this.pd = pd;
        this.cq = cq;
        this.capabilities = capabilities;
        this.address = address;
        this.number = VerbsMemory.getInt(address + VerbsLayout.QP_NUM) & 0xFFFFFF;
        this.tag = (serial & SERIAL_MASK) << RequestRing.PLACE_BITS;
        long context = cq.device().context();
        this.postSend = NativeVerbs.operation(context, VerbsLayout.CONTEXT_POST_SEND);
        this.postReceive = NativeVerbs.operation(context, VerbsLayout.CONTEXT_POST_RECV);
        this.sends = new RequestRing(capabilities.sends(), 0);
        this.operations = new Operation[RequestRing.slots(capabilities.sends())];
        this.receives = new RequestRing(capabilities.receives(), 0);
        cq.add(this);
        pd.add(this);
    }

    /** Returns the windows that are bound here. */
    BoundWindows windows() {
        return windows;
    }

    boolean owns(long itsTag) {
        return (itsTag & ~RECEIVE & ~RequestRing.PLACE_MASK) == tag;
    }

    Operation operation(long itsTag) {
        return itsTag < 0 ? Operation.RECEIVE : operations[sends.slot(itsTag)];
    }

    /** Returns the number that a request was posted with. */
    long id(long itsTag) {
        return queue(itsTag).id(itsTag);
    }

    private RequestRing queue(long itsTag) {
        return itsTag < 0 ? receives : sends;
    }

    /**
     * Tells whether a request that the card never had may complete: only when those of its queue that the card has have
     * completed, or never will.
     */
    boolean isTurnOf(long itsTag) {
        return lost || cq.device().isRemoved() || queue(itsTag).isCardDone();
    }

    /** A request has completed, and those of its queue before it, which were not signalled. */
    void completed(long itsTag, WorkStatus status) {
        queue(itsTag).completed(itsTag);
        if (status != WorkStatus.SUCCESS) {
            setState(State.ERROR);
        }
    }

    /** The card could not be told that the connection ends: what it has may never complete. */
    void lose() {
        lost = true;
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
            operations[sends.set(i, chain.id(i))] = chain.operation(i);
        }
        if (state == State.ERROR) {
            for (int i = 0; i < count; i++) {
                long late = tag | sends.nextPlace();
                sends.posted(1);
                cq.flushLater(this, late);
            }
            return count;
        }
        PostBlock block = loop.block();
        int written = block.write(windows, chain, count, tag, sends.nextPlace());
        int errno = written == 0 ? 0 : NativeVerbs.postSend(postSend, address, block.requests(), block.bad());
        int taken = errno == 0 ? count : block.takenBeforeBad(count);
        sends.posted(taken);
        block.posted(errno == 0);
        for (int i = taken - 1; i >= 0; i--) {
            if (chain.isSignalled(i)) {
                sends.awaitAllBut(taken - 1 - i);
                break;
            }
        }
        if (errno != 0 && !block.hasBad()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: the card refused requests with errno {1} and did not tell which; it goes to error",
                    this,
                    errno);
            modifyToError();
            // Nobody knows how many of them the card has.
            lost = true;
        }
        return taken;
    }

    /** Returns how many requests of a chain there is room for. */
    private int fitting(WorkChain chain) {
        long room = sends.room();
        for (int i = 0; i < chain.size(); i++) {
            boolean travels = chain.operation(i) == Operation.SEND || chain.operation(i) == Operation.RDMA_WRITE;
            if (i >= room
                    || !travels && !pd.isOwn(chain.region(i))
                    || chain.gatherEnd(i) - chain.gatherStart(i) > capabilities.gather()) {
                return i;
            }
        }
        return chain.size();
    }

    @Override
    public boolean postReceive(long id, long memory, int length, int key) {
        loop.check(this);
        if (closed || receives.room() <= 0) {
            return false;
        }
        receives.set(0, id);
        long itsTag = RECEIVE | tag | receives.nextPlace();
        if (state == State.ERROR) {
            receives.posted(1);
            cq.flushLater(this, itsTag);
            return true;
        }
        PostBlock block = loop.block();
        long request = block.writeReceive(itsTag, memory, length, key);
        if (NativeVerbs.postReceive(postReceive, address, request, block.bad()) != 0) {
            return false;
        }
        receives.posted(1);
        receives.awaitAllBut(0);
        return true;
    }

    @Override
    public void modifyToError() {
        loop.check(this);
        if (closed || state == State.ERROR) {
            return;
        }
        state = State.ERROR;
        int errno = loop.provider().verbs().modifyToError(address);
        if (errno != 0) {
            // A card that was taken away says so. Whoever gives up a connection has to come to its end all the same.
            lost = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} can not be put in error: errno {1}; what is posted may never complete, but the card lets it"
                            + " go when the queue pair is closed",
                    this,
                    errno);
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        state = State.ERROR;
        // A driver may wait for them.
        windows.giveBack();
        loop.provider().verbs().destroyQp(end.address());
        cq.forget(this);
        pd.forget(this);
    }

    @Override
    public String toString() {
        return "queue pair " + number + " of " + cq.device();
    }
}
