package org.railyard.lnet.runtime;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.stack.FailureJudge;
import org.railyard.lnet.stack.Node;

/**
 * Says in the log, ever more rarely, what is not well (spec 10 §13, §14): with the first that is in recovery, then
 * after 1, 2, … 5 minutes, then every 5 minutes as long as there is any.
 */
final class Summary {
    /** Most NIDs in one line. */
    static final int MAX_SHOWN = 20;

    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");
    private static final long MINUTE = 60_000_000_000L;
    private static final int LONGEST_MINUTES = 5;

    private final Node node;
    private final FailureJudge judge;
    private int minutes;
    private long next;

    Summary(Node node, FailureJudge judge) {
        this.node = node;
        this.judge = judge;
    }

    void run(long now) {
        List<String> lines = new ArrayList<>();
        node.lock.lock();
        try {
            boolean well = node.health.isAllWell() && !judge.hasLate();
            if (well && minutes > 0 && now - next >= 0) {
                minutes = 0;
            }
            if (well || (minutes > 0 && now - next < 0)) {
                return;
            }
            add(lines, inRecovery("peer NIs", node.health.peerRecovery()));
            add(lines, inRecovery("local NIs", node.health.localRecovery()));
            add(lines, judge.takeLate());
        } finally {
            node.lock.unlock();
        }
        minutes = Math.min(minutes + 1, LONGEST_MINUTES);
        next = now + minutes * MINUTE;
        lines.forEach(line -> LOG.log(System.Logger.Level.INFO, line));
    }

    private static void add(List<String> lines, @Nullable String line) {
        if (line != null) {
            lines.add(line);
        }
    }

    private static @Nullable String inRecovery(String what, List<?> nis) {
        if (nis.isEmpty()) {
            return null;
        }
        List<String> shown = nis.stream().limit(MAX_SHOWN).map(Object::toString).toList();
        return nis.size() + " " + what + " in recovery (showing " + shown.size() + "): " + String.join(", ", shown);
    }
}
