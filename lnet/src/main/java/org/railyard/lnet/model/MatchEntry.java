package org.railyard.lnet.model;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.nid.Nid;

/** A match entry with its one memory descriptor. */
public final class MatchEntry {
    private final MeConfig config;
    private final MemoryDescriptor md;
    private final @Nullable Predicate<Nid> destinations;

    /** Neighbours in the portal's list. */
    public @Nullable MatchEntry before;

    /** Neighbours in the portal's list. */
    public @Nullable MatchEntry after;

    /** Whether it is in a portal's list. */
    public boolean attached;

    /**
     * Makes an entry.
     *
     * @param destinations tells whether it takes what is sent to a NID of this node, null if to any
     */
    public MatchEntry(MeConfig config, MemoryDescriptor md, @Nullable Predicate<Nid> destinations) {
        this.config = config;
        this.md = md;
        this.destinations = destinations;
    }

    /** Tells whether it takes what is sent to a NID of this node. */
    public boolean isFor(Nid destination) {
        return destinations == null || destinations.test(destination);
    }

    /** Returns what it accepts. */
    public MeConfig config() {
        return config;
    }

    /** Returns its descriptor. */
    public MemoryDescriptor md() {
        return md;
    }
}
