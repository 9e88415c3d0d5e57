package org.railyard.sm.sa;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.sm.conf.QosLevel;
import org.railyard.sm.conf.QosPolicy;
import org.railyard.sm.conf.QosPortGroup;
import org.railyard.sm.conf.QosRule;

/** A QoS policy made ready for one snapshot: which ports are in which group is known. For any thread. */
final class QosMatcher {
    private final @Nullable QosLevel standard;
    private final List<Bound> rules = new ArrayList<>();

    /** A rule and the ports of its groups; null for any port. */
    private record Bound(
            QosRule rule,
            @Nullable BitSet sources,
            @Nullable BitSet destinations) {}

    QosMatcher(QosPolicy policy, SubnetView view) {
        standard = policy.standard().orElse(null);
        Map<QosPortGroup, BitSet> known = new IdentityHashMap<>();
        for (QosRule rule : policy.rules()) {
            rules.add(new Bound(rule, ports(rule.sources(), view, known), ports(rule.destinations(), view, known)));
        }
    }

    private static @Nullable BitSet ports(List<QosPortGroup> groups, SubnetView view, Map<QosPortGroup, BitSet> known) {
        if (groups.isEmpty()) {
            return null;
        }
        BitSet all = new BitSet();
        groups.forEach(group -> all.or(known.computeIfAbsent(group, one -> ports(one, view))));
        return all;
    }

    private static BitSet ports(QosPortGroup group, SubnetView view) {
        Fabric fabric = view.fabric();
        int manager = view.snapshot().smPort();
        BitSet ports = new BitSet();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (view.isEndPort(port) && group.has(fabric, port, view.keys(port), port == manager)) {
                ports.set(port);
            }
        }
        return ports;
    }

    /** Returns what a path between two ports gets; null without a policy. */
    @Nullable
    QosLevel level(PathQuery query, int source, int destination) {
        for (Bound bound : rules) {
            if ((bound.sources == null || bound.sources.get(source))
                    && (bound.destinations == null || bound.destinations.get(destination))
                    && bound.rule.agrees(query.key, query.qosClass, query.hasService, query.service)) {
                return bound.rule.level();
            }
        }
        return standard;
    }
}
