package org.railyard.sm.conf;

import java.util.List;

/**
 * A partition: its key and who belongs to it.
 *
 * @param name for people; may be empty
 * @param key P_Key, 15 bits
 * @param sl service level that paths and groups of the partition are given where nothing else is asked for
 * @param members rules, in the order of the file
 * @param groups multicast groups that there are from the beginning
 */
public record Partition(String name, int key, int sl, List<PartitionMember> members, List<PartitionGroup> groups) {
    /** Key of the partition that every subnet has. */
    public static final int DEFAULT_KEY = 0x7FFF;

    /** Its name. */
    public static final String DEFAULT_NAME = "Default";

    /** Bit of a P_Key in a table: full member. */
    public static final int FULL_MEMBER = 0x8000;

    /** Takes copies. */
    public Partition {
        members = List.copyOf(members);
        groups = List.copyOf(groups);
    }
}
