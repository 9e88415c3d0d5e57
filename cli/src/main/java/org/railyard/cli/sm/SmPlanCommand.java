package org.railyard.cli.sm;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.railyard.cli.fabric.FabricInputException;
import org.railyard.cli.text.FileReason;
import org.railyard.cli.text.OutputFile;
import org.railyard.mad.text.MadText;
import org.railyard.sm.program.PlannedSets;
import org.railyard.sm.program.Update;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code railyard sm plan}: what the first sweep would write. */
@Command(
        name = "plan",
        description = {
            "Tell what would be written to the subnet, in which order, and why.",
            "The subnet is discovered, routed and proved. Nothing is written, not the table of LIDs either."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the plan was made",
            "1:not for the whole subnet: something did not answer, or the own port has no link",
            "2:a file can not be read or written, or the command line is wrong",
            "3:the engine or the proof refuses the subnet"
        })
final class SmPlanCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private SmOptions options = new SmOptions();

    @Option(names = "--each", description = "Tell every Set: node and attribute.")
    private boolean each;

    @Option(
            names = "--json",
            description = "One line of JSON, with --each one more, with a \"type\", for every Set before it.")
    private boolean json;

    @Option(
            names = "--save",
            paramLabel = "FILE",
            description = "Keep the plan, for sm apply; a file that is there is replaced.")
    private Optional<Path> save = Optional.empty();

    private final PlannedSets sets = new PlannedSets();

    SmPlanCommand() {}

    private void tell(Update update) {
        if (save.isPresent()) {
            sets.add(update);
        }
        if (each) {
            String node = update.node().name();
            String set = MadText.summary(update.mad());
            spec.commandLine().getOut().println(json ? SmText.setJson(node, set) : node + ": " + set);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        SmPrinter printer = new SmPrinter(out, spec.commandLine().getErr(), json, "would write");
        try {
            new SingleSweep(options, false).run(printer, manager -> manager.plan(this::tell));
            return save.isPresent() ? keep(save.get(), printer) : SmCommand.exitCode(printer);
        } catch (FabricInputException e) {
            e.print(spec.commandLine().getErr());
            return SmCommand.UNUSABLE;
        }
    }

    private int keep(Path file, SmPrinter printer) {
        PrintWriter err = spec.commandLine().getErr();
        if (SmCommand.exitCode(printer) != 0) {
            err.println("railyard: " + file + " is not written: the plan is not complete");
            return SmCommand.exitCode(printer);
        }
        try {
            OutputFile.write(file, sets.text());
            return 0;
        } catch (IOException e) {
            err.println("railyard: " + file + ": cannot be written: " + FileReason.ofWriting(file, e));
            return SmCommand.UNUSABLE;
        }
    }
}
