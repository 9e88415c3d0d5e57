package org.railyard.cli.lst;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.railyard.base.text.Doc;
import org.railyard.cli.text.JsonOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    @Mixin
    private JsonOption json = new JsonOption();

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
            Doc all = new Doc();
            for (String target : targets) {
                List<NodeAnswer> answers = console.request("stat").about(target).ask();
                exit = Math.max(exit, tool.told(answers));
                List<NodeAnswer> wrong = answers.stream()
                        .filter(each -> each.isGood() && errors(each).isPresent())
                        .toList();
                if (json.isWanted()) {
                    all.put(target, NodeAnswer.documents(wrong));
                    continue;
                }
                out.println(target + ":");
                wrong.forEach(each -> errors(each).ifPresent(out::println));
                out.println("Total " + wrong.size() + " error nodes in " + target);
            }
            if (json.isWanted()) {
                json.print(out, List::of, all::map);
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
