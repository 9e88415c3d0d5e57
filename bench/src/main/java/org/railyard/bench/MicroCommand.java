package org.railyard.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.railyard.bench.compare.ChildClassPath;
import org.railyard.bench.compare.Leftovers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * {@code railyard bench micro}: the JMH benchmarks, in a JVM with a class path. Arguments go to JMH, but for the
 * options that every command has; behind {@code --} all of them do. JMH's exit code is returned.
 */
@Command(
        name = "micro",
        description = {
            "Runs the JMH benchmarks of single operations.",
            "Arguments go to JMH, those behind '--' untouched: '-- -h' lists them, '-l' the benchmarks, "
                    + "'-prof gc' shows bytes per operation."
        })
final class MicroCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        refuseWhatJmhRefuses();
        List<String> command = new ArrayList<>();
        command.add(ChildClassPath.java());
        // JMH 1.37 uses methods of sun.misc.Unsafe that the JDK warns about in every fork.
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.add("-cp");
        command.add(ChildClassPath.ofThis());
        command.add("org.openjdk.jmh.Main");
        command.addAll(arguments);
        Process process = Leftovers.start(new ProcessBuilder(command).inheritIO());
        try {
            return process.waitFor();
        } finally {
            Leftovers.end(process);
        }
    }

    /** JMH itself ends with 1 then, as it does when a benchmark fails. */
    private void refuseWhatJmhRefuses() {
        try {
            new CommandLineOptions(arguments.toArray(String[]::new));
        } catch (CommandLineOptionException e) {
            throw new ParameterException(spec.commandLine(), "JMH: " + e.getMessage(), e);
        }
    }
}
