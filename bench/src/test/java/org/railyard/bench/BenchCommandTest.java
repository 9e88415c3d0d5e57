package org.railyard.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.bench.compare.Contender;
import org.railyard.bench.compare.Measure;
import org.railyard.cli.CommandGroup;
import picocli.CommandLine;

class BenchCommandTest {
    private final StringWriter err = new StringWriter();

    private int run(String... words) {
        return new CommandLine(new BenchCommandProvider().command())
                .setErr(new PrintWriter(err))
                .execute(words);
    }

    @ParameterizedTest
    @CsvSource({
        "--rounds=0, 0 rounds; the range is 1 to 100",
        "--seconds=61, round of 61 s; the range is 1 to 60",
        "--warmup=11, 11 warm-up rounds; the range is 0 to 10",
        "--only=speed, is no measure; there are latency",
        "--json=/no/such/directory/file, --json /no/such/directory/file: cannot be written: there is no folder"
                + " /no/such/directory",
        "--param=busy_poll=10001, --param: EINVAL: busy_poll is",
        "--param=busypoll=1, socklnd has no tunable",
        "--what, Unknown option"
    })
    void wrongArgumentsAreRefusedBeforeAnythingIsMeasured(String word, String message) {
        assertThat(run("lnet", word)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void directoryIsNoJsonFile(@TempDir Path directory) {
        assertThat(run("lnet", "--json", directory.toString())).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("cannot be written: it is a directory");
        assertThat(run("lnet", "--report", directory.resolve("r").toString(), "--param", "busypoll=1"))
                .isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(directory).as("no report of what is refused").isEmptyDirectory();
    }

    @Test
    void anOptionThatJmhDoesNotKnowIsAWrongCommandLine() {
        assertThat(run("micro", "--foo")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("JMH: foo is not a recognized option");
    }

    @Test
    void aNegativeSizeOnIbsimIsRefused() {
        assertThat(run("sm", "--ibsim-up-to", "-1")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("--ibsim-up-to from 0 on");
    }

    @Test
    void benchAloneNamesItsCommands() {
        assertThat(run()).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("bench needs a command: lnet, fabric, sm or micro");
    }

    @Test
    void standsAmongTheMeasurements() {
        assertThat(new BenchCommandProvider().group()).isEqualTo(CommandGroup.MEASUREMENT);
    }

    @ParameterizedTest
    @EnumSource
    void everyMeasureHasAPeerAndNoTwoRowsOfOneName(Measure measure) {
        List<Contender> contenders =
                Contenders.all().stream().filter(c -> c.measure() == measure).toList();
        assertThat(contenders).anyMatch(Contender::isPeer);
        assertThat(contenders.stream().map(Contender::name).collect(Collectors.toSet()))
                .hasSameSizeAs(contenders);
    }
}
