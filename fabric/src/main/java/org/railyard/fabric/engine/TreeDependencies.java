package org.railyard.fabric.engine;

import java.util.stream.IntStream;

/** The dependencies of a spanning tree: any turn of it may be needed, by a destination or by a multicast group. */
final class TreeDependencies {
    private final CableGraph graph;
    private final Channels channels;
    private final SpanningTree tree;

    private TreeDependencies(CableGraph graph, Channels channels, SpanningTree tree) {
        this.graph = graph;
        this.channels = channels;
        this.tree = tree;
    }

    /** Returns dependencies of which all turns of a tree are in use. */
    static DependencyOrder of(CableGraph graph, Channels channels, SpanningTree tree) {
        TreeDependencies of = new TreeDependencies(graph, channels, tree);
        DependencyOrder dependencies = new DependencyOrder(channels, of.order());
        of.use(dependencies);
        return dependencies;
    }

    /** Channels towards the root first, the farthest first, then those away from it: the tree's turns go upwards. */
    private int[] order() {
        int[] rank = tree.ranks();
        int count = channels.count();
        return IntStream.range(0, count)
                .boxed()
                .sorted((a, b) -> Integer.compare(key(rank, a), key(rank, b)))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private int key(int[] rank, int channel) {
        int a = rank[channels.from(channel)];
        int b = rank[channels.to(channel)];
        return b < a ? -a : b;
    }

    private void use(DependencyOrder dependencies) {
        for (int sw = 0; sw < graph.size(); sw++) {
            for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
                for (int in = channels.first(sw); in < channels.first(sw + 1); in++) {
                    if (in != out && isOfTree(in) && isOfTree(out) && !dependencies.add(channels.reverse(in), out)) {
                        throw new IllegalStateException("a tree has no cycle");
                    }
                }
            }
        }
        dependencies.keep();
    }

    private boolean isOfTree(int channel) {
        int a = channels.from(channel);
        int b = channels.to(channel);
        return tree.isUp(a, channels.port(channel)) || tree.isUp(b, channels.port(channels.reverse(channel)));
    }
}
