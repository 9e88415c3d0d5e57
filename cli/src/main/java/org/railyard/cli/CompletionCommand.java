package org.railyard.cli;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard completion SHELL}: prints a script that teaches a shell the commands and options. */
@Command(
        name = CompletionCommand.NAME,
        description = "Print the completion script for a shell: source <(railyard completion bash)")
final class CompletionCommand implements Callable<Integer> {
    /** The word on the command line. */
    static final String NAME = "completion";

    /** The script finds out by itself which of them runs it. */
    private static final List<String> SHELLS = List.of("bash", "zsh");

    /** The line that leaves files out, in the functions of commands where a scenario may be a file, too. */
    private static final Pattern ONLY_SCENARIOS = Pattern.compile(
            "(?m)^ *type compopt .*compopt \\+o default\\n(?=(?:(?!}).*\\n){1,500}? *local SCENARIO_pos_param_args)");

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "bash or zsh")
    private String shell = "";

    @Override
    public Integer call() {
        CommandSpec own = Objects.requireNonNull(spec, "picocli sets it");
        if (!SHELLS.contains(shell)) {
            throw new ParameterException(
                    own.commandLine(), "no completion for shell '" + shell + "', expected one of " + SHELLS);
        }
        CommandLine root = own.root().commandLine();
        String script = AutoComplete.bash(root.getCommandName(), root);
        root.getOut().print(ONLY_SCENARIOS.matcher(script).replaceAll(""));
        return 0;
    }
}
