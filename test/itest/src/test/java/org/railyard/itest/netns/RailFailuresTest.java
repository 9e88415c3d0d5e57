package org.railyard.itest.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.railyard.itest.kit.Await;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;
import org.railyard.testkit.Requirement;

/**
 * Two nodes, each a process in a namespace of its own, with two rails that lead over bridges in a third one: links go
 * down, bytes vanish on a path whose links stay up, a node dies. Each rail is a net of its own, so that none is used
 * across. What happened is printed as a table.
 */
@NeedsRoot
@NeedsCommand("ip")
@BesideOthers
@Order(1)
final class RailFailuresTest {
    private static final Namespace left = namespace();
    private static final Namespace right = namespace();
    private static final Namespace middle = namespace();

    private static final String LEFT1 = "10.78.1.1@tcp1";
    private static final String RIGHT0 = "10.78.0.2@tcp";
    private static final String RIGHT1 = "10.78.1.2@tcp1";
    private static final String ALL_WELL_LEFT = RIGHT0 + " up 1000 " + RIGHT1 + " up 1000";

    /** Recovery pings that may go over a rail while it is known to be bad. */
    private static final int A_FEW = 20;

    /** What a node is asked when its traffic does not go on. */
    private static final String[] QUESTIONS = {"statistics", "peers"};

    private static Namespace namespace() {
        Namespace.deleteLeftOvers();
        return new Namespace();
    }

    @BeforeAll
    static void layCables() {
        for (int rail = 0; rail < 2; rail++) {
            middle.bridge("bridge" + rail);
            cable(left, "left" + rail, rail, 1);
            cable(right, "right" + rail, rail, 2);
        }
    }

    private static void cable(Namespace node, String port, int rail, int host) {
        middle.plug("bridge" + rail, port, node, "rail" + rail);
        node.address("rail" + rail, "10.78." + rail + "." + host + "/24");
    }

    @AfterAll
    static void clear() {
        left.close();
        right.close();
        middle.close();
    }

    private static NodeProcess node(Namespace namespace) throws IOException {
        return new NodeProcess(namespace, RailProgram.class, "tcp", "rail0", "tcp1", "rail1");
    }

    private static void startTraffic(NodeProcess a) {
        assertThat(a.ask("discover " + RIGHT0)).isEqualTo(RIGHT0 + " " + RIGHT1);
        assertThat(a.ask("start " + RIGHT0)).isEqualTo("started");
        Load.awaitProgress(a, 100, QUESTIONS);
        assertThat(a.ask("mark")).isEqualTo("marked");
    }

    private static long sentOver(NodeProcess node, String nid) {
        String[] words = node.ask("nis").split(" ");
        for (int i = 0; i < words.length; i++) {
            if (words[i].equals(nid)) {
                return Long.parseLong(words[i + 3]);
            }
        }
        throw new AssertionError("no NI " + nid);
    }

    private static long resends(NodeProcess node) {
        return NodeProcess.number(node.ask("statistics"), "resends");
    }

    private static void awaitWell(NodeProcess a, NodeProcess b) {
        a.awaitAnswer("peers", ALL_WELL_LEFT);
        Await.until(
                () -> "full health: " + a.ask("nis") + "; " + a.ask("peers") + "; " + b.ask("nis") + "; "
                        + b.ask("peers"),
                () -> isWell(a) && isWell(b));
    }

    private static boolean isWell(NodeProcess node) {
        String[] nis = node.ask("nis").split(" ");
        String[] peers = node.ask("peers").split(" ");
        return nis[2].equals("1000") && nis[6].equals("1000") && peers[2].equals("1000") && peers[5].equals("1000");
    }

    private static void print(String fault, String progress, long resendsLeft, long resendsRight, long recoveryMillis) {
        System.out.println(String.format(
                Locale.ROOT,
                "| %-28s | longest pause %5d ms | done %6d | failed %3d | timed out %3d | resends %3d + %3d | recovery"
                        + " %6d ms |",
                fault,
                NodeProcess.number(progress, "gap-ms"),
                NodeProcess.number(progress, "done"),
                NodeProcess.number(progress, "failed"),
                NodeProcess.number(progress, "timed-out"),
                resendsLeft,
                resendsRight,
                recoveryMillis));
    }

    private static long millisSince(long start) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    /**
     * Waits until all is well and the repaired rail is used again; then ends the traffic and returns what came of it.
     */
    private static String finishRepaired(String fault, long repaired, NodeProcess a, NodeProcess b) {
        awaitWell(a, b);
        long recovery = millisSince(repaired);
        long before = sentOver(a, LEFT1);
        Await.until(() -> "traffic on the repaired rail: " + a.ask("nis"), () -> sentOver(a, LEFT1) > before + 50);
        String end = Load.finish(a, b);
        print(fault, end, resends(a), resends(b), recovery);
        return end;
    }

    @Test
    @Requirement({"snd-080", "rsl-015", "rsl-022", "rsl-024", "mrx-017"})
    void aLinkGoesDownAndUp() throws IOException {
        try (NodeProcess a = node(left);
                NodeProcess b = node(right)) {
            startTraffic(a);
            long repaired;
            left.ip("link set rail1 down");
            try {
                a.awaitAnswer("nis", LEFT1 + " down");
                Load.awaitProgress(a, 200, QUESTIONS);
                long onDeadRail = sentOver(a, LEFT1);
                Load.awaitProgress(a, 200, QUESTIONS);
                assertThat(sentOver(a, LEFT1)).as("messages on the dead rail").isEqualTo(onDeadRail);
            } finally {
                left.ip("link set rail1 up");
                repaired = System.nanoTime();
            }
            String end = finishRepaired("link down and up", repaired, a, b);
            assertThat(NodeProcess.number(end, "failed"))
                    .as("what LNet could have sent again")
                    .isZero();
            // TCP sends what was in the link some time after that is back; what follows it into the sockets waits, too.
            assertThat(NodeProcess.number(end, "timed-out"))
                    .as("what was inside the link, and followed it when it was back")
                    .isLessThanOrEqualTo(2L * RailTarget.SLOTS);
        }
    }

    @Test
    @Requirement({"rsl-016", "rsl-020", "rsl-064", "rsl-083", "rsl-084"})
    void bytesVanishOnOneRail() throws IOException {
        try (NodeProcess a = node(left);
                NodeProcess b = node(right)) {
            startTraffic(a);
            long repaired;
            middle.ip("link set left1 nomaster");
            try {
                Await.until(
                        () -> "the failure to be known: " + a.ask("peers") + "; " + a.ask("nis"),
                        () -> !isWell(a) && Load.progress(a, "timed-out") + resends(a) > 0);
                Load.awaitProgress(a, 400, QUESTIONS);
                long onDeadRail = sentOver(a, LEFT1);
                Load.awaitProgress(a, 400, QUESTIONS);
                assertThat(sentOver(a, LEFT1))
                        .as("messages on the dead rail, recovery pings included")
                        .isLessThan(onDeadRail + A_FEW);
            } finally {
                middle.ip("link set left1 master bridge1");
                repaired = System.nanoTime();
            }
            String end = finishRepaired("silent loss and repair", repaired, a, b);
            assertThat(NodeProcess.number(end, "failed"))
                    .as("what did not end in a time-out")
                    .isZero();
            assertThat(NodeProcess.number(end, "timed-out"))
                    .as("what was inside the silent path, in both directions")
                    .isLessThanOrEqualTo(2L * RailTarget.SLOTS);
        }
    }

    @Test
    void aNodeIsKilledAndStartedAgain() throws IOException {
        try (NodeProcess a = node(left)) {
            NodeProcess first = node(right);
            startTraffic(a);
            assertThat(first.ask("received")).endsWith(" bad 0 twice 0");
            first.kill();
            Await.until(
                    () -> "failures: " + a.ask("progress"),
                    () -> Load.progress(a, "failed") + Load.progress(a, "timed-out") >= RailTarget.SLOTS);
            try (NodeProcess second = node(right)) {
                long started = System.nanoTime();
                Load.awaitProgress(a, 200, QUESTIONS);
                awaitWell(a, second);
                long recovery = millisSince(started);
                String end = Load.finish(a, second);
                print("kill -9 and restart", end, resends(a), resends(second), recovery);
            }
        }
    }
}
