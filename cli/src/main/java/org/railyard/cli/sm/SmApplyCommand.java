package org.railyard.cli.sm;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.railyard.cli.fabric.FabricInputException;
import org.railyard.sm.SweepReport;
import org.railyard.sm.SweepReport.Result;
import org.railyard.sm.program.PlannedSets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard sm apply}: writes what a plan says. */
@Command(
        name = "apply",
        description = {
            "Write what a plan of sm plan --save says, and end.",
            "The subnet is read first: if anything else would have to be written now, or another subnet manager is"
                    + " master, nothing is. Give the options that the plan was made with."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:all of the plan is written",
            "1:not all: something did not answer or refused, or the own port has no link",
            "2:a file can not be read, or the command line is wrong",
            "3:nothing is written: the subnet is not that of the plan, the engine or the proof refuses it, or another"
                    + " subnet manager is master"
        })
final class SmApplyCommand implements Callable<Integer> {
    private static final int MAX_TOLD = 20;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private SmOptions options = new SmOptions();

    @Option(names = "--json", description = "One line of JSON.")
    private boolean json;

    @Parameters(paramLabel = "PLAN", description = "File of sm plan --save.")
    private Path file = Path.of("");

    SmApplyCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        try {
            PlannedSets plan = SaOptions.parse(file, PlannedSets::parse);
            SingleSweep sweeps = new SingleSweep(options, true);
            PlannedSets now = new PlannedSets();
            SmPrinter silent = new SmPrinter(new PrintWriter(Writer.nullWriter()), err, json, "");
            sweeps.run(silent, manager -> manager.plan(now::add));
            if (SmCommand.exitCode(silent) != 0) {
                silent.last().ifPresent(this::tellWhy);
                return SmCommand.exitCode(silent);
            }
            List<String> differences = plan.differences(now);
            if (!differences.isEmpty()) {
                differences.stream().limit(MAX_TOLD).forEach(err::println);
                int count = differences.size();
                err.println("railyard: %d difference%s: the subnet, or what it shall be, is not that of %s; nothing is"
                                .formatted(count, count == 1 ? "" : "s", file)
                        + " written: make a new plan");
                return SmCommand.REFUSED;
            }
            return write(sweeps, plan);
        } catch (FabricInputException e) {
            e.print(err);
            return SmCommand.UNUSABLE;
        }
    }

    /** Says why the subnet could not be compared with the plan. */
    private void tellWhy(SweepReport report) {
        PrintWriter err = spec.commandLine().getErr();
        report.notes().forEach(note -> err.println("note: " + note));
        err.println("railyard: the subnet can not be compared with %s, reading it ended with \"%s\"; nothing is written"
                .formatted(file, SmText.result(report.result())));
    }

    private int write(SingleSweep sweeps, PlannedSets plan) throws InterruptedException {
        SmPrinter printer =
                new SmPrinter(spec.commandLine().getOut(), spec.commandLine().getErr(), json, "wrote");
        sweeps.run(printer, manager -> manager.apply(plan));
        boolean isOther = printer.last()
                .filter(report -> report.result() == Result.STANDBY)
                .isPresent();
        if (isOther) {
            spec.commandLine()
                    .getErr()
                    .println("railyard: another subnet manager is the master here; nothing was written");
            return SmCommand.REFUSED;
        }
        return SmCommand.exitCode(printer);
    }
}
