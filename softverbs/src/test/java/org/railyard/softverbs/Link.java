package org.railyard.softverbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.Access;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.Completion;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Pd;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.WorkChain;
import org.railyard.verbs.WorkStatus;

/**
 * A connection from one machine to another over which numbered messages flow, as many as wanted; the receiver checks
 * their bytes.
 */
final class Link {
    private static final int SLOT = 256;
    private static final int SLOTS = 32;

    private final SoftNode from;
    private final SoftNode to;
    private final CmAddress address;
    private final long resolveNanos;
    private final List<CmEvent.Type> senderEvents = new ArrayList<>();
    private final List<CmEvent.Type> receiverEvents = new ArrayList<>();
    private final List<WorkStatus> failures = new ArrayList<>();
    private final End sender;
    private final EventLoop receiverLoop;
    private @Nullable End receiver;
    private int wanted;
    private int posted;
    private int sent;
    private int received;
    private int wrong;

    /** Queues, memory and loop of one side. */
    private final class End {
        private final EventLoop loop;
        private final Completion[] batch = Completion.batch(8);
        private final MemorySegment memory = Arena.ofAuto().allocate(SLOT * SLOTS);
        private final WorkChain chain = new WorkChain();
        private final boolean sends;
        private final CmId id;
        private @Nullable Qp qp;
        private @Nullable ArenaRegion region;

        End(EventLoop loop, CmId id, boolean sends) {
            this.loop = loop;
            this.id = id;
            this.sends = sends;
        }

        void prepare() {
            Pd pd = Objects.requireNonNull(id.device()).openPd();
            region = pd.registerArena(memory, Access.LOCAL_WRITE);
            Cq cq = Objects.requireNonNull(id.device()).createCq(2 * SLOTS, loop, this::onCompletions);
            qp = id.createQp(pd, cq, new QpCapabilities(SLOTS, SLOTS, 1));
            for (int slot = 0; slot < SLOTS && !sends; slot++) {
                receive(slot);
            }
            cq.arm();
        }

        private void receive(long slot) {
            ArenaRegion known = Objects.requireNonNull(region);
            Objects.requireNonNull(qp).postReceive(slot, known.addressOf(slot * SLOT), SLOT, known.localKey());
        }

        private void onCompletions(Cq cq) {
            cq.arm();
            for (int count = cq.poll(batch); count > 0; count = cq.poll(batch)) {
                for (int i = 0; i < count; i++) {
                    completed(batch[i]);
                }
            }
            pump();
        }

        private void completed(Completion completion) {
            if (!completion.isSuccess()) {
                failures.add(completion.status());
            } else if (sends) {
                sent++;
            } else {
                check(completion);
                receive(completion.id());
            }
        }

        private void check(Completion completion) {
            long at = completion.id() * SLOT;
            boolean right = completion.bytes() == SLOT && memory.get(ValueLayout.JAVA_LONG, at) == received;
            for (int i = 8; i < SLOT; i++) {
                right &= memory.get(ValueLayout.JAVA_BYTE, at + i) == (byte) (received + i);
            }
            wrong += right ? 0 : 1;
            received++;
        }

        private void pump() {
            ArenaRegion known = region;
            Qp queue = qp;
            if (known == null || queue == null) {
                return;
            }
            while (sends && posted < wanted && posted - sent < SLOTS && failures.isEmpty()) {
                long at = posted % SLOTS * (long) SLOT;
                memory.set(ValueLayout.JAVA_LONG, at, posted);
                for (int i = 8; i < SLOT; i++) {
                    memory.set(ValueLayout.JAVA_BYTE, at + i, (byte) (posted + i));
                }
                chain.clear();
                chain.send(posted, true).gather(known.addressOf(at), SLOT, known.localKey());
                if (queue.postSend(chain) == 0) {
                    return;
                }
                posted++;
            }
        }
    }

    /** Prepares a connection; {@link #open} asks for it. */
    Link(SoftNode from, SoftNode to, CmAddress address) {
        this(from, to, address, 1_000_000_000L);
    }

    /** Prepares a connection that takes so long at most to find its peer, ns. */
    Link(SoftNode from, SoftNode to, CmAddress address, long resolveNanos) {
        this.resolveNanos = resolveNanos;
        this.from = from;
        this.to = to;
        this.address = address;
        EventLoop loop = from.createEventLoop("sender");
        this.receiverLoop = to.createEventLoop("receiver");
        this.sender = new End(loop, from.createId(loop, this::onSender), true);
    }

    void open() {
        receiverLoop.execute(() -> {
            CmId listening = to.createId(receiverLoop, this::onReceiver);
            listening.bind(address, false);
            listening.listen();
        });
        sender.loop.execute(() -> sender.id.resolveAddress(address, resolveNanos));
    }

    private void onReceiver(CmId id, CmEvent event) {
        receiverEvents.add(event.type());
        CmId request = event.request();
        if (request != null) {
            End made = new End(receiverLoop, request, false);
            receiver = made;
            made.prepare();
            request.accept(ConnectParameters.DEFAULT, MemorySegment.NULL);
        }
    }

    private void onSender(CmId id, CmEvent event) {
        senderEvents.add(event.type());
        switch (event.type()) {
            case ADDRESS_RESOLVED -> id.resolveRoute(-1, 1_000_000_000L);
            case ROUTE_RESOLVED -> {
                sender.prepare();
                id.connect(ConnectParameters.DEFAULT, MemorySegment.NULL);
            }
            case ESTABLISHED -> sender.pump();
            default -> {
                // Noted above.
            }
        }
    }

    /** Lets more messages flow. */
    void want(int messages) {
        wanted += messages;
        sender.loop.execute(sender::pump);
    }

    boolean isUp() {
        return senderEvents.contains(CmEvent.Type.ESTABLISHED) && receiver != null;
    }

    CmId senderId() {
        return sender.id;
    }

    EventLoop senderLoop() {
        return sender.loop;
    }

    List<CmEvent.Type> senderEvents() {
        return senderEvents;
    }

    List<CmEvent.Type> receiverEvents() {
        return receiverEvents;
    }

    List<WorkStatus> failures() {
        return failures;
    }

    int sent() {
        return sent;
    }

    int received() {
        return received;
    }

    int wrong() {
        return wrong;
    }

    @Override
    public String toString() {
        return from + " to " + to + ": " + sent + " sent, " + received + " received, " + failures;
    }
}
