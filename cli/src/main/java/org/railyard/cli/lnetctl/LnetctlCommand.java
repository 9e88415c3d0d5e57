package org.railyard.cli.lnetctl;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.railyard.cli.service.RunningNode;
import org.railyard.node.control.ControlClient;
import org.railyard.node.control.SocketPath;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** {@code railyard lnetctl}: the configuration tool, on the daemon of this machine. */
@Command(
        name = LnetctlCommand.NAME,
        description = "Configure and watch the node that lnetd runs, as Lustre's tool does.",
        footer = {"", "'railyard lnetctl help' lists the commands; without a command, it asks for some."})
public final class LnetctlCommand implements Callable<Integer> {
    /** The word that it is called by. */
    public static final String NAME = "lnetctl";

    /** Environment variable that is {@code true} for those who want to have all mistakes told. */
    private static final String STRICT_VARIABLE = "RAILYARD_STRICT_OPTIONS";

    @Unmatched
    private List<String> args = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** For picocli. */
    public LnetctlCommand() {}

    @Override
    public Integer call() {
        return run(
                args,
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                () -> spec.root().version()[0]);
    }

    /** Tells whether the tool has commands that begin with a word. */
    public static boolean hasGroup(String word) {
        return LnetctlCommands.group(word) != null;
    }

    /** Runs the tool with the words behind its name; returns the exit code. */
    public static int run(List<String> args, PrintWriter out, PrintWriter err, Supplier<String> version) {
        ControlClient.loadAhead();
        Path socket = SocketPath.LNETD.toAsk();
        BufferedReader in = Lnetctl.standardInput();
        List<String> words = new ArrayList<>(args);
        if (Boolean.parseBoolean(System.getenv(STRICT_VARIABLE))) {
            words.addFirst(Lnetctl.STRICT);
        }
        boolean strict = !words.isEmpty() && words.getFirst().equals(Lnetctl.STRICT);
        Console console = words.size() == (strict ? 1 : 0) ? System.console() : null;
        if (console == null || !console.isTerminal()) {
            return Lnetctl.run(words, in, out, err, version, () -> RunningNode.at(socket));
        }
        Path history = Path.of(System.getProperty("user.home", "."), ".lnetctl_history");
        try (Interactive terminal = new Interactive(history)) {
            return Lnetctl.read(terminal, strict, in, out, err, version, () -> RunningNode.at(socket));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
