package org.railyard.conformance.verbs.chaos;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.Completion;
import org.railyard.verbs.Completion.Operation;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.Pd;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.WorkChain;

/** One end of a connection that does what a seed says; all methods run in the loop of its node. */
final class ChaosEnd {
    private static final int[] MTUS = {0, 0, 256, 1024};
    private static final long RECEIVE = 1L << 40;
    private static final long LOOKUP_NANOS = 1_000_000_000L;

    /** Requests that one message takes at most: data, a request that fails, the message. */
    private static final int MOST_REQUESTS = 3;

    private final ChaosRun run;
    private final SplittableRandom random;
    private final ChaosNode node;
    private final int serial;
    private final CmId id;
    private final ChaosLedger ledger = new ChaosLedger(this::violation);
    private final List<CmEvent.Type> events = new ArrayList<>();
    private @Nullable ChaosEnd peer;
    private @Nullable ChaosMemory memory;
    private @Nullable Pd pd;
    private @Nullable Cq cq;
    private @Nullable Qp qp;
    private QpCapabilities capabilities = new QpCapabilities(1, 1, 1);
    private boolean smallCq;
    private boolean up;
    private boolean over;
    private boolean closed;
    private boolean qpClosed;
    private int lastId;
    private int lastReceive;
    private int nextMessage;

    /** Makes one that asks for a connection. */
    ChaosEnd(ChaosRun run, ChaosNode node, int serial) {
        this.run = run;
        this.random = run.random();
        this.node = node;
        this.serial = serial;
        this.id = node.provider().createId(node.loop(), (_, event) -> run.guard(this.toString(), () -> onEvent(event)));
    }

    /** Makes one that was asked by another one. */
    ChaosEnd(ChaosRun run, ChaosNode node, int serial, CmId request, ChaosEnd asking) {
        this.run = run;
        this.random = run.random();
        this.node = node;
        this.serial = serial;
        this.id = request;
        // A request may come a second time, when the end that was made for the first one is gone.
        peer = asking;
        asking.peer = this;
    }

    int serial() {
        return serial;
    }

    ChaosNode node() {
        return node;
    }

    boolean is(CmId other) {
        return id == other;
    }

    boolean hasQp(int number) {
        return qp != null && !qpClosed && qp.number() == number;
    }

    private void violation(String what) {
        run.violation(this + ": " + what);
    }

    void ask(CmAddress to) {
        if (random.nextBoolean()) {
            boolean any = random.nextInt(4) == 0;
            id.bind(any ? new CmAddress(0, 0) : run.address(node, 0), random.nextBoolean());
        }
        id.resolveAddress(to, LOOKUP_NANOS);
    }

    void communicationEstablished() {
        id.communicationEstablished();
    }

    void onEvent(CmEvent event) {
        if (closed) {
            violation(event.type() + " behind the close");
        }
        events.add(event.type());
        switch (event.type()) {
            case ADDRESS_RESOLVED -> {
                if (!closesEarly()) {
                    id.resolveRoute(-1, LOOKUP_NANOS);
                }
            }
            case ROUTE_RESOLVED -> {
                prepare();
                if (!closesEarly()) {
                    connect();
                }
            }
            case ESTABLISHED -> established();
            case DISCONNECTED -> ended(Qp.State.ERROR);
            case REJECTED, UNREACHABLE, CONNECT_ERROR, ADDRESS_ERROR, ROUTE_ERROR -> ended(null);
            case TIMEWAIT_EXIT -> {}
            default -> violation("told of " + event);
        }
    }

    private boolean closesEarly() {
        if (random.nextInt(30) == 0) {
            close();
        }
        return closed;
    }

    private void connect() {
        byte[] data = new byte[Long.BYTES];
        MemorySegment.ofArray(data).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, serial);
        int rnrRetries = random.nextInt(3) == 0 ? random.nextInt(7) : ConnectParameters.FOR_EVER;
        id.connect(
                new ConnectParameters(2 + random.nextInt(6), rnrRetries, MTUS[random.nextInt(MTUS.length)]),
                MemorySegment.ofArray(data));
    }

    private void established() {
        if (over || up || Objects.requireNonNull(qp).state() == Qp.State.INIT) {
            violation("up at the wrong time: " + events);
        }
        up = true;
        run.noteConnection();
    }

    private void ended(Qp.@Nullable State expected) {
        if (over) {
            violation("over a second time: " + events);
        }
        over = true;
        if (expected != null && isUsable() && Objects.requireNonNull(qp).state() != expected) {
            violation("over, and its queue pair is not");
        }
        if (random.nextInt(3) != 0) {
            close();
        }
    }

    /** Accepts the request, or turns it down. */
    void answer() {
        if (closed || over) {
            return;
        }
        if (random.nextInt(8) == 0) {
            over = true;
            id.reject(MemorySegment.NULL);
        } else {
            prepare();
            int rnrRetries = random.nextInt(3) == 0 ? random.nextInt(7) : ConnectParameters.FOR_EVER;
            id.accept(new ConnectParameters(5, rnrRetries), MemorySegment.NULL);
        }
    }

    private void prepare() {
        VerbsDevice device = Objects.requireNonNull(id.device());
        Pd made = device.openPd();
        pd = made;
        memory = new ChaosMemory(run.arena(), made);
        capabilities = new QpCapabilities(MOST_REQUESTS + random.nextInt(20), 1 + random.nextInt(16), 2);
        int all = capabilities.sends() + capabilities.receives();
        smallCq = random.nextInt(12) == 0;
        Cq queue = device.createCq(smallCq ? Math.max(1, all / 2) : all, node.loop(), this::onCompletions);
        cq = queue;
        queue.arm();
        qp = id.createQp(made, queue, capabilities);
        postReceives(random.nextInt(capabilities.receives() + 1));
    }

    /** Posts receives, as many as there is room for at most. */
    void postReceives(int most) {
        Qp to = qp;
        ChaosMemory into = memory;
        for (int i = 0; isUsable() && to != null && into != null && i < most; i++) {
            if (ledger.receives() == capabilities.receives()) {
                return;
            }
            long each = RECEIVE | lastReceive++;
            ledger.receivePosted(each);
            if (!to.postReceive(
                    each,
                    into.receiveAddress(each),
                    ChaosMemory.SLOT,
                    into.receives().localKey())) {
                violation("a receive is refused, and there is room");
            }
        }
    }

    private void onCompletions(Cq from) {
        run.guard(toString(), () -> {
            from.arm();
            Completion[] batch = Completion.batch(1 + random.nextInt(8));
            for (int count = from.poll(batch); count > 0; count = from.poll(batch)) {
                for (int i = 0; i < count; i++) {
                    completed(batch[i]);
                }
            }
            if (isUsable() && Objects.requireNonNull(qp).state() != Qp.State.ERROR && random.nextInt(4) != 0) {
                postReceives(random.nextInt(capabilities.receives() + 1));
            }
        });
    }

    private void completed(Completion done) {
        if (qpClosed) {
            // It was in the queue before.
            return;
        }
        Qp.State state = Objects.requireNonNull(qp).state();
        if ((done.id() & RECEIVE) == 0) {
            if (!run.isHit(Planted.KEPT)) {
                ledger.completed(done, state);
            }
        } else if (ledger.completedReceive(done, state) && !run.isHit(Planted.LOST)) {
            arrived(done);
            if (run.isHit(Planted.TWICE)) {
                arrived(done);
            }
        }
    }

    private void arrived(Completion done) {
        ChaosMemory in = Objects.requireNonNull(memory);
        if (run.isHit(Planted.SPOILT)) {
            in.spoil(done.id());
        }
        if (done.bytes() < ChaosMemory.HEAD || peer == null || in.sender(done.id()) != peer.serial) {
            violation("a message of somebody else: " + done);
            return;
        }
        ledger.arrived(in.number(done.id()));
        in.fault(done.id(), done.bytes()).ifPresent(this::violation);
        run.noteMessage();
    }

    /** Tells whether something can be posted. */
    boolean isUsable() {
        return qp != null && !qpClosed && !closed;
    }

    /**
     * Sends a message, as a rule behind data that is written for it.
     *
     * @param wrong whether something between them has to fail
     */
    void send(boolean wrong) {
        ChaosEnd to = peer;
        if (!isUsable() || to == null || to.memory == null || !up && state() != Qp.State.READY_TO_SEND) {
            return;
        }
        boolean overtakes = !ledger.hasFailed() && nextMessage - to.ledger.received() >= ChaosMemory.SLOTS - 1;
        if (overtakes || ledger.requests() + MOST_REQUESTS > capabilities.sends()) {
            return;
        }
        int written = random.nextInt(3) == 0 ? 0 : size(1500, ChaosMemory.SLOT);
        int length = ChaosMemory.HEAD + size(200, ChaosMemory.SLOT - ChaosMemory.HEAD);
        MemorySegment bytes = ChaosMemory.message(run.arena(), serial, nextMessage, written, length);
        ArenaRegion source = Objects.requireNonNull(pd).registerArena(bytes, 0);
        WorkChain chain = new WorkChain();
        if (written > 0 || random.nextInt(4) == 0) {
            write(chain, to.memory, source, written);
        }
        if (wrong) {
            writeInVain(chain, to.memory, source);
        }
        boolean signalled = random.nextInt(3) != 0;
        chain.send(post(Operation.SEND, signalled, false), signalled)
                .gather(source.addressOf(written), length, source.localKey());
        nextMessage++;
        int taken = Objects.requireNonNull(qp).postSend(chain);
        if (taken != chain.size()) {
            violation("of " + chain.size() + " requests " + taken + " were taken, and there is room");
        }
    }

    /** Returns a length: a usual one, now and then any that is possible. */
    private int size(int usual, int most) {
        return random.nextInt(random.nextInt(4) == 0 ? most : usual);
    }

    private long post(Operation operation, boolean signalled, boolean wrong) {
        ledger.posted(new ChaosLedger.Request(++lastId, operation, signalled, wrong, nextMessage));
        return lastId;
    }

    private void write(WorkChain chain, ChaosMemory to, ArenaRegion source, int length) {
        boolean signalled = random.nextBoolean();
        chain.write(
                post(Operation.RDMA_WRITE, signalled, false),
                signalled,
                to.sinkAddress(nextMessage),
                to.sink().remoteKey());
        int cut = random.nextInt(length + 1);
        chain.gather(source.addressOf(0), cut, source.localKey())
                .gather(source.addressOf(cut), length - cut, source.localKey());
    }

    /** Memory that peers may not write to, an address behind the end, a wrong key, a wrong key of one's own. */
    private void writeInVain(WorkChain chain, ChaosMemory to, ArenaRegion source) {
        int kind = random.nextInt(4);
        ArenaRegion target = kind == 0 ? to.receives() : to.sink();
        long offset = kind == 1 ? (long) ChaosMemory.SLOTS * ChaosMemory.SLOT - 5 : 0;
        chain.write(
                        post(Operation.RDMA_WRITE, true, true),
                        true,
                        target.addressOf(offset),
                        kind == 2 ? target.remoteKey() ^ 1 + random.nextInt(255) : target.remoteKey())
                .gather(source.addressOf(0), 20, kind == 3 ? source.localKey() ^ 1 : source.localKey());
    }

    void disconnect() {
        if (!closed) {
            id.disconnect();
        }
    }

    void fail() {
        if (isUsable()) {
            Objects.requireNonNull(qp).modifyToError();
        }
    }

    /** Gives the end back, and its queues before or behind that, or later. */
    void close() {
        if (closed) {
            return;
        }
        if (qp != null && random.nextBoolean()) {
            qpClosed = true;
            qp.close();
            closeQueue(random.nextBoolean());
        }
        closed = true;
        qpClosed = true;
        id.close();
        closeQueue(random.nextBoolean());
    }

    private void closeQueue(boolean now) {
        if (now && cq != null && pd != null) {
            cq.close();
            pd.close();
        }
    }

    void closeAll() {
        close();
        closeQueue(true);
    }

    private Qp.State state() {
        return Objects.requireNonNull(qp).state();
    }

    /** Tells whether all completions of a queue that is large enough were seen. */
    private boolean heardAll() {
        return !qpClosed && !smallCq;
    }

    /** Nothing is under way any more: everybody knows how things are. */
    void checkEnd() {
        if (isUsable() && !smallCq) {
            Qp.State state = state();
            ledger.checkEnd(state);
            if (state == Qp.State.INIT && !over || state == Qp.State.READY_TO_SEND && !up) {
                violation("its queue pair is " + state + ", told of " + events);
            }
        }
        if (peer != null && peer.peer == this) {
            ledger.compare(peer.ledger, peer.heardAll());
        }
        if (memory != null && memory.isOverrun()) {
            violation("memory was written that nobody may write");
        }
    }

    @Override
    public String toString() {
        return "end " + serial + " at " + node;
    }
}
