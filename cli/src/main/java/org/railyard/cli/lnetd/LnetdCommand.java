package org.railyard.cli.lnetd;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.cli.service.ServiceManager;
import org.railyard.cli.text.LogThread;
import org.railyard.control.DlcException;
import org.railyard.control.Failure;
import org.railyard.host.SystemUser;
import org.railyard.node.Daemon;
import org.railyard.node.DaemonOptions;
import org.railyard.node.control.SocketPath;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code railyard lnetd}: a node as a service, until it is told to end. */
@Command(
        name = "lnetd",
        description = "Run a node as a service, controlled with 'railyard lnetctl'.",
        footer = {
            "",
            "The first start reads the configuration, lnetctl's YAML; without the file LNet is not configured. What is",
            "changed later is kept and counts at the next start.",
            "",
            "Exit code: 0 ended as told, 1 could not start.",
            "",
            "Examples:",
            "  railyard lnetd",
            "  railyard lnetd --config client.yaml --param accept_port=9988 --param accept_port_bulk=9988"
                    + " --param accept=all --any-source-port"
        })
public final class LnetdCommand implements Callable<Integer> {
    private static final Path DEFAULT_CONFIG = Path.of("/etc/lnet.conf");

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Configuration for the first start. Default: /etc/lnet.conf, if there is one.")
    private @Nullable Path config;

    @Option(
            names = "--socket",
            paramLabel = "PATH",
            description = "Control socket. Default: $RAILYARD_SOCKET, else /run/railyard/lnetd.sock for root,"
                    + " $XDG_RUNTIME_DIR/railyard/lnetd.sock for others.")
    private @Nullable Path socket;

    @Option(names = "--group", paramLabel = "NAME", description = "Group that may control it, too. Default: nobody.")
    private @Nullable String group;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = "Folder in which the configuration is kept. Default: $STATE_DIRECTORY, else"
                    + " /var/lib/railyard for root, ~/.local/state/railyard for others.")
    private @Nullable Path state;

    @Option(names = "--no-state", description = "Keep nothing.")
    private boolean noState;

    @Option(names = "--fresh", description = "Forget what was kept and start from the configuration file.")
    private boolean fresh;

    @Option(
            names = "--metrics",
            paramLabel = "[ADDRESS:]PORT",
            description = "Listen for those who watch: /metrics, /healthz and /probe?target=NID. Default:"
                    + " nobody watches.")
    private @Nullable String metrics;

    @Option(
            names = "--any-source-port",
            description = "Dial from any local port, which needs no privilege. Kernel nodes answer this only with"
                    + " accept=all.")
    private boolean anySourcePort;

    @Option(
            names = "--verbs",
            paramLabel = "KIND[:NAME,…]",
            description =
                    "RDMA devices for nets of type o2ib: ibv:mlx5_0 takes cards by name, auto all cards that there"
                            + " are; roce:eth0,eth1 makes them of software, over UDP."
                            + " Default: none.")
    private String verbs = "none";

    @Option(
            names = "--selftest",
            description = "Take part in tests of the network: others may test this node and let it test others, and"
                    + " 'railyard lst' works here. For networks that are trusted.")
    private boolean selftest;

    @Option(
            names = "--param",
            paramLabel = "NAME=VALUE",
            description = "Module parameter: networks, accept_port, accept," + " sock_timeout … May be repeated.")
    private Map<String, String> parameters = new LinkedHashMap<>();

    @Option(names = "--man-page", description = "Write the page for man, and end: lnetd --man-page > lnetd.8")
    private boolean manPage;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** For picocli. */
    public LnetdCommand() {}

    private static Stream<String> lines(Failure failure) {
        return failure.problems().isEmpty() ? Stream.of(failure.text()) : failure.problems().stream();
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (manPage) {
            spec.commandLine().getOut().print(LnetdManual.of(spec));
            return 0;
        }
        LogThread.takeOver();
        PrintWriter err = spec.commandLine().getErr();
        Daemon daemon;
        try {
            daemon = new Daemon(options());
        } catch (DlcException e) {
            // What a file asks for and what came of it may be told in the same words.
            e.failures().stream()
                    .flatMap(LnetdCommand::lines)
                    .distinct()
                    .forEach(line -> err.println("lnetd: " + line));
            return 1;
        }
        CountDownLatch end = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            daemon.close();
            end.countDown();
        }));
        PrintWriter out = spec.commandLine().getOut();
        out.println("lnetd: controlled at " + daemon.socket()
                + (daemon.metricsPort() == 0 ? "" : ", metrics on port " + daemon.metricsPort()));
        out.flush();
        ServiceManager.tellReady();
        end.await();
        return 0;
    }

    private DaemonOptions options() {
        parameters.putIfAbsent("verbs", verbs);
        return new DaemonOptions(
                config == null ? DEFAULT_CONFIG : config,
                config != null,
                socket == null ? SocketPath.LNETD.toListen() : socket,
                group,
                noState ? null : state == null ? defaultState() : state,
                fresh,
                metrics,
                anySourcePort,
                selftest,
                parameters);
    }

    private static Path defaultState() {
        String given = System.getenv().getOrDefault("STATE_DIRECTORY", "");
        if (!given.isEmpty()) {
            return Path.of(given);
        }
        return SystemUser.name().equals("root")
                ? Path.of("/var/lib/railyard")
                : Path.of(System.getProperty("user.home", "."), ".local", "state", "railyard");
    }
}
