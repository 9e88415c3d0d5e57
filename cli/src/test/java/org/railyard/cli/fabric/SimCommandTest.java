package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        assertThat(tool.err()).contains("buffers of 100 bytes have no room for a packet of 4096");
        assertThat(tool.run("sim @nothing.net --conf @t.conf")).isEqualTo(2);
    }
}
