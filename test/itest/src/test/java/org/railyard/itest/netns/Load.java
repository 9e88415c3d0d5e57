package org.railyard.itest.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.railyard.itest.kit.Await;

/** The traffic of a {@link RailProgram}, as a test sees it. */
final class Load {
    private Load() {}

    /** Returns a number of the traffic so far, such as {@code done}. */
    static long progress(NodeProcess node, String word) {
        return NodeProcess.number(node.ask("progress"), word);
    }

    /**
     * Waits for further transactions.
     *
     * @param questions what else the node is asked if they do not come
     */
    static void awaitProgress(NodeProcess node, int transactions, String... questions) {
        long before = progress(node, "done");
        Await.until(
                () -> transactions + " more transactions: " + node.ask("progress") + "; "
                        + Arrays.stream(questions).map(node::ask).collect(Collectors.joining("; ")),
                () -> progress(node, "done") >= before + transactions);
    }

    /**
     * Ends the traffic and checks what must hold whatever fails: one outcome each, in time, nothing wrong, nothing
     * twice.
     */
    static String finish(NodeProcess from, NodeProcess to) {
        String end = from.ask("stop");
        assertThat(end).contains(" wrong 0 late 0 unclear 0 ");
        assertThat(to.ask("received")).endsWith(" bad 0 twice 0");
        return end;
    }
}
