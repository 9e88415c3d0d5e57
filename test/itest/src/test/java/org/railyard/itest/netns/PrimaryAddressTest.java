package org.railyard.itest.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;

/**
 * An interface with several addresses: the NID is made of the first that the kernel lists, and a label stands for its
 * own.
 */
@NeedsRoot
@NeedsCommand("ip")
final class PrimaryAddressTest {
    @Test
    void theFirstAddressAndThatOfALabel() throws IOException {
        Namespace.deleteLeftOvers();
        try (Namespace left = new Namespace();
                Namespace right = new Namespace()) {
            left.cable(right, "rail0");
            left.address("rail0", "10.80.0.5/24");
            left.ip("addr add 10.80.0.9/24 dev rail0 label rail0:0");
            left.address("rail0", "10.80.0.3/24");
            left.address("rail0", "10.80.1.1/24");
            left.address("rail0", "fd00:80::1/64");
            right.address("rail0", "10.80.0.2/24");
            try (NodeProcess a = new NodeProcess(left, RailProgram.class, "tcp", "rail0", "tcp", "rail0:0");
                    NodeProcess b = new NodeProcess(right, RailProgram.class, "tcp", "rail0")) {
                assertThat(a.ask("nis")).matches("10.80.0.5@tcp up 1000 \\d+ 10.80.0.9@tcp up 1000 \\d+");
                assertThat(b.ask("discover 10.80.0.9@tcp")).isEqualTo("10.80.0.5@tcp 10.80.0.9@tcp");
                left.ip("addr del 10.80.0.9/24 dev rail0");
                a.awaitAnswer("nis", "10.80.0.9@tcp down");
                assertThat(a.ask("nis")).contains("10.80.0.5@tcp up");
                left.ip("addr add 10.80.0.9/24 dev rail0 label rail0:0");
                a.awaitAnswer("nis", "10.80.0.9@tcp up");
                left.ip("link set rail0 down");
                a.awaitAnswer("nis", "10.80.0.5@tcp down");
            }
        }
    }
}
