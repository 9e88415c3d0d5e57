package org.railyard.ibverbs;

import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.verbs.Completion;
import org.railyard.verbs.Completion.Operation;
import org.railyard.verbs.Cq;
import org.railyard.verbs.CqListener;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.WorkStatus;

/**
 * A completion queue of a card. A card only tells of completions that come after it was asked to; so whoever asks looks
 * once more, and what that finds is kept for the next poll (spec 24 §5.3).
 */
final class IbvCq implements Cq {
    private static final System.Logger LOG = System.getLogger(IbvCq.class.getName());

    /** Most completions that are taken off at a time. */
    private static final int BATCH = 16;

    private record Late(IbvQp qp, long tag) {}

    private final IbvDevice device;
    private final IbvLoop loop;
    private final CqListener listener;
    private final long cookie;
    private final long address;
    private final int entries;
    private final long pollFunction;
    private final long notifyFunction;
    private final Arena arena = Arena.ofShared();
    private final long found =
            VerbsMemory.structure(arena, (long) BATCH * VerbsLayout.WC).address();

    /** An array, because each completion is looked up in it. */
    private IbvQp[] qps = {};

    /** Requests that were posted to queue pairs in error, by their tags. Not every driver completes them. */
    private final ArrayDeque<Late> late = new ArrayDeque<>();

    private int next;
    private int end;
    private boolean armed;
    private boolean inNotices;
    private boolean closed;

    IbvCq(IbvDevice device, IbvLoop loop, int wanted, CqListener listener) {
        this.device = device;
        this.loop = loop;
        this.listener = listener;
        this.cookie = loop.cqs().nextCookie();
        try {
            this.pollFunction = NativeVerbs.operation(device.context(), VerbsLayout.CONTEXT_POLL_CQ);
            this.notifyFunction = NativeVerbs.operation(device.context(), VerbsLayout.CONTEXT_REQ_NOTIFY_CQ);
            this.address = create(wanted);
        } catch (VerbsException e) {
            arena.close();
            throw e;
        }
        this.entries = VerbsMemory.getInt(address + VerbsLayout.CQ_CQE);
        loop.cqs().add(this);
    }

    private long create(int wanted) {
        long made = loop.provider().verbs().createCq(device.context(), wanted, cookie, loop.noticeChannel(device));
        if (made == 0) {
            int errno = NativeVerbs.errno();
            throw NativeVerbs.failed(
                    device + ": a completion queue of " + wanted + " entries can not be made; it has "
                            + device.attributes().maxCq() + " for all programs together" + MemoryLimit.hint(errno, 0),
                    errno);
        }
        return made;
    }

    long cookie() {
        return cookie;
    }

    long address() {
        return address;
    }

    IbvDevice device() {
        return device;
    }

    IbvLoop loop() {
        return loop;
    }

    void add(IbvQp qp) {
        qps = Arrays.copyOf(qps, qps.length + 1);
        qps[qps.length - 1] = qp;
    }

    void forget(IbvQp qp) {
        qps = Arrays.stream(qps).filter(each -> each != qp).toArray(IbvQp[]::new);
        late.removeIf(each -> each.qp == qp);
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public int entries() {
        return entries;
    }

    @Override
    public int poll(Completion[] into) {
        loop.check(this);
        if (closed) {
            return 0;
        }
        int count = 0;
        while (next < end && count < into.length) {
            if (translate(found + (long) next++ * VerbsLayout.WC, into[count])) {
                count++;
            }
        }
        int most = Math.min(BATCH, into.length - count);
        while (most > 0) {
            int got = take(most);
            for (int i = 0; i < got; i++) {
                if (translate(found + (long) i * VerbsLayout.WC, into[count])) {
                    count++;
                }
            }
            // A card that gives fewer than it may has no more, and to ask it again costs a call.
            most = got < most ? 0 : Math.min(BATCH, into.length - count);
        }
        return late.isEmpty() ? count : addLate(into, count);
    }

    /** Adds completions of requests that the card never had. */
    private int addLate(Completion[] into, int from) {
        int count = from;
        Iterator<Late> all = late.iterator();
        while (count < into.length && all.hasNext()) {
            Late each = all.next();
            if (each.qp.isTurnOf(each.tag)) {
                flushed(each, into[count++]);
                all.remove();
            }
        }
        return count;
    }

    /** Takes completions off the card's queue; returns how many there are. */
    private int take(int most) {
        int count = NativeVerbs.pollCq(pollFunction, address, most, found);
        if (count < 0) {
            throw new VerbsException(
                    VerbsException.Code.EIO, "completion queue of " + device + " can not be read: " + count);
        }
        return Math.min(count, most);
    }

    /** Returns false for a completion of a queue pair that is gone: some drivers leave them in the queue. */
    private boolean translate(long wc, Completion into) {
        long tag = VerbsMemory.getLong(wc);
        for (IbvQp qp : qps) {
            if (qp.owns(tag)) {
                // With any other status, everything but number and status is meaningless.
                int code = VerbsMemory.getInt(wc + VerbsLayout.WC_STATUS);
                WorkStatus status = WorkStatus.ofCode(code);
                if (status.code() != code) {
                    tellUnusual(wc, qp);
                }
                Operation operation = qp.operation(tag);
                boolean came = operation == Operation.RECEIVE && status == WorkStatus.SUCCESS;
                int bytes = came ? VerbsMemory.getInt(wc + VerbsLayout.WC_BYTE_LEN) : 0;
                into.set(qp.id(tag), status, operation, bytes, qp.number());
                qp.completed(tag, status);
                return true;
            }
        }
        return false;
    }

    /** A request was posted to a queue pair in error: it completes behind what the card still has. */
    void flushLater(IbvQp qp, long tag) {
        late.add(new Late(qp, tag));
        if (armed && qp.isTurnOf(tag)) {
            noticeSoon();
        }
    }

    private static void flushed(Late request, Completion into) {
        IbvQp qp = request.qp;
        Operation operation = qp.operation(request.tag);
        into.set(qp.id(request.tag), WorkStatus.FLUSHED, operation, 0, qp.number());
        if (operation == Operation.SEND) {
            into.setUndelivered();
        }
        qp.completed(request.tag, WorkStatus.FLUSHED);
    }

    /** Tells whether a request that the card never had may complete now. */
    private boolean hasLate() {
        for (Late each : late) {
            if (each.qp.isTurnOf(each.tag)) {
                return true;
            }
        }
        return false;
    }

    private static void tellUnusual(long wc, IbvQp qp) {
        LOG.log(
                System.Logger.Level.WARNING,
                "{0}: a request ended with status {1} of the card, vendor error 0x{2}",
                qp,
                VerbsMemory.getInt(wc + VerbsLayout.WC_STATUS),
                Integer.toHexString(VerbsMemory.getInt(wc + VerbsLayout.WC_VENDOR_ERR)));
    }

    @Override
    public void arm() {
        loop.check(this);
        if (closed) {
            return;
        }
        armed = true;
        if (next < end || hasLate()) {
            noticeSoon();
            return;
        }
        int errno = NativeVerbs.requestNotify(notifyFunction, address);
        if (errno != 0) {
            throw NativeVerbs.failed("completion queue of " + device + " gives no notice", Math.abs(errno));
        }
        next = 0;
        // Nothing, should it not be told.
        end = 0;
        end = take(BATCH);
        if (end > 0) {
            noticeSoon();
        }
    }

    private void noticeSoon() {
        if (!inNotices) {
            inNotices = true;
            loop.notice(this);
        }
    }

    /** In the turn after completions were found in arming. */
    void tell() {
        inNotices = false;
        noticed();
    }

    /** The card gave notice; one that nobody asked for any more is swallowed. */
    void noticed() {
        if (armed && !closed) {
            armed = false;
            try {
                listener.onCompletions(this);
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.ERROR, "a listener of " + this + " failed", e);
            }
        }
    }

    @Override
    public void close() {
        release();
    }

    /** Gives it back, with the queue pairs on it. */
    void release() {
        if (closed) {
            return;
        }
        closed = true;
        // Each takes itself out of another array.
        for (IbvQp qp : qps) {
            qp.close();
        }
        int errno = loop.provider().verbs().destroyCq(address);
        if (errno != 0) {
            LOG.log(System.Logger.Level.WARNING, "{0} was not given back: errno {1}", this, errno);
        }
        loop.cqs().remove(this);
        arena.close();
        if (device.isRemoved()) {
            // Later: notices may be taken off that channel just now.
            loop.execute(() -> loop.releaseChannel(device));
        }
    }

    @Override
    public String toString() {
        return "completion queue of " + device;
    }
}
