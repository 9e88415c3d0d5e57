package org.railyard.itest.netns;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.ibverbs.IbvProvider;
import org.railyard.ibverbs.MemoryMode;
import org.railyard.itest.kit.Await;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.O2ibLndProvider;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.roce.RoceProvider;
import org.railyard.socklnd.SockLndProvider;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;

/**
 * A node in a namespace, as kernel nodes are: over TCP on port 988, from low source ports, accepting secure; over
 * InfiniBand as RoCE, or by a card. Reads one question per line, answers with one line.
 */
public final class NodeProgram {
    /** Before a NID over InfiniBand: by the RDMA cards of the machine, not as RoCE over UDP. */
    public static final String BY_CARD = "card:";

    private static final int TRANSACTION_TIMEOUT = 4;
    private static final int SOCK_TIMEOUT = 5;

    private final LNet node;
    private final Target target;
    private final int connections;
    private final List<Thread> workers = new ArrayList<>();
    private @Nullable Traffic traffic;

    private NodeProgram(LNet node, Target target, int connections) {
        this.node = node;
        this.target = target;
        this.connections = connections;
    }

    /**
     * Arguments: connections per peer, with a slash and seconds behind it the time limit of transactions; then devices
     * with their family, or NIDs.
     */
    public static void main(String[] args) throws IOException {
        String[] numbers = args[0].split("/");
        int connections = Integer.parseInt(numbers[0]);
        int limit = numbers.length == 1 ? TRANSACTION_TIMEOUT : Integer.parseInt(numbers[1]);
        LNetConfig.Builder config = LNetConfig.builder()
                .settings(Settings.DEFAULT.with(Tunable.TRANSACTION_TIMEOUT, limit))
                .lnd(new SockLndProvider(SockLndConfig.builder()
                        .set(SockTunable.SOCK_TIMEOUT, SOCK_TIMEOUT)
                        .build()));
        boolean byCard = args[args.length - 1].startsWith(BY_CARD);
        List<String> nis = List.of(args).subList(1, args.length).stream()
                .map(ni -> ni.replace(BY_CARD, ""))
                .toList();
        List<String> overRoce = nis.stream()
                .filter(ni -> ni.contains("@o2ib"))
                .map(ni -> ni.substring(0, ni.indexOf('@')))
                .toList();
        if (!overRoce.isEmpty()) {
            config.lnd(new O2ibLndProvider(
                    host -> byCard
                            ? IbvProvider.open(host, List.of(), MemoryMode.COPY)
                            : RoceProvider.open(host, overRoce),
                    Tunables.DEFAULT));
        }
        for (String ni : nis) {
            config.ni(request(ni, connections));
        }
        try (Arena arena = Arena.ofShared();
                LNet node = LNet.start(config.build());
                BufferedReader questions =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            NodeProgram program = new NodeProgram(node, new Target(node, arena), connections);
            System.out.println("ready " + node.nids());
            for (String line = questions.readLine(); line != null; line = questions.readLine()) {
                System.out.println(program.answer(line.split(" ")));
            }
            program.stopTraffic();
        }
    }

    private static NiRequest request(String ni, int connections) {
        NiRequest request = ni.contains("@") ? NiRequest.ofNid(Nid.parse(ni)) : NiRequest.ofInterface(Net.TCP, ni);
        return request.withLndTunables(Map.of("conns_per_peer", connections));
    }

    private String answer(String[] words) {
        try {
            return switch (words[0]) {
                case "ping" ->
                    node.ping(Nid.parse(words[1]), Nid.ANY, Duration.ofSeconds(10))
                            .thenApply(reply -> reply.nids().toString())
                            .toCompletableFuture()
                            .join();
                case "discover" -> describe(Await.value(node.discover(Nid.parse(words[1]), false)));
                case "add" -> node.addNi(request(words[1], connections)).toString();
                case "remove" -> remove(Nid.parse(words[1]));
                case "nis" -> node.nis().stream().map(NodeProgram::describe).collect(Collectors.joining(" "));
                case "peers" -> node.peers().stream().map(NodeProgram::describe).collect(Collectors.joining(" | "));
                case "transfer" ->
                    transfer(Nid.parse(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
                case "start" ->
                    start(Nid.parse(words[1]), Integer.parseInt(words[2]), Long.MAX_VALUE)
                            .toString();
                case "progress" -> String.valueOf(traffic);
                case "stop" -> stopTraffic();
                case "received" -> "good " + target.good() + " bad " + target.bad();
                default -> "no such question";
            };
        } catch (ErrnoException e) {
            return "failed " + e.getMessage();
        } catch (CompletionException e) {
            return "failed " + e.getCause();
        }
    }

    private String remove(Nid nid) {
        node.removeNi(nid);
        return "removed";
    }

    private String transfer(Nid to, int bytes, int each) {
        Traffic done = start(to, bytes, each);
        join();
        return done.toString();
    }

    private Traffic start(Nid to, int bytes, long each) {
        Traffic started = new Traffic(node, to);
        traffic = started;
        for (int slot = 0; slot < Target.SLOTS; slot++) {
            int number = slot;
            workers.add(Thread.ofPlatform().start(() -> started.work(number, bytes, each)));
        }
        return started;
    }

    private String stopTraffic() {
        Traffic started = traffic;
        if (started != null) {
            started.stop();
        }
        join();
        return String.valueOf(started);
    }

    private void join() {
        for (Thread worker : workers) {
            try {
                worker.join();
            } catch (InterruptedException e) {
                throw Await.interrupted(e);
            }
        }
        workers.clear();
    }

    private static String describe(NiInfo ni) {
        return ni.nid() + (ni.up() ? " up " : " down ") + ni.traffic().sent().sum();
    }

    private static String describe(PeerInfo peer) {
        return (peer.multiRail() ? "multi-rail " : "single-rail ")
                + peer.nis().stream()
                        .map(ni -> ni.nid() + (ni.up() ? " up" : " down"))
                        .collect(Collectors.joining(" "));
    }
}
