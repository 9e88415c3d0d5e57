package org.railyard.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class FabricBenchTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... words) {
        return new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(words);
    }

    @Test
    void aSmallTorusIsMeasuredAlone() {
        assertThat(run("fabric", "--sizes", "3", "--rounds", "1", "--opensm-up-to", "0", "--ibdmchk-up-to", "0"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("certificate").containsPattern("3³ +54 ");
    }

    @Test
    void whatCannotBeMeasuredIsRefused() {
        assertThat(run("fabric", "--sizes", "2")).isEqualTo(2);
        assertThat(run("fabric", "--rounds", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("--sizes 3 to 32");
    }
}
