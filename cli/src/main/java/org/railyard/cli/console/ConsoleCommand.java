package org.railyard.cli.console;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.cli.fabric.FabricInputException;
import org.railyard.cli.fabric.RoutingChoice;
import org.railyard.cli.fabric.TorusInput;
import org.railyard.cli.lab.RunInput;
import org.railyard.cli.lab.ScenarioNames;
import org.railyard.cli.lab.SeedRange;
import org.railyard.console.ShownRun;
import org.railyard.console.ShownTorus;
import org.railyard.console.WebConsole;
import org.railyard.control.Dlc;
import org.railyard.lab.fabric.TorusSettings;
import org.railyard.node.control.RemoteDlc;
import org.railyard.node.control.SocketPath;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard console}. */
@Command(
        name = "console",
        description = {
            "Show nodes, a torus and runs of the lab in a browser.",
            "Figures over time, peers, reasons, findings; routes, failures; messages over virtual time. Reads only,"
                    + " unless --allow-changes is given, and only for browsers of this machine that open the address it"
                    + " prints."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:stopped by a signal",
            "1:it can not listen",
            "2:the command line is wrong, or a file can not be used"
        })
public final class ConsoleCommand implements Callable<Integer> {
    private static final int UNUSABLE = 2;
    private static final int MAX_PORT = 65_535;
    private static final int MAX_SECONDS = 3600;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "[NAME=]SOCKET",
            arity = "0..*",
            description = "Control sockets of lnetds, with names to show. Default: $RAILYARD_SOCKET, else that of this"
                    + " machine's lnetd.")
    private List<String> sockets = new ArrayList<>();

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "0",
            description = "Port on 127.0.0.1; 0 for any free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--socket",
            paramLabel = "PATH",
            description = "A Unix socket to listen at as well, for its owner only; 'ssh -L' can forward it."
                    + " Who comes by it needs the token, too.")
    private @Nullable Path socket;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "Time between readings, 1 to 3600; a node that takes long to answer is read less often."
                    + " Default: ${DEFAULT-VALUE}.")
    private int interval;

    @Option(
            names = "--fabric",
            paramLabel = "FILE",
            description = "A torus to show as well: ibsim net file, ibnetdiscover output or opensm-subnet.lst; it is"
                    + " routed with the options below, and needs --conf.")
    private @Nullable Path fabric;

    @Option(
            names = "--lab",
            paramLabel = "SCENARIO",
            completionCandidates = ScenarioNames.class,
            description = "A run of the lab to show as well: a file, or the name of a scenario that 'lab list' shows;"
                    + " it is run with --seed first. Without sockets, no lnetd is read.")
    private @Nullable String lab;

    @Option(
            names = "--seed",
            paramLabel = "N",
            converter = SeedRange.Single.class,
            description = "The seed of the run of the lab.")
    private @Nullable Long seed;

    @Option(
            names = "--fidelity",
            paramLabel = "message|packet",
            description = "What travels on rails of the lab with a torus, whatever the scenario says.")
    private TorusSettings.@Nullable Fidelity fidelity;

    @Option(
            names = "--allow-changes",
            description =
                    "Let the page of a node change it: health of NIs and of peers, discovery. Without it the console"
                            + " only reads.")
    private boolean allowChanges;

    @Mixin
    private RoutingChoice engine = new RoutingChoice();

    /** For picocli. */
    public ConsoleCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        limited("--port", port, 0, MAX_PORT);
        limited("--interval", interval, 1, MAX_SECONDS);
        requireTogether("--lab", lab, "--seed", "--fidelity");
        requireTogether("--fabric", fabric, "--conf", "--engine");
        ShownTorus torus;
        try {
            torus = fabric == null ? null : TorusInput.read(fabric, engine);
        } catch (FabricInputException e) {
            e.print(spec.commandLine().getErr());
            return UNUSABLE;
        }
        Map<String, Dlc> nodes = nodes();
        limited("the number of nodes", nodes.size(), lab == null ? 1 : 0, WebConsole.MAX_NODES);
        ShownRun run = null;
        if (lab != null) {
            Optional<ShownRun> made =
                    RunInput.run(lab, seed(), fidelity, spec.commandLine().getErr());
            if (made.isEmpty()) {
                return UNUSABLE;
            }
            run = made.get();
        }
        WebConsole console = WebConsole.start(port, nodes, torus, run, allowChanges, Duration.ofSeconds(interval));
        if (socket != null) {
            try {
                console.listenAt(socket);
            } catch (IOException | ErrnoException e) {
                console.close();
                throw e;
            }
        }
        CountDownLatch end = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            console.close();
            end.countDown();
        }));
        PrintWriter out = spec.commandLine().getOut();
        out.println("console: open " + console.url());
        if (socket != null) {
            out.println("console: also at the socket " + socket);
        }
        out.flush();
        end.await();
        return 0;
    }

    private void requireTogether(String what, @Nullable Object value, String... options) {
        for (String option : options) {
            if (value == null && spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw new ParameterException(
                        spec.commandLine(), "found " + option + " without " + what + ", for which it is");
            }
        }
    }

    private void limited(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), "%s %d: expected %d to %d".formatted(what, value, least, most));
        }
    }

    private long seed() {
        if (seed == null) {
            throw new ParameterException(
                    spec.commandLine(), "--seed is missing; expected the seed that the run of --lab is to have");
        }
        return seed;
    }

    private Map<String, Dlc> nodes() {
        if (sockets.isEmpty() && lab != null) {
            return Map.of();
        }
        if (sockets.isEmpty()) {
            Path socket = SocketPath.LNETD.toAsk();
            return Map.of(socket.toString(), new RemoteDlc(socket));
        }
        Map<String, Dlc> nodes = new LinkedHashMap<>();
        for (String each : sockets) {
            int equals = each.indexOf('=');
            String path = each.substring(equals + 1);
            String name = equals > 0 ? each.substring(0, equals) : path;
            if (path.isEmpty() || nodes.put(name, new RemoteDlc(Path.of(path))) != null) {
                throw new ParameterException(
                        spec.commandLine(),
                        each + ": " + (path.isEmpty() ? "the socket is missing" : "there are two nodes of this name")
                                + "; expected [NAME=]SOCKET, each name once");
            }
        }
        return nodes;
    }
}
