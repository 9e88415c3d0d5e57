package org.railyard.itest.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.itest.kit.Await;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;
import org.railyard.testkit.Program;
import org.railyard.testkit.Requirement;

/**
 * The link of a rail goes down for some time and comes back, under bulk traffic in both directions, with the limits of
 * real nodes: nothing is lost, traffic goes on, the connections are the same afterwards. Both rails in one subnet,
 * where TCP goes over the other device, or each in its own. Longer times with {@code -Drailyard.long=true}.
 */
@NeedsRoot
@NeedsCommand("ip")
@BesideOthers
@ResourceLock(BesideOthers.TRAFFIC)
@Order(2)
final class LinkFlapTest {
    private static final String[] QUESTIONS = {"statistics", "nis", "peers"};

    /** A down time after which the time limits of sockets have ended connections whose rail leads nowhere else. */
    private static final int LONG_SECONDS = 60;

    static Stream<Arguments> flaps() {
        Stream<Arguments> quick = Stream.of(Arguments.of(true, 2));
        return Boolean.getBoolean("railyard.long")
                ? Stream.of(
                        Arguments.of(true, 2),
                        Arguments.of(false, 2),
                        Arguments.of(true, 10),
                        Arguments.of(false, 10),
                        Arguments.of(true, LONG_SECONDS),
                        Arguments.of(false, LONG_SECONDS))
                : quick;
    }

    @ParameterizedTest(name = "one subnet {0}, {1} s")
    @MethodSource("flaps")
    @Requirement({"snd-080", "rsl-015", "rsl-144", "mrx-017"})
    void nothingIsLost(boolean oneSubnet, int seconds) throws IOException {
        Namespace.deleteLeftOvers();
        try (Namespace left = new Namespace();
                Namespace right = new Namespace();
                Namespace middle = new Namespace()) {
            layCables(oneSubnet, left, right, middle);
            try (NodeProcess a = node(oneSubnet, left);
                    NodeProcess b = node(oneSubnet, right)) {
                flap(oneSubnet, seconds, left, a, b);
            }
        }
    }

    private static void layCables(boolean oneSubnet, Namespace left, Namespace right, Namespace middle) {
        for (int rail = 0; rail < 2; rail++) {
            if (rail == 0 || !oneSubnet) {
                middle.bridge("bridge" + rail);
            }
            String bridge = oneSubnet ? "bridge0" : "bridge" + rail;
            middle.plug(bridge, "left" + rail, left, "rail" + rail);
            middle.plug(bridge, "right" + rail, right, "rail" + rail);
            left.address("rail" + rail, address(oneSubnet, rail, 1) + "/24");
            right.address("rail" + rail, address(oneSubnet, rail, 2) + "/24");
        }
        if (oneSubnet) {
            // As behind a router: which port of a node an address leads to must not be what a port without a link has
            // answered.
            know(left, right, 2);
            know(right, left, 1);
        }
    }

    private static void know(Namespace node, Namespace other, int host) {
        List<String> words = List.of(other.ip("link show rail0").split("\\s+"));
        String mac = words.get(words.indexOf("link/ether") + 1);
        for (int rail = 0; rail < 2; rail++) {
            node.ip("neigh replace " + address(true, rail, host) + " lladdr " + mac + " dev rail0 nud permanent");
        }
    }

    private static String address(boolean oneSubnet, int rail, int node) {
        return oneSubnet ? "10.79.0." + (node + 10 * rail) : "10.79." + rail + "." + node;
    }

    private static String nid(boolean oneSubnet, int rail, int node) {
        return address(oneSubnet, rail, node) + (oneSubnet || rail == 0 ? "@tcp" : "@tcp1");
    }

    private static NodeProcess node(boolean oneSubnet, Namespace namespace) throws IOException {
        return new NodeProcess(
                namespace, RailProgram.class, "usual", "tcp", "rail0", oneSubnet ? "tcp" : "tcp1", "rail1");
    }

    private static void flap(boolean oneSubnet, int seconds, Namespace left, NodeProcess a, NodeProcess b) {
        String down = nid(oneSubnet, 1, 1);
        assertThat(a.ask("discover " + nid(oneSubnet, 0, 2))).contains(nid(oneSubnet, 1, 2));
        assertThat(b.ask("discover " + nid(oneSubnet, 0, 1))).contains(down);
        assertThat(a.ask("start " + nid(oneSubnet, 0, 2))).isEqualTo("started");
        assertThat(b.ask("start " + nid(oneSubnet, 0, 1))).isEqualTo("started");
        Load.awaitProgress(a, 200, QUESTIONS);
        Load.awaitProgress(b, 200, QUESTIONS);
        Await.until(() -> "traffic on the rail: " + a.ask("nis"), () -> sentOver(a, down) > 50);
        assertThat(a.ask("mark") + b.ask("mark")).isEqualTo("markedmarked");
        List<String> before = connections(left, address(oneSubnet, 1, 1));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        left.ip("link set rail1 down");
        try {
            a.awaitAnswer("nis", down + " down");
            b.awaitAnswer("peers", down + " down");
            long quiet = sentOver(a, down);
            // Each in its own subnet, transactions may wait inside sockets until the link is back.
            Await.until("the end of the down time", () -> System.nanoTime() - end >= 0);
            if (oneSubnet) {
                Load.awaitProgress(a, 20, QUESTIONS);
                Load.awaitProgress(b, 20, QUESTIONS);
            }
            assertThat(sentOver(a, down))
                    .as("messages on the rail without a link")
                    .isLessThanOrEqualTo(quiet);
        } finally {
            left.ip("link set rail1 up");
        }
        long repaired = System.nanoTime();
        a.awaitAnswer("nis", down + " up");
        b.awaitAnswer("peers", down + " up");
        long used = sentOver(a, down);
        Await.until(() -> "traffic on the repaired rail: " + a.ask("nis"), () -> sentOver(a, down) > used + 50);
        long recovery = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - repaired);
        List<String> after = connections(left, address(oneSubnet, 1, 1));
        print(oneSubnet, seconds, recovery, Load.finish(a, b), a);
        print(oneSubnet, seconds, recovery, Load.finish(b, a), b);
        if (oneSubnet || seconds < LONG_SECONDS) {
            // Recovery pings may open more, between other NIDs.
            assertThat(before).isNotEmpty();
            assertThat(after).as("connections of the rail").containsAll(before);
            assertLost(a, 0);
            assertLost(b, 0);
        } else {
            // What was inside the sockets, which had no other way, when their time limit was over.
            assertLost(a, RailTarget.SLOTS);
            assertLost(b, RailTarget.SLOTS);
        }
    }

    private static void assertLost(NodeProcess node, long timedOut) {
        assertThat(Load.progress(node, "failed")).isZero();
        assertThat(Load.progress(node, "timed-out")).isLessThanOrEqualTo(timedOut);
    }

    private static void print(boolean oneSubnet, int seconds, long recovery, String end, NodeProcess node) {
        System.out.println(String.format(
                Locale.ROOT,
                "| link down for %2d s, %-11s | %s | %s | recovery %d ms |",
                seconds,
                oneSubnet ? "one subnet" : "two subnets",
                end,
                node.ask("statistics"),
                recovery));
    }

    private static long sentOver(NodeProcess node, String nid) {
        String[] words = node.ask("nis").split(" ");
        int at = Arrays.asList(words).indexOf(nid);
        assertThat(at).as("place of the NI " + nid).isNotNegative();
        return Long.parseLong(words[at + 3]);
    }

    /** Returns the TCP connections of an address, by their ends. */
    private static List<String> connections(Namespace namespace, String address) {
        return Program.line("ip netns exec " + namespace.name() + " ss -Htn state established src " + address)
                .run()
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .map(words -> words[2] + " " + words[3])
                .sorted()
                .toList();
    }
}
