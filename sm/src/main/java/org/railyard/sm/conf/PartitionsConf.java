package org.railyard.sm.conf;

import java.util.ArrayList;
import java.util.Comparator;
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
     * Reads the file.
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
            all.addFirst(new Partition(Partition.DEFAULT_NAME, Partition.DEFAULT_KEY, 0, List.of(), List.of()));
        }
        return new PartitionsConf(all, remarks);
    }

    /**
     * Returns the keys of a subnet whose manager is at a port: that port always is a full member of the default
     * partition, and whoever the file does not name there a limited one. Of several rules for a port and a partition
     * the last one counts. The key of the default partition comes first, the others ascend by their lower byte, then by
     * the upper one, as OpenSM has them; of a port that is both full and limited member the key of the full member is
     * before the other.
     *
     * @param smGuid port GUID of the subnet manager
     */
    public PartitionKeys keys(long smGuid) {
        List<Rules> rules = partitions.stream()
                .sorted(Comparator.comparingInt(
                        partition -> Short.toUnsignedInt(Short.reverseBytes((short) partition.key()))))
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

    /** A rule, and where among those of its partition it stands. */
    private record Ranked(int place, PartitionMembership membership) {}

    /** The members of a partition: those that are named, and rules for many. */
    private record Rules(int key, Map<Long, Ranked> named, Map<NodeType, Ranked> kinds) {
        static Rules of(Partition partition, long smGuid) {
            Rules rules = new Rules(partition.key(), new TreeMap<>(), new EnumMap<>(NodeType.class));
            boolean isDefault = partition.key() == Partition.DEFAULT_KEY;
            if (isDefault) {
                // Without its key nobody could ask the subnet administration.
                rules.all(new Ranked(0, PartitionMembership.LIMITED));
            }
            int place = 1;
            for (PartitionMember member : partition.members()) {
                rules.take(member, new Ranked(place++, member.membership()), smGuid);
            }
            if (isDefault) {
                rules.named.put(smGuid, new Ranked(place, PartitionMembership.FULL));
            }
            return rules;
        }

        private void take(PartitionMember member, Ranked as, long smGuid) {
            switch (member.ports()) {
                case ONE -> named.put(member.guid(), as);
                case SELF -> named.put(smGuid, as);
                case ALL_CAS -> kinds.put(NodeType.CA, as);
                case ALL_SWITCHES -> kinds.put(NodeType.SWITCH, as);
                case ALL_ROUTERS -> kinds.put(NodeType.ROUTER, as);
                case ALL -> all(as);
            }
        }

        private void all(Ranked as) {
            for (NodeType type : NodeType.values()) {
                kinds.put(type, as);
            }
        }

        @Nullable
        PartitionMembership membership(Fabric fabric, int endPort) {
            Ranked one = named.get(fabric.portGuid(endPort));
            Ranked kind = kinds.get(fabric.type(fabric.nodeOf(endPort)));
            Ranked last = one == null || kind != null && kind.place > one.place ? kind : one;
            return last == null ? null : last.membership;
        }
    }

    /** Returns the partition of a key, whichever its topmost bit is. */
    public Optional<Partition> find(int pKey) {
        int key = pKey & Partition.DEFAULT_KEY;
        return partitions.stream().filter(partition -> partition.key() == key).findFirst();
    }
}
