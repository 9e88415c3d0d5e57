package org.railyard.cli.campaign;

import java.util.Optional;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import org.railyard.campaign.run.ChunkRunner;
import org.railyard.campaign.run.ChunkRunnerProvider;
import org.railyard.campaign.run.LocalRunner;
import org.railyard.cli.text.JsonOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What runs the chunks. */
final class RunnerOptions {
    private static final Pattern MASTER =
            Pattern.compile("local|local(-cluster)?\\[[0-9*, ]{1,40}\\]|spark://[!-~]{1,500}");

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Chunks that are run at a time, 1 to " + LocalRunner.MAX_THREADS
                    + "; results do not depend on it. Default: one per processor.")
    private Optional<Integer> threads = Optional.empty();

    @Option(
            names = "--spark",
            paramLabel = "MASTER",
            description = "Run chunks on Apache Spark: local[*], or spark://HOST:PORT. Needs the module campaign-spark,"
                    + " which is not part of the usual build.")
    private Optional<String> master = Optional.empty();

    @Mixin
    private JsonOption json = new JsonOption();

    RunnerOptions() {}

    /** How to tell what came of it. */
    JsonOption json() {
        return json;
    }

    ChunkRunner runner(CommandSpec spec) {
        if (master.isPresent()) {
            return onSpark(master.get(), spec);
        }
        int used = threads.orElse(
                Math.min(LocalRunner.MAX_THREADS, Runtime.getRuntime().availableProcessors()));
        if (used < 1 || used > LocalRunner.MAX_THREADS) {
            throw new ParameterException(
                    spec.commandLine(), "--threads %d: expected 1 to %d".formatted(used, LocalRunner.MAX_THREADS));
        }
        return new LocalRunner(used);
    }

    private ChunkRunner onSpark(String where, CommandSpec spec) {
        if (threads.isPresent()) {
            throw new ParameterException(spec.commandLine(), "--threads does not go with --spark: give local[N]");
        }
        if (!MASTER.matcher(where).matches()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--spark %s: expected local[N], local[*] or spark://HOST:PORT".formatted(where));
        }
        return ServiceLoader.load(ChunkRunnerProvider.class)
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "--spark: the module campaign-spark is not there; docs/campaigns.md tells how to build and"
                                + " start it"))
                .runner(where);
    }
}
