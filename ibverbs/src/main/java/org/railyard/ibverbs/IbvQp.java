package org.railyard.ibverbs;

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
 * tag, which the card gives back: the queue pair, the queue, the operation, and the place in the queue; so it is known
 * what completes even when the card tells nothing but that it failed.
 */
final class IbvQp implements Qp, PostBlock.Poster {
    private static final System.Logger LOG = System.getLogger(IbvQp.class.getName());
    private static final long RECEIVE = 1L << 63;
    private static final Operation[] OPERATIONS = Operation.values();

    /** Bits of a tag behind its place: the operation of a send request. */
    private static final int OPERATION_BITS = 2;

    private static final int SERIAL_SHIFT = RequestRing.PLACE_BITS + OPERATION_BITS;

    /** Bits of a serial number: with the place, the operation and the queue they fill a tag. */
    static final long SERIAL_MASK = (1L << 63 - SERIAL_SHIFT) - 1;

    private final IbvCmId end;
    private final IbvLoop loop;
    private final IbvPd pd;
    private final IbvCq cq;
    private final QpCapabilities capabilities;
    private final long address;
    private final int number;
    private final long tag;
    private final long postSend;
    private final long postReceive;
    private final RequestRing sends;
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
        this.tag = (serial & SERIAL_MASK) << SERIAL_SHIFT;
        long context = cq.device().context();
        this.postSend = NativeVerbs.operation(context, VerbsLayout.CONTEXT_POST_SEND);
        this.postReceive = NativeVerbs.operation(context, VerbsLayout.CONTEXT_POST_RECV);
        this.sends = new RequestRing(capabilities.sends(), 0);
        this.receives = new RequestRing(capabilities.receives(), 0);
        cq.add(this);
        pd.add(this);
    }

    @Override
    public BoundWindows windows() {
        return windows;
    }

    boolean owns(long itsTag) {
        return (itsTag & SERIAL_MASK << SERIAL_SHIFT) == tag;
    }

    Operation operation(long itsTag) {
        return itsTag < 0
                ? Operation.RECEIVE
                : OPERATIONS[(int) (itsTag >>> RequestRing.PLACE_BITS) & (1 << OPERATION_BITS) - 1];
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
        if (state != State.READY_TO_SEND) {
            return closed || state != State.ERROR ? 0 : flushLater(chain);
        }
        PostBlock block = loop.block();
        int count = block.write(this, chain, Math.min(chain.size(), sends.room()));
        int errno = block.written() == 0 ? 0 : NativeVerbs.postSend(postSend, address, block.requests(), block.bad());
        if (errno == 0) {
            sends.posted(count);
            if (block.lastSignalled() >= 0) {
                sends.awaitAllBut(count - 1 - block.lastSignalled());
            }
            block.posted(true);
            return count;
        }
        return refused(chain, count, block, errno);
    }

    /** The card did not take all requests; returns how many it took. */
    private int refused(WorkChain chain, int count, PostBlock block, int errno) {
        long bad = block.badTag();
        int taken = bad < 0 ? count : sends.ahead(bad);
        sends.posted(taken);
        block.posted(false);
        for (int i = taken - 1; i >= 0; i--) {
            if (chain.isSignalled(i)) {
                sends.awaitAllBut(taken - 1 - i);
                break;
            }
        }
        if (bad < 0) {
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

    /** Takes requests that the card never gets; returns how many. */
    private int flushLater(WorkChain chain) {
        int most = Math.min(chain.size(), sends.room());
        int count = 0;
        while (count < most && mayPost(chain, count)) {
            long late = note(chain, count);
            count++;
            cq.flushLater(this, late);
        }
        sends.posted(count);
        return count;
    }

    @Override
    public boolean mayPost(WorkChain chain, int request) {
        return chain.gatherEnd(request) - chain.gatherStart(request) <= capabilities.gather()
                && (chain.operation(request).isTransfer() || pd.isOwn(chain.region(request)));
    }

    @Override
    public long note(WorkChain chain, int request) {
        long operation = chain.operation(request).ordinal();
        return tag | operation << RequestRing.PLACE_BITS | sends.set(request, chain.id(request));
    }

    @Override
    public boolean postReceive(long id, long memory, int length, int key) {
        loop.check(this);
        if (closed || receives.room() <= 0) {
            return false;
        }
        long itsTag = RECEIVE | tag | receives.set(0, id);
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
