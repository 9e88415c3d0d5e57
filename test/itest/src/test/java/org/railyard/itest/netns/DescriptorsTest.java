package org.railyard.itest.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.railyard.itest.kit.Await;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;

/**
 * A node without a file descriptor left: connections are refused, its devices are not to blame, and what is connected
 * goes on.
 */
@NeedsRoot
@NeedsCommand("ip")
@BesideOthers
final class DescriptorsTest {
    private static final int FILES = 400;
    private static final String A = "10.81.0.1@tcp";
    private static final String C = "10.81.0.3@tcp";

    @Test
    void outOfDescriptors() throws IOException {
        Namespace.deleteLeftOvers();
        try (Namespace left = new Namespace();
                Namespace right = new Namespace()) {
            left.cable(right, "rail0");
            left.address("rail0", "10.81.0.1/24");
            right.address("rail0", "10.81.0.2/24");
            right.ip("addr add 10.81.0.3/24 dev rail0 label rail0:c");
            try (NodeProcess a = new NodeProcess(left.javaWithFiles(FILES, RailProgram.class, "tcp", "rail0"));
                    NodeProcess b = new NodeProcess(right, RailProgram.class, "tcp", "rail0")) {
                // Nobody listens there yet; failures need classes, and these need files.
                assertThat(a.ask("discover " + C)).startsWith("failed");
                assertThat(a.ask("nis")).startsWith(A + " up ");
                assertThat(b.ask("discover " + A)).isEqualTo(A);
                try (NodeProcess c = new NodeProcess(right, RailProgram.class, "tcp", "rail0:c")) {
                    assertThat(a.ask("burn")).isEqualTo("burnt");
                    assertThat(c.ask("discover " + A)).startsWith("failed");
                    assertThat(a.ask("discover " + C)).startsWith("failed");
                    assertThat(b.ask("discover " + A)).as("what is connected").isEqualTo(A);
                    assertThat(a.ask("nis")).startsWith(A + " up 1000 ");
                    assertThat(a.ask("free")).isEqualTo("freed");
                    // The text of a failure names the NID, too.
                    Await.until(
                            "a discovery with descriptors",
                            () -> c.ask("discover " + A).equals(A));
                    assertThat(b.ask("discover " + C)).isEqualTo(C);
                }
            }
        }
    }
}
