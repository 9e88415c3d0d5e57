package org.railyard.cli.lst;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.railyard.base.text.Doc;
import org.railyard.cli.text.JsonOption;
import org.railyard.cli.text.ReportOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code lst stat}. */
@Command(name = "stat", description = "Show rates and bandwidth of nodes, from one look to the next.")
final class StatCommand implements Callable<Integer> {
    @Option(names = "--bw", description = "Bandwidth.")
    private boolean bandwidth;

    @Option(names = "--rate", description = "Messages.")
    private boolean rate;

    @Option(names = "--read", description = "What is received.")
    private boolean read;

    @Option(names = "--write", description = "What is sent.")
    private boolean write;

    @Option(names = "--max", description = "The node with most.")
    private boolean max;

    @Option(names = "--min", description = "The node with least.")
    private boolean min;

    @Option(names = "--avg", description = "The average of all nodes.")
    private boolean average;

    @Option(names = "--mbs", description = "In MB/s, not MiB/s.")
    private boolean decimal;

    @Option(names = "--timeout", paramLabel = "S", defaultValue = "5", description = "Limit for answers, 3…30 s.")
    private int timeout;

    @Option(names = "--delay", paramLabel = "S", defaultValue = "5", description = "Time between looks, s.")
    private int delay;

    @Option(names = "--count", paramLabel = "N", defaultValue = "-1", description = "So many results; -1: no end.")
    private int count;

    @Parameters(paramLabel = "GROUP|NIDS", arity = "1..*")
    private List<String> targets = List.of();

    @Mixin
    private ReportOption report = new ReportOption();

    @Mixin
    private JsonOption json = new JsonOption();

    @ParentCommand
    private LstCommand parent = new LstCommand();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** For picocli. */
    StatCommand() {}

    @Override
    public Integer call() throws IOException {
        LstTool.requireRange(spec.commandLine(), "--delay", delay, 1, Integer.MAX_VALUE);
        LstTool.requireRange(spec.commandLine(), "--timeout", timeout, LstCommand.LEAST_LIMIT, LstCommand.MOST_LIMIT);
        if (count == 0 || count < -1) {
            throw new ParameterException(
                    spec.commandLine(), "--count " + count + ": expected 1 or more, or -1: no end");
        }
        if (report.isWanted() && count < 0) {
            throw new ParameterException(spec.commandLine(), "--report needs --count: it is written at the end");
        }
        report.prepare(spec);
        LstTool tool = parent.tool(spec);
        PrintWriter out = spec.commandLine().getOut();
        Rates.Wanted wanted = new Rates.Wanted(bandwidth, rate, read, write, min, max, average, decimal);
        List<Rates> rates = targets.stream().map(_ -> new Rates()).toList();
        StatPage page = new StatPage(targets);
        int exit = tool.onConsole(console -> {
            try (Pauses pauses = new Pauses()) {
                return looks(tool, console, rates, wanted, pauses, page, out);
            }
        });
        if (page.hasLooks()) {
            report.write(spec, "lst-stat", "LNet selftest: rates of nodes", page::fill);
        }
        return exit;
    }

    private int looks(
            LstTool tool,
            LstConsole console,
            List<Rates> rates,
            Rates.Wanted wanted,
            Pauses pauses,
            StatPage page,
            PrintWriter out) {
        int exit = look(tool, console, rates);
        for (int i = 0; count < 0 || i < count; i++) {
            if (!pauses.pause(delay)) {
                exit = Math.max(exit, look(tool, console, rates));
                if (!json.isWanted()) {
                    out.println();
                    for (int t = 0; t < targets.size(); t++) {
                        rates.get(t).overall(targets.get(t), wanted).forEach(out::println);
                    }
                    out.flush();
                }
                return exit;
            }
            exit = Math.max(exit, look(tool, console, rates));
            page.add(rates);
            json.print(out, () -> lines(rates, wanted), () -> document(rates));
            if (out.checkError()) {
                return LstTool.FAILED;
            }
        }
        return exit;
    }

    private List<String> lines(List<Rates> rates, Rates.Wanted wanted) {
        List<String> lines = new ArrayList<>();
        for (int t = 0; t < targets.size(); t++) {
            lines.addAll(rates.get(t).lines(targets.get(t), wanted));
        }
        lines.add("");
        return lines;
    }

    private Map<String, Object> document(List<Rates> rates) {
        Doc all = new Doc();
        for (int t = 0; t < targets.size(); t++) {
            all.put(targets.get(t), rates.get(t).document());
        }
        return all.map();
    }

    /** Asks all nodes; one that does not answer is told when that begins and when it ends, and the others are shown. */
    private int look(LstTool tool, LstConsole console, List<Rates> rates) {
        int exit = LstTool.DONE;
        for (int t = 0; t < targets.size(); t++) {
            List<NodeAnswer> answers = console.request("stat")
                    .about(targets.get(t))
                    .with("limit", timeout)
                    .ask();
            rates.get(t).take(answers).forEach(tool::complain);
            if (!answers.stream().allMatch(NodeAnswer::isGood)) {
                exit = LstTool.FAILED;
            }
        }
        return exit;
    }
}
