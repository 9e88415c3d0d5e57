package org.railyard.selftest.node;

import org.jspecify.annotations.Nullable;
import org.railyard.selftest.wire.Pattern;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.Service;
import org.railyard.selftest.wire.TestParameters;
import org.railyard.selftest.wire.TestRequest;

/**
 * What a unit of a test does.
 *
 * @param service BRW or PING
 * @param features feature bits of the session
 * @param loop calls of each unit, {@link TestRequest#FOR_EVER} for no end
 * @param concurrency units for each target
 * @param stopOnError whether a unit ends with its first error
 * @param bulk what the bulk test does; null for a ping test
 */
record TestPlan(
        Service service,
        int features,
        int loop,
        int concurrency,
        boolean stopOnError,
        TestParameters.@Nullable Bulk bulk) {
    /**
     * Returns the plan of a request; null if it asks for what must not be sent, since kernel nodes would not survive it
     * (spec 03 §3.9).
     */
    static @Nullable TestPlan of(TestRequest request, Service service, int features) {
        if (service == Service.PING) {
            return new TestPlan(service, features, request.loop(), request.concurrency(), request.stopOnError(), null);
        }
        boolean exact = (features & RpcMessage.EXACT_LENGTHS) != 0;
        TestParameters.Bulk bulk = request.parameters().bulk(exact);
        boolean good = bulk.isSound() && Math.floorMod(bulk.offset(), Pattern.PAGE) % Long.BYTES == 0;
        return good
                ? new TestPlan(service, features, request.loop(), request.concurrency(), request.stopOnError(), bulk)
                : null;
    }

    /** Returns how data is checked. */
    Pattern pattern() {
        return bulk == null ? Pattern.NONE : bulk.pattern();
    }

    /** Returns the bytes that a unit needs for bulk data. */
    int bulkBytes() {
        return bulk == null ? 0 : bulk.length();
    }
}
