package org.railyard.lab.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.wire.Wire;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.net.BreakCause;
import org.railyard.lab.net.NetListener;
import org.railyard.lab.net.SimMachine;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.selftest.wire.Service;

/**
 * What happened in a run, in order. Keeps the last entries; with a reader, each becomes a line of text at once. Equal
 * runs have equal journals, byte for byte. Belongs to the thread of its run.
 */
public final class Journal implements LndWatch, CallWatch, NetListener {
    /** Entries that are kept. */
    public static final int KEPT = 64;

    private static final int NOBODY = -1;

    /** Stands where a line is about no single node. */
    public static final String NO_NAME = "-";

    private static final MessageType[] TYPES = MessageType.values();
    private static final HealthStatus[] HEALTH = HealthStatus.values();
    private static final EventKind[] EVENTS = EventKind.values();

    /** One entry; used again. */
    private static final class Entry {
        long time;
        int node = NOBODY;
        JournalKind kind = JournalKind.START;

        @Nullable
        Object a;

        @Nullable
        Object b;

        long id;
        long x;
        long y;
    }

    /**
     * A line for a reader, with what it can be selected by.
     *
     * @param time virtual time, ns
     * @param node name of the node
     * @param kind of what happened
     * @param what it was
     */
    public record Line(long time, String node, JournalKind kind, String what) {
        /** Returns it with all its columns. */
        public String text() {
            return String.format(
                    Locale.ROOT,
                    "%14.6f %-12s %-8s %s",
                    time / 1e6,
                    node,
                    kind.name().toLowerCase(Locale.ROOT),
                    what);
        }

        /** Tells whether it is about a node; those about no single node are about all. */
        public boolean isAbout(String name) {
            return node.equals(NO_NAME) || node.equals(name);
        }
    }

    private final EventQueue queue;
    private final List<SimMachine> machines;
    private final @Nullable Consumer<Line> reader;
    private final Entry[] ring = new Entry[KEPT];
    private long count;
    private long fingerprint;

    /**
     * Makes an empty journal.
     *
     * @param queue tells the time
     * @param machines the machines by number; may grow
     * @param reader gets every line, null for none
     */
    public Journal(EventQueue queue, List<SimMachine> machines, @Nullable Consumer<Line> reader) {
        this.queue = queue;
        this.machines = machines;
        this.reader = reader;
        for (int i = 0; i < KEPT; i++) {
            ring[i] = new Entry();
        }
    }

    /** Returns a number that is the same for equal journals, and hardly ever for others. */
    public long fingerprint() {
        return fingerprint;
    }

    /** Returns the last entries, oldest first. */
    public List<String> last() {
        List<String> lines = new ArrayList<>();
        for (long i = Math.max(0, count - KEPT); i < count; i++) {
            lines.add(line(ring[(int) (i % KEPT)]).text());
        }
        return lines;
    }

    /** Writes down what a person should read. */
    public void note(@Nullable SimMachine machine, JournalKind kind, String text) {
        record(machine == null ? NOBODY : machine.number(), kind, text, null, 0, text.hashCode(), 0);
    }

    private void record(int node, JournalKind kind, @Nullable Object a, @Nullable Object b, long id, long x, long y) {
        Entry entry = ring[(int) (count++ % KEPT)];
        entry.time = queue.now();
        entry.node = node;
        entry.kind = kind;
        entry.a = a;
        entry.b = b;
        entry.id = id;
        entry.x = x;
        entry.y = y;
        long mixed = fingerprint * 31 + entry.time;
        mixed = mixed * 31 + node * 64L + kind.ordinal();
        mixed = mixed * 31 + id;
        mixed = mixed * 31 + x;
        mixed = mixed * 31 + y;
        fingerprint = mixed ^ mixed >>> 29;
        if (reader != null) {
            reader.accept(line(entry));
        }
    }

    private Line line(Entry entry) {
        return new Line(entry.time, name(entry.node), entry.kind, what(entry));
    }

    private static String what(Entry entry) {
        StringBuilder out = new StringBuilder(64);
        switch (entry.kind) {
            case START, END, FAULT, REPAIR, FABRIC, HEALTH, SELFTEST, VIOLATION -> out.append(entry.a);
            case DEVICE, CONNECT, LOST, REPEAT, BREAK ->
                out.append(entry.a).append(" -> ").append(entry.b);
            case SEND, ARRIVE ->
                message(out, entry).append(' ').append(entry.a).append(" -> ").append(entry.b);
            case REFUSE, UNWANTED -> message(out, entry).append(": ").append(Errno.describe((int) entry.y));
            case DONE -> message(out, entry).append(": ").append(result(entry));
            case CALL ->
                out.append(entry.a)
                        .append(" #")
                        .append(entry.id)
                        .append(" of ")
                        .append(entry.x)
                        .append(" bytes to ")
                        .append(entry.b);
            case EVENT -> event(out, entry);
            case OUTCOME ->
                out.append('#')
                        .append(entry.id)
                        .append(' ')
                        .append(entry.a)
                        .append(" after ")
                        .append(entry.y / 1000)
                        .append(" us");
        }
        if (entry.kind == JournalKind.BREAK) {
            out.append(": ").append(BreakCause.values()[(int) entry.x]);
        }
        return out.toString();
    }

    private String name(int node) {
        return node == NOBODY ? NO_NAME : machines.get(node).name();
    }

    private static StringBuilder message(StringBuilder out, Entry entry) {
        out.append(TYPES[(int) (entry.x >>> 32)]);
        if (entry.id != 0) {
            out.append(entry.id < 0 ? " (ping or push)" : " #" + entry.id);
        }
        return out.append(' ').append((int) entry.x).append(" bytes");
    }

    private static String result(Entry entry) {
        int status = (int) (entry.y >> 8);
        return status == 0 ? "ok" : Errno.describe(status) + ", " + HEALTH[(int) (entry.y & 0xff)];
    }

    private static void event(StringBuilder out, Entry entry) {
        out.append(EVENTS[(int) (entry.x >>> 1)])
                .append(" #")
                .append(entry.id)
                .append(": ")
                .append(Errno.describe((int) entry.y));
        if ((entry.x & 1) != 0) {
            out.append(", unlinked");
        }
    }

    private static long shape(LNetHeader header) {
        return (long) header.type().ordinal() << 32 | header.payloadLength();
    }

    /**
     * Returns the number of the call that a message belongs to; 0 for a REPLY, and for selftest; below 0 for LNet's
     * own.
     */
    static long idOf(LNetHeader header) {
        return switch (header.type()) {
            case PUT, GET ->
                header.portal() == Wire.RESERVED_PORTAL
                        ? NOBODY
                        : Service.isOfSelftest(header.portal()) ? 0 : header.matchBits();
            case ACK -> header.matchBits();
            case REPLY, HELLO -> 0;
        };
    }

    @Override
    public void sending(NodeRun life, LndNi ni, LndMessage message) {
        LNetHeader header = message.header();
        record(
                life.machine().number(),
                JournalKind.SEND,
                header.srcNid(),
                message.nextHop(),
                idOf(header),
                shape(header),
                0);
    }

    @Override
    public void refused(NodeRun life, LndNi ni, LndMessage message, int status) {
        LNetHeader header = message.header();
        record(life.machine().number(), JournalKind.REFUSE, null, null, idOf(header), shape(header), status);
    }

    @Override
    public void completing(NodeRun life, LndMessage message, int status, HealthStatus health) {
        LNetHeader header = message.header();
        record(
                life.machine().number(),
                JournalKind.DONE,
                null,
                null,
                idOf(header),
                shape(header),
                (long) status << 8 | health.ordinal());
    }

    @Override
    public void arriving(NodeRun life, LndNi ni, LNetHeader header, Nid from) {
        record(life.machine().number(), JournalKind.ARRIVE, from, header.destNid(), idOf(header), shape(header), 0);
    }

    @Override
    public void unwanted(NodeRun life, LndNi ni, LNetHeader header, int status) {
        record(life.machine().number(), JournalKind.UNWANTED, null, null, idOf(header), shape(header), status);
    }

    @Override
    public void device(NodeRun life, LndNi ni, DeviceEvent event) {
        record(life.machine().number(), JournalKind.DEVICE, ni.nid(), event, 0, event.ordinal(), 0);
    }

    @Override
    public void opened(Call call) {
        record(
                call.life().machine().number(),
                JournalKind.CALL,
                call.kind().text(),
                call.target(),
                call.id(),
                call.size(),
                0);
    }

    @Override
    public void event(Call call, Event event) {
        record(
                call.life().machine().number(),
                JournalKind.EVENT,
                null,
                null,
                call.id(),
                (long) event.kind().ordinal() << 1 | (event.unlinked() ? 1 : 0),
                event.status());
    }

    @Override
    public void atTarget(NodeRun life, Event event) {
        long id = event.kind() == EventKind.PUT || event.kind() == EventKind.GET ? event.matchBits() : 0;
        record(
                life.machine().number(),
                JournalKind.EVENT,
                null,
                null,
                id,
                (long) event.kind().ordinal() << 1 | (event.unlinked() ? 1 : 0),
                event.status());
    }

    @Override
    public void closed(Call call, Outcome outcome) {
        record(
                call.life().machine().number(),
                JournalKind.OUTCOME,
                outcome,
                null,
                call.id(),
                outcome.ordinal(),
                queue.now() - call.start());
    }

    @Override
    public void connected(SimMachine machine, Nid from, Nid to) {
        record(machine.number(), JournalKind.CONNECT, from, to, 0, 0, 0);
    }

    @Override
    public void broken(SimMachine machine, Nid from, Nid to, BreakCause cause) {
        record(machine.number(), JournalKind.BREAK, from, to, 0, cause.ordinal(), 0);
    }

    @Override
    public void lost(Nid from, Nid to) {
        record(NOBODY, JournalKind.LOST, from, to, 0, 0, 0);
    }

    @Override
    public void duplicate(Nid from, Nid to) {
        record(NOBODY, JournalKind.REPEAT, from, to, 0, 0, 0);
    }
}
