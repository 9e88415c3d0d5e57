package org.railyard.selftest.rpc;

import java.util.concurrent.atomic.LongAdder;
import org.railyard.selftest.wire.StatReply;

/** What the calls of a node come to. Thread-safe. */
final class RpcCounters {
    final LongAdder errors = new LongAdder();
    final LongAdder sent = new LongAdder();
    final LongAdder received = new LongAdder();
    final LongAdder dropped = new LongAdder();
    final LongAdder expired = new LongAdder();
    final LongAdder bulkGet = new LongAdder();
    final LongAdder bulkPut = new LongAdder();

    StatReply.Rpc view() {
        return new StatReply.Rpc(
                errors.intValue(),
                sent.intValue(),
                received.intValue(),
                dropped.intValue(),
                expired.intValue(),
                bulkGet.sum(),
                bulkPut.sum());
    }
}
