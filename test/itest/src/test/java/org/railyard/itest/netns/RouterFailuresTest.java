package org.railyard.itest.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.railyard.itest.kit.Await;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;
import org.railyard.testkit.Requirement;

/**
 * A client and a server on nets of their own and two routers between them, each a process in a namespace: 1 MiB at a
 * time, eight at once, while a router is killed and started again. What happened is printed.
 */
@NeedsRoot
@NeedsCommand("ip")
@BesideOthers
@ResourceLock(BesideOthers.TRAFFIC)
@Order(3)
final class RouterFailuresTest {
    private static final String CLIENT = "10.79.0.1@tcp";
    private static final String SERVER = "10.79.1.2@tcp1";
    /** Requests that were inside the router that died, and answers. */
    private static final long INSIDE = 2L * RailTarget.SLOTS;

    private static final Namespace client = namespace();
    private static final Namespace server = namespace();
    private static final Namespace[] routers = {new Namespace(), new Namespace()};
    private static final Namespace middle = new Namespace();

    /** What a node is asked when its traffic does not go on. */
    private static final String[] QUESTIONS = {"routes", "statistics", "peers"};

    private static Namespace namespace() {
        Namespace.deleteLeftOvers();
        return new Namespace();
    }

    @BeforeAll
    static void layCables() {
        for (int side = 0; side < 2; side++) {
            middle.bridge("bridge" + side);
        }
        cable(client, "client", 0, 1);
        cable(server, "server", 1, 2);
        for (int router = 0; router < 2; router++) {
            for (int side = 0; side < 2; side++) {
                cable(routers[router], "router" + router + side, side, 11 + router);
            }
        }
    }

    private static void cable(Namespace node, String port, int side, int host) {
        middle.plug("bridge" + side, port, node, "side" + side);
        node.address("side" + side, "10.79." + side + "." + host + "/24");
    }

    @AfterAll
    static void clear() {
        client.close();
        server.close();
        routers[0].close();
        routers[1].close();
        middle.close();
    }

    private static NodeProcess router(int number) throws IOException {
        return new NodeProcess(routers[number], RailProgram.class, "forward", "tcp", "side0", "tcp1", "side1");
    }

    /** Starts a node on one side that knows some of the routers. */
    private static NodeProcess end(Namespace namespace, int side, int... known) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(side == 0 ? "tcp" : "tcp1", "side" + side));
        for (int router : known) {
            arguments.addAll(List.of("route", side == 0 ? "tcp1" : "tcp", gateway(router, side)));
        }
        return new NodeProcess(namespace, RailProgram.class, arguments.toArray(String[]::new));
    }

    private static String gateway(int router, int side) {
        return "10.79." + side + "." + (11 + router) + (side == 0 ? "@tcp" : "@tcp1");
    }

    private static void awaitRoutes(NodeProcess node, int side, String first, String second) {
        node.awaitAnswer("routes", gateway(0, side) + " " + first + " " + gateway(1, side) + " " + second);
    }

    private static long forwarded(NodeProcess router) {
        return NodeProcess.number(router.ask("forwarded"), "forwarded");
    }

    @Test
    @Requirement("rsl-085")
    void aRouterIsKilledAndStartedAgain() throws IOException {
        try (NodeProcess stays = router(1);
                NodeProcess b = end(server, 1, 0, 1);
                NodeProcess a = end(client, 0, 0, 1)) {
            NodeProcess dies = router(0);
            awaitRoutes(a, 0, "up", "up");
            awaitRoutes(b, 1, "up", "up");
            assertThat(a.ask("discover " + SERVER)).isEqualTo(SERVER);
            assertThat(a.ask("start " + SERVER)).isEqualTo("started");
            Load.awaitProgress(a, 60, QUESTIONS);
            assertThat(forwarded(dies)).as("both share the load").isGreaterThan(20);
            assertThat(a.ask("mark")).isEqualTo("marked");

            dies.kill();
            awaitRoutes(a, 0, "down", "up");
            Load.awaitProgress(a, 60, QUESTIONS);
            long lost = Load.progress(a, "timed-out");
            Load.awaitProgress(a, 60, QUESTIONS);
            assertThat(Load.progress(a, "timed-out"))
                    .as("time-outs once the route is down, for what was inside the router")
                    .isLessThanOrEqualTo(Math.max(lost, INSIDE));

            try (NodeProcess back = router(0)) {
                awaitRoutes(a, 0, "up", "up");
                awaitRoutes(b, 1, "up", "up");
                Await.until(
                        () -> "traffic through the router that is back: " + back.ask("forwarded"),
                        () -> forwarded(back) > 40);
                String end = Load.finish(a, b);
                System.out.println(String.format(
                        Locale.ROOT,
                        "| router killed and started again | %s | resends %d + %d | client %s, other router %s |",
                        end,
                        NodeProcess.number(a.ask("statistics"), "resends"),
                        NodeProcess.number(b.ask("statistics"), "resends"),
                        CLIENT,
                        stays.ask("forwarded")));
                assertThat(NodeProcess.number(end, "failed"))
                        .as("what another router could have carried")
                        .isZero();
                assertThat(NodeProcess.number(end, "timed-out"))
                        .as("what was inside the router that died")
                        .isLessThanOrEqualTo(INSIDE);
                Await.until(
                        () -> "all buffers back: " + stays.ask("forwarded"),
                        () -> stays.ask("forwarded").endsWith("free true"));
            }
        }
    }

    @Test
    void theOnlyRouterIsKilledAndStartedAgain() throws IOException {
        try (NodeProcess b = end(server, 1, 0);
                NodeProcess a = end(client, 0, 0)) {
            NodeProcess dies = router(0);
            a.awaitAnswer("routes", gateway(0, 0) + " up");
            b.awaitAnswer("routes", gateway(0, 1) + " up");
            assertThat(a.ask("discover " + SERVER)).isEqualTo(SERVER);
            assertThat(a.ask("start " + SERVER)).isEqualTo("started");
            Load.awaitProgress(a, 40, QUESTIONS);
            dies.kill();
            a.awaitAnswer("routes", gateway(0, 0) + " down");
            Await.until(() -> "failures: " + a.ask("progress"), () -> Load.progress(a, "failed") > RailTarget.SLOTS);
            long before = Load.progress(a, "done");
            try (NodeProcess back = router(0)) {
                Await.until(
                        () -> "traffic again: " + a.ask("progress") + "; " + a.ask("routes") + "; " + b.ask("routes"),
                        () -> Load.progress(a, "done") >= before + 40);
                String end = Load.finish(a, b);
                assertThat(NodeProcess.number(end, "timed-out"))
                        .as("what was inside the router that died")
                        .isLessThanOrEqualTo(INSIDE);
                Await.until(
                        () -> "all buffers back: " + back.ask("forwarded"),
                        () -> back.ask("forwarded").endsWith("free true"));
            }
        }
    }
}
