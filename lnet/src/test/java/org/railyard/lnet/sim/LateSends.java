package org.railyard.lnet.sim;

import java.util.ArrayDeque;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.sim.TestNetwork.Failure;
import org.railyard.lnet.sim.TestNetwork.Packet;
import org.railyard.lnet.wire.LNetHeader;

/**
 * Sends of a {@link TestNetwork} that are on the wire, and about which the stack hears later: that they are complete,
 * or that they failed after all.
 */
public final class LateSends {
    private final ArrayDeque<TestLnd.Outgoing> waiting = new ArrayDeque<>();
    private final Runnable settle;
    private Predicate<Packet> which = packet -> false;
    private Function<LNetHeader, @Nullable Failure> failure = header -> null;

    LateSends(Runnable settle) {
        this.settle = settle;
    }

    /** Completes messages that fit only at {@link #complete()}. */
    public void keep(Predicate<Packet> which) {
        this.which = which;
    }

    /** Completes what was sent. */
    public void complete() {
        complete(0, HealthStatus.OK);
    }

    /** Completes what was sent, with a status of the transport. */
    public void complete(int status, HealthStatus health) {
        while (!waiting.isEmpty()) {
            waiting.poll().complete(status, health);
        }
        settle.run();
    }

    /**
     * Gives back what was sent first, as several messages that end together.
     *
     * @param count how many, at least 1
     * @return what ends them
     */
    public Runnable giveBack(int count) {
        Runnable flush = () -> {};
        for (int i = 0; i < count; i++) {
            flush = waiting.remove().completeSoon();
        }
        return flush;
    }

    /** Fails the next messages that fit, but only after their memory was read. */
    public void fail(int count, HealthStatus health, Predicate<LNetHeader> which) {
        int[] left = {count};
        failure = header -> which.test(header) && left[0]-- > 0 ? new Failure(Errno.EIO, health) : null;
    }

    @Nullable
    Failure failure(LNetHeader header) {
        return failure.apply(header);
    }

    boolean keeps(Packet packet) {
        return which.test(packet);
    }

    void add(TestLnd.Outgoing message) {
        waiting.add(message);
    }
}
