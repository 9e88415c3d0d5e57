package org.railyard.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.control.ConfigOperation;
import org.railyard.control.GlobalOperation;
import org.railyard.control.LnetOperation;
import org.railyard.control.RoutingOperation;
import org.railyard.control.node.NodeDlc;

/** A backup has what was configured, whatever the node has made of it so far. */
final class BackupTest {
    /** Buffers that are too many go as they come back; a node that starts from the backup has none of them. */
    @Test
    void ofARouterHasTheBuffersThatWereAskedFor() {
        try (NodeDlc dlc = new NodeDlc(new StubMachine(ni -> {}, () -> {}))) {
            dlc.execute(new LnetOperation.Configure(false, false));
            dlc.execute(new GlobalOperation.Set("routing", "1"));
            dlc.execute(new GlobalOperation.Set("small_buffers", "5000"));
            assertThat(dlc.execute(new RoutingOperation.Show()))
                    .containsEntry("buffers", Map.of("tiny", 2048L, "small", 16_384L, "large", 1024L));
            assertThat(dlc.execute(new ConfigOperation.Export(true)))
                    .containsEntry("buffers", Map.of("tiny", 2048L, "small", 5000L, "large", 1024L));
        }
    }
}
