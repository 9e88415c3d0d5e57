package org.railyard.sm.conf;

/** How a port belongs to a partition: limited members talk to full members only. */
public enum PartitionMembership {
    /** The key with the topmost bit 0. */
    LIMITED,
    /** The key with the topmost bit 1. */
    FULL,
    /** Both keys in the table of the port. */
    BOTH
}
