package org.railyard.fabric.draw;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.railyard.fabric.draw.FabricDrawing.Spot;
import org.railyard.fabric.model.Fabric;

/**
 * Where the switches of a fabric are that is no torus. If no cable joins two switches that are equally far from hosts,
 * it is a tree: a row for each level. Else switches that are all joined to each other are put together, each such group
 * as a small circle, and the groups as a large one.
 */
final class NetworkPlaces {
    private static final double CELL = 46;
    /** Least distance of the rows of a tree. */
    private static final double ROW = 120;

    /** How many times as wide as high a tree may be: where it is flat, its cables are one area. */
    private static final double FLAT = 2.2;

    private static final double MARGIN = 60;
    private static final double HEADER = 40;
    /** Room for a switch on a circle. */
    private static final double ARC = 46;
    /** From the middle of a switch to that of its name. */
    private static final double NAME = 22;

    private static final int NONE = -1;

    private final int switches;
    private final BitSet[] neighbours;
    private final Spot[] spots;
    private final Spot[] names;
    private final String text;
    private double width;
    private double height;

    NetworkPlaces(Fabric fabric) {
        switches = fabric.switchCount();
        neighbours = new BitSet[switches];
        BitSet withHosts = new BitSet();
        for (int sw = 0; sw < switches; sw++) {
            neighbours[sw] = new BitSet();
            for (int port = 1; port <= fabric.ports(sw); port++) {
                int far = fabric.cable(fabric.portIndex(sw, port));
                int node = far == Fabric.NONE ? sw : fabric.nodeOf(far);
                neighbours[sw].set(node, node != sw && fabric.isSwitch(node));
                if (!fabric.isSwitch(node)) {
                    withHosts.set(sw);
                }
            }
        }
        spots = new Spot[switches];
        names = new Spot[switches];
        int[] level = levels(withHosts);
        if (isTree(level)) {
            int levels = Arrays.stream(level).max().orElse(0) + 1;
            rows(level, levels);
            text = "%d levels, switches with hosts at the bottom".formatted(levels);
        } else {
            List<int[]> groups = groups();
            circles(groups);
            long together = groups.stream().filter(group -> group.length > 1).count();
            long single = groups.size() - together;
            text = together == 0
                    ? "switches in a circle"
                    : "%d groups of switches that are all joined to each other%s"
                            .formatted(together, single == 0 ? "" : ", and %d others".formatted(single));
        }
    }

    /** Returns what the places mean, for people. */
    String text() {
        return text;
    }

    Spot spot(int sw) {
        return spots[sw];
    }

    /** Returns where the middle of its name is. */
    Spot name(int sw) {
        return names[sw];
    }

    double width() {
        return width;
    }

    double height() {
        return height;
    }

    /** Hops from the nearest switch with hosts, −1 where there is no way. */
    private int[] levels(BitSet withHosts) {
        int[] level = new int[switches];
        Arrays.fill(level, NONE);
        List<Integer> queue = new ArrayList<>(withHosts.stream().boxed().toList());
        queue.forEach(sw -> level[sw] = 0);
        for (int head = 0; head < queue.size(); head++) {
            int at = queue.get(head);
            neighbours[at].stream().filter(next -> level[next] == NONE).forEach(next -> {
                level[next] = level[at] + 1;
                queue.add(next);
            });
        }
        return level;
    }

    private boolean isTree(int[] level) {
        return IntStream.range(0, switches)
                        .allMatch(sw ->
                                level[sw] >= 0 && neighbours[sw].stream().noneMatch(next -> level[next] == level[sw]))
                && Arrays.stream(level).anyMatch(at -> at > 0);
    }

    /** From the bottom up, each level in the order of the middle of what is below: fewer cables cross that way. */
    private void rows(int[] level, int levels) {
        int[] sizes = new int[levels];
        Arrays.stream(level).forEach(at -> sizes[at]++);
        int widest = Arrays.stream(sizes).max().orElse(1);
        width = 2 * MARGIN + (widest - 1) * CELL;
        double apart = Math.max(ROW, (width - 2 * MARGIN) / FLAT / Math.max(1, levels - 1));
        height = HEADER + 2 * MARGIN + (levels - 1) * apart;
        double[] middle = new double[switches];
        Arrays.setAll(middle, sw -> sw);
        for (int row = 0; row < levels; row++) {
            int at = row;
            List<Integer> order = IntStream.range(0, switches)
                    .filter(sw -> level[sw] == at)
                    .boxed()
                    .sorted(Comparator.comparingDouble(sw -> middle[sw]))
                    .toList();
            double step = (width - 2 * MARGIN) / Math.max(1, sizes[row]);
            for (int i = 0; i < order.size(); i++) {
                double x = MARGIN + step * (i + 0.5);
                double y = HEADER + MARGIN + (levels - 1 - row) * apart;
                spots[order.get(i)] = new Spot(x, y);
                // Above the top, below the others: where fewer cables are.
                names[order.get(i)] = new Spot(x, row == levels - 1 ? y - NAME + 6 : y + NAME);
            }
            for (int sw = 0; sw < switches; sw++) {
                if (level[sw] == row + 1) {
                    middle[sw] = neighbours[sw].stream()
                            .filter(below -> level[below] == at)
                            .mapToDouble(below -> spots[below].x())
                            .average()
                            .orElse(0);
                }
            }
        }
    }

    /** Groups in which all are joined to all, each as large as it can be when its first switch's turn comes. */
    private List<int[]> groups() {
        List<int[]> groups = new ArrayList<>();
        BitSet open = new BitSet();
        open.set(0, switches);
        for (int sw = open.nextSetBit(0); sw >= 0; sw = open.nextSetBit(sw + 1)) {
            int first = sw;
            BitSet best = new BitSet();
            best.set(first);
            for (int next = neighbours[first].nextSetBit(0); next >= 0; next = neighbours[first].nextSetBit(next + 1)) {
                if (open.get(next)) {
                    BitSet grown = joined(first, next, open);
                    best = grown.cardinality() > best.cardinality() ? grown : best;
                }
            }
            BitSet group = best.cardinality() > 2 ? best : single(first);
            open.andNot(group);
            groups.add(group.stream().toArray());
        }
        return groups;
    }

    private static BitSet single(int sw) {
        BitSet set = new BitSet();
        set.set(sw);
        return set;
    }

    /** Returns two neighbours and those of both that are open and joined to all before them. */
    private BitSet joined(int a, int b, BitSet open) {
        BitSet group = single(a);
        group.set(b);
        BitSet rest = (BitSet) neighbours[a].clone();
        rest.and(neighbours[b]);
        rest.and(open);
        for (int sw = rest.nextSetBit(0); sw >= 0; sw = rest.nextSetBit(sw + 1)) {
            BitSet missing = (BitSet) group.clone();
            missing.andNot(neighbours[sw]);
            group.set(sw, missing.isEmpty());
        }
        return group;
    }

    private void circles(List<int[]> groups) {
        int most = groups.stream().mapToInt(group -> group.length).max().orElse(1);
        double small = most == 1 ? 0 : Math.max(ARC, most * ARC / (2 * Math.PI));
        double room = 2 * small + ARC + (most == 1 ? 0 : 2 * NAME);
        double large = groups.size() == 1 ? 0 : Math.max(room, groups.size() * room / (2 * Math.PI));
        width = 2 * (large + small + MARGIN);
        height = HEADER + width;
        for (int g = 0; g < groups.size(); g++) {
            int[] group = groups.get(g);
            double direction = 2 * Math.PI * g / groups.size() - Math.PI / 2;
            double middleX = width / 2 + large * Math.cos(direction);
            double middleY = HEADER + width / 2 + large * Math.sin(direction);
            for (int i = 0; i < group.length; i++) {
                double turn = direction + 2 * Math.PI * i / group.length;
                double radius = group.length == 1 ? 0 : small;
                double x = Math.cos(turn);
                double y = Math.sin(turn);
                spots[group[i]] = new Spot(middleX + radius * x, middleY + radius * y);
                names[group[i]] = new Spot(middleX + (radius + NAME + 4) * x, middleY + (radius + NAME) * y + 3);
            }
        }
    }
}
