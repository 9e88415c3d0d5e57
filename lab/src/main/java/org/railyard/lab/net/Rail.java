package org.railyard.lab.net;

/** A network that devices are plugged into: a switch with its cables. Belongs to the thread of its run. */
public final class Rail {
    private final String name;
    private final boolean isolated;
    RailSettings settings;
    private int outages;

    Rail(String name, RailSettings settings, boolean isolated) {
        this.name = name;
        this.settings = settings;
        this.isolated = isolated;
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns what it does to frames now. */
    public RailSettings settings() {
        return settings;
    }

    /** Changes what it does to frames from now on. */
    public void change(RailSettings other) {
        settings = other;
    }

    /** Begins, or ends, an outage: while there is one, nothing passes, and no device notices. */
    public void outage(boolean begins) {
        outages += begins ? 1 : -1;
    }

    boolean passes() {
        return outages == 0;
    }

    /** Tells whether frames get from here to another rail. */
    boolean reaches(Rail other) {
        return this == other || !isolated && !other.isolated;
    }

    @Override
    public String toString() {
        return name;
    }
}
