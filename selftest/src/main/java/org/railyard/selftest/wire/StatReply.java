package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE32;
import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Statistics;

/**
 * The reply to STAT: what a node has counted (spec 03 §2). Figures of 32 bits wrap around.
 *
 * @param status 0, or a positive errno
 * @param session the session of the node
 * @param framework of the session
 * @param rpc of the calls
 * @param lnet of the node as a whole
 */
public record StatReply(int status, SessionId session, Framework framework, Rpc rpc, Lnet lnet) implements Reply {
    /**
     * Figures of the session.
     *
     * @param runningMillis time since it began, ms
     * @param activeBatches batches that run
     * @param zombieSessions sessions that are over and not gone yet
     * @param brwErrors failed calls of the bulk test
     * @param pingErrors failed calls of the ping test
     */
    public record Framework(int runningMillis, int activeBatches, int zombieSessions, int brwErrors, int pingErrors) {}

    /**
     * Figures of calls.
     *
     * @param errors calls that failed
     * @param sent requests sent
     * @param received requests received
     * @param dropped requests that were none
     * @param expired calls that were not answered in time
     * @param bulkGet bytes fetched
     * @param bulkPut bytes sent
     */
    public record Rpc(int errors, int sent, int received, int dropped, int expired, long bulkGet, long bulkPut) {}

    /**
     * Figures of LNet.
     *
     * @param messages messages under way
     * @param maxMessages most that ever were
     * @param errors messages that break the protocol
     * @param sendCount messages sent
     * @param receiveCount messages received
     * @param routeCount messages forwarded
     * @param dropCount messages dropped
     * @param sendLength payload sent, bytes
     * @param receiveLength payload received, bytes
     * @param routeLength payload forwarded, bytes
     * @param dropLength payload dropped, bytes
     */
    public record Lnet(
            int messages,
            int maxMessages,
            int errors,
            int sendCount,
            int receiveCount,
            int routeCount,
            int dropCount,
            long sendLength,
            long receiveLength,
            long routeLength,
            long dropLength) {
        /** Returns what a node has counted. */
        public static Lnet of(Statistics counted) {
            return new Lnet(
                    (int) counted.get(Statistic.MSGS_ALLOC),
                    (int) counted.get(Statistic.MSGS_MAX),
                    (int) counted.get(Statistic.ERRORS),
                    (int) counted.get(Statistic.SEND_COUNT),
                    (int) counted.get(Statistic.RECV_COUNT),
                    (int) counted.get(Statistic.ROUTE_COUNT),
                    (int) counted.get(Statistic.DROP_COUNT),
                    counted.get(Statistic.SEND_LENGTH),
                    counted.get(Statistic.RECV_LENGTH),
                    counted.get(Statistic.ROUTE_LENGTH),
                    counted.get(Statistic.DROP_LENGTH));
        }
    }

    /** The figures of 32 bits behind the session. */
    private static final String[] FRAMEWORK = {
        "running_ms", "active_batches", "zombie_sessions", "brw_errors", "ping_errors"
    };

    private static final String[] RPC = {"rpc_errors", "rpc_sent", "rpc_rcvd", "rpc_dropped", "rpc_expired"};
    private static final String[] BULK = {"bulk_get", "bulk_put"};
    private static final String[] COUNTS = {
        "msgs_alloc", "msgs_max", "errors", "send_count", "recv_count", "route_count", "drop_count"
    };
    private static final String[] LENGTHS = {"send_length", "recv_length", "route_length", "drop_length"};

    static final StructLayout LAYOUT = layout();

    private static final VarHandle STATUS = Wire.field(LAYOUT, "status");
    private static final long SESSION = Wire.offsetOf(LAYOUT, "sid");
    private static final long FRAMEWORK_AT = Wire.offsetOf(LAYOUT, FRAMEWORK[0]);
    private static final long RPC_AT = Wire.offsetOf(LAYOUT, RPC[0]);
    private static final long BULK_AT = Wire.offsetOf(LAYOUT, BULK[0]);
    private static final long COUNTS_AT = Wire.offsetOf(LAYOUT, COUNTS[0]);
    private static final long LENGTHS_AT = Wire.offsetOf(LAYOUT, LENGTHS[0]);

    private static StructLayout layout() {
        List<MemoryLayout> fields = new ArrayList<>();
        fields.add(LE32.withName("status"));
        fields.add(SessionId.LAYOUT.withName("sid"));
        for (String name : FRAMEWORK) {
            fields.add(LE32.withName(name));
        }
        for (String name : RPC) {
            fields.add(LE32.withName(name));
        }
        for (String name : BULK) {
            fields.add(LE64.withName(name));
        }
        for (String name : COUNTS) {
            fields.add(LE32.withName(name));
        }
        for (String name : LENGTHS) {
            fields.add(LE64.withName(name));
        }
        return MemoryLayout.structLayout(fields.toArray(MemoryLayout[]::new));
    }

    private static int word(MemorySegment from, long at, int index) {
        return from.get(LE32, at + (long) index * Integer.BYTES);
    }

    private static long size(MemorySegment from, long at, int index) {
        return from.get(LE64, at + (long) index * Long.BYTES);
    }

    static StatReply read(MemorySegment from, long at) {
        long fw = at + FRAMEWORK_AT;
        long rpc = at + RPC_AT;
        long bulk = at + BULK_AT;
        long counts = at + COUNTS_AT;
        long lengths = at + LENGTHS_AT;
        return new StatReply(
                (int) STATUS.get(from, at),
                SessionId.read(from, at + SESSION),
                new Framework(
                        word(from, fw, 0), word(from, fw, 1), word(from, fw, 2), word(from, fw, 3), word(from, fw, 4)),
                new Rpc(
                        word(from, rpc, 0),
                        word(from, rpc, 1),
                        word(from, rpc, 2),
                        word(from, rpc, 3),
                        word(from, rpc, 4),
                        size(from, bulk, 0),
                        size(from, bulk, 1)),
                new Lnet(
                        word(from, counts, 0),
                        word(from, counts, 1),
                        word(from, counts, 2),
                        word(from, counts, 3),
                        word(from, counts, 4),
                        word(from, counts, 5),
                        word(from, counts, 6),
                        size(from, lengths, 0),
                        size(from, lengths, 1),
                        size(from, lengths, 2),
                        size(from, lengths, 3)));
    }

    private static void words(MemorySegment to, long at, int... values) {
        for (int i = 0; i < values.length; i++) {
            to.set(LE32, at + (long) i * Integer.BYTES, values[i]);
        }
    }

    private static void sizes(MemorySegment to, long at, long... values) {
        for (int i = 0; i < values.length; i++) {
            to.set(LE64, at + (long) i * Long.BYTES, values[i]);
        }
    }

    @Override
    public void write(MemorySegment to, long at) {
        STATUS.set(to, at, status);
        session.write(to, at + SESSION);
        words(
                to,
                at + FRAMEWORK_AT,
                framework.runningMillis,
                framework.activeBatches,
                framework.zombieSessions,
                framework.brwErrors,
                framework.pingErrors);
        words(to, at + RPC_AT, rpc.errors, rpc.sent, rpc.received, rpc.dropped, rpc.expired);
        sizes(to, at + BULK_AT, rpc.bulkGet, rpc.bulkPut);
        words(
                to,
                at + COUNTS_AT,
                lnet.messages,
                lnet.maxMessages,
                lnet.errors,
                lnet.sendCount,
                lnet.receiveCount,
                lnet.routeCount,
                lnet.dropCount);
        sizes(to, at + LENGTHS_AT, lnet.sendLength, lnet.receiveLength, lnet.routeLength, lnet.dropLength);
    }
}
