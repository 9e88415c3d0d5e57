package org.railyard.softverbs.cm;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.softverbs.card.SoftInterface;
import org.railyard.verbs.VerbsException;

/** The connection managers on a fabric by the addresses of their machines. */
public final class SoftManagers {
    private record Entry(SoftInterface at, SoftManager manager) {}

    private final Map<Integer, Entry> entries = new LinkedHashMap<>();

    /** Makes one without entries. */
    public SoftManagers() {}

    void add(SoftInterface at, SoftManager manager) {
        if (entries.containsKey(at.ip())) {
            throw new VerbsException(
                    VerbsException.Code.EADDRINUSE, at.name() + ": another interface has the same address");
        }
        entries.put(at.ip(), new Entry(at, manager));
    }

    @Nullable
    SoftInterface find(int ip) {
        Entry entry = entries.get(ip);
        return entry == null ? null : entry.at;
    }

    /** Returns the manager of the machine that an interface is of. */
    SoftManager of(SoftInterface at) {
        Entry entry = entries.get(at.ip());
        if (entry == null) {
            throw new IllegalStateException(at + " is of no machine");
        }
        return entry.manager;
    }
}
