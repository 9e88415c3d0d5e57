package org.railyard.lnet.portal;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.model.MatchEntry;

/** Match entries in order, linked through the entries themselves. */
final class EntryList {
    private @Nullable MatchEntry first;
    private @Nullable MatchEntry last;

    void add(MatchEntry entry, boolean front) {
        MatchEntry before = front ? null : last;
        MatchEntry after = front ? first : null;
        entry.before = before;
        entry.after = after;
        if (before == null) {
            first = entry;
        } else {
            before.after = entry;
        }
        if (after == null) {
            last = entry;
        } else {
            after.before = entry;
        }
    }

    void remove(MatchEntry entry) {
        if (entry.before == null) {
            first = entry.after;
        } else {
            entry.before.after = entry.after;
        }
        if (entry.after == null) {
            last = entry.before;
        } else {
            entry.after.before = entry.before;
        }
        entry.before = null;
        entry.after = null;
    }

    @Nullable
    MatchEntry first() {
        return first;
    }
}
