package org.railyard.cli;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard completion SHELL}: prints a script that teaches a shell the commands and options. */
@Command(
        name = "completion",
        description = "Print the completion script for a shell: source <(railyard completion bash)")
final class CompletionCommand implements Callable<Integer> {
    /** The shells there is a script for. Zsh reads the Bash script. */
    enum Shell {
        BASH,
        ZSH
    }

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "bash or zsh")
    private Shell shell = Shell.BASH;

    @Override
    public Integer call() {
        CommandSpec own = Objects.requireNonNull(spec, "picocli sets it");
        var root = own.root().commandLine();
        root.getOut().print(AutoComplete.bash(root.getCommandName(), root));
        return 0;
    }
}
