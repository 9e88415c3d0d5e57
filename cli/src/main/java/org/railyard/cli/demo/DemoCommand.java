package org.railyard.cli.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.SockLndProvider;
import org.railyard.socklnd.tune.AcceptPolicy;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.tune.SourcePorts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code railyard demo}: the main job on one machine, without root and without configuration. */
@Command(
        name = "demo",
        description = {
            "Run two nodes with two rails on this machine: rails fail, and nothing is lost.",
            "The nodes are on loopback addresses. Under load, a rail loses its link and gets it back, and then it goes"
                    + " silent, with nobody told, and comes back. Or, with --net o2ib, they are two nodes with channel"
                    + " bonding on a simulated InfiniBand fabric."
        },
        footer = {
            "",
            "Exit code: 0 if every transaction was confirmed with the right bytes and nothing came twice, otherwise 1."
        })
public final class DemoCommand implements Callable<Integer> {
    private static final Nid[] LEFT = {Nid.parse("127.0.1.1@tcp"), Nid.parse("127.0.2.1@tcp1")};
    private static final Nid[] RIGHT = {Nid.parse("127.0.1.2@tcp"), Nid.parse("127.0.2.2@tcp1")};
    private static final int RAIL = 1;
    private static final int SLOTS = 8;
    private static final int TRANSACTION_TIMEOUT = 2;
    private static final int RETRIES = 1;
    private static final int SOCK_TIMEOUT = 1;

    /**
     * So little that a bulk message does not vanish into it: what has not left when a rail fails can be sent over the
     * other one.
     */
    private static final int SOCKET_BUFFER = 128 * 1024;

    // Ends of the phases, in parts of the whole time. Silence takes a transaction timeout until it is known, and health
    // some pings to come back.
    private static final int BOTH_UNTIL = 3;
    private static final int CUT_UNTIL = 8;
    private static final int BACK_UNTIL = 17;
    private static final int SILENT_UNTIL = 24;
    private static final int PARTS = 36;

    /** Four answered recovery pings make up for everything. */
    private static final int SENSITIVITY = 250;

    private static final int MIN_RECONNECT_MS = 100;
    private static final int MAX_RECONNECT_MS = 500;
    private static final long NANOS = 1_000_000_000L;
    private static final long TICK_MILLIS = 200;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "18",
            description =
                    "How long traffic runs, at least 3. With less than 10 a silent rail is heard again before anybody"
                            + " misses it. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--net",
            paramLabel = "TYPE",
            defaultValue = "tcp",
            description =
                    "tcp: sockets on loopback addresses. o2ib: a simulated InfiniBand fabric, on which the cards of"
                        + " each node are one NI; a port goes down and comes back, then has one lane. Its seconds are"
                        + " those of virtual time. Default: ${DEFAULT-VALUE}.")
    private String net = "";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "20988",
            description = "TCP port of both nodes, above 1023. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the figures to a file, as JSON.")
    private @Nullable Path json;

    @Spec
    private @Nullable CommandSpec spec;

    /** For picocli. */
    public DemoCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (spec == null) {
            throw new IllegalStateException("the command was not made by picocli");
        }
        if (seconds < 3 || port < 1024 || port > 0xffff) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "--seconds " + seconds + ", --port " + port
                            + "; expected at least 3 seconds and a port 1024…65535");
        }
        PrintWriter out = spec.commandLine().getOut();
        DemoFigures figures = switch (net) {
            case "tcp" -> run(out);
            case "o2ib" -> new BondedDemo(out, seconds).run();
            default -> throw new ErrnoException(Errno.EINVAL, "--net " + net + "; expected tcp or o2ib");
        };
        out.println(figures.summary());
        out.flush();
        if (json != null) {
            Files.writeString(json, figures.json());
        }
        return figures.isGood() ? 0 : 1;
    }

    private DemoFigures run(PrintWriter out) throws InterruptedException {
        try (Rails rails = new Rails(port, LEFT[RAIL], RIGHT[RAIL]);
                Arena arena = Arena.ofShared();
                LNet right = start(rails, RIGHT);
                LNet left = start(rails, LEFT);
                ExecutorService slots = Executors.newVirtualThreadPerTaskExecutor()) {
            show(out, left, right);
            DemoTarget target = new DemoTarget(right, arena, SLOTS);
            DemoClient client = new DemoClient(
                    left,
                    RIGHT[0],
                    (nanos, task) -> CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, slots)
                            .execute(task),
                    0);
            long start = System.nanoTime();
            client.start(SLOTS, arena);
            Progress progress = new Progress(out, client, left, right);
            watch(progress, rails, start);
            client.stop().join();
            double elapsed = (System.nanoTime() - start) / (double) NANOS;
            table(out, "left ", left, progress);
            table(out, "right", right, progress);
            return new DemoFigures(
                    elapsed,
                    client.transactions(),
                    client.lost(),
                    target.twice(),
                    Progress.resends(left) + Progress.resends(right),
                    client.timeOuts(),
                    client.repeats(),
                    client.wrong() + target.wrong(),
                    client.bytes());
        }
    }

    private LNet start(Rails rails, Nid... nids) {
        SockLndConfig socklnd = SockLndConfig.builder()
                .acceptPort(port)
                .accept(AcceptPolicy.ALL)
                .sourcePorts(SourcePorts.ANY)
                .linkMonitor(rails)
                .peerPorts(rails)
                .set(SockTunable.SOCK_TIMEOUT, SOCK_TIMEOUT)
                .set(SockTunable.TX_BUFFER_SIZE, SOCKET_BUFFER)
                .set(SockTunable.MIN_RECONNECT_MS, MIN_RECONNECT_MS)
                .set(SockTunable.MAX_RECONNECT_MS, MAX_RECONNECT_MS)
                .build();
        LNetConfig.Builder config = LNetConfig.builder()
                .settings(Settings.DEFAULT
                        .with(Tunable.RETRY_COUNT, RETRIES)
                        .with(Tunable.TRANSACTION_TIMEOUT, TRANSACTION_TIMEOUT)
                        .with(Tunable.HEALTH_SENSITIVITY, SENSITIVITY)
                        .with(Tunable.HEALTH_RECOVERY_INCREMENT, 0))
                .lnd(new SockLndProvider(socklnd));
        for (Nid nid : nids) {
            config.ni(NiRequest.ofNid(nid));
        }
        return LNet.start(config.build());
    }

    private static void show(PrintWriter out, LNet left, LNet right) {
        out.println("Two nodes, two rails, no privileges: left " + left.nids() + ", right " + right.nids());
        PeerInfo peer = left.discover(RIGHT[0], false).toCompletableFuture().join();
        out.println("left asked " + RIGHT[0] + " and found " + (peer.multiRail() ? "a multi-rail node " : "a node ")
                + peer.primaryNid() + " with "
                + peer.nis().stream().map(PeerInfo.PeerNiInfo::nid).toList());
        out.println(SLOTS + " transactions at a time: half 64 B PUTs, a quarter 1 MiB PUTs, a quarter 1 MiB GETs");
        out.flush();
    }

    private void watch(Progress progress, Rails rails, long start) throws InterruptedException {
        long part = seconds * NANOS / PARTS;
        progress.phase("both rails");
        sleepUntil(start + BOTH_UNTIL * part, progress);
        rails.link(false, LEFT[RAIL], RIGHT[RAIL]);
        progress.phase("rail " + RAIL + " cut");
        sleepUntil(start + CUT_UNTIL * part, progress);
        rails.link(true, LEFT[RAIL], RIGHT[RAIL]);
        progress.phase("rail " + RAIL + " back");
        sleepUntil(start + BACK_UNTIL * part, progress);
        rails.silence(true);
        progress.phase("rail " + RAIL + " silent");
        sleepUntil(start + SILENT_UNTIL * part, progress);
        rails.silence(false);
        progress.phase("rail " + RAIL + " heard");
        sleepUntil(start + PARTS * part, progress);
        progress.end();
    }

    private static void sleepUntil(long when, Progress progress) throws InterruptedException {
        while (when - System.nanoTime() > 0) {
            Thread.sleep(TICK_MILLIS);
            progress.tick();
        }
    }

    private static void table(PrintWriter out, String name, LNet node, Progress progress) {
        for (NiInfo ni : node.nis()) {
            out.println(String.format(
                    Locale.ROOT,
                    "%s  %-14s %-4s  health %4d, lowest %4d   sent %7d PUT %7d GET   received %7d PUT %7d GET %7d ACK"
                            + " %7d REPLY   dropped %d",
                    name,
                    ni.nid(),
                    ni.up() ? "up" : "down",
                    ni.health(),
                    progress.lowest(ni.nid()),
                    ni.traffic().sent().put(),
                    ni.traffic().sent().get(),
                    ni.traffic().received().put(),
                    ni.traffic().received().get(),
                    ni.traffic().received().ack(),
                    ni.traffic().received().reply(),
                    ni.traffic().dropped().sum()));
        }
    }
}
