package org.railyard.sm.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.sm.subnet.ManagedNode;

/** How many Sets that failed become a few lines. */
class ProblemsTest {
    private final Problems problems = new Problems();
    private final ManagedNode node = new ManagedNode(NodeInfo.TYPE
            .create()
            .set(NodeInfo.NODE_TYPE, NodeInfo.SWITCH)
            .set(NodeInfo.NODE_GUID, 1)
            .set(NodeInfo.NUM_PORTS, 1));

    private void blocks(int count, String why) {
        node.description("S");
        node.path(0, DirectedPath.OWN_NODE);
        for (int block = 0; block < count; block++) {
            LinearForwardingTable table = LinearForwardingTable.TYPE.create();
            problems.add(Update.of(node, 0, LinearForwardingTable.TYPE, Modifiers.block(block), table, _ -> {}), why);
        }
    }

    private static String others(int last) {
        return String.join(
                ", ", IntStream.rangeClosed(1, last).mapToObj(i -> "block " + i).toList());
    }

    @Test
    void sevenOthersAreNamed() {
        blocks(8, "test");
        assertThat(problems.lines()).singleElement().asString().endsWith(" (and 7 more: " + others(7) + "): test");
    }

    @Test
    void ofMoreSevenAreNamed() {
        blocks(9, "test");
        assertThat(problems.lines()).singleElement().asString().endsWith(" (and 8 more: " + others(7) + " …): test");
    }

    @Test
    void linesAreLimitedAndWhatIsKnownIsCounted() {
        for (int i = 0; i < Executor.MAX_PROBLEMS; i++) {
            blocks(1, "reason " + i);
        }
        problems.add("too much");
        blocks(1, "too much");
        blocks(1, "reason 3");
        assertThat(problems.lines()).hasSize(Executor.MAX_PROBLEMS).noneMatch(line -> line.contains("too much"));
        assertThat(problems.lines().get(3)).contains("and 1 more");
    }

    @Test
    void whatIsAboutNoSetIsTold() {
        problems.add("one");
        problems.add("one");
        problems.add("other");
        assertThat(problems.lines()).isEqualTo(List.of("one", "other"));
    }
}
