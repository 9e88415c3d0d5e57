package org.railyard.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.fabric.sample.SampleHyperX;
import org.railyard.testkit.NeedsCommand;

class EngineComparisonTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    @NeedsCommand({"opensm", "ibsim", "ibsim-run"})
    void eachEngineHasARowBesideOpenSm() throws Exception {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text, true);
        new EngineComparison(out, 1, 60)
                .run(
                        directory,
                        Map.of(
                                "mesh",
                                new SampleHyperX(List.of(3), 2, 1).network().fabric()),
                        1);
        // Four ways between each two neighbours, whoever finds them.
        assertThat(text.toString())
                .containsPattern("mesh +Railyard +nue +1 +4 +4\\.0 +0\\.80 +1 +[0-9.]+ ")
                .containsPattern("mesh +OpenSM +nue +1 +4 +4\\.0 +0\\.80 +1 +[0-9.]+ ")
                .containsPattern("mesh +OpenSM +lash +1 +4 +4\\.0 +0\\.80 +1 +[0-9.]+ ")
                .containsPattern("mesh +Railyard +ftree .* no fat tree")
                .containsPattern("mesh +OpenSM +ftree .* refused");
    }
}
