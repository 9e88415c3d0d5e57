package org.railyard.sm;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.transport.MadLoop;
import org.railyard.sm.subnet.ManagedNode;

/** The traps that come in: counted, told to the listener, or ignored if their source is noisy. For the loop. */
final class ReceivedTraps {
    private static final String OTHER = "other";

    /** What agents send; with all other numbers the counts would have no bound. */
    private static final List<Integer> NUMBERS = List.of(
            Notice.LINK_STATE,
            Notice.LINK_INTEGRITY,
            Notice.BUFFER_OVERRUN,
            Notice.FLOW_CONTROL,
            Notice.LOCAL_CHANGES,
            Notice.SYSTEM_IMAGE_GUID,
            Notice.BAD_M_KEY,
            Notice.BAD_P_KEY,
            Notice.BAD_Q_KEY,
            Notice.SWITCH_BAD_P_KEY);

    private final MadLoop loop;
    private final SmListener listener;
    private final LidNames names;
    private final TrapText texts;
    private final TrapFilter filter = new TrapFilter();
    private final TrapNoise noise = new TrapNoise();
    private final SortedMap<String, Long> counts = new TreeMap<>();
    private @Nullable Runnable timer;

    /** Makes it; names are those of nodes, which others change. */
    ReceivedTraps(MadLoop loop, SmListener listener, Map<Long, ManagedNode> nodes) {
        this.loop = loop;
        this.listener = listener;
        this.names = new LidNames(nodes);
        this.texts = new TrapText(names);
        NUMBERS.forEach(number -> counts.put(number.toString(), 0L));
        counts.put(OTHER, 0L);
    }

    /** Takes a trap; returns whether it counts. */
    boolean received(Notice notice, int fromLid) {
        int number = notice.getInt(Notice.TRAP_NUMBER);
        boolean known = notice.isSet(Notice.IS_GENERIC) && NUMBERS.contains(number);
        counts.merge(known ? Integer.toString(number) : OTHER, 1L, Long::sum);
        long now = loop.nanoTime();
        if (filter.admit(fromLid, number, now)) {
            listener.trapped(notice, fromLid, texts.of(notice, fromLid));
            return true;
        }
        if (noise.ignored(fromLid, filter.until(fromLid, number))) {
            listener.noisy(
                    fromLid,
                    true,
                    "%s sends too many traps, such as %d: they are ignored until there were not so many for a minute"
                            .formatted(names.of(fromLid), number));
            if (timer == null) {
                lookLater();
            }
        }
        return false;
    }

    private void lookLater() {
        long patience = noise.patience(loop.nanoTime());
        timer = patience < 0 ? null : loop.schedule(patience, this::look);
    }

    private void look() {
        for (TrapNoise.Quiet each : noise.quiet(loop.nanoTime())) {
            listener.noisy(
                    each.lid(),
                    false,
                    "%s is quiet again: its traps count, %d were ignored"
                            .formatted(names.of(each.lid()), each.ignored()));
        }
        lookLater();
    }

    /** Ends it: nothing is told any more. */
    void stop() {
        if (timer != null) {
            timer.run();
            timer = null;
        }
    }

    /** Returns how many were ignored. */
    long ignored() {
        return filter.ignored();
    }

    /** Returns how many came in, ignored ones too, by number; {@value #OTHER} for all that are not known. */
    SortedMap<String, Long> counts() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    }
}
