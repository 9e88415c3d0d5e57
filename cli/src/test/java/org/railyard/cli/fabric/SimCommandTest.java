package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code fabric sim}. */
class SimCommandTest {
    @TempDir
    private Path dir = Path.of("");

    private FabricTool tool = new FabricTool(dir);

    @BeforeEach
    void aTorus() {
        tool = new FabricTool(dir);
        assertThat(tool.run("generate torus 5x5 --hosts 1 --out @t.net --conf @t.conf"))
                .isZero();
    }

    @Test
    void loadsAreCarriedAndTold() throws IOException {
        String command =
                "sim @t.net --conf @t.conf --load 0.1:0.3:0.1 --window 20 --qos 0.5 --seed 7 --json @points.json";
        assertThat(tool.run(command)).as(tool.err()).isZero();
        String first = tool.out();
        assertThat(first.lines()).hasSizeGreaterThan(3).allMatch(line -> !line.contains("deadlock"));
        assertThat(first).contains("accepted").contains("drained");
        assertThat(Files.readString(dir.resolve("points.json")))
                .startsWith("{\"pattern\":\"uniform\",\"seed\":7,\"mtu\":4096,\"points\":[{\"load\":0.1,")
                .contains("\"outcome\":\"drained\"");
        assertThat(tool.run(command)).isZero();
        assertThat(tool.out()).as("same seed, same figures").isEqualTo(first);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--until 0ns            | --until: found \"0ns\", expected a time of 1ns or more",
                "--until 0.2ns          | expected a time of 1ns or more",
                "--until soon           | --until: found \"soon\", expected a time such as",
                "--lifetime 0ms         | --lifetime: found \"0ms\", expected a time of 1ns or more",
                "--sweep-delay 3        | --sweep-delay: found \"3\"",
                "--window 0             | --window 0: expected 1 to",
                "--bytes 12kb           | --bytes goes with --job, --matrix or --messages only",
                "--retries 3            | --retries goes with --job, --matrix or --messages only",
                "--job halo             | --svg and --report",
                "--job hallo            | --job hallo: expected one of",
                "--matrix @m --rounds 2 | --svg and --report",
                "--csv @x --links @./x  | --csv and --links both name",
                "--csv @none/x          | none/x: cannot be written: there is no folder",
                "--json @               | cannot be written: it is a directory",
                "--qos 3                | --qos 3.0: expected a share of 0 to 1"
            })
    void optionsAreCheckedBeforeAnythingIsMade(String options, String text) {
        assertThat(tool.run("sim @t.net --conf @t.conf --report @new/reports " + options))
                .isEqualTo(2);
        assertThat(tool.err()).contains(text).hasLineCount(1);
        assertThat(dir.resolve("new")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--job halo --load 0.1  | --load excludes --job, --matrix and --messages",
                "--job halo --window 30 | --window excludes --job, --matrix and --messages",
                "--job halo --until 0ns | --until: found \"0ns\"",
                "--matrix @m --rounds 2 | --rounds goes with --job only: a file has its own messages",
                "--messages @m --bytes 9 | --bytes goes with --job only: a file has its own messages"
            })
    void whatAJobWouldOverlookIsRefused(String options, String text) {
        assertThat(tool.run("sim @t.net --conf @t.conf " + options)).isEqualTo(2);
        assertThat(tool.err()).contains(text).hasLineCount(1);
        assertThat(tool.out()).isEmpty();
    }

    @Test
    void aReportHasPlotsByLoadAndTheBusiestLinks() throws IOException {
        assertThat(tool.run("sim @t.net --conf @t.conf --load 0.1:0.3:0.1 --window 20 --seed 7 --report @reports"
                        + " --csv @reports/points.csv"))
                .as(tool.err())
                .isZero();
        assertThat(dir.resolve("reports/points.csv")).isNotEmptyFile();
        String page = Files.readString(dir.resolve("reports/fabric-sim.html"));
        assertThat(page)
                .contains("--window 20 --seed 7", "Latency by load, us", "The busiest, by sending port, load 0.3")
                .contains(tool.out().lines().findFirst().orElseThrow(), "<polyline class=\"line1\"", "</html>")
                .doesNotContain("<script", "NaN");
        assertThat(tool.run("sim @t.net --conf @t.conf --static --report @reports"))
                .isEqualTo(2);
        assertThat(tool.err()).contains("--report and --static do not go together");
    }

    @Test
    void aDeadlockIsToldAndEndsWithOne() {
        String tornado = "sim @t.net --conf @t.conf --pattern tornado --load 1 --buffers 4160 --window 50";
        assertThat(tool.run(tornado + " --engine dor")).isEqualTo(1);
        assertThat(tool.out())
                .contains("deadlock at ")
                .contains("5 packets wait for each other")
                .contains("in S-");
        assertThat(tool.run(tornado)).as("torus-2QoS has no credit loop").isZero();
    }

    @Test
    void whatMakesNoSenseIsTold() {
        assertThat(tool.run("sim @t.net --conf @t.conf --pattern circle")).isEqualTo(2);
        assertThat(tool.err()).contains("expected one of uniform, tornado, bit-complement, neighbour, hot-spot");
        for (String loads : new String[] {"0", "1.5", "0.5:0.1", "0.1:1:0", "0.1:0.2:0.05:1", "half"}) {
            assertThat(tool.run("sim @t.net --conf @t.conf --load " + loads))
                    .as(loads)
                    .isEqualTo(2);
            assertThat(tool.err()).contains("found '" + loads + "', expected a load such as 0.5");
        }
        assertThat(tool.run("sim @t.net --conf @t.conf --buffers 100 --load 0.1"))
                .isEqualTo(2);
        assertThat(tool.err()).contains("--buffers 100: too small for a packet of --mtu 4096");
        assertThat(tool.run("sim @nothing.net --conf @t.conf")).isEqualTo(2);
        assertThat(tool.run("sim @t.net --conf @t.conf --static --json @points.json"))
                .isEqualTo(2);
        assertThat(tool.err()).contains("--static sends none");
        assertThat(tool.run("sim @t.net --conf @t.conf --load 0.1 --json @one --csv @one"))
                .isEqualTo(2);
        assertThat(tool.err()).contains("--json and --csv both name");
    }

    @Test
    void aFailureUnderTrafficIsToldStepByStep() throws IOException {
        String command = "sim @t.net --conf @t.conf --load 0.6 --window 50 --fail 4,2@20us --json @f.json --csv @f.csv"
                + " --links @links.csv --svg @f.svg";
        assertThat(tool.run(command)).as(tool.err()).isZero();
        assertThat(tool.out())
                .contains("load 0.600: 20.00 us: 4,2 goes down")
                .contains(
                        "load 0.600: 70.00 us: torus-2QoS has new tables; 0 of 2,256 pairs of end ports get another SL")
                .contains("load 0.600: 94.00 us: all switches have the new tables")
                .containsPattern("load 0.600: lost: \\d+ link down, \\d+ no path.*; the last on its way at ");
        assertThat(Files.readString(dir.resolve("f.json")))
                .contains("\"log\":[\"20.00 us: 4,2 goes down\",")
                .contains("\"lost_by_reason\":{\"link down\":");
        assertThat(Files.readAllLines(dir.resolve("f.csv")))
                .hasSize(2)
                .allMatch(line -> line.split(",", -1).length == 36 + lostReasons());
        assertThat(Files.readAllLines(dir.resolve("links.csv")))
                .as("both directions of 50 cables between switches and 25 to hosts")
                .hasSize(1 + 2 * 75)
                .first()
                .asString()
                .startsWith("load,from,port,to,to_port,used,without_credits,vl0,vl1,");
        assertThat(Files.readString(dir.resolve("f.svg"))).contains("0 to 100 % of what a cable carries");
        assertThat(tool.run("sim @t.net --engine dor --load 0.2 --window 50 --fail S-1.1.0/2@20us --until 200us"))
                .as("other engines need no configuration: " + tool.err())
                .isZero();
        assertThat(tool.out()).contains("S-1.1.0/2 goes down", "dor has new tables", "running");
    }

    /** How many reasons the first of the lines of the last CSV has. */
    private int lostReasons() {
        try {
            return (int)
                    List.of(Files.readAllLines(dir.resolve("f.csv")).getFirst().split(",", -1)).stream()
                            .filter(name -> name.startsWith("lost_"))
                            .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatIsLeftMayBeRefused() {
        StringBuilder all = new StringBuilder("sim @t.net --conf @t.conf --load 0.2 --window 20");
        for (int i = 0; i < 25; i++) {
            all.append(" --fail ").append(i / 5).append(',').append(i % 5).append("@20us");
        }
        assertThat(tool.run(all.toString())).isEqualTo(3);
        assertThat(tool.out()).contains("torus-2QoS refuses what is left: tables stay as they are");
    }

    @Test
    void openSmsTreeStopsAndOursDoesNot() {
        assertThat(tool.run("generate torus 3x3x5 --hosts 1 --without 0,1,2 --out @h.net --conf @h.conf"))
                .isZero();
        String command = "sim @h.net --conf @h.conf --pattern multicast --load 0.8 --buffers 4160 --seed 3 --window 200"
                + " --engine ";
        assertThat(tool.run(command + "opensm-torus")).isEqualTo(1);
        assertThat(tool.out())
                .contains("7 packets wait for each other")
                .contains(": multicast 0xC000 from H-")
                .contains(" to H-");
        assertThat(tool.run(command + "torus-2qos")).as(tool.err()).isZero();
        assertThat(tool.out()).contains("drained").doesNotContain("deadlock");
    }

    @Test
    void tablesMayLieInADirectory() {
        assertThat(tool.run("route @t.net --conf @t.conf --out @tables --group 0xC000=all"))
                .as(tool.err())
                .isZero();
        String options = " --conf @t.conf --load 0.3 --window 20";
        assertThat(tool.run("sim @t.net" + options)).isZero();
        String routed = tool.out();
        assertThat(tool.run("sim @t.net --tables @tables" + options))
                .as(tool.err())
                .isZero();
        assertThat(tool.out()).isEqualTo(routed);
        assertThat(tool.run("sim @tables" + options)).isZero();
        assertThat(tool.out()).isEqualTo(routed);
        assertThat(tool.run("sim @t.net --tables @tables --conf @t.conf --load 0.1 --window 20 --pattern multicast"))
                .as(tool.err())
                .isZero();
        assertThat(tool.run("sim @tables --tables @tables")).isEqualTo(2);
        assertThat(tool.err()).contains("is a directory with tables itself");
        assertThat(tool.run("sim @t.net --tables @nowhere")).isEqualTo(2);
        assertThat(tool.err()).contains("nowhere: no such directory");
    }

    @Test
    void arbitrationOfOpenSmCounts() throws IOException {
        Path file = dir.resolve("opensm.conf");
        Files.writeString(file, """
            qos_swe_high_limit 0
            qos_swe_vlarb_high 0:0
            qos_swe_vlarb_low 0:64,1:64,2:64,3:64,4:192,5:192,6:192,7:192
            qos_ca_vlarb_high 0:0
            qos_ca_vlarb_low 0:64,1:192
            """);
        String command = "sim @t.net --conf @t.conf --load 1 --qos 0.5 --window 100 --pattern hot-spot --hot 1"
                + " --until 2ms --vl-arbitration @opensm.conf --links @links.csv";
        assertThat(tool.run(command)).as(tool.err()).isZero();
        String[] last = Files.readAllLines(dir.resolve("links.csv")).stream()
                .filter(line -> line.startsWith("1.0,S-0.0.0,1,H-0.0.0.0,"))
                .findFirst()
                .orElseThrow()
                .split(",", -1);
        assertThat(Double.parseDouble(last[8]) / Double.parseDouble(last[7]))
                .as("three to one on the link that all want, VL 1 to VL 0")
                .isBetween(2.7, 3.3);
        Files.writeString(file, "qos_swe_vlarb_high 0:0\nqos_swe_vlarb_low 0:64\n");
        assertThat(tool.run("sim @t.net --conf @t.conf --load 0.2 --window 20 --vl-arbitration @opensm.conf"))
                .isEqualTo(4);
        assertThat(tool.out()).contains("starvation at ", "no VL arbitration table of this port gives vl 1 a weight");
        Files.writeString(file, "qos_swe_vlarb_high 0:300\n");
        assertThat(tool.run("sim @t.net --conf @t.conf --vl-arbitration @opensm.conf"))
                .isEqualTo(2);
        assertThat(tool.err()).contains("opensm.conf:1:20: found \"0:300\", expected vl:weight");
        assertThat(tool.run("sim @t.net --conf @t.conf --vl-arbitration @t.conf"))
                .isEqualTo(2);
        assertThat(tool.err()).contains("is it OpenSM's configuration?");
    }

    @Test
    void countingNeedsNoPackets() {
        assertThat(tool.run("sim @t.net --engine dor --pattern tornado --static"))
                .isZero();
        assertThat(tool.out())
                .contains("25 hosts, ")
                .contains("is asked for 2.000 of what it carries: no load above 0.500 can be carried");
    }

    @Test
    void aHostThatTakesNothingIsStarvation() {
        assertThat(tool.run("sim @t.net --conf @t.conf --load 0.3 --window 50 --sink H-0.0.0.0=0@30us"))
                .isEqualTo(4);
        assertThat(tool.out()).contains("30.00 us: H-0.0.0.0/1 takes no packets", "H-0.0.0.0/1 takes none: ");
        assertThat(tool.run("sim @t.net --conf @t.conf --load 0.3 --window 50 --sink all=0.5"))
                .isZero();
    }

    @Test
    void aLifetimeLetsADeadlockPass() {
        assertThat(tool.run("sim @t.net --engine dor --pattern tornado --load 1 --buffers 4160 --window 50"
                        + " --lifetime 10us"))
                .as(tool.err())
                .isZero();
        assertThat(tool.out()).contains("drained", "deadlock at ", " lifetime");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--fail 9,9@20us; no place of a 5 x 5 x 1 torus",
                "--fail S-7.7.7@20us; no switch has this description or GUID",
                "--fail 4,2; expected what and when, such as",
                "--fail 4,2@soon; expected a time such as 500ns, 20us or 1.5ms, at most 10s",
                "--fail 4,2@20000s; at most 10s",
                "--repair 4,2@20us; nothing of it is down then",
                "--fail 4,2@20us --repair 4,2@10us; \"4,2 comes up\", but nothing of it is down then",
                "--buffers 1; --buffers 1: expected 64 to 262144 bytes",
                "--multicast 2; --multicast 2.0: expected a share of 0 to 1",
                "--qos-levels 3; --qos-levels 3: expected 1 to 2",
                "--max-op-vls 9; --max-op-vls 9: expected 1 to 5",
                "--fail 4,2/9@20us; no cable is in this port",
                "--fail cable\t4,2@20us; expected A:B, two switches, or A/N, a port of one",
                "--fail switch\t4,2:4,3@20us; expected a switch behind 'switch'",
                "--repair 4,2:0,0@20us; no cable joins these switches",
                "--sink H-0.0.0.0=2; expected HOST=SHARE with a share of 0, or 0.0001 to 1",
                "--sink S-0.0.0=0.5; is a switch, expected a host",
                "--sink nobody=0.5; no end port in a cable",
                "--until never; expected a time",
                "--lifetime 1; expected a time",
                "--sweep-delay x; --sweep-delay: found \"x\"",
                "--mtu -4; --mtu -4: expected 1 to 65536",
                "--qos 3; --qos 3.0: expected a share of 0 to 1",
                "--window 0; --window 0: expected 1 to ",
                "--pattern shuffle; needs a power of two of hosts, there are 25",
                "--pattern hot-spot --hot 7; --hot 7.0: expected a share of 0 to 1",
                "--json /there/is/no/such.json; cannot be written",
            })
    void optionsThatMakeNoSenseAreToldApart(String line) {
        String[] parts = line.split("; ", 2);
        assertThat(tool.run("sim @t.net --conf @t.conf --load 0.1 " + parts[0])).isEqualTo(2);
        assertThat(tool.err()).contains(parts[1]);
        assertThat(tool.out()).isEmpty();
    }
}
