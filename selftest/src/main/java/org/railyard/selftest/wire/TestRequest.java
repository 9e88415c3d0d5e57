package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE32;
import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/**
 * Gives a node its part in a test (spec 03 §2). The last fields are not aligned.
 *
 * @param replyId match bits of the reply
 * @param bulkId match bits of the list of targets; 0 for a server
 * @param session the session
 * @param batch the batch
 * @param service number of the service that is called
 * @param loop calls of each unit, {@link #FOR_EVER} for no end; of a server how many it may expect
 * @param concurrency units for each target
 * @param isClient whether the node calls, or is called
 * @param stopOnError whether a unit ends with its first error
 * @param targets how many targets the list has; 0 for a server
 * @param parameters what is called for
 */
public record TestRequest(
        long replyId,
        long bulkId,
        SessionId session,
        long batch,
        int service,
        int loop,
        int concurrency,
        boolean isClient,
        boolean stopOnError,
        int targets,
        TestParameters parameters)
        implements Request {
    static final StructLayout LAYOUT = MemoryLayout.structLayout(
            LE64.withName("rpyid"),
            LE64.withName("bulkid"),
            SessionId.LAYOUT.withName("sid"),
            LE64.withName("bid"),
            LE32.withName("service"),
            LE32.withName("loop"),
            LE32.withName("concur"),
            ValueLayout.JAVA_BYTE.withName("is_client"),
            ValueLayout.JAVA_BYTE.withName("stop_onerr"),
            LE32.withName("ndest"),
            TestParameters.LAYOUT.withName("params"));

    /** A loop without an end. */
    public static final int FOR_EVER = -1;

    private static final VarHandle REPLY_ID = Wire.field(LAYOUT, "rpyid");
    private static final VarHandle BULK_ID = Wire.field(LAYOUT, "bulkid");
    private static final long SESSION = Wire.offsetOf(LAYOUT, "sid");
    private static final VarHandle BATCH = Wire.field(LAYOUT, "bid");
    private static final VarHandle SERVICE = Wire.field(LAYOUT, "service");
    private static final VarHandle LOOP = Wire.field(LAYOUT, "loop");
    private static final VarHandle CONCURRENCY = Wire.field(LAYOUT, "concur");
    private static final VarHandle IS_CLIENT = Wire.field(LAYOUT, "is_client");
    private static final VarHandle STOP_ON_ERROR = Wire.field(LAYOUT, "stop_onerr");
    private static final VarHandle TARGETS = Wire.field(LAYOUT, "ndest");
    private static final long PARAMETERS = Wire.offsetOf(LAYOUT, "params");

    static TestRequest read(MemorySegment from, long at) {
        return new TestRequest(
                (long) REPLY_ID.get(from, at),
                (long) BULK_ID.get(from, at),
                SessionId.read(from, at + SESSION),
                (long) BATCH.get(from, at),
                (int) SERVICE.get(from, at),
                (int) LOOP.get(from, at),
                (int) CONCURRENCY.get(from, at),
                (byte) IS_CLIENT.get(from, at) != 0,
                (byte) STOP_ON_ERROR.get(from, at) != 0,
                (int) TARGETS.get(from, at),
                TestParameters.read(from, at + PARAMETERS));
    }

    /**
     * Returns a copy in which the halves of the first parameter have changed places, if the test is one of bulk data:
     * with exact lengths it is two numbers, and was turned around as one.
     */
    TestRequest withBulkHalvesExchanged() {
        if (service != Service.BRW.id()) {
            return this;
        }
        return new TestRequest(
                replyId,
                bulkId,
                session,
                batch,
                service,
                loop,
                concurrency,
                isClient,
                stopOnError,
                targets,
                parameters.withHalvesExchanged());
    }

    @Override
    public void write(MemorySegment to, long at) {
        REPLY_ID.set(to, at, replyId);
        BULK_ID.set(to, at, bulkId);
        session.write(to, at + SESSION);
        BATCH.set(to, at, batch);
        SERVICE.set(to, at, service);
        LOOP.set(to, at, loop);
        CONCURRENCY.set(to, at, concurrency);
        IS_CLIENT.set(to, at, (byte) (isClient ? 1 : 0));
        STOP_ON_ERROR.set(to, at, (byte) (stopOnError ? 1 : 0));
        TARGETS.set(to, at, targets);
        parameters.write(to, at + PARAMETERS);
    }
}
