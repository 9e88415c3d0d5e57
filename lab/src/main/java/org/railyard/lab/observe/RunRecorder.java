package org.railyard.lab.observe;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/**
 * Keeps a run for a picture: messages with both their ends, calls with their outcomes, and what else the journal says.
 * Of each there is a most, and the oldest go first; some time after the first violation messages and calls are no
 * longer kept, so that what led to it stays. Belongs to the thread of its run, and afterwards to whoever has it.
 */
public final class RunRecorder implements LndWatch, CallWatch, Consumer<Journal.Line> {
    /** Most messages. */
    public static final int MAX_MESSAGES = 200_000;

    /** Most calls. */
    public static final int MAX_CALLS = 100_000;

    /** Most other lines, and as many of those about nodes and faults. */
    public static final int MAX_LINES = 10_000;

    /** What is kept of a run in any case, as long as there is room: the first of it. */
    private static final Set<JournalKind> STEPS = EnumSet.of(
            JournalKind.START, JournalKind.END, JournalKind.FAULT, JournalKind.REPAIR, JournalKind.VIOLATION);

    /** What is kept as it comes: the last of it. */
    private static final Set<JournalKind> TOLD = EnumSet.of(
            JournalKind.FABRIC,
            JournalKind.DEVICE,
            JournalKind.BREAK,
            JournalKind.LOST,
            JournalKind.UNWANTED,
            JournalKind.SELFTEST);

    /**
     * A call.
     *
     * @param id its number in the run
     * @param start when it began, ns of virtual time
     * @param from number of the machine that asks
     * @param kind what
     * @param target of whom
     * @param bytes how much
     * @param outcome null if there is none yet
     * @param end when it came, ns of virtual time
     */
    public record Recorded(
            long id,
            long start,
            int from,
            CallKind kind,
            Nid target,
            int bytes,
            @Nullable Outcome outcome,
            long end) {
        private static Recorded of(Call call, @Nullable Outcome outcome, long end) {
            return new Recorded(
                    call.id(),
                    call.start(),
                    call.life().machine().number(),
                    call.kind(),
                    call.target(),
                    call.size(),
                    outcome,
                    end);
        }
    }

    /** What an arriving header tells of the message that it belongs to. */
    private record Key(Nid by, Nid to, MessageType type, long id, long object, int bytes) {}

    private final Deque<Passage> messages = new ArrayDeque<>();
    private final Deque<Long> calls = new ArrayDeque<>();
    private final Map<Long, Recorded> recorded = new HashMap<>();
    private final List<Journal.Line> steps = new ArrayList<>();
    private final Deque<Journal.Line> told = new ArrayDeque<>();
    private final IdentityHashMap<LndMessage, Passage> lent = new IdentityHashMap<>();
    private final Map<Key, Deque<Passage>> awaited = new HashMap<>();
    private final IdentityHashMap<LndMessage, Key> expected = new IdentityHashMap<>();
    private final IdentityHashMap<Passage, Key> keys = new IdentityHashMap<>();
    private final Map<Nid, Integer> owners = new HashMap<>();
    private final Map<List<Object>, Integer> attempts = new HashMap<>();
    private LongSupplier clock = () -> 0;
    private long skippedMessages;
    private long skippedCalls;
    private long skippedLines;
    private int left = MAX_MESSAGES / 2;
    private boolean violated;

    /** Makes an empty one. */
    public RunRecorder() {}

    /** Says what tells the virtual time, ns. */
    public void setClock(LongSupplier given) {
        clock = given;
    }

    /** Returns the messages, by the time they were sent. */
    public List<Passage> messages() {
        return List.copyOf(messages);
    }

    /** Returns the calls, by the time they began. */
    public List<Recorded> calls() {
        return calls.stream().map(recorded::get).toList();
    }

    /** Returns what else happened, by time. */
    public List<Journal.Line> lines() {
        List<Journal.Line> all = new ArrayList<>(steps);
        all.addAll(told);
        all.sort((a, b) -> Long.compare(a.time(), b.time()));
        return all;
    }

    /** Returns the number of the machine that has a NID, {@link Passage#NOBODY} if none was seen. */
    public int ownerOf(Nid nid) {
        return owners.getOrDefault(nid, Passage.NOBODY);
    }

    /** Returns how many messages, calls and other lines there were for which there was no room. */
    public List<Long> skipped() {
        return List.of(skippedMessages, skippedCalls, skippedLines);
    }

    @Override
    public void accept(Journal.Line line) {
        violated |= line.kind() == JournalKind.VIOLATION;
        if (STEPS.contains(line.kind())) {
            if (steps.size() < MAX_LINES) {
                steps.add(line);
            } else {
                skippedLines++;
            }
        } else if (TOLD.contains(line.kind())) {
            if (told.size() == MAX_LINES) {
                told.removeFirst();
                skippedLines++;
            }
            told.addLast(line);
        }
    }

    private boolean isOver() {
        return violated && left-- <= 0;
    }

    private static Key key(Nid by, Nid to, LNetHeader header) {
        // A peer may write less of a REPLY than was made room for.
        int bytes = header.type() == MessageType.REPLY ? 0 : header.payloadLength();
        return new Key(by, to, header.type(), Journal.idOf(header), header.objectCookie(), bytes);
    }

    @Override
    public void sending(NodeRun life, LndNi ni, LndMessage message) {
        int machine = life.machine().number();
        owners.put(ni.nid(), machine);
        if (isOver()) {
            skippedMessages++;
            return;
        }
        LNetHeader header = message.header();
        long id = Journal.idOf(header);
        int attempt = id <= 0 ? 1 : attempts.merge(List.of(machine, header.type(), id), 1, Integer::sum);
        Passage passage = new Passage(
                clock.getAsLong(),
                machine,
                ni.nid(),
                message.nextHop(),
                header.type(),
                id,
                header.payloadLength(),
                attempt);
        if (messages.size() == MAX_MESSAGES) {
            forget(messages.removeFirst());
            skippedMessages++;
        }
        messages.addLast(passage);
        lent.put(message, passage);
        Key key = key(ni.nid(), message.nextHop(), header);
        keys.put(passage, key);
        awaited.computeIfAbsent(key, _ -> new ArrayDeque<>()).addLast(passage);
    }

    /** An arrival of it is of no more interest. */
    private void forget(Passage passage) {
        Key key = keys.remove(passage);
        Deque<Passage> same = key == null ? null : awaited.get(key);
        if (same != null) {
            same.remove(passage);
            if (same.isEmpty()) {
                awaited.remove(key);
            }
        }
        Long id = passage.id();
        if (id > 0) {
            attempts.remove(List.of(passage.from(), passage.type(), id));
        }
    }

    @Override
    public void refused(NodeRun life, LndNi ni, LndMessage message, int status) {
        Passage passage = lent.remove(message);
        if (passage != null) {
            passage.refused(clock.getAsLong(), status);
        }
    }

    @Override
    public void completing(NodeRun life, LndMessage message, int status, HealthStatus health) {
        Passage passage = lent.remove(message);
        if (passage != null) {
            passage.returned(clock.getAsLong(), status, health);
        }
        Key reply = expected.remove(message);
        if (reply != null && status == 0) {
            arrived(reply, life.machine().number());
        }
    }

    @Override
    public void expecting(NodeRun life, LndNi ni, LndMessage reply) {
        if (expected.size() < MAX_CALLS) {
            expected.put(reply, key(reply.header().srcNid(), ni.nid(), reply.header()));
        }
    }

    @Override
    public void arriving(NodeRun life, LndNi ni, LNetHeader header, Nid from) {
        int machine = life.machine().number();
        owners.put(ni.nid(), machine);
        arrived(key(from, ni.nid(), header), machine);
    }

    private void arrived(Key key, int machine) {
        Deque<Passage> same = awaited.get(key);
        if (same == null) {
            return;
        }
        Passage passage = same.stream()
                .filter(each -> each.how() == Passage.End.UNDER_WAY)
                .findFirst()
                .orElseGet(same::getFirst);
        passage.arrived(clock.getAsLong(), machine);
        same.remove(passage);
        keys.remove(passage);
        if (same.isEmpty()) {
            awaited.remove(key);
        }
    }

    @Override
    public void opened(Call call) {
        if (isOver()) {
            skippedCalls++;
            return;
        }
        if (calls.size() == MAX_CALLS) {
            recorded.remove(calls.removeFirst());
            skippedCalls++;
        }
        calls.addLast(call.id());
        recorded.put(call.id(), Recorded.of(call, null, -1));
    }

    @Override
    public void closed(Call call, Outcome outcome) {
        recorded.computeIfPresent(call.id(), (_, _) -> Recorded.of(call, outcome, clock.getAsLong()));
    }
}
