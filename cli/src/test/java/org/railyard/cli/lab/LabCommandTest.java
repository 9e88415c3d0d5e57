package org.railyard.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.base.text.DocReader;
import org.railyard.lab.scenario.Library;
import org.railyard.testkit.NeedsFile;
import picocli.CommandLine;

class LabCommandTest {
    private static final String SMALL = """
        rails: {blue: {}}
        nodes:
          client: {devices: {eth0: blue}, config: &config {net: [{net type: tcp, local NI(s): [{interfaces: {0: eth0}}]}]}}
          server: {devices: {eth0: blue}, config: *config}
        load: [{from: client, to: server, rate: 50/s, start: 200ms, for: 1s}]
        expect: {min_ok: %d}
        """;

    @TempDir
    private Path directory = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return new CommandLine(new LabCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    private String file(String text) throws IOException {
        Path file = directory.resolve("it.yaml");
        Files.writeString(file, text);
        return file.toString();
    }

    @Test
    void seedsThatKeepTheRulesEndWithZero() throws IOException {
        assertThat(run("run", file(SMALL.formatted(10)), "--seeds", "5-8", "--jobs", "2", "--stats"))
                .isZero();
        assertThat(out.toString())
                .contains("4 of 4 seeds run, 0 with violations")
                .contains("messages/s");
        assertThat(err.toString()).isEmpty();
    }

    private static final String RING = """
        rails: {ib: {torus: 3x3, buffers: 8KiB}}
        nodes:
          client: {devices: {ib0: ib}, config: &config {net: [{net type: o2ib, local NI(s): [{interfaces: {0: ib0}}]}]}}
          server: {devices: {ib0: ib}, config: *config}
        load: [{from: client, to: server, rate: 50/s, size: 64KiB, start: 200ms, for: 1s}]
        expect: {min_ok: %d}
        """;

    @Test
    void packetsAreChosenAndTellWhatLinksHadToCarry() throws IOException {
        String file = file(RING.formatted(10));
        assertThat(run("replay", file, "--seed", "1", "--fidelity", "packet")).isZero();
        assertThat(out.toString()).contains("ib: busiest link ").contains("longest without credits");
        assertThat(run("replay", file, "--seed", "1", "--fidelity", "flit")).isEqualTo(2);
        assertThat(err.toString()).contains("--fidelity").contains("flit");
        assertThat(run("run", file(RING.formatted(1_000_000)), "--seeds", "1", "--fidelity", "packet"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("--seed 1 --fidelity packet");
    }

    @Test
    void aViolationEndsWithOneAndTellsHowToReplayIt() throws IOException {
        String file = file(SMALL.formatted(1_000_000));
        assertThat(run("run", file, "--seeds", "5-8", "--jobs", "1")).isEqualTo(1);
        assertThat(out.toString())
                .contains("seed 5: last events before the first violation")
                .contains("seed 5 violates 'expect'")
                .contains("replay it with: railyard lab replay " + file + " --seed 5")
                .contains("1 of 4 seeds run, 1 with violations");
    }

    @Test
    void withKeepGoingAllSeedsAreRun() throws IOException {
        String file = file(SMALL.formatted(1_000_000));
        assertThat(run("run", file, "--seeds", "1-3", "--keep-going")).isEqualTo(1);
        assertThat(out.toString()).contains("3 of 3 seeds run, 3 with violations");
    }

    @Test
    void aReportHasPlotsTheCommandAndWhatWasViolated() throws IOException {
        String file = file(SMALL.formatted(1_000_000));
        Path reports = directory.resolve("deep/reports");
        assertThat(run("run", file, "--seeds", "1-3", "--keep-going", "--report", reports.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("report: " + reports.resolve("lab-run.html"));
        assertThat(Files.readString(reports.resolve("lab-run.html")))
                .contains("run " + file + " --seeds 1-3 --keep-going --report " + reports)
                .contains("3 seeds run, 3 with violations", "Seeds with violations, by checker", "Seed 2 violates")
                .contains("railyard console --lab " + file + " --seed 2", "Distribution of messages of a seed")
                .contains("<svg", "</html>");
        assertThat(run("run", file, "--seeds", "1", "--report", file)).isEqualTo(2);
        assertThat(err.toString()).contains("--report " + file + ": it is a file");
    }

    @Test
    void aReplayPrintsTheJournalAndCanBeNarrowedDown() throws IOException {
        String file = file(SMALL.formatted(1));
        assertThat(run("replay", file, "--seed", "3")).isZero();
        String all = out.toString();
        assertThat(all).contains("client-1     call     put #1 of 4096 bytes").contains("seed 3: all rules held");
        out.getBuffer().setLength(0);
        assertThat(run("replay", file, "--seed", "3", "--node", "server-1", "--from", "300", "--to", "500"))
                .isZero();
        assertThat(out.toString().lines())
                .hasSizeLessThan((int) all.lines().count())
                .allMatch(line -> line.contains("server-1") || line.startsWith("seed 3"));
        assertThat(run("replay", file, "--seed", "3", "--from", "500", "--to", "300"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("found --from 500.0 behind --to 300.0");
        assertThat(run("replay", file, "--seed", "3", "--node", "nobody")).isEqualTo(2);
        assertThat(err.toString()).contains("found no node 'nobody', expected one of client-1, server-1");
        assertThat(run("replay", file, "--seed", "-1")).isEqualTo(2);
        assertThat(run("replay", file, "--seed", "1-2")).isEqualTo(2);
        assertThat(err.toString())
                .contains("found '-1', expected a seed, 0 or more", "found '1-2', expected a seed, 0 or more");
    }

    @Test
    void aReplayOfAViolationEndsWithOne() throws IOException {
        assertThat(run("replay", file(SMALL.formatted(1_000_000)), "--seed", "3"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("seed 3 violates 'expect'");
    }

    @Test
    void aReplayInJsonHasALineForEachEventAndOneForTheOutcome() throws IOException {
        String file = file(SMALL.formatted(1_000_000));
        assertThat(run("replay", file, "--seed", "3")).isEqualTo(1);
        long events = out.toString()
                .lines()
                .filter(line -> !line.startsWith("seed 3") && !line.startsWith("rail"))
                .count();
        out.getBuffer().setLength(0);
        assertThat(run("replay", file, "--seed", "3", "--json")).isEqualTo(1);
        List<Map<String, Object>> lines =
                out.toString().lines().map(DocReader::mapping).toList();
        assertThat(lines).hasSize((int) events + 1);
        assertThat(lines.subList(0, lines.size() - 1))
                .allSatisfy(line -> assertThat(line).containsKeys("time_ns", "kind", "text"))
                .anySatisfy(line -> assertThat(line)
                        .containsEntry("node", "client-1")
                        .containsEntry("kind", "call")
                        .extractingByKey("text")
                        .asString()
                        .startsWith("put #1 of 4096 bytes"));
        assertThat(lines.getLast()).containsEntry("seed", 3L).containsKeys("messages", "virtual_ns");
        assertThat(lines.getLast().get("violations"))
                .asString()
                .contains("rule=expect", "replay=railyard lab replay " + file + " --seed 3");
    }

    @Test
    void aScenarioThatIsWrongEndsWithTwoAndItsPlace() throws IOException {
        String file = file(SMALL.formatted(1).replace("rate: 50/s", "rate: often"));
        assertThat(run("run", file)).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("railyard: invalid value 'often' for key 'rate': " + file + ":5:")
                .contains(": expected a rate");
        assertThat(run("replay", directory.resolve("none").toString(), "--seed", "1"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("found no file and no scenario of the program called");
        assertThat(run("run", directory.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("found a directory and no scenario of the program called");
    }

    @Test
    @NeedsFile("/dev/zero")
    void aFileThatDoesNotEndIsNoScenario() {
        assertThat(run("run", "/dev/zero")).isEqualTo(2);
        assertThat(err.toString()).startsWith("railyard: /dev/zero: cannot be read: more than 4194304 bytes");
    }

    @Test
    void aWrongCommandLineEndsWithTwo() {
        assertThat(run()).isEqualTo(2);
        assertThat(run("run")).isEqualTo(2);
        assertThat(run("run", "rail-down", "--seeds", "9-1")).isEqualTo(2);
        assertThat(run("run", "rail-down", "--jobs", "0")).isEqualTo(2);
        assertThat(run("show", "nothing")).isEqualTo(2);
        assertThat(run("show", "railldown")).isEqualTo(2);
        assertThat(err.toString())
                .contains("found no scenario called 'railldown' (did you mean 'rail-down'?)")
                .contains("found '9-1', expected a seed or a range")
                .contains("found no scenario called 'nothing'");
    }

    @Test
    void theScenariosOfTheProgramAreListedAndShown() throws IOException {
        assertThat(run("list")).isZero();
        assertThat(out.toString().lines()).hasSize(Library.names().size());
        assertThat(out.toString()).contains("rail-down").contains("A server's link goes down");
        out.getBuffer().setLength(0);
        assertThat(run("list", "--json")).isZero();
        assertThat(DocReader.mapping(out.toString())).containsOnlyKeys(Library.names());
        out.getBuffer().setLength(0);
        assertThat(run("show", "rail-down", "--json")).isZero();
        assertThat(DocReader.mapping(out.toString())).containsKeys("rails", "nodes", "load", "expect");
        out.getBuffer().setLength(0);
        assertThat(run("show", "rail-down")).isZero();
        Path copy = directory.resolve("copy.yaml");
        Files.writeString(copy, out.toString());
        assertThat(run("run", copy.toString(), "--seeds", "1")).isZero();
    }
}
