package org.railyard.cli.fabric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.sim.LinkRate;

/**
 * The counters of one port from reading to reading. A counter that went back was cleared by somebody: what it has since
 * is counted. One at its end tells no rate, and of errors only that there were at least so many.
 */
final class LinkHistory {
    private static final double SECOND = 1e9;
    private static final int WORD = 4;

    private final String link;
    private final double speed;
    private final long[] errors = new long[PortErrors.values().length];
    private PortReading last;

    /**
     * Begins.
     *
     * @param link names of both ports
     * @param speed bytes each second that the link carries at most; 0 if that is not known
     * @param first the first reading
     * @param total whether the errors of the first reading count, too
     */
    LinkHistory(String link, double speed, PortReading first, boolean total) {
        this.link = link;
        this.speed = speed;
        this.last = first;
        for (int i = 0; total && i < errors.length; i++) {
            errors[i] = first.errors().get(i);
        }
    }

    /** Returns bytes of data each second that a link carries at most; 0 if that is not known. */
    static double speed(LinkSpeed speed, int width) {
        return speed == LinkSpeed.UNKNOWN ? 0 : LinkRate.bytesPerNano(width, speed) * 1e9;
    }

    /** Takes the next reading, and tells what happened since the one before. */
    LinkFigures next(PortReading now) {
        PortReading before = last;
        last = now;
        List<String> remarks = new ArrayList<>();
        boolean cleared = isBehind(before, now);
        for (PortErrors kind : PortErrors.values()) {
            int i = kind.ordinal();
            long value = now.errors().get(i);
            errors[i] += added(before.errors().get(i), value);
            if (value == kind.max()) {
                remarks.add(kind.key() + " errors at the counter's end, " + value);
            }
        }
        double seconds = (now.nanos() - before.nanos()) / SECOND;
        boolean comparable = before.isWide() == now.isWide() && seconds > 0;
        long end = now.isWide() ? -1 : PortReading.END;
        OptionalDouble words = comparable
                ? rate("data", before.sentWords(), now.sentWords(), end, seconds, remarks)
                : OptionalDouble.empty();
        OptionalDouble packets = comparable
                ? rate("packets", before.sentPackets(), now.sentPackets(), end, seconds, remarks)
                : OptionalDouble.empty();
        OptionalDouble waitTicks = seconds > 0
                ? rate("wait", before.waitTicks(), now.waitTicks(), PortReading.END, seconds, remarks)
                : OptionalDouble.empty();
        if (cleared) {
            remarks.add("cleared by somebody");
        }
        OptionalDouble bytes = words.isPresent() ? OptionalDouble.of(words.getAsDouble() * WORD) : words;
        OptionalDouble share = bytes.isPresent() && speed > 0
                ? OptionalDouble.of(bytes.getAsDouble() / speed)
                : OptionalDouble.empty();
        return new LinkFigures(
                link,
                bytes,
                share,
                packets,
                waitTicks,
                Arrays.stream(errors).boxed().toList(),
                remarks);
    }

    private static boolean isBehind(PortReading before, PortReading now) {
        boolean traffic = before.isWide() == now.isWide()
                && (isLess(now.sentWords(), before.sentWords()) || isLess(now.sentPackets(), before.sentPackets()));
        boolean any = traffic || now.waitTicks() < before.waitTicks();
        for (int i = 0; i < before.errors().size(); i++) {
            any |= now.errors().get(i) < before.errors().get(i);
        }
        return any;
    }

    private static boolean isLess(long one, long other) {
        return Long.compareUnsigned(one, other) < 0;
    }

    private static long added(long before, long now) {
        return isLess(now, before) ? now : now - before;
    }

    private static OptionalDouble rate(
            String what, long before, long now, long end, double seconds, List<String> remarks) {
        if (now == end) {
            remarks.add(what + " counter at its end, " + Long.toUnsignedString(now));
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(added(before, now) / seconds);
    }
}
