package org.railyard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What commands print with {@code --json}: one line, which is JSON and nothing else. */
final class JsonOutputTest {
    @TempDir
    private Path folder = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String line) {
        out.getBuffer().setLength(0);
        String[] words = line.replace(" @", " " + folder + "/").strip().split(" +");
        return Main.run(new PrintWriter(out), new PrintWriter(err), words);
    }

    /** JSON in one line is YAML, whose reader is there. */
    private Map<?, ?> document() {
        assertThat(out.toString().strip()).startsWith("{").endsWith("}").doesNotContain("\n");
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(out.toString());
    }

    private void makeTorus() {
        assertThat(run("fabric generate torus 3x3x3 --seeds 2 --conf @conf --out @net --json"))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fabric show @net | 0 | switches",
                "fabric route @net --conf @conf --out @routed | 0 | verdict",
                "fabric qos | 0 | qos-policy.conf",
                "fabric qos --check @opensm | 1 | warnings",
                "fabric whatif @net --conf @conf --fail S-0.0.0 | 0 | verdicts",
                "explain path --config @node --to 10.0.0.5@tcp | 0 | from",
                "explain path --config @node --to 10.0.0.5@o2ib | 1 | errno",
                "lab list | 0 | rail-down",
                "lab run rail-down --seeds 1-1 | 0 | violations",
                "campaign lab rail-down --seeds 1-2 --out @campaign | 0 | bad_cases",
                "o2ib tunables | 0 | effective",
                "o2ib tunables --diff peer_credits=16 | 0 | changes"
            })
    void oneLineIsOneDocument(String line, int exit, String key) throws IOException {
        makeTorus();
        Files.writeString(folder.resolve("opensm"), "qos FALSE\n");
        Files.writeString(folder.resolve("node"), "net: [{net type: tcp, local NI(s): [{nid: 10.0.0.1@tcp}]}]\n");
        assertThat(run(line + " --json")).as("%s", err).isEqualTo(exit);
        assertThat(document().keySet()).map(Object::toString).contains(key);
    }

    @Test
    void aMadeFabricIsToldOfInJson() {
        makeTorus();
        assertThat(document()).asString().contains("switches=27", "end_nodes=27", "format=ibsim");
        assertThat(run("fabric generate torus 3x3 --json")).isEqualTo(2);
        assertThat(err.toString()).contains("--json needs --out");
    }

    /** A switch that is not there is not there for a program, either. */
    @Test
    void whatIsRefusedIsADocumentToo() throws IOException {
        makeTorus();
        Files.writeString(folder.resolve("wrong"), "torus 9 9 9\nxp_link 0x200000 0x200001\n");
        assertThat(run("fabric route @net --conf @wrong --out @none --json")).isEqualTo(3);
        assertThat(document().get("verdict")).isEqualTo("refused");
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void jsonDoesNotGoWithOtherForms() {
        assertThat(run("o2ib tunables --format CSV --json")).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("--json goes without --format");
    }
}
