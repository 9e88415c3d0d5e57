package org.railyard.sm.conf;

import java.util.List;
import java.util.Optional;

/**
 * OpenSM's QoS policy: which service level, and which limits, paths get that are asked for (spec 41 §7.2).
 *
 * @param rules in the order in which they are tried
 * @param standard what paths get that no rule is for; empty without a policy
 * @param remarks what in the file is not used
 */
public record QosPolicy(List<QosRule> rules, Optional<QosLevel> standard, List<ConfRemark> remarks) {
    /** No policy: the SL is that of the partition. */
    public static final QosPolicy NONE = new QosPolicy(List.of(), Optional.empty(), List.of());

    /** Most groups, levels and rules, each. */
    public static final int MAX_ENTRIES = 4096;

    /** Most ranges and names in all of them together. */
    public static final int MAX_VALUES = 1 << 17;

    /** Longest file, characters. */
    public static final int MAX_TEXT = 16 << 20;

    /** Takes copies. */
    public QosPolicy {
        rules = List.copyOf(rules);
        remarks = List.copyOf(remarks);
    }

    /**
     * Reads the file. Rules of {@code qos-match-rules} come before those of {@code qos-ulps}.
     *
     * @param partitions by whose names groups may name ports
     * @throws org.railyard.fabric.format.FormatException with line and column, if a keyword or a value is not known, a
     *     group, level or partition is named that is not there, or nothing says what paths without rule get
     */
    public static QosPolicy parse(String text, PartitionsConf partitions) {
        return new QosPolicyParser(text, Optional.of(partitions)).policy();
    }

    /**
     * Reads the file where the partitions are not known, to tell what else is wrong: those that groups name are left
     * out.
     *
     * @throws org.railyard.fabric.format.FormatException as {@link #parse}, but for partitions that are not there
     */
    public static QosPolicy parseWithoutPartitions(String text) {
        return new QosPolicyParser(text, Optional.empty()).policy();
    }
}
