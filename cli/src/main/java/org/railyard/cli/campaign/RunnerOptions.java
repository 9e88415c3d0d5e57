package org.railyard.cli.campaign;

import org.railyard.campaign.run.ChunkRunner;
import org.railyard.campaign.run.LocalRunner;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What runs the chunks. */
final class RunnerOptions {
    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Chunks that are run at a time, 1 to " + LocalRunner.MAX_THREADS
                    + "; results do not depend on it. Default: one per processor.")
    private int threads = Math.min(LocalRunner.MAX_THREADS, Runtime.getRuntime().availableProcessors());

    RunnerOptions() {}

    ChunkRunner runner(CommandSpec spec) {
        if (threads < 1 || threads > LocalRunner.MAX_THREADS) {
            throw new ParameterException(
                    spec.commandLine(), "--threads %d: expected 1 to %d".formatted(threads, LocalRunner.MAX_THREADS));
        }
        return new LocalRunner(threads);
    }
}
