package org.railyard.lnet.model;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.MeConfig;

/** A match entry with its one memory descriptor. */
public final class MatchEntry {
    private final MeConfig config;
    private final MemoryDescriptor md;

    /** Neighbours in the portal's list. */
    public @Nullable MatchEntry before;

    /** Neighbours in the portal's list. */
    public @Nullable MatchEntry after;

    /** Whether it is in a portal's list. */
    public boolean attached;

    /** Makes an entry. */
    public MatchEntry(MeConfig config, MemoryDescriptor md) {
        this.config = config;
        this.md = md;
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
