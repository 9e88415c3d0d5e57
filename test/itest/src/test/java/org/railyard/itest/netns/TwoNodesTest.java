package org.railyard.itest.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.base.wire.Wire;
import org.railyard.cli.Main;
import org.railyard.itest.kit.Await;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;
import org.railyard.testkit.Program;
import org.railyard.testkit.Requirement;

/**
 * Two nodes, each a process in a namespace of its own, joined by two cables. Everything as between kernels: port 988,
 * low ports, accept secure.
 */
@NeedsRoot
@NeedsCommand({"ip", "ss"})
@BesideOthers
@ResourceLock(BesideOthers.TRAFFIC)
@Order(2)
final class TwoNodesTest {
    private static final int BULK = Wire.MTU;

    private static final Namespace left = namespace();
    private static final Namespace right = namespace();

    private static Namespace namespace() {
        Namespace.deleteLeftOvers();
        return new Namespace();
    }

    @BeforeAll
    static void layCables() {
        for (int rail = 0; rail < 2; rail++) {
            left.cable(right, "rail" + rail);
            left.address("rail" + rail, "10.77." + rail + ".1/24");
            right.address("rail" + rail, "10.77." + rail + ".2/24");
            keepAddressesOnDown(left, "rail" + rail);
            keepAddressesOnDown(right, "rail" + rail);
            left.address("rail" + rail, "fd00:77:" + (rail + 1) + "::1/64");
            right.address("rail" + rail, "fd00:77:" + (rail + 1) + "::2/64");
        }
    }

    /** Otherwise a device that goes down loses its IPv6 addresses for good. */
    private static void keepAddressesOnDown(Namespace namespace, String device) {
        Program.of(
                        "ip",
                        "netns",
                        "exec",
                        namespace.name(),
                        "sh",
                        "-c",
                        "echo 1 > /proc/sys/net/ipv6/conf/" + device + "/keep_addr_on_down")
                .run();
    }

    @AfterAll
    static void clear() {
        left.close();
        right.close();
    }

    private static String nid(String family, int rail, int node) {
        return family.equals("IPv4")
                ? "10.77." + rail + "." + node + "@tcp"
                : "fd00:77:" + (rail + 1) + "::" + node + "@tcp";
    }

    private static NodeProcess node(Namespace namespace, int connections, String... nis) throws IOException {
        String[] arguments = new String[nis.length + 1];
        arguments[0] = Integer.toString(connections);
        System.arraycopy(nis, 0, arguments, 1, nis.length);
        return new NodeProcess(namespace, arguments);
    }

    @ParameterizedTest(name = "{0}, conns_per_peer {1}")
    @CsvSource({"IPv4, 1", "IPv4, 4", "IPv6, 1", "IPv6, 4"})
    @Requirement({"mrx-004", "cfg-085", "dyn-020"})
    void pingDiscoverPutAndGet(String family, int connections) throws IOException {
        try (NodeProcess a = node(left, connections, nid(family, 0, 1), nid(family, 1, 1));
                NodeProcess b = node(right, connections, nid(family, 0, 2), nid(family, 1, 2))) {
            assertThat(a.ask("ping " + nid(family, 0, 2)))
                    .isEqualTo("[" + nid(family, 0, 2) + ", " + nid(family, 1, 2) + "]");
            assertThat(a.ask("discover " + nid(family, 1, 2)))
                    .isEqualTo("multi-rail " + nid(family, 0, 2) + " up " + nid(family, 1, 2) + " up");
            b.awaitAnswer("peers", "multi-rail " + nid(family, 0, 1) + " up " + nid(family, 1, 1) + " up");

            assertThat(a.ask("transfer " + nid(family, 0, 2) + " " + BULK + " 10"))
                    .isEqualTo("done 40 repeated 0 wrong 0");
            assertThat(a.ask("transfer " + nid(family, 0, 2) + " 65 50")).isEqualTo("done 200 repeated 0 wrong 0");
            assertThat(b.ask("transfer " + nid(family, 1, 1) + " 4097 10")).isEqualTo("done 40 repeated 0 wrong 0");
            assertThat(b.ask("received")).isEqualTo("good 120 bad 0");
            assertThat(a.ask("received")).isEqualTo("good 20 bad 0");
            assertBothRailsCarry(a);
            assertBothRailsCarry(b);
            assertConnections(connections);
        }
    }

    private static void assertBothRailsCarry(NodeProcess node) {
        String[] words = node.ask("nis").split(" ");
        assertThat(Long.parseLong(words[2])).as("messages sent on rail 0").isGreaterThan(10);
        assertThat(Long.parseLong(words[5])).as("messages sent on rail 1").isGreaterThan(10);
    }

    /**
     * Between each pair of NIDs that talk: one control connection, and per direction as many bulk connections as
     * configured.
     */
    private static void assertConnections(int connections) {
        // They are opened one after the other.
        Await.until(
                () -> "whole sets of " + (1 + 2 * connections) + " connections: " + established(),
                () -> !established().isEmpty() && established().size() % (1 + 2 * connections) == 0);
        assertThat(established()).allSatisfy(line -> {
            String[] words = line.split("\\s+");
            assertThat(port(words[2])).isBetween(512, 1023);
            assertThat(port(words[3])).isBetween(512, 1023);
            assertThat(List.of(port(words[2]), port(words[3]))).contains(988);
        });
    }

    private static List<String> established() {
        return Program.line("ip netns exec " + left.name() + " ss -tnH state established")
                .run()
                .lines()
                .map(String::strip)
                .toList();
    }

    private static int port(String endpoint) {
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }

    @Test
    @Requirement({"dyn-045", "cfg-020"})
    void niComesAndGoesUnderTraffic() throws IOException {
        try (NodeProcess a = node(left, 1, "rail0");
                NodeProcess b = node(right, 1, "rail0", "rail1")) {
            assertThat(a.ask("start 10.77.0.2@tcp 100000")).startsWith("done");
            a.awaitAnswer("peers", "multi-rail 10.77.0.2@tcp up 10.77.1.2@tcp up");
            assertThat(a.ask("add rail1")).isEqualTo("10.77.1.1@tcp");
            b.awaitAnswer("peers", "multi-rail 10.77.0.1@tcp up 10.77.1.1@tcp up");
            Await.until("traffic on the new rail", () -> sent(a, 1) > 100);
            assertThat(a.ask("remove 10.77.1.1@tcp")).isEqualTo("removed");
            b.awaitAnswer("peers", "multi-rail 10.77.0.1@tcp up");
            Await.until("the NI to be forgotten", () -> !b.ask("peers").contains("10.77.1.1"));
            awaitProgress(a, 200);
            assertThat(a.ask("stop")).endsWith("wrong 0");
            assertThat(b.ask("received")).endsWith("bad 0");
        }
    }

    private static long sent(NodeProcess node, int rail) {
        return Long.parseLong(node.ask("nis").split(" ")[3 * rail + 2]);
    }

    private static void awaitProgress(NodeProcess node, int transfers) {
        long before = NodeProcess.number(node.ask("progress"), "done");
        Await.until(
                () -> transfers + " more transfers: " + node.ask("progress"),
                () -> NodeProcess.number(node.ask("progress"), "done") >= before + transfers);
    }

    @Test
    @Requirement({"snd-080", "dyn-050", "hlt-005", "hlt-010", "hlt-025", "mrx-017"})
    void aRailGoesDownUnderTrafficAndComesBack() throws IOException {
        try (NodeProcess a = node(left, 1, "rail0", "rail1");
                NodeProcess b = node(right, 1, "rail0", "rail1")) {
            assertThat(a.ask("start 10.77.0.2@tcp 100000")).startsWith("done");
            // Both sides have something to say: whoever loses a push on the dying rail repeats it at its next use of
            // the peer.
            assertThat(b.ask("start 10.77.0.1@tcp 100000")).startsWith("done");
            awaitProgress(a, 100);
            awaitProgress(b, 100);
            left.ip("link set rail1 down");
            try {
                a.awaitAnswer("nis", "10.77.1.1@tcp down");
                b.awaitAnswer("peers", "10.77.1.1@tcp down");
                a.awaitAnswer("peers", "10.77.1.2@tcp down");
                awaitProgress(a, 200);
                awaitProgress(b, 200);
                long onDeadRail = sent(a, 1);
                awaitProgress(a, 200);
                assertThat(sent(a, 1)).as("messages on the dead rail").isEqualTo(onDeadRail);
            } finally {
                left.ip("link set rail1 up");
            }
            a.awaitAnswer("nis", "10.77.1.1@tcp up");
            b.awaitAnswer("peers", "10.77.0.1@tcp up 10.77.1.1@tcp up");
            a.awaitAnswer("peers", "10.77.0.2@tcp up 10.77.1.2@tcp up");
            long before = sent(a, 1);
            Await.until(() -> "traffic on the rail that came back: " + a.ask("nis"), () -> sent(a, 1) > before + 50);
            assertThat(a.ask("stop")).endsWith("wrong 0");
            assertThat(b.ask("stop")).endsWith("wrong 0");
            assertThat(a.ask("received")).endsWith("bad 0");
            assertThat(b.ask("received")).endsWith("bad 0");
        }
    }

    @Test
    void commandsReachANodeThatTrustsLowPortsOnly() throws IOException, InterruptedException {
        try (NodeProcess b = node(right, 1, "rail0", "rail1")) {
            Process ping = left.java(Main.class, "ping", "--timeout", "30", "10.77.1.2@tcp");
            assertThat(output(ping)).isEqualTo("""
                ping:
                - primary nid: 10.77.1.2@tcp
                  Multi-Rail: false
                  peer_ni:
                  - nid: 10.77.0.2@tcp
                  - nid: 10.77.1.2@tcp
                """);
            assertThat(ping.waitFor()).isZero();
            Process discover = left.java(Main.class, "discover", "10.77.1.2@tcp");
            assertThat(output(discover)).isEqualTo("""
                discover:
                - primary nid: 10.77.0.2@tcp
                  Multi-Rail: true
                  peer_ni:
                  - nid: 10.77.0.2@tcp
                  - nid: 10.77.1.2@tcp
                """);
            assertThat(discover.waitFor()).isZero();
            assertThat(b.ask("peers")).contains("10.77.1.1@tcp");
            Process stranger = left.java(Main.class, "ping", "--any-source-port", "10.77.1.2@tcp");
            assertThat(output(stranger)).startsWith("manage:");
            assertThat(stranger.waitFor()).isEqualTo(255);
        }
    }

    private static String output(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
