package org.railyard.cli.demo;

import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.net.SimDevice;
import org.railyard.lab.run.StackLog;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.Statistic;
import org.railyard.o2iblnd.bond.Ipv4;
import org.railyard.o2iblnd.bond.RouteView;

/**
 * The demo over InfiniBand: two nodes, each with several cards as one NI; ports go down and come back. In virtual time,
 * so that it needs no cards.
 */
final class BondedDemo {
    private static final int SLOTS = 8;
    private static final int PHASES = 5;
    private static final int PORT = 1;
    private static final long NANOS = 1_000_000_000L;
    private static final long MAX_PAUSE_NANOS = 10_000_000L;
    private static final long END_NANOS = 100_000_000L;

    private final PrintWriter out;
    private final long phaseNanos;

    /**
     * Makes a demo.
     *
     * @param seconds virtual time that traffic runs
     */
    BondedDemo(PrintWriter out, int seconds) {
        this.out = out;
        this.phaseNanos = seconds * NANOS / PHASES;
    }

    DemoFigures run() {
        StackLog.silence();
        try (BondedNodes nodes = new BondedNodes(text -> say("              subnet manager: " + text));
                Arena arena = Arena.ofShared()) {
            show(nodes);
            DemoTarget target = new DemoTarget(nodes.right(), arena, SLOTS);
            EventQueue queue = nodes.queue();
            DemoClient client = new DemoClient(
                    nodes.left(),
                    nodes.right().nids().getFirst(),
                    (nanos, task) -> queue.at(queue.now() + nanos, task),
                    MAX_PAUSE_NANOS);
            long start = queue.now();
            client.start(SLOTS, arena);
            play(nodes, client);
            CompletableFuture<Void> end = client.stop();
            while (!end.isDone()) {
                nodes.run(END_NANOS);
            }
            table(nodes.routes());
            return new DemoFigures(
                    (queue.now() - start) / (double) NANOS,
                    client.transactions(),
                    client.lost(),
                    target.twice(),
                    resends(nodes.left()) + resends(nodes.right()),
                    client.timeOuts(),
                    client.repeats(),
                    client.wrong() + target.wrong(),
                    client.bytes());
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }

    private static long resends(LNet node) {
        return node.statistics().get(Statistic.RESEND_COUNT);
    }

    private void show(BondedNodes nodes) {
        say("Two nodes on a simulated InfiniBand torus, in virtual time. " + BondedNodes.CARDS
                + " cards of each are one NI (channel bonding):");
        say("left " + nodes.left().nids() + " and right " + nodes.right().nids() + ", over "
                + nodes.cards().stream().map(SimDevice::name).toList());
        PeerInfo peer = nodes.await(nodes.left().discover(nodes.right().nids().getFirst(), false));
        say("left asked " + peer.primaryNid() + " and found a node with "
                + peer.nis().stream().map(PeerInfo.PeerNiInfo::nid).toList()
                + ": what is behind its NID is its own affair");
        say(SLOTS + " transactions at a time, with pauses: half 64 B PUTs, a quarter 1 MiB PUTs, a quarter 1 MiB GETs");
    }

    private void play(BondedNodes nodes, DemoClient client) {
        SimDevice port = nodes.cards().get(PORT);
        phase("all ports", nodes, client);
        port.link(false);
        phase(port.name() + " down", nodes, client);
        port.link(true);
        phase(port.name() + " back", nodes, client);
        nodes.degrade(port, true);
        phase(port.name() + " one lane", nodes, client);
        nodes.degrade(port, false);
        phase(port.name() + " all lanes", nodes, client);
    }

    /** Lets traffic run for the time of a phase, and tells what went over which route. */
    private void phase(String name, BondedNodes nodes, DemoClient client) {
        List<Long> before = messages(nodes);
        long transactions = client.transactions();
        long bytes = client.bytes();
        long resends = resends(nodes.left());
        long timeOuts = client.timeOuts();
        nodes.run(phaseNanos);
        List<String> counts = new ArrayList<>();
        List<RouteView> routes = nodes.routes();
        for (int i = 0; i < routes.size(); i++) {
            RouteView route = routes.get(i);
            long count = route.messages() - (i < before.size() ? before.get(i) : 0);
            counts.add(route.interfaceName() + " " + count);
        }
        say(String.format(
                Locale.ROOT,
                "%-13s %4.1f s %6d transactions %5.2f GB/s  %d resent, %d timed out, %d lost; messages by route: %s",
                name,
                phaseNanos / (double) NANOS,
                client.transactions() - transactions,
                (client.bytes() - bytes) / 1e9 / (phaseNanos / (double) NANOS),
                resends(nodes.left()) - resends,
                client.timeOuts() - timeOuts,
                client.lost(),
                String.join(", ", counts)));
    }

    private static List<Long> messages(BondedNodes nodes) {
        return nodes.routes().stream().map(RouteView::messages).toList();
    }

    private void table(List<RouteView> routes) {
        for (RouteView route : routes) {
            say(String.format(
                    Locale.ROOT,
                    "route %-4s %-10s → %-10s %-12s %7d messages%s",
                    route.interfaceName(),
                    Ipv4.text(route.localIp()),
                    Ipv4.text(route.remoteIp()),
                    route.state().toString().toLowerCase(Locale.ROOT),
                    route.messages(),
                    route.lastError() == null ? "" : "  last error: " + route.lastError()));
        }
    }
}
