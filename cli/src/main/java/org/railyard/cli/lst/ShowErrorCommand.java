package org.railyard.cli.lst;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code lst show_error}. */
@Command(name = "show_error", description = "Show the nodes that have counted errors.")
final class ShowErrorCommand implements Callable<Integer> {
    @Option(names = "--session", description = "Only errors of tests, not of calls.")
    private boolean session;

    @Parameters(paramLabel = "GROUP|NIDS", arity = "1..*")
    private List<String> targets = List.of();

    @ParentCommand
    private LstCommand parent = new LstCommand();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** For picocli. */
    ShowErrorCommand() {}

    @Override
    public Integer call() {
        LstTool tool = parent.tool(spec);
        PrintWriter out = spec.commandLine().getOut();
        return tool.onConsole(console -> {
            int exit = LstTool.DONE;
            for (String target : targets) {
                List<NodeAnswer> answers = console.request("stat").about(target).ask();
                exit = Math.max(exit, tool.told(answers));
                out.println(target + ":");
                List<String> lines = answers.stream()
                        .filter(NodeAnswer::isGood)
                        .flatMap(each -> errors(each).stream())
                        .toList();
                lines.forEach(out::println);
                out.println("Total " + lines.size() + " error nodes in " + target);
            }
            return exit;
        });
    }

    private Optional<String> errors(NodeAnswer node) {
        long brw = node.number("framework.brw_errors");
        long ping = node.number("framework.ping_errors");
        long errors = node.number("rpc.errors");
        long dropped = node.number("rpc.dropped");
        long expired = node.number("rpc.expired");
        if (brw + ping + (session ? 0 : errors + dropped + expired) == 0) {
            return Optional.empty();
        }
        return Optional.of(node.nid() + ": [Session " + brw + " brw errors, " + ping + " ping errors]"
                + (session ? "" : " [RPC: " + errors + " errors, " + dropped + " dropped, " + expired + " expired]"));
    }
}
