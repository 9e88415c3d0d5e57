package org.railyard.cli.sm;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.cli.fabric.FabricInputException;
import org.railyard.cli.fabric.SmFabric;
import org.railyard.cli.service.ServiceManager;
import org.railyard.cli.text.LogThread;
import org.railyard.cli.text.SomeSubcommands;
import org.railyard.cli.text.TextThread;
import org.railyard.host.RealHost;
import org.railyard.mad.rmpp.RmppSettings;
import org.railyard.mad.sim.RealTimeRun;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.transport.RequestCounters;
import org.railyard.mad.umad.UmadSettings;
import org.railyard.mad.umad.UmadTransport;
import org.railyard.mad.wire.MadStatus;
import org.railyard.node.control.ControlServer;
import org.railyard.sm.SubnetManager;
import org.railyard.sm.SweepReport.Result;
import org.railyard.sm.master.Master;
import org.railyard.sm.sa.SaCounters;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code railyard sm}: the subnet manager. */
@Command(
        name = "sm",
        description = {
            "Manage an InfiniBand subnet, with proved routes.",
            "It discovers the subnet, gives LIDs, routes and proves, programs the tables and brings links up.",
            "With --fabric the subnet is simulated, in virtual time: nothing is needed and nothing can break. With"
                    + " --device it is the one at a port of this machine, until Ctrl-C; beside others it is master or"
                    + " standby by priority. It has never been tried on hardware.",
            "With --device, and with --fabric --live, it listens at a control socket: status, history, why, monitor,"
                    + " sweep, reload (or SIGHUP) and stop ask it from another terminal."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the last sweep was complete, or another subnet manager is master, or sm stop ended it",
            "1:the last sweep was not complete: something did not answer, the own port has no link, or with --device"
                    + " the port failed",
            "2:a file can not be read, or the command line is wrong",
            "3:the engine or the proof refuses the subnet, or SLs would change; routes were left as they were",
            "130:with --device: ended by Ctrl-C (143: by SIGTERM), whatever the last sweep was"
        },
        footer = {
            "",
            "Examples:",
            "  railyard fabric generate torus 4x4x4 --out torus.net --conf torus-2QoS.conf",
            "  railyard sm --fabric torus.net --conf torus-2QoS.conf --loss 30",
            "  railyard sm --fabric torus.net --conf torus-2QoS.conf --unlink S-0.0.0/3",
            "  railyard sm plan --fabric torus.net --conf torus-2QoS.conf",
            "  railyard sm --fabric torus.net --conf torus-2QoS.conf --live &",
            "  railyard sm why S-0.0.0 H-3.3.3.0"
        })
public final class SmCommand implements Callable<Integer>, SomeSubcommands {
    static final int NOT_COMPLETE = 1;
    static final int UNUSABLE = 2;
    static final int REFUSED = 3;

    private static final Map<String, Supplier<Object>> SUBCOMMANDS = subcommands();

    /** With one of these words help or a manual is asked for, which names all subcommands. */
    private static final Set<String> HELP = Set.of("-h", "--help", "--man-page");

    /** How long a simulated subnet may take until all is done, ns of its time. */
    static final long PATIENCE = 600_000_000_000L;

    /** A standby is handed the subnet first, and what is kept may be waited for before and after that. */
    private static final int CLOSE_SECONDS = 15;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private SmOptions options = new SmOptions();

    @Option(
            names = "--unlink",
            paramLabel = "NODE/PORT",
            description = "With --fabric: pull this cable after the first sweep, and go on until the subnet is right"
                    + " again; may be repeated, one after the other.")
    private List<String> unlink = new ArrayList<>();

    @Option(
            names = "--live",
            description = "With --fabric: let its time pass like real time, until Ctrl-C, and listen at the control"
                    + " socket.")
    private boolean live;

    @Mixin
    private SmSocketOption socket = new SmSocketOption();

    @Option(
            names = "--metrics",
            paramLabel = "[ADDRESS:]PORT",
            description = "Listen for those who watch: /metrics for Prometheus, and /healthz. Default: nowhere.")
    private Optional<String> metrics = Optional.empty();

    @Option(
            names = "--sa-state",
            paramLabel = "FILE",
            description =
                    "With --device, or --live: keep multicast groups, services, subscriptions and alias GUIDs here"
                        + " while it is master, and begin with them when it becomes one. Subnet managers that stand by"
                        + " for each other need the same file, on a file system that all of them see. Default: nothing"
                        + " is kept.")
    private Optional<Path> saState = Optional.empty();

    @Option(
            names = "--monitor",
            description = "With --device, or --live: write nothing. At each sweep interval read the subnet, whoever"
                    + " manages it, and tell what is gone, what is new, and what would be written.")
    private boolean monitor;

    @Option(
            names = "--json",
            description = "One line of JSON for each sweep, and for the start with a control socket, each change of the"
                    + " role, trap and noisy source one with a \"type\".")
    private boolean json;

    private SmCommand() {}

    private static Map<String, Supplier<Object>> subcommands() {
        Map<String, Supplier<Object>> all = new LinkedHashMap<>();
        all.put("plan", SmPlanCommand::new);
        all.put("apply", SmApplyCommand::new);
        all.put("status", SmStatusCommand::new);
        all.put("history", SmHistoryCommand::new);
        all.put("why", SmWhyCommand::new);
        all.put("monitor", SmMonitorCommand::new);
        all.put("sweep", SmSweepCommand::new);
        all.put("reload", SmReloadCommand::new);
        all.put("stop", SmStopCommand::new);
        all.put("unlink", SmUnlinkCommand::new);
        all.put("relink", SmRelinkCommand::new);
        return all;
    }

    /**
     * Begins to load libibumad, in a thread of its own, for a line that names a device.
     *
     * @param words what follows the command on the line
     */
    public static void prepare(List<String> words) {
        if (words.stream().anyMatch(word -> word.equals(SmOptions.DEVICE) || word.startsWith(SmOptions.DEVICE + "="))) {
            UmadTransport.prepare();
        }
    }

    /**
     * Makes the command for a line: with those subcommands that its words name, because the options of all take a tenth
     * of a second to be read. Where it begins with what is neither a subcommand nor an option, and for help, it has all
     * of them.
     *
     * @param words what follows the command on the line
     */
    public static CommandSpec of(List<String> words) {
        CommandSpec sm = CommandSpec.forAnnotatedObject(new SmCommand());
        boolean named = words.stream().anyMatch(SUBCOMMANDS::containsKey);
        boolean begins = !words.isEmpty() && (named || words.getFirst().startsWith("-"));
        boolean all = !begins || words.stream().anyMatch(HELP::contains);
        SUBCOMMANDS.forEach((name, maker) -> {
            if (all || words.contains(name)) {
                sm.addSubcommand(name, new CommandLine(maker.get()));
            }
        });
        return sm;
    }

    /** Returns where a subnet manager is asked by a subcommand that names no socket itself. */
    Path socketToAsk() {
        return socket.toAsk();
    }

    @Override
    public Set<String> allSubcommands() {
        return SUBCOMMANDS.keySet();
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            boolean simulated = options.isSimulated();
            if (!simulated && !unlink.isEmpty()) {
                throw options.wrong("--unlink needs --fabric");
            }
            if (metrics.isPresent() && simulated && !live) {
                throw options.wrong("--metrics needs --device, or --live");
            }
            if (socket.isNamed() && simulated && !live) {
                throw options.wrong("--socket needs --device, or --live: without them nobody can be asked");
            }
            if (saState.isPresent() && simulated && !live) {
                throw options.wrong("--sa-state needs --device, or --live");
            }
            if (monitor && simulated && !live) {
                throw options.wrong("--monitor needs --device, or --live");
            }
            if (monitor && saState.isPresent()) {
                throw options.wrong("--monitor manages nothing: no --sa-state");
            }
            if (live && (!simulated || !unlink.isEmpty())) {
                throw options.wrong("--live needs --fabric, and no --unlink");
            }
            options.requireSeparateFiles(saState);
            SmInput input = options.read(saState, !monitor);
            return simulated && !live ? simulate(input, printer()) : serve(input, simulated);
        } catch (FabricInputException e) {
            e.print(spec.commandLine().getErr());
            return UNUSABLE;
        }
    }

    private SmPrinter printer() {
        return new SmPrinter(spec.commandLine().getOut(), spec.commandLine().getErr(), json, wrote());
    }

    /** Runs until it is told to end; nobody in it waits for who reads what it prints. */
    private int serve(SmInput input, boolean simulated) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try (TextThread told = thread("standard output", out, json);
                TextThread complained = thread("standard error", err, false)) {
            spec.commandLine().setOut(told.writer()).setErr(complained.writer());
            LogThread.takeOver();
            return simulated ? simulateLive(input, printer()) : manage(input, printer());
        } finally {
            spec.commandLine().setOut(out).setErr(err);
        }
    }

    private static TextThread thread(String name, PrintWriter to, boolean json) {
        return new TextThread(
                name,
                text -> {
                    to.print(text);
                    to.flush();
                },
                count -> (json
                                ? SmText.leftOutJson(count)
                                : "%d messages are left out here: nobody read %s for a while".formatted(count, name))
                        + System.lineSeparator());
    }

    static int exitCode(SmPrinter printer) {
        if (printer.hasFailed()) {
            return NOT_COMPLETE;
        }
        Result result = printer.last().map(report -> report.result()).orElse(Result.NO_LINK);
        return switch (result) {
            case DONE, STANDBY -> 0;
            case INCOMPLETE, NO_LINK -> NOT_COMPLETE;
            case UNROUTABLE, SL_CHANGE -> REFUSED;
        };
    }

    /** What was asked to end has done what it should, whatever did not answer in the last sweep. */
    private static int exitCode(SmPrinter printer, AtomicBoolean isStopped) {
        return isStopped.get() && !printer.hasFailed() ? 0 : exitCode(printer);
    }

    private int simulate(SmInput input, SmPrinter printer) {
        SmFabric topology = input.topology().orElseThrow();
        SmConfiguration own = input.configuration().at(topology.fabric().portGuid(topology.smPort()));
        List<Integer> cables = unlink.stream().map(topology::cable).toList();
        SimulatedSubnet subnet = options.subnet(topology);
        try (SimulatedPort port = subnet.attach(topology.smPort())) {
            Master master = new Master(port, RmppSettings.DEFAULT, own.sm(), own.sa(), input.lids(), printer);
            master.manager().keepKeys(input.keys());
            SubnetManager manager = master.manager();
            subnet.loop().execute(master::start);
            settle(subnet, manager, printer);
            for (int cable : cables) {
                if (exitCode(printer) != 0) {
                    break;
                }
                say("unlink " + topology.fabric().portName(cable) + " from "
                        + topology.fabric().portName(topology.fabric().cable(cable)));
                long before = printer.sweeps();
                subnet.unlink(cable);
                subnet.loop().runUntil(() -> printer.sweeps() > before, PATIENCE);
                settle(subnet, manager, printer);
            }
            end(manager, printer);
            master.stop();
        }
        return exitCode(printer);
    }

    private static void settle(SimulatedSubnet subnet, SubnetManager manager, SmPrinter printer) {
        subnet.loop().runUntil(() -> manager.isIdle() && printer.last().isPresent(), PATIENCE);
    }

    /** Tells what is for the journal, too. */
    private void tell(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("railyard: " + line);
        err.flush();
    }

    private String wrote() {
        return monitor ? "would write" : "wrote";
    }

    private void say(String line) {
        if (!json) {
            spec.commandLine().getOut().println(line);
        }
    }

    /** Tells where it is: the first line, before any sweep. */
    private void begin(String what, String port, ControlServer server, SmPages pages) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                json
                        ? SmText.startJson(port, server.socket(), pages.port())
                        : "%s at %s, control socket %s%s".formatted(what, port, server.socket(), pages.text()));
        out.flush();
        ServiceManager.tellReady();
    }

    private void end(SubnetManager manager, SmPrinter printer) {
        RequestCounters counters = manager.counters();
        say("%d heavy and %d light sweeps; %d MADs sent, %d of them again; %d requests without answer"
                .formatted(
                        printer.sweeps(),
                        manager.lightSweeps(),
                        counters.sent(),
                        counters.resent(),
                        counters.unanswered()));
        spec.commandLine().getOut().flush();
    }

    private static String answered(SaCounters counters) {
        long all = counters.answersByStatus().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        return "%d requests to the SA answered, %d of them without an error; %d multicast groups, %d members"
                .formatted(
                        all,
                        counters.answersByStatus().getOrDefault(MadStatus.OK, 0L),
                        counters.groups(),
                        counters.memberships());
    }

    /** Runs simulated agents until the process is told to end. */
    private int simulateLive(SmInput input, SmPrinter printer) throws InterruptedException {
        SmFabric topology = input.topology().orElseThrow();
        long guid = topology.fabric().portGuid(topology.smPort());
        SmConfiguration own = input.configuration().at(guid);
        SimulatedSubnet subnet = options.subnet(topology);
        SweepLog log = new SweepLog(TracedSweeps.recorded(printer), InstantSource.system(), wrote());
        AtomicBoolean isStopped = new AtomicBoolean();
        RealTimeRun run = new RealTimeRun(subnet.loop(), new RealHost().clock()::nanoTime);
        try (SimulatedPort port = subnet.attach(topology.smPort())) {
            Master master = new Master(port, RmppSettings.DEFAULT, own.sm(), own.sa(), input.lids(), log);
            master.manager().keepKeys(input.keys());
            keepState(master, input.state(), log);
            SmControl control = new SmControl(
                    master,
                    run::execute,
                    log,
                    own,
                    () -> options.configuration().at(guid),
                    () -> {
                        isStopped.set(true);
                        run.end();
                    },
                    Optional.of((name, up) -> cable(subnet, topology.cable(name), name, up)));
            try (SmEnd end = new SmEnd(run::end);
                    ControlServer server = socket.listen(control);
                    SmPages pages = SmPages.listen(metrics, control)) {
                begin("simulated subnet manager", topology.fabric().portName(topology.smPort()), server, pages);
                end.reloadBy(() -> control.reloadBySignal(this::tell));
                run.execute(monitor ? master::watch : master::start);
                run.run();
                end(master.manager(), printer);
                say(answered(master.administration().counters()));
                master.stop();
            }
        }
        return exitCode(printer, isStopped);
    }

    /** Before it runs: nothing is in its loop yet. What goes wrong with the file is for the journal, too. */
    private void keepState(Master master, Optional<SaFile> state, SweepLog log) {
        state.ifPresent(file -> {
            file.moveDamagedAside(this::tell);
            SaFileThread thread = new SaFileThread(file, SaFileThread.daemon(), SaFileThread.LIMIT);
            master.keepIn(thread, InstantSource.system(), text -> {
                log.tell(text);
                tell("--sa-state " + file.file() + ": " + text);
            });
        });
    }

    private static void cable(SimulatedSubnet subnet, int port, String name, boolean up) {
        if (subnet.isUp(port) == up) {
            throw new ErrnoException(Errno.EINVAL, name + ": the link is " + (up ? "up" : "down") + ", nothing to do");
        }
        if (up) {
            subnet.relink(port);
        } else {
            subnet.unlink(port);
        }
    }

    /** Runs until the process is told to end. */
    private int manage(SmInput input, SmPrinter printer) throws InterruptedException {
        SweepLog log = new SweepLog(TracedSweeps.recorded(printer), InstantSource.system(), wrote());
        AtomicBoolean isStopped = new AtomicBoolean();
        try (UmadTransport transport = UmadTransport.open(options.umad(), new RealHost().clock())) {
            long guid = transport.port().portGuid();
            SmConfiguration own = input.configuration().at(guid);
            RmppSettings rmpp = UmadSettings.isSimulated() ? RmppSettings.DEFAULT.towardsTools() : RmppSettings.DEFAULT;
            Master master = new Master(transport, rmpp, own.sm(), own.sa(), input.lids(), log);
            master.manager().keepKeys(input.keys());
            keepState(master, input.state(), log);
            CountDownLatch ended = new CountDownLatch(1);
            printer.atFailure(ended::countDown);
            SmControl control = new SmControl(
                    master,
                    transport.loop()::execute,
                    log,
                    own,
                    () -> options.configuration().at(guid),
                    () -> {
                        isStopped.set(true);
                        ended.countDown();
                    },
                    Optional.empty());
            try (SmEnd end = new SmEnd(ended::countDown);
                    ControlServer server = socket.listen(control);
                    SmPages pages = SmPages.listen(metrics, control)) {
                begin("subnet manager", transport.port().toString(), server, pages);
                end.reloadBy(() -> control.reloadBySignal(this::tell));
                transport.loop().execute(monitor ? master::watch : master::start);
                ended.await();
                if (!printer.hasFailed()) {
                    close(transport, master, printer);
                }
            }
        }
        return exitCode(printer, isStopped);
    }

    private void close(UmadTransport transport, Master master, SmPrinter printer) throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        transport.loop().execute(() -> {
            say(answered(master.administration().counters()));
            master.leave(() -> {
                end(master.manager(), printer);
                told.countDown();
            });
        });
        boolean clean = told.await(CLOSE_SECONDS, TimeUnit.SECONDS);
        if (!clean) {
            tell("the port does not close");
        }
    }
}
