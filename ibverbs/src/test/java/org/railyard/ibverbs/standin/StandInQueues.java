package org.railyard.ibverbs.standin;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;

/** The card's queues and memory: requests are carried out when they are posted. */
final class StandInQueues {
    static final int SUCCESS = 0;
    static final int LOCAL_LENGTH = 1;
    static final int LOCAL_OPERATION = 2;
    static final int LOCAL_PROTECTION = 4;
    static final int FLUSHED = 5;
    static final int BIND_ERROR = 6;
    static final int INVALID_REQUEST = 9;
    static final int REMOTE_ACCESS = 10;
    static final int REMOTE_OPERATION = 11;
    static final int RETRY_EXCEEDED = 12;
    static final int RNR_RETRY_EXCEEDED = 13;

    private static final int LOCAL_WRITE = 1;
    private static final int REMOTE_WRITE = 2;
    private static final int MW_BIND = 16;
    private static final int ENOMEM = 12;
    private static final int EINVAL = 22;
    private static final int FOR_EVER = 7;
    private static final int WRITE = 0;
    private static final int SEND = 2;
    private static final int INVALIDATE = 7;
    private static final int BIND = 8;
    private static final int RECEIVE = 128;
    private static final int CQ_ERROR = 0;
    private static final int ACCESS_ERROR = 3;

    /** Memory that is registered. */
    record Region(int key, long start, long length, int rights) {
        boolean allows(long address, long count, int wanted) {
            long offset = address - start;
            return offset >= 0 && count >= 0 && offset <= length - count && (rights & wanted) == wanted;
        }
    }

    /** A memory window of type 2. */
    static final class Window {
        final long address;
        final long pd;
        int key;

        @Nullable
        Qp qp;

        @Nullable
        Region open;

        /** The key of the memory that it is bound to. */
        int memoryKey;

        Window(long address, long pd, int key) {
            this.address = address;
            this.pd = pd;
            this.key = key;
        }
    }

    /** What a request binds a window to. */
    record Binding(long window, int newKey, int memoryKey, long start, long length, int rights) {}

    /** A piece of memory of a request. */
    record Piece(long address, int length, int key) {}

    /** A request that was posted. */
    record Request(
            long tag,
            int opcode,
            boolean signalled,
            long remote,
            int rkey,
            List<Piece> pieces,
            @Nullable Binding binding) {
        int bytes() {
            return pieces.stream().mapToInt(Piece::length).sum();
        }
    }

    /** A completion. */
    record Done(long tag, int status, int opcode, int bytes, int qpNumber) {}

    /** A completion queue. */
    static final class Cq {
        final long address;
        final long context;
        final long cookie;
        final EventQueue<Cq> channel;
        final int entries;
        final ArrayDeque<Done> waiting = new ArrayDeque<>();
        boolean armed;

        /** Notices that were read and not given back; those that nobody has read do not count. */
        int unacknowledged;

        Cq(long address, long context, long cookie, EventQueue<Cq> channel, int entries) {
            this.address = address;
            this.context = context;
            this.cookie = cookie;
            this.channel = channel;
            this.entries = entries;
        }
    }

    /** A queue pair. */
    static final class Qp {
        final StandInQueues machine;
        final long address;
        final int number;
        final Cq cq;
        final int sends;
        final int receives;
        final int gather;
        final ArrayDeque<Request> sendQueue = new ArrayDeque<>();
        final ArrayDeque<Request> receiveQueue = new ArrayDeque<>();

        @Nullable
        Qp peer;

        boolean ready;
        boolean error;
        int rnrRetry;

        Qp(StandInQueues machine, long address, int number, Cq cq, int sends, int receives, int gather) {
            this.machine = machine;
            this.address = address;
            this.number = number;
            this.cq = cq;
            this.sends = sends;
            this.receives = receives;
            this.gather = gather;
        }
    }

    /** Hears what happens to the card with a context. */
    @FunctionalInterface
    interface Async {
        void raise(long context, int type, long element);
    }

    private final Async async;
    final Map<Integer, Region> regions = new LinkedHashMap<>();
    final Map<Long, Cq> cqs = new LinkedHashMap<>();
    final Map<Long, Qp> qps = new LinkedHashMap<>();

    final Map<Long, Window> windows = new LinkedHashMap<>();

    private boolean holds;

    StandInQueues(Async async) {
        this.async = async;
    }

    private boolean allows(int key, long address, long count, int rights) {
        Region region = regions.get(key);
        return region != null && region.allows(address, count, rights);
    }

    private void complete(Cq cq, Done done) {
        if (cq.waiting.size() == cq.entries) {
            async.raise(cq.context, CQ_ERROR, cq.address);
            return;
        }
        cq.waiting.add(done);
        if (cq.armed) {
            cq.armed = false;
            cq.channel.add(cq);
        }
    }

    private static List<Piece> pieces(long request) {
        List<Piece> pieces = new ArrayList<>();
        long list = VerbsMemory.getLong(request + VerbsLayout.WR_SG_LIST);
        for (int i = 0; i < VerbsMemory.getInt(request + VerbsLayout.WR_NUM_SGE); i++) {
            long at = list + (long) i * VerbsLayout.SGE;
            pieces.add(new Piece(
                    VerbsMemory.getLong(at),
                    VerbsMemory.getInt(at + VerbsLayout.SGE_LENGTH),
                    VerbsMemory.getInt(at + VerbsLayout.SGE_LKEY)));
        }
        return pieces;
    }

    int postSend(Qp qp, long first, long bad) {
        for (long at = first; at != 0; at = VerbsMemory.getLong(at + VerbsLayout.WR_NEXT)) {
            int count = VerbsMemory.getInt(at + VerbsLayout.WR_NUM_SGE);
            boolean leftOver = VerbsMemory.getInt(at + VerbsLayout.WR_OPCODE) == BIND
                    && VerbsMemory.getInt(at + VerbsLayout.WR_INVALIDATE_RKEY) != 0;
            if (leftOver || qp.sendQueue.size() == qp.sends || count > qp.gather || !qp.ready && !qp.error) {
                VerbsMemory.putLong(bad, at);
                return qp.sendQueue.size() == qp.sends ? ENOMEM : EINVAL;
            }
            int opcode = VerbsMemory.getInt(at + VerbsLayout.WR_OPCODE);
            int keyAt = opcode == INVALIDATE ? VerbsLayout.WR_INVALIDATE_RKEY : VerbsLayout.WR_RKEY;
            qp.sendQueue.add(new Request(
                    VerbsMemory.getLong(at),
                    opcode,
                    (VerbsMemory.getInt(at + VerbsLayout.WR_FLAGS) & 2) != 0,
                    VerbsMemory.getLong(at + VerbsLayout.WR_REMOTE_ADDRESS),
                    VerbsMemory.getInt(at + keyAt),
                    pieces(at),
                    opcode == BIND ? binding(at) : null));
        }
        progress(qp);
        return 0;
    }

    private Binding binding(long at) {
        long window = VerbsMemory.getLong(at + VerbsLayout.WR_BIND_MW);
        Window known = windows.get(window);
        // Drivers take the key of before from the structure.
        if (known != null && VerbsMemory.getInt(window + VerbsLayout.MW_RKEY) != known.key) {
            throw new IllegalStateException("the structure of a window has an old key");
        }
        long region = VerbsMemory.getLong(at + VerbsLayout.WR_BIND_MR);
        return new Binding(
                window,
                VerbsMemory.getInt(at + VerbsLayout.WR_BIND_RKEY),
                VerbsMemory.getInt(region + VerbsLayout.MR_LKEY),
                VerbsMemory.getLong(at + VerbsLayout.WR_BIND_ADDRESS),
                VerbsMemory.getLong(at + VerbsLayout.WR_BIND_LENGTH),
                VerbsMemory.getInt(at + VerbsLayout.WR_BIND_ACCESS));
    }

    private int bind(Qp qp, Binding wanted) {
        Window window = windows.get(wanted.window);
        Region memory = regions.get(wanted.memoryKey);
        if (window == null
                || window.open != null
                || wanted.newKey >>> 8 != window.key >>> 8
                || wanted.newKey == window.key
                || memory == null
                || !memory.allows(wanted.start, wanted.length, MW_BIND | LOCAL_WRITE)) {
            return BIND_ERROR;
        }
        window.key = wanted.newKey;
        window.qp = qp;
        window.memoryKey = wanted.memoryKey;
        window.open = new Region(wanted.newKey, wanted.start, wanted.length, wanted.rights);
        return SUCCESS;
    }

    /** Ends the binding of a window; only the queue pair where it is bound may. */
    private int invalidate(Qp qp, int key) {
        Window window = windowOf(key);
        if (window == null || window.open == null || window.qp != qp) {
            return LOCAL_OPERATION;
        }
        window.open = null;
        window.qp = null;
        return SUCCESS;
    }

    private @Nullable Window windowOf(int key) {
        for (Window each : windows.values()) {
            if (each.key == key) {
                return each;
            }
        }
        return null;
    }

    /** Tells whether a window is bound at a queue pair. */
    boolean hasWindow(Qp qp) {
        return windows.values().stream().anyMatch(each -> each.open != null && each.qp == qp);
    }

    /** Tells whether a window is bound to memory. */
    boolean hasWindow(int memoryKey) {
        return windows.values().stream().anyMatch(each -> each.open != null && each.memoryKey == memoryKey);
    }

    int postReceive(Qp qp, long request, long bad) {
        if (qp.receiveQueue.size() == qp.receives) {
            VerbsMemory.putLong(bad, request);
            return ENOMEM;
        }
        qp.receiveQueue.add(new Request(VerbsMemory.getLong(request), RECEIVE, true, 0, 0, pieces(request), null));
        if (qp.error) {
            flush(qp);
        }
        Qp peer = qp.peer;
        if (peer != null) {
            peer.machine.progress(peer);
        }
        return 0;
    }

    /** Carries out what can be carried out. */
    private void progress(Qp qp) {
        while (!qp.sendQueue.isEmpty()) {
            if (qp.error) {
                flush(qp);
                return;
            }
            Request request = qp.sendQueue.getFirst();
            int status = carryOut(qp, request);
            if (status < 0) {
                return;
            }
            qp.sendQueue.removeFirst();
            if (status != SUCCESS || request.signalled) {
                complete(qp.cq, new Done(request.tag, status, request.opcode == SEND ? 0 : 1, 0, qp.number));
            }
            if (status != SUCCESS) {
                fail(qp);
            }
        }
    }

    /** Returns the status, or −1 if it has to wait. */
    private int carryOut(Qp qp, Request request) {
        if (request.binding != null) {
            return bind(qp, request.binding);
        }
        if (request.opcode == INVALIDATE) {
            return invalidate(qp, request.rkey);
        }
        for (Piece each : request.pieces) {
            if (each.length > 0 && !allows(each.key, each.address, each.length, 0)) {
                return LOCAL_PROTECTION;
            }
        }
        Qp peer = qp.peer;
        if (peer == null || peer.error) {
            return RETRY_EXCEEDED;
        }
        return request.opcode == WRITE ? peer.machine.write(peer, request) : peer.machine.receive(qp, peer, request);
    }

    private int write(Qp target, Request request) {
        int bytes = request.bytes();
        if (bytes > 0 && !allowsPeer(target, request.rkey, request.remote, bytes)) {
            async.raise(target.cq.context, ACCESS_ERROR, target.address);
            fail(target);
            return REMOTE_ACCESS;
        }
        long at = request.remote;
        for (Piece each : request.pieces) {
            VerbsMemory.copy(each.address, at, each.length);
            at += each.length;
        }
        return SUCCESS;
    }

    private boolean allowsPeer(Qp target, int key, long address, int bytes) {
        Window window = windowOf(key);
        if (window == null) {
            return allows(key, address, bytes, REMOTE_WRITE);
        }
        return window.open != null && window.qp == target && window.open.allows(address, bytes, REMOTE_WRITE);
    }

    private int receive(Qp sender, Qp target, Request message) {
        Request receive = target.receiveQueue.peek();
        if (receive == null) {
            return sender.rnrRetry == FOR_EVER ? -1 : RNR_RETRY_EXCEEDED;
        }
        target.receiveQueue.remove();
        int bytes = message.bytes();
        Piece into = receive.pieces.getFirst();
        boolean fits = bytes <= into.length;
        if (!fits || !allows(into.key, into.address, into.length, LOCAL_WRITE)) {
            int status = fits ? LOCAL_PROTECTION : LOCAL_LENGTH;
            complete(target.cq, new Done(receive.tag, status, RECEIVE, 0, target.number));
            fail(target);
            return fits ? REMOTE_OPERATION : INVALID_REQUEST;
        }
        long at = into.address;
        for (Piece each : message.pieces) {
            VerbsMemory.copy(each.address, at, each.length);
            at += each.length;
        }
        complete(target.cq, new Done(receive.tag, SUCCESS, RECEIVE, bytes, target.number));
        return SUCCESS;
    }

    void fail(Qp qp) {
        qp.error = true;
        flush(qp);
    }

    void holdFlushes(boolean hold) {
        holds = hold;
        qps.values().stream().filter(each -> each.error).forEach(this::flush);
    }

    private void flush(Qp qp) {
        if (holds) {
            return;
        }
        while (!qp.sendQueue.isEmpty()) {
            complete(qp.cq, new Done(qp.sendQueue.remove().tag, FLUSHED, 0, 0, qp.number));
        }
        while (!qp.receiveQueue.isEmpty()) {
            complete(qp.cq, new Done(qp.receiveQueue.remove().tag, FLUSHED, 0, 0, qp.number));
        }
    }

    static int poll(Cq cq, int most, long into) {
        int count = 0;
        while (count < most && !cq.waiting.isEmpty()) {
            Done done = cq.waiting.remove();
            long at = into + (long) count++ * VerbsLayout.WC;
            VerbsMemory.putLong(at, done.tag);
            VerbsMemory.putInt(at + VerbsLayout.WC_STATUS, done.status);
            // What means nothing after a failure is not left as it was.
            VerbsMemory.putInt(at + VerbsLayout.WC_OPCODE, done.status == SUCCESS ? done.opcode : -1);
            VerbsMemory.putInt(at + VerbsLayout.WC_BYTE_LEN, done.status == SUCCESS ? done.bytes : -1);
            VerbsMemory.putInt(at + VerbsLayout.WC_QP_NUM, done.qpNumber);
        }
        return count;
    }
}
