package org.railyard.o2iblnd;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.WireFormatException;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.softverbs.SoftNode;
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

/** A peer that sends what it is told to send, byte for byte, and keeps what it gets. */
final class RawPeer {
    private static final int RECEIVES = 20;
    private static final long SINK = (RECEIVES + 1L) * Kib.MESSAGE_BYTES;

    private final SoftNode node;
    private final EventLoop loop;
    private final List<CmEvent> events = new ArrayList<>();
    private final List<KibMessage> received = new ArrayList<>();
    private final Completion[] batch = Completion.batch(4);
    private final MemorySegment memory = Arena.ofAuto().allocate(SINK + (1 << 20));
    private final WorkChain chain = new WorkChain();
    private final long nid4;
    private final long stamp;
    private MemorySegment request = MemorySegment.NULL;
    private @Nullable CmId id;
    private @Nullable Qp qp;
    private @Nullable ArenaRegion region;
    private @Nullable RuntimeException failure;

    RawPeer(SoftNode node, long nid4, long stamp) {
        this.node = node;
        this.nid4 = nid4;
        this.stamp = stamp;
        this.loop = node.createEventLoop("raw");
    }

    /** Returns a message from this peer. */
    KibMessage message(long toNid4, long toStamp) {
        KibMessage message = new KibMessage();
        message.header().setSource(nid4, stamp);
        message.header().setDestination(toNid4, toStamp);
        return message;
    }

    /** Returns a request as it should be. */
    KibMessage request(long toNid4, long toStamp, int depth, int fragments) {
        KibMessage message = message(toNid4, toStamp);
        message.setConnection(Kib.V2, KibType.CONNREQ, ConnectionParameters.of(depth, fragments));
        return message;
    }

    static MemorySegment bytes(KibMessage message) {
        MemorySegment bytes =
                Arena.ofAuto().allocate(Math.max(56, message.header().bytes()));
        message.write(bytes, 0);
        return bytes;
    }

    /** Asks for a connection with this private data. */
    void connect(CmAddress from, CmAddress to, MemorySegment privateData) {
        events.clear();
        received.clear();
        request = privateData;
        loop.execute(() -> {
            CmId made = node.createId(loop, this::onCmEvent);
            id = made;
            made.bind(from, true);
            made.resolveAddress(to, 1_000_000_000L);
        });
    }

    /** Gives up the connection that it asked for last. */
    void giveUp() {
        loop.execute(() -> Objects.requireNonNull(id).close());
    }

    private void onCmEvent(CmId which, CmEvent event) {
        events.add(event);
        switch (event.type()) {
            case ADDRESS_RESOLVED -> which.resolveRoute(-1, 1_000_000_000L);
            case ROUTE_RESOLVED -> {
                Pd pd = Objects.requireNonNull(which.device()).openPd();
                ArenaRegion made = pd.registerArena(memory, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
                region = made;
                Cq cq = Objects.requireNonNull(which.device()).createCq(200, loop, this::onCompletions);
                Qp queue = which.createQp(pd, cq, new QpCapabilities(50, RECEIVES, 2));
                qp = queue;
                for (int slot = 0; slot < RECEIVES; slot++) {
                    queue.postReceive(
                            slot, made.addressOf((long) slot * Kib.MESSAGE_BYTES), Kib.MESSAGE_BYTES, made.localKey());
                }
                cq.arm();
                which.connect(ConnectParameters.DEFAULT, request);
            }
            default -> {
                // Kept above.
            }
        }
    }

    private void onCompletions(Cq cq) {
        cq.arm();
        for (int count = cq.poll(batch); count > 0; count = cq.poll(batch)) {
            for (int i = 0; i < count; i++) {
                if (batch[i].isSuccess() && batch[i].operation() == Completion.Operation.RECEIVE) {
                    keep((int) batch[i].id(), batch[i].bytes());
                }
            }
        }
    }

    private void keep(int slot, int bytes) {
        KibMessage message = new KibMessage();
        try {
            message.read(memory, (long) slot * Kib.MESSAGE_BYTES, bytes);
        } catch (WireFormatException e) {
            failure = new IllegalStateException(e);
            return;
        }
        received.add(message);
        ArenaRegion known = Objects.requireNonNull(region);
        Objects.requireNonNull(qp)
                .postReceive(
                        slot, known.addressOf((long) slot * Kib.MESSAGE_BYTES), Kib.MESSAGE_BYTES, known.localKey());
    }

    /** Sends bytes as a message. */
    void send(MemorySegment bytes, long length) {
        loop.execute(() -> {
            long at = (long) RECEIVES * Kib.MESSAGE_BYTES;
            MemorySegment.copy(bytes, 0, memory, at, length);
            ArenaRegion known = Objects.requireNonNull(region);
            chain.clear();
            chain.send(100, true).gather(known.addressOf(at), (int) length, known.localKey());
            Objects.requireNonNull(qp).postSend(chain);
        });
    }

    void send(KibMessage message) {
        send(bytes(message), message.header().bytes());
    }

    /** Writes bytes, by their numbers, to memory of the other side. */
    void write(int key, long address, IntFunction<Byte> bytes, int length) {
        loop.execute(() -> {
            for (int i = 0; i < length; i++) {
                memory.set(ValueLayout.JAVA_BYTE, SINK + i, bytes.apply(i));
            }
            ArenaRegion known = Objects.requireNonNull(region);
            chain.clear();
            chain.write(101, true, address, key).gather(known.addressOf(SINK), length, known.localKey());
            Objects.requireNonNull(qp).postSend(chain);
        });
    }

    boolean had(CmEvent.Type type) {
        return events.stream().anyMatch(event -> event.type() == type);
    }

    CmEvent last() {
        return events.getLast();
    }

    List<KibMessage> received() {
        if (failure != null) {
            throw failure;
        }
        return received;
    }

    /** Returns the key of the memory that others may write to. */
    int sinkKey() {
        return Objects.requireNonNull(region).remoteKey();
    }

    long sinkAddress(long offset) {
        return Objects.requireNonNull(region).addressOf(SINK + offset);
    }

    byte sinkByte(long offset) {
        return memory.get(ValueLayout.JAVA_BYTE, SINK + offset);
    }
}
