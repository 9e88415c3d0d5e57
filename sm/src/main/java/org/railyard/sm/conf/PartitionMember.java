package org.railyard.sm.conf;

/**
 * Ports that belong to a partition.
 *
 * @param ports which
 * @param guid port GUID, 0 unless one port is named
 * @param membership how they belong to it
 */
public record PartitionMember(Ports ports, long guid, PartitionMembership membership) {
    /** Which end ports a rule speaks of. */
    public enum Ports {
        /** The one with a GUID. */
        ONE,
        /** All. */
        ALL,
        /** Those of channel adapters. */
        ALL_CAS,
        /** Port 0 of each switch. */
        ALL_SWITCHES,
        /** Those of routers. */
        ALL_ROUTERS,
        /** That of the subnet manager. */
        SELF
    }
}
