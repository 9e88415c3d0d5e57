package org.railyard.sm.conf;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.NodeType;
import org.railyard.sm.model.PartitionKeys;

/**
 * The partitions of a subnet, as OpenSM's partition file tells them (spec 41 §8).
 *
 * @param partitions in the order of the file; the default partition is always among them
 * @param remarks what in the file is not used as it is written
 */
public record PartitionsConf(List<Partition> partitions, List<ConfRemark> remarks) {
    /** Most partitions. */
    public static final int MAX_PARTITIONS = 4096;

    /** Most rules about members, and most groups, of all partitions together. */
    public static final int MAX_RULES = 1 << 17;

    /** Longest file, characters. */
    public static final int MAX_TEXT = 16 << 20;

    /** Takes copies. */
    public PartitionsConf {
        partitions = List.copyOf(partitions);
        remarks = List.copyOf(remarks);
    }

    /** Returns what OpenSM does without file: everybody is a full member of the default partition, with IP. */
    public static PartitionsConf none() {
        return parse("Default=0x7fff, ipoib : ALL=full ;");
    }

    /**
     * Reads the file. If it has no rule for the default partition, everybody is a limited member of that, the subnet
     * manager a full one.
     *
     * @throws org.railyard.fabric.format.FormatException with line and column, if it is not written as partition files
     *     are, or is beyond a limit
     */
    public static PartitionsConf parse(String text) {
        PartitionParser parser = PartitionParser.parse(text);
        List<Partition> all = new ArrayList<>(parser.partitions());
        List<ConfRemark> remarks = new ArrayList<>(parser.remarks());
        if (all.isEmpty()) {
            // A file that a full disk has left empty would part all hosts without a word.
            remarks.add(new ConfRemark(
                    1,
                    1,
                    "no partition in it: all hosts are limited members of the default partition, which reach none but"
                            + " the subnet manager's host"));
        }
        if (all.stream().noneMatch(partition -> partition.key() == Partition.DEFAULT_KEY)) {
            List<PartitionMember> members = List.of(
                    new PartitionMember(PartitionMember.Ports.ALL, 0, PartitionMembership.LIMITED),
                    new PartitionMember(PartitionMember.Ports.SELF, 0, PartitionMembership.FULL));
            all.addFirst(new Partition("Default", Partition.DEFAULT_KEY, 0, members, List.of()));
        }
        return new PartitionsConf(all, remarks);
    }

    /**
     * Returns the keys of a subnet whose manager is at a port: that port always is a full member of the default
     * partition. The key of the default partition comes first, the others in the order of the file; of a port that is
     * both full and limited member the key of the full member is before the other. A port that is no member of the
     * default partition has an empty first entry.
     *
     * @param smGuid port GUID of the subnet manager
     */
    public PartitionKeys keys(long smGuid) {
        List<Rules> rules = partitions.stream()
                .map(partition -> Rules.of(partition, smGuid))
                .toList();
        return (fabric, endPort) -> {
            List<Integer> keys = new ArrayList<>();
            keys.add(0);
            for (Rules one : rules) {
                add(keys, one.key, one.membership(fabric, endPort));
            }
            return List.copyOf(keys);
        };
    }

    private static void add(List<Integer> keys, int key, @Nullable PartitionMembership membership) {
        if (membership == null) {
            return;
        }
        List<Integer> own = new ArrayList<>();
        if (membership != PartitionMembership.LIMITED) {
            own.add(key | Partition.FULL_MEMBER);
        }
        if (membership != PartitionMembership.FULL) {
            own.add(key);
        }
        if (key == Partition.DEFAULT_KEY) {
            keys.set(0, own.getFirst());
            keys.addAll(1, own.subList(1, own.size()));
        } else {
            keys.addAll(own);
        }
    }

    /** The members of a partition: those that are named, and rules for many. */
    private record Rules(int key, Map<Long, PartitionMembership> named, Map<NodeType, PartitionMembership> kinds) {
        static Rules of(Partition partition, long smGuid) {
            Map<Long, PartitionMembership> named = new TreeMap<>();
            Map<NodeType, PartitionMembership> kinds = new EnumMap<>(NodeType.class);
            if (partition.key() == Partition.DEFAULT_KEY) {
                named.put(smGuid, PartitionMembership.FULL);
            }
            for (PartitionMember member : partition.members()) {
                switch (member.ports()) {
                    case ONE -> named.merge(member.guid(), member.membership(), PartitionMembership::and);
                    case SELF -> named.merge(smGuid, member.membership(), PartitionMembership::and);
                    case ALL_CAS -> kinds.merge(NodeType.CA, member.membership(), PartitionMembership::and);
                    case ALL_SWITCHES -> kinds.merge(NodeType.SWITCH, member.membership(), PartitionMembership::and);
                    case ALL_ROUTERS -> kinds.merge(NodeType.ROUTER, member.membership(), PartitionMembership::and);
                    case ALL -> {
                        for (NodeType type : NodeType.values()) {
                            kinds.merge(type, member.membership(), PartitionMembership::and);
                        }
                    }
                }
            }
            return new Rules(partition.key(), named, kinds);
        }

        @Nullable
        PartitionMembership membership(Fabric fabric, int endPort) {
            PartitionMembership one = named.get(fabric.portGuid(endPort));
            PartitionMembership kind = kinds.get(fabric.type(fabric.nodeOf(endPort)));
            return one == null || kind == null ? one == null ? kind : one : one.and(kind);
        }
    }

    /** Returns the partition of a key, whichever its topmost bit is. */
    public Optional<Partition> find(int pKey) {
        int key = pKey & Partition.DEFAULT_KEY;
        return partitions.stream().filter(partition -> partition.key() == key).findFirst();
    }
}
