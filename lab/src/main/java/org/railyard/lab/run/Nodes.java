package org.railyard.lab.run;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.railyard.lab.scenario.Selector;

/** Finds the nodes that a selector means. */
final class Nodes {
    private Nodes() {}

    static List<LabNode> select(List<LabNode> all, Selector selector, RandomGenerator random) {
        List<LabNode> group = new ArrayList<>();
        for (LabNode node : all) {
            if (node.group().equals(selector.group())) {
                group.add(node);
            }
        }
        if (selector.number() > 0) {
            return List.of(group.get(selector.number() - 1));
        }
        if (selector.count() == 0) {
            return group;
        }
        List<LabNode> chosen = new ArrayList<>();
        for (int i = 0; i < selector.count(); i++) {
            chosen.add(group.remove(random.nextInt(group.size())));
        }
        return chosen;
    }
}
