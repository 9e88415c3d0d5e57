package org.railyard.itest.netns;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.Wire;
import org.railyard.itest.kit.Await;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.SockLndProvider;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;

/**
 * A node with rails that fail, in a namespace. Short limits, and recovery at the pace of real nodes. Reads one question
 * per line, answers with one line.
 */
final class RailProgram {
    /** Limit of a transaction, s. */
    static final int TRANSACTION_TIMEOUT = 4;

    /** Four recovery pings make up for everything. */
    private static final int SENSITIVITY = 250;

    private static final int SOCK_TIMEOUT = 2;

    /** With usual limits, as much as an RPC of lnet_selftest often carries, bytes. */
    private static final int BULK = 65_536;

    private static final int MIN_RECONNECT_MS = 200;
    private static final int MAX_RECONNECT_MS = 1000;

    /** All descriptors are taken when none was free for so long: longer than the period in which devices are read. */
    private static final long BURN_NS = 2_000_000_000L;

    private final LNet node;
    private final RailTarget target;
    private final int bytes;
    private final List<FileInputStream> burnt = new ArrayList<>();
    private @Nullable RailTraffic traffic;

    private RailProgram(LNet node, RailTarget target, int bytes) {
        this.bytes = bytes;
        this.node = node;
        this.target = target;
    }

    /**
     * Arguments: nets, each followed by a device; {@code usual} for the limits that real nodes have; {@code forward}
     * for a router; {@code route}, each followed by a net and a gateway.
     */
    public static void main(String[] args) throws IOException {
        boolean usual = List.of(args).contains("usual");
        Settings settings = (usual
                        ? Settings.DEFAULT
                        : Settings.DEFAULT.with(Tunable.TRANSACTION_TIMEOUT, TRANSACTION_TIMEOUT))
                .with(Tunable.HEALTH_SENSITIVITY, SENSITIVITY)
                .with(Tunable.HEALTH_RECOVERY_INCREMENT, 0)
                .with(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 1)
                .with(Tunable.ROUTER_PING_TIMEOUT, 1)
                .with(Tunable.FORWARDING, List.of(args).contains("forward"));
        LNetConfig.Builder config = LNetConfig.builder()
                .settings(settings)
                .lnd(new SockLndProvider(SockLndConfig.builder()
                        .set(
                                SockTunable.SOCK_TIMEOUT,
                                usual ? SockTunable.SOCK_TIMEOUT.spec().defaultValue() : SOCK_TIMEOUT)
                        .set(SockTunable.MIN_RECONNECT_MS, MIN_RECONNECT_MS)
                        .set(SockTunable.MAX_RECONNECT_MS, MAX_RECONNECT_MS)
                        .build()));
        List<String> words = new ArrayList<>(List.of(args));
        words.remove("forward");
        words.remove("usual");
        int routes = words.contains("route") ? words.indexOf("route") : words.size();
        for (int i = 0; i < routes; i += 2) {
            config.ni(NiRequest.ofInterface(Net.parse(words.get(i)), words.get(i + 1))
                    .withLndTunables(Map.of("conns_per_peer", 1)));
        }
        int bytes = usual ? BULK : Wire.MTU;
        try (Arena arena = Arena.ofShared();
                LNet node = LNet.start(config.build());
                BufferedReader questions =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (int i = routes; i < words.size(); i += 3) {
                node.routes().add(Net.parse(words.get(i + 1)), Nid.parse(words.get(i + 2)), 1, 0);
            }
            RailProgram program = new RailProgram(node, new RailTarget(node, arena, bytes), bytes);
            System.out.println("ready " + node.nids());
            for (String line = questions.readLine(); line != null; line = questions.readLine()) {
                System.out.println(program.answer(line.split(" ")));
            }
            program.stop();
        }
    }

    private String answer(String[] words) {
        try {
            return switch (words[0]) {
                case "discover" ->
                    Await.value(node.discover(Nid.parse(words[1]), false)).nis().stream()
                            .map(ni -> ni.nid().toString())
                            .collect(Collectors.joining(" "));
                case "start" -> start(Nid.parse(words[1]));
                case "mark" -> mark();
                case "progress" -> String.valueOf(traffic);
                case "stop" -> stop();
                case "received" -> target.toString();
                case "burn" -> burn();
                case "free" -> free();
                case "nis" ->
                    node.nis().stream()
                            .map(ni -> ni.nid() + " " + (ni.up() ? "up" : "down") + " " + ni.health() + " "
                                    + ni.traffic().sent().sum())
                            .collect(Collectors.joining(" "));
                case "peers" ->
                    node.peers().stream()
                            .flatMap(peer -> peer.nis().stream())
                            .map(ni -> ni.nid() + " " + (ni.up() ? "up" : "down") + " " + ni.health())
                            .collect(Collectors.joining(" "));
                case "routes" ->
                    node.routes().list().stream()
                            .map(route -> route.gateway() + (route.isUp() ? " up" : " down"))
                            .sorted()
                            .collect(Collectors.joining(" "));
                case "forwarded" ->
                    "forwarded " + node.statistics().get(Statistic.ROUTE_COUNT) + " dropped " + node.dropCount()
                            + " free "
                            + node.routing().buffers().stream().allMatch(pool -> pool.credits() == pool.buffers());
                case "statistics" ->
                    "resends " + node.statistics().get(Statistic.RESEND_COUNT) + " response-timeouts "
                            + node.statistics().get(Statistic.RESPONSE_TIMEOUT_COUNT) + " network-timeouts "
                            + node.statistics().get(Statistic.NETWORK_TIMEOUT_COUNT) + " local-timeouts "
                            + node.statistics().get(Statistic.LOCAL_TIMEOUT_COUNT) + " in-use "
                            + node.messagesInUse();
                default -> "no such question";
            };
        } catch (ErrnoException | CompletionException e) {
            return "failed " + e;
        }
    }

    private String start(Nid to) {
        RailTraffic started = new RailTraffic(node, to, bytes);
        traffic = started;
        started.start();
        return "started";
    }

    /** Takes every descriptor, and those too that others in this process had at that moment and gave back. */
    @SuppressWarnings("ThreadPriorityCheck") // Until one is given back; there is nothing to wait for.
    private String burn() {
        long lastTaken = System.nanoTime();
        while (System.nanoTime() - lastTaken < BURN_NS) {
            try {
                burnt.add(new FileInputStream("/dev/null"));
                lastTaken = System.nanoTime();
            } catch (IOException e) {
                Thread.yield();
            }
        }
        return "burnt";
    }

    private String free() {
        for (FileInputStream each : burnt) {
            try {
                each.close();
            } catch (IOException e) {
                return "failed " + e;
            }
        }
        burnt.clear();
        return "freed";
    }

    private String mark() {
        RailTraffic running = traffic;
        if (running != null) {
            running.mark();
        }
        return "marked";
    }

    private String stop() {
        RailTraffic running = traffic;
        if (running != null) {
            running.stop();
        }
        return String.valueOf(running);
    }
}
