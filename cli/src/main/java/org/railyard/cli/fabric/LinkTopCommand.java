package org.railyard.cli.fabric;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.railyard.cli.text.JsonOption;
import org.railyard.cli.text.ReadingInterval;
import org.railyard.cli.text.StandardOutput;
import org.railyard.fabric.live.LiveSubnet;
import org.railyard.fabric.model.Fabric;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code railyard fabric top}: which links of a running subnet carry most, and which make errors. */
@Command(
        name = "top",
        description = {
            "Show which links of a running subnet carry most, and which make errors.",
            "Ports are asked for their counters through a port of this machine and libibumad; only Get is sent.",
            "A line is what the port on the left sends, and the errors that it has counted since the first reading. On"
                    + " a terminal tables go on until Ctrl-C, one in place of the other; else one is printed."
        },
        exitCodeOnExecutionException = FabricCommand.FAILED,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:done",
            "2:the subnet cannot be read, or not all of it in the last reading, or the command line is wrong",
            FabricCommand.FAILED_TEXT
        })
final class LinkTopCommand implements Callable<Integer> {
    private static final int UNUSABLE = 2;
    private static final int MAX_ITERATIONS = 1_000_000;
    private static final int MAX_COUNT = 1_000_000;
    private static final String FROM_THE_TOP = "\033[H\033[J";

    private static final Comparator<LinkFigures> BY_NAME = Comparator.comparing(LinkFigures::link);
    private static final Comparator<LinkFigures> BY_RATE = Comparator.comparingDouble(
                    (LinkFigures row) -> -row.bytes().orElse(0))
            .thenComparing(BY_NAME);
    private static final Comparator<LinkFigures> BY_ERRORS =
            Comparator.comparingLong((LinkFigures row) -> -row.allErrors()).thenComparing(BY_RATE);
    private static final Map<String, Comparator<LinkFigures>> ORDERS =
            Map.of("rate", BY_RATE, "errors", BY_ERRORS, "name", BY_NAME);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private PortOptions port = new PortOptions();

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "1s",
            description = "Time between readings, such as 500ms or 5s. Default: ${DEFAULT-VALUE}.")
    private String interval = "1s";

    @Option(
            names = "--sort",
            paramLabel = "KEY",
            defaultValue = "rate",
            description = "What comes first: rate, errors or name. Default: ${DEFAULT-VALUE}.")
    private String sort = "rate";

    @Option(
            names = "--total",
            description = "Show all errors that the counters have, not only those since the first reading.")
    private boolean total;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "20",
            description = "Most lines of a table. Default: ${DEFAULT-VALUE}.")
    private int count;

    @Option(names = "--iterations", paramLabel = "N", description = "Print N tables one after another, and end.")
    private Optional<Integer> iterations = Optional.empty();

    @Option(names = "--once", description = "Print one table and end, as without a terminal.")
    private boolean once;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws InterruptedException {
        Duration pause = ReadingInterval.parse(interval)
                .orElseThrow(() -> wrong("--interval " + interval + ": " + ReadingInterval.EXPECTED));
        Comparator<LinkFigures> order = ORDERS.get(sort);
        if (order == null) {
            throw wrong("--sort " + sort + ": expected rate, errors or name");
        }
        check();
        try (OpenSubnet open = port.open()) {
            LiveSubnet subnet = open.read(false);
            SubnetReport.warn(subnet, spec.commandLine().getErr());
            int exit = tables(subnet.fabric(), new CounterReader(open, subnet.fabric()), pause, order);
            return exit == 0 && !subnet.unread().isEmpty() ? UNUSABLE : exit;
        } catch (FabricInputException e) {
            e.print(spec.commandLine().getErr());
            return UNUSABLE;
        }
    }

    private void check() {
        within("--count", count, MAX_COUNT);
        iterations.ifPresent(number -> within("--iterations", number, MAX_ITERATIONS));
        if (once && iterations.isPresent()) {
            throw wrong("--once and --iterations exclude each other");
        }
    }

    private void within(String option, int number, int most) {
        if (number < 1 || number > most) {
            throw wrong(option + " " + number + ": expected 1 to " + most);
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private int tables(Fabric fabric, CounterReader reader, Duration pause, Comparator<LinkFigures> order)
            throws InterruptedException {
        boolean isScreen = !once && iterations.isEmpty() && !json.isWanted() && StandardOutput.isTerminal();
        int last = isScreen ? Integer.MAX_VALUE : iterations.orElse(1);
        Map<Integer, LinkHistory> links = new LinkedHashMap<>();
        take(fabric, links, reader.read());
        for (int number = 1; ; number++) {
            Thread.sleep(pause);
            CounterReader.Counters now = reader.read();
            List<LinkFigures> all = take(fabric, links, now);
            List<LinkFigures> rows = all.stream().sorted(order).limit(count).toList();
            LinkTable table = new LinkTable(number, all.size(), rows, now.silent());
            if (isScreen) {
                spec.commandLine().getOut().print(FROM_THE_TOP);
            }
            json.print(spec.commandLine().getOut(), table::lines, table::document);
            if (spec.commandLine().getOut().checkError()) {
                // Whoever called this says why, unless it is only that nobody reads any more.
                return 0;
            }
            if (number == last) {
                return now.silent().isEmpty() ? 0 : UNUSABLE;
            }
        }
    }

    /** A port that was silent has its rate since its last answer. */
    private List<LinkFigures> take(Fabric fabric, Map<Integer, LinkHistory> links, CounterReader.Counters now) {
        return now.ports().entrySet().stream()
                .flatMap(entry -> {
                    int port = entry.getKey();
                    LinkHistory known = links.get(port);
                    if (known == null) {
                        String name = fabric.portName(port) + " -> " + fabric.portName(fabric.peer(port));
                        double speed = LinkHistory.speed(fabric.speed(port), fabric.width(port));
                        links.put(port, new LinkHistory(name, speed, entry.getValue(), total));
                        return Stream.empty();
                    }
                    return Stream.of(known.next(entry.getValue()));
                })
                .toList();
    }
}
