package org.railyard.cli.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.campaign.plan.Csv;
import org.railyard.cli.Main;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsFile;

/** {@code railyard campaign}: from the command line to files, and back by the commands that run a case again. */
class CampaignCommandTest {
    private static final String SMALL = """
        rails: {blue: {}}
        nodes:
          client: {devices: {eth0: blue}, config: &config {net: [{net type: tcp, local NI(s): [{interfaces: {0: eth0}}]}]}}
          server: {devices: {eth0: blue}, config: *config}
        load: [{from: client, to: server, rate: 20/s, start: 200ms, for: 500ms}]
        expect: {min_ok: %d}
        """;

    @TempDir
    private Path directory = Path.of("");

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    private int run(List<String> words) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), words.toArray(String[]::new));
    }

    /** Runs a command line; words that begin with @ are files of the directory. */
    private int run(String line) {
        return run(List.of(line.split(" ", -1)).stream()
                .map(word -> word.startsWith("@") ? path(word.substring(1)) : word)
                .toList());
    }

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private List<List<String>> rows(String folder) throws IOException {
        return Files.readAllLines(directory.resolve(folder).resolve("results.csv")).stream()
                .skip(1)
                .map(Csv::cells)
                .toList();
    }

    /** Returns the first command that runs a case again. */
    private List<String> replay(String folder) throws IOException {
        String command = Files.readAllLines(directory.resolve(folder).resolve("replay.txt"))
                .get(1);
        assertThat(command).startsWith("railyard ");
        return List.of(command.split(" ", -1)).subList(1, command.split(" ", -1).length);
    }

    @Test
    void seedsOfTheLab() throws IOException {
        Files.writeString(directory.resolve("good.yaml"), SMALL.formatted(1));
        Files.writeString(directory.resolve("bad.yaml"), SMALL.formatted(1_000_000));
        assertThat(run("campaign lab @good.yaml --seeds 1-3 --out @good")).isZero();
        assertThat(out.toString()).contains("3 of 3 cases: 3 ok");
        assertThat(err.toString()).isEmpty();
        assertThat(run("campaign lab @good.yaml @bad.yaml --seeds 5-6 --threads 2 --chunk 1 --out @bad"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("4 of 4 cases: 2 ok, 2 violation", "case 2: violation, expect");
        assertThat(run(replay("bad"))).isEqualTo(1);
        assertThat(out.toString()).contains("seed 5 violates 'expect'");
        // What a campaign runs again is what it ran.
        Files.writeString(directory.resolve("bad.yaml"), SMALL.formatted(1));
        assertThat(run(replay("bad"))).isEqualTo(1);
        assertThat(run("campaign --resume @bad --threads 1")).isEqualTo(1);
        assertThat(out.toString()).contains("2 ok, 2 violation");
        Files.delete(directory.resolve("bad/inputs/scenario-2.yaml"));
        assertThat(run("campaign --resume @bad")).isEqualTo(1);
        assertThat(err.toString())
                .startsWith(
                        "railyard: warning: " + path("bad/inputs/scenario-2.yaml") + " was missing; it was written");
        assertThat(run(replay("bad"))).isEqualTo(1);
    }

    @Test
    void failuresOfAFabric() throws IOException {
        assertThat(run("campaign failures --torus 4x3 --together 2 --out @pairs"))
                .isEqualTo(1);
        List<List<String>> rows = rows("pairs");
        assertThat(rows).hasSize(66);
        assertThat(run(replay("pairs"))).isEqualTo(1);
        assertThat(out.toString()).contains("1 refused");
        List<String> proved = rows.stream()
                .filter(row -> row.get(1).equals("proved"))
                .findFirst()
                .orElseThrow();
        List<String> names = List.of(proved.get(2).split(" and ", -1));
        assertThat(run("fabric whatif @pairs/inputs/topology.net --conf @pairs/inputs/torus-2QoS.conf --fail "
                        + names.get(0) + " --fail " + names.get(1)))
                .isZero();
        assertThat(out.toString())
                .containsPattern(names.getFirst() + ".* proved +" + proved.get(6) + " +0 +" + proved.get(7));
        assertThat(run("campaign failures --torus 4x3 --of all --together 3 --sample 12 --seed 3 --out @some"))
                .isIn(0, 1);
        assertThat(rows("some")).hasSize(12);
        assertThat(run("campaign failures @pairs/inputs/topology.net --engine up-down --of cables --out @updown"))
                .isZero();
        assertThat(rows("updown")).hasSize(24);
    }

    /** It may change meanwhile, or be a pipe, as with {@code --conf <(...)}. */
    @Test
    @NeedsCommand("mkfifo")
    void aConfigurationIsReadOnce() throws IOException, InterruptedException {
        assertThat(run("fabric generate torus 3x3 --out @t.net --conf @t.conf")).isZero();
        assertThat(new ProcessBuilder("mkfifo", path("pipe")).start().waitFor()).isZero();
        byte[] conf = Files.readAllBytes(directory.resolve("t.conf"));
        AtomicBoolean over = new AtomicBoolean();
        Thread writer = Thread.ofPlatform().start(() -> {
            // Whoever reads once more finds nothing.
            for (byte[] left = conf; !over.get(); left = new byte[0]) {
                write("pipe", left);
            }
        });
        int exit = run("campaign failures @t.net --conf @pipe --of cables --out @piped");
        over.set(true);
        // Open for both it waits for nobody.
        try (FileChannel _ =
                FileChannel.open(directory.resolve("pipe"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            writer.join();
        }
        assertThat(exit).as(err.toString()).isZero();
        assertThat(directory.resolve("piped/inputs/torus-2QoS.conf")).hasBinaryContent(conf);
    }

    private void write(String name, byte[] text) {
        try {
            Files.write(directory.resolve(name), text, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aConfigurationWithErrorsIsCalledByItsName() throws IOException {
        assertThat(run("fabric generate torus 3x3 --out @t.net")).isZero();
        Files.writeString(directory.resolve("my.conf"), "torus 3 3 1\nnonsense\n");
        assertThat(run("campaign failures @t.net --conf @my.conf --out @none")).isEqualTo(2);
        assertThat(err.toString()).contains(path("my.conf") + ":2").doesNotContain("torus-2QoS.conf:");
        assertThat(directory.resolve("none")).doesNotExist();
    }

    @Test
    void loadsGiveWhatFabricSimGives() throws IOException {
        assertThat(run("campaign load --torus 3x3 --load 0.3,0.5 --seeds 4-5 --mtu 2048 --window 30 --out @loads"))
                .isZero();
        List<String> row = rows("loads").get(3);
        assertThat(row.subList(1, 4)).containsExactly("drained", "0.5", "5");
        assertThat(run("fabric sim @loads/inputs/topology.net --conf @loads/inputs/torus-2QoS.conf --load 0.5 --seed 5"
                        + " --mtu 2048 --window 30 --csv @sim.csv"))
                .isZero();
        List<String> heads =
                Csv.cells(Files.readAllLines(directory.resolve("sim.csv")).getFirst());
        List<String> cells =
                Csv.cells(Files.readAllLines(directory.resolve("sim.csv")).get(1));
        assertThat(cells.get(heads.indexOf("packets"))).isEqualTo(row.get(14));
    }

    @Test
    void aSubnetManagerRecoversInTheTimeThatItsRowTells() throws IOException {
        assertThat(run("campaign sm --torus 3x3 --seeds 1-4 --loss 10 --out @sm"))
                .isZero();
        List<String> row = rows("sm").get(2);
        assertThat(run("sm --fabric @sm/inputs/topology.net --conf @sm/inputs/torus-2QoS.conf --loss 10 --seed 3"
                        + " --unlink "
                        + row.get(3)))
                .isZero();
        assertThat(out.toString())
                .contains(row.get(8) + " heavy ", row.get(9) + " MADs sent, " + row.get(10) + " of them again");
    }

    @Test
    @NeedsFile("/dev/full")
    void aFullDiskIsNamedAndWhatIsDoneGoesOn() throws IOException {
        Files.writeString(directory.resolve("good.yaml"), SMALL.formatted(1));
        assertThat(run("campaign lab @good.yaml --seeds 1-3 --chunk 1 --out @full"))
                .isZero();
        Path rows = directory.resolve("full/rows");
        Files.delete(rows);
        Files.createSymbolicLink(rows, Path.of("/dev/full"));
        assertThat(run("campaign --resume @full --threads 1")).isEqualTo(1);
        assertThat(err.toString())
                .contains("3 lines at the end of the journal were torn or wrong")
                .contains("what is done is kept; go on with: railyard campaign --resume " + path("full"))
                .endsWith("railyard: ENOSPC: " + rows + ": No space left on device\n");
        Files.delete(rows);
        assertThat(run("campaign --resume @full --threads 1")).isZero();
        assertThat(out.toString()).contains("3 of 3 cases: 3 ok");
    }

    @Test
    void wrongWordsSayWhatWasExpected() throws IOException {
        Files.writeString(directory.resolve("bad.net"), "Switch 3 \"S-1\n");
        Files.writeString(directory.resolve("empty.net"), "");
        Files.writeString(directory.resolve("no.yaml"), "rails: [");
        Files.createDirectories(directory.resolve("full/it"));
        for (String words : List.of(
                "",
                " --resume @nothing",
                " --resume",
                " lab --out @x",
                " lab none-such --out @x",
                " lab @no.yaml --out @x",
                " lab rail-down",
                " lab rail-down --seeds 5-1 --out @x",
                " lab rail-down --seeds 1-2000000000 --out @x",
                " lab rail-down --seeds 1-2 --out @full",
                " lab rail-down --seeds 1-2 --threads 0 --out @x",
                " lab rail-down --seeds 1-2 --threads 100000 --out @x",
                " lab rail-down --seeds 1-2 --spark local[2] --out @x",
                " lab rail-down --seeds 1-2 --spark http://x --out @x",
                " lab rail-down --seeds 1-2 --spark local[2] --threads 2 --out @x",
                " lab rail-down --seeds 1-2 --chunk 0 --out @x",
                " lab rail-down --seeds 1-2 --chunk 1000000000 --out @x",
                " lab rail-down --seeds 1-999999999 --chunk 1 --out @x",
                " failures --out @x",
                " failures @none.net --out @x",
                " failures @bad.net --engine dor --out @x",
                " failures @empty.net --engine dor --out @x",
                " failures @bad.net --torus 3x3 --out @x",
                " failures --torus 3x3 --conf @bad.net --out @x",
                " failures --torus 0 --out @x",
                " failures --torus 99x99x99 --hosts 99 --out @x",
                " failures --torus 3x3; --out @x",
                " failures --torus 3x3 --hosts -1 --out @x",
                " failures --torus 3x3 --together 0 --out @x",
                " failures --torus 3x3 --together 4 --out @x",
                " failures --torus 3x3 --of hosts --out @x",
                " failures --torus 3x3 --sample -1 --out @x",
                " failures --torus 3x3 --sample 99999999999 --out @x",
                " failures --torus 3x3 --check -1 --out @x",
                " failures --torus 3x3 --engine magic --out @x",
                " load --torus 3x3 --load 2 --out @x",
                " load --torus 3x3 --load NaN --out @x",
                " load --torus 3x3 --pattern spiral --out @x",
                " load --torus 3x3 --pattern shuffle --out @x",
                " load --torus 3x3 --mtu 0 --out @x",
                " load --torus 3x3 --window 0 --out @x",
                " load --torus 3x3 --hosts 0 --out @x",
                " sm --torus 3x3 --loss 91 --out @x",
                " sm --torus 3x3 --hosts 0 --out @x")) {
            assertThat(run("campaign" + words)).as(words + " | " + out + err).isEqualTo(2);
            assertThat(err.toString()).as(words).doesNotContain("Exception", "internal error");
            assertThat(err.toString().lines().findFirst().orElse("")).as(words).startsWith("railyard: ");
            assertThat(directory.resolve("x/plan.json")).as(words).doesNotExist();
        }
    }

    @Test
    void oneFabricIsLoadedOrMade() {
        assertThat(run("campaign failures --out @x")).isEqualTo(2);
        assertThat(err.toString()).contains("one of TOPOLOGY and --torus is needed");
        err.getBuffer().setLength(0);
        assertThat(run("campaign failures @bad.net --torus 3x3 --out @x")).isEqualTo(2);
        assertThat(err.toString()).contains("only one of TOPOLOGY and --torus may be given");
    }
}
