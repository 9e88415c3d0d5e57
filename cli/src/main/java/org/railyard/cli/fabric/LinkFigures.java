package org.railyard.cli.fabric;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What a port sent to the other end of its link between two readings, and its errors since the first one.
 *
 * @param link names of both ports
 * @param bytes data sent, bytes each second; absent if a counter does not tell
 * @param share part of the link's speed, 0 to 1; absent if the data or the speed is not known
 * @param packets packets sent each second; absent if a counter does not tell
 * @param waitTicks ticks each second in which data waited; absent if a counter does not tell
 * @param errors a number for each of {@link PortErrors}
 * @param remarks what is odd about the counters
 */
record LinkFigures(
        String link,
        OptionalDouble bytes,
        OptionalDouble share,
        OptionalDouble packets,
        OptionalDouble waitTicks,
        List<Long> errors,
        List<String> remarks) {
    /** Copies the lists. */
    LinkFigures {
        errors = List.copyOf(errors);
        remarks = List.copyOf(remarks);
    }

    /** Returns the errors of all kinds. */
    long allErrors() {
        return errors.stream().mapToLong(Long::longValue).sum();
    }
}
