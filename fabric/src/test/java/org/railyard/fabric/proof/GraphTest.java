package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The graph of dependencies, its components and shortest cycles, beside what is simple and slow. */
final class GraphTest {
    private static final int CHANNELS = 24;

    /** Steps from each channel to each other, 0 for none. */
    private static int[][] steps(Set<Long> edges) {
        int[][] steps = new int[CHANNELS][CHANNELS];
        for (long edge : edges) {
            steps[(int) (edge >>> 32)][(int) edge] = 1;
        }
        for (int by = 0; by < CHANNELS; by++) {
            for (int from = 0; from < CHANNELS; from++) {
                for (int to = 0; to < CHANNELS; to++) {
                    int way = steps[from][by] + steps[by][to];
                    boolean isWay = steps[from][by] > 0 && steps[by][to] > 0;
                    if (isWay && (steps[from][to] == 0 || way < steps[from][to])) {
                        steps[from][to] = way;
                    }
                }
            }
        }
        return steps;
    }

    /** Returns edges by chance, mostly none from a channel to itself, and few enough for long cycles. */
    private static Set<Long> edges(SplittableRandom random) {
        Set<Long> edges = new TreeSet<>();
        boolean toItself = random.nextInt(4) == 0;
        for (int i = random.nextInt(2 * CHANNELS); i > 0; i--) {
            int from = random.nextInt(CHANNELS);
            int to = random.nextInt(CHANNELS);
            if (from != to || toItself) {
                edges.add((long) from << 32 | to);
            }
        }
        // A ring, turned by chance.
        int length = random.nextInt(CHANNELS);
        int step = 5 + 2 * random.nextInt(4);
        for (int i = 0; i < length; i++) {
            int from = i * step % CHANNELS;
            int to = (i + 1) % length * step % CHANNELS;
            if (from != to) {
                edges.add((long) from << 32 | to);
            }
        }
        return edges;
    }

    private static long[] array(Set<Long> edges) {
        return edges.stream().mapToLong(Long::longValue).toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void componentsAreWhatComesBack(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 100; round++) {
            Set<Long> edges = edges(random);
            int[][] steps = steps(edges);
            AdjacencyList graph = new AdjacencyList(array(edges));
            Components components = new Components(graph);
            assertThat(IntStream.range(0, graph.size()).map(graph::channel))
                    .isSorted()
                    .containsExactlyElementsOf(new TreeSet<>(edges.stream()
                            .flatMap(edge -> List.of((int) (edge >>> 32), (int) (long) edge).stream())
                            .toList()));
            for (int a = 0; a < graph.size(); a++) {
                for (int edge = graph.firstEdge(a); edge < graph.edgeEnd(a); edge++) {
                    int b = graph.successor(edge);
                    assertThat(edges.remove((long) graph.channel(a) << 32 | graph.channel(b)))
                            .isTrue();
                    assertThat(components.of(b)).isLessThanOrEqualTo(components.of(a));
                }
                for (int b = 0; b < graph.size(); b++) {
                    boolean both = steps[graph.channel(a)][graph.channel(b)] > 0
                            && steps[graph.channel(b)][graph.channel(a)] > 0;
                    assertThat(components.of(a) == components.of(b)).isEqualTo(a == b || both);
                }
            }
            assertThat(edges).as("all edges were seen").isEmpty();
            cycles(graph, components, steps);
        }
    }

    private static void cycles(AdjacencyList graph, Components components, int[][] steps) {
        ShortestCycle search = new ShortestCycle(graph, components);
        List<Integer> inCycles = new ArrayList<>();
        int smallest = -1;
        for (int[] component : components.cyclic()) {
            assertThat(component).isSorted();
            assertThat(component[0]).isGreaterThan(smallest);
            smallest = component[0];
            int least = Integer.MAX_VALUE;
            for (int at : component) {
                inCycles.add(at);
                least = Math.min(least, steps[graph.channel(at)][graph.channel(at)]);
            }
            int[] cycle = search.find(component);
            assertThat(cycle).hasSize(least).doesNotHaveDuplicates();
            assertThat(cycle[0]).isEqualTo(Arrays.stream(cycle).min().orElseThrow());
            for (int i = 0; i < cycle.length; i++) {
                int to = cycle[(i + 1) % cycle.length];
                assertThat(IntStream.range(graph.firstEdge(cycle[i]), graph.edgeEnd(cycle[i]))
                                .map(graph::successor)
                                .anyMatch(each -> each == to))
                        .isTrue();
            }
        }
        assertThat(inCycles)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, graph.size())
                        .filter(at -> steps[graph.channel(at)][graph.channel(at)] > 0)
                        .boxed()
                        .toList());
    }

    /** Of each edge the first flow is kept, however many there are. */
    @Test
    void manyEdgesEachWithItsFirstFlow() {
        SplittableRandom random = new SplittableRandom(4);
        DependencyGraph graph = new DependencyGraph();
        TreeMap<Long, Flow> flows = new TreeMap<>();
        for (int i = 0; i < 15_000; i++) {
            int from = random.nextInt(1 << 10);
            int to = random.nextInt(1 << 4);
            Flow flow = new Flow(1 + random.nextInt(0xBFFF), 1 + random.nextInt(0xBFFF), random.nextInt(16));
            graph.add(from, to, flow.sourceLid(), flow.destinationLid(), flow.sl());
            flows.putIfAbsent((long) from << 32 | to, flow);
        }
        for (int i = 0; i < 9000; i++) {
            Flow flow = new Flow(DependencyGraph.SENDER_NOT_KEPT, 1 + random.nextInt(0xBFFF), random.nextInt(16));
            graph.addFresh(1 << 11, i, flow.destinationLid(), flow.sl());
            flows.put(1L << 11 + 32 | i, flow);
        }
        assertThat(graph.sortedEdges())
                .containsExactly(
                        flows.keySet().stream().mapToLong(Long::longValue).toArray());
        flows.forEach((edge, flow) -> assertThat(graph.witness((int) (edge >>> 32), (int) (long) edge))
                .isEqualTo(flow));
    }

    /** What was added in both ways is one edge. */
    @Test
    void anEdgeIsThereOnce() {
        DependencyGraph graph = new DependencyGraph();
        graph.add(1, 2, 3, 4, 5);
        graph.addFresh(1, 2, 6, 7);
        graph.addFresh(0, 9, 6, 7);
        assertThat(graph.sortedEdges()).containsExactly(9, 1L << 32 | 2);
        assertThat(new DependencyGraph().sortedEdges()).isEmpty();
    }

    /** An edge that is there already is no other one. */
    @Test
    void edgesOfBothKindsAreBounded() {
        int most = DependencyGraph.FIRST_SIZE;
        DependencyGraph graph = new DependencyGraph(most);
        for (int i = 0; i < most; i++) {
            graph.add(i, 1, 2, 3, 4);
            graph.addFresh(i, 2, 3, 4);
        }
        graph.add(0, 1, 2, 3, 4);
        String words = "more than " + most + " dependencies";
        assertThatIllegalStateException()
                .isThrownBy(() -> graph.add(most, 1, 2, 3, 4))
                .withMessage(words);
        assertThatIllegalStateException()
                .isThrownBy(() -> graph.addFresh(most, 2, 3, 4))
                .withMessage(words);
    }

    /** A ring of five channels, of which two are a shorter ring. */
    @Test
    void afterSomeWorkTheShortestSoFarIsTaken() {
        AdjacencyList graph =
                new AdjacencyList(new long[] {1, 1L << 32 | 2, 2L << 32 | 1, 2L << 32 | 3, 3L << 32 | 4, 4L << 32});
        Components components = new Components(graph);
        int[] component = components.cyclic()[0];
        int edges = 6;
        assertThat(new ShortestCycle(graph, components, edges).find(component))
                .as("all are looked at from the first channel")
                .containsExactly(0, 1, 2, 3, 4);
        assertThat(new ShortestCycle(graph, components, edges + 1).find(component))
                .as("from the second as well")
                .containsExactly(1, 2);
    }
}
