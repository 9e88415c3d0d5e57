package org.railyard.o2iblnd.ni;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.railyard.o2iblnd.wire.RejectReason;
import org.railyard.verbs.CmRejectReason;

/** How many requests for connections were rejected, by reason (spec 20 §6), in one direction. From any thread. */
public final class RejectCounts {
    private static final RejectReason[] REASONS = RejectReason.values();

    /** By reason, those without a known one last. */
    private final AtomicLongArray counts = new AtomicLongArray(REASONS.length + 1);

    RejectCounts() {}

    /** Counts one; null stands for a reason that is not known. */
    public void count(@Nullable RejectReason why) {
        counts.incrementAndGet(why == null ? REASONS.length : why.ordinal());
    }

    /** Counts one for which the connection manager gives the reason. */
    public void countCm(int reason) {
        count(reason == CmRejectReason.INVALID_SERVICE_ID ? RejectReason.INVALID_SRV_ID : null);
    }

    /** Returns the counts by the names of the reasons in lower case, {@code other} last. */
    public Map<String, Long> byReason() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (RejectReason each : REASONS) {
            all.put(each.name().toLowerCase(Locale.ROOT), counts.get(each.ordinal()));
        }
        all.put("other", counts.get(REASONS.length));
        return all;
    }
}
