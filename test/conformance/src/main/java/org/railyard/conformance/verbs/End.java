package org.railyard.conformance.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.Access;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.Completion;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.Pd;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsProvider;
import org.railyard.verbs.WorkChain;
import org.railyard.verbs.WorkStatus;

/**
 * One end of a connection with its queues and memory: what is sent lies from {@link #SOURCE} on, receives from {@link
 * #RECEIVES} on, what peers write from {@link #SINK} on.
 */
final class End {
    /** Size of a receive, bytes. */
    static final int SLOT = 4096;

    static final int RECEIVES = 0;
    static final int SOURCE = 64 * SLOT;
    static final int SINK = SOURCE + (1 << 20);
    static final int MEMORY = SINK + (1 << 20);

    /** Ids of receives. */
    static final long RECEIVE_ID = 1000;

    /** A completion that came. */
    record Done(long id, WorkStatus status, Completion.Operation operation, int bytes) {}

    private final Party party;
    private final CmId id;
    private final @Nullable CmEvent request;
    private final List<CmEvent> events = new CopyOnWriteArrayList<>();
    private final List<Done> completions = new CopyOnWriteArrayList<>();
    private final Completion[] batch = Completion.batch(4);
    private final MemorySegment memory = Arena.ofAuto().allocate(MEMORY, 4096);
    private final WorkChain chain = new WorkChain();
    private @Nullable Pd pd;
    private @Nullable Cq cq;
    private @Nullable Qp qp;
    private @Nullable ArenaRegion region;
    private int notices;

    End(Party party, VerbsProvider provider) {
        this.party = party;
        this.request = null;
        this.id = provider.createId(party.loop(), this::onCmEvent);
    }

    End(Party party, CmId id, CmEvent request) {
        this.party = party;
        this.request = request;
        this.id = id;
    }

    Party party() {
        return party;
    }

    CmId id() {
        return id;
    }

    boolean is(CmId other) {
        return id == other;
    }

    CmEvent request() {
        return Objects.requireNonNull(request, "not made by a request");
    }

    Qp qp() {
        return Objects.requireNonNull(qp, "not prepared");
    }

    Pd pd() {
        return Objects.requireNonNull(pd, "not prepared");
    }

    Cq cq() {
        return Objects.requireNonNull(cq, "not prepared");
    }

    ArenaRegion region() {
        return Objects.requireNonNull(region, "not prepared");
    }

    MemorySegment memory() {
        return memory;
    }

    int notices() {
        return notices;
    }

    void onCmEvent(CmId which, CmEvent event) {
        party.noteCallback("connection event");
        events.add(event);
    }

    boolean had(CmEvent.Type type) {
        return events.stream().anyMatch(event -> event.type() == type);
    }

    List<CmEvent> events() {
        return events;
    }

    CmEvent awaitEvent(CmEvent.Type type) {
        if (!party.fixture().await(() -> had(type))) {
            throw new AssertionError("no " + type + ", but " + events);
        }
        return events.stream().filter(event -> event.type() == type).findFirst().orElseThrow();
    }

    void prepare(QpCapabilities capabilities) {
        prepare(capabilities, capabilities.sends() + capabilities.receives());
    }

    void prepare(QpCapabilities capabilities, int entries) {
        party.run(() -> {
            pd = Objects.requireNonNull(id.device()).openPd();
            region = pd().registerArena(memory, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            cq = Objects.requireNonNull(id.device()).createCq(entries, party.loop(), this::onCompletions);
            qp = id.createQp(pd(), cq(), capabilities);
            cq().arm();
        });
    }

    private void onCompletions(Cq from) {
        party.noteCallback("completion notice");
        notices++;
        drain();
        from.arm();
        drain();
    }

    private void drain() {
        while (true) {
            int count = cq().poll(batch);
            if (count == 0) {
                return;
            }
            for (int i = 0; i < count; i++) {
                completions.add(new Done(batch[i].id(), batch[i].status(), batch[i].operation(), batch[i].bytes()));
            }
        }
    }

    List<Done> completions() {
        return completions;
    }

    List<Done> receives() {
        return completions.stream().filter(done -> done.id() >= RECEIVE_ID).toList();
    }

    List<Done> sends() {
        return completions.stream().filter(done -> done.id() < RECEIVE_ID).toList();
    }

    void connect(ConnectParameters parameters, MemorySegment data) {
        party.run(() -> id.connect(parameters, data));
    }

    void accept(ConnectParameters parameters, MemorySegment data) {
        party.run(() -> id.accept(parameters, data));
    }

    void postReceives(int count) {
        party.run(() -> {
            for (int i = 0; i < count; i++) {
                postReceive(i, SLOT);
            }
        });
    }

    /** Posts a receive into a slot; to be called in the loop. */
    boolean postReceive(int slot, int length) {
        return qp().postReceive(
                        RECEIVE_ID + slot,
                        region().addressOf(RECEIVES + (long) slot * SLOT),
                        length,
                        region().localKey());
    }

    /** Posts what somebody puts into a chain; returns how many requests were taken. */
    int post(Consumer<WorkChain> fill) {
        return party.call(() -> {
            chain.clear();
            fill.accept(chain);
            return qp().postSend(chain);
        });
    }

    /** Sends bytes from an offset of the memory. */
    int send(long workId, int offset, int length) {
        return post(work -> work.send(workId, true).gather(region().addressOf(offset), length, region().localKey()));
    }

    void fill(int offset, int length, int number) {
        for (int i = 0; i < length; i++) {
            memory.set(ValueLayout.JAVA_BYTE, offset + i, byteOf(number, i));
        }
    }

    /** Tells where bytes differ from those that belong to a number; −1 if nowhere. */
    int differs(int offset, int length, int number) {
        for (int i = 0; i < length; i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, offset + i) != byteOf(number, i)) {
                return i;
            }
        }
        return -1;
    }

    static byte byteOf(int number, int i) {
        return (byte) (number * 31 + i * 7 + (i >> 8));
    }
}
