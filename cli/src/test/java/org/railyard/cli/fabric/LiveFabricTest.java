package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.Ibsim;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;

/** Subnets in ibsim that OpenSM, or Railyard's subnet manager, runs: read, proved and compared with the plan. */
@BesideOthers
@NeedsRoot
@NeedsCommand({"ibsim", "opensm", "unshare", "nsenter", "ibnetdiscover", "dump_fts"})
class LiveFabricTest {
    private static final SampleTorus TORUS = SampleTorus.torus(3, 3, 1, 1);
    private static final int ROOM = 64;

    private final Fabric fabric = TORUS.fabric();
    private final String first = fabric.description(fabric.switchCount());
    private final String client = fabric.description(fabric.switchCount() + 4);

    @TempDir
    private Path directory;

    private FabricTool tool = new FabricTool(Path.of(""));

    @BeforeEach
    void aPlan() throws IOException {
        tool = new FabricTool(directory);
        Files.writeString(directory.resolve("torus-2QoS.conf"), TORUS.conf(1), StandardCharsets.US_ASCII);
        Files.writeString(directory.resolve("t.net"), NetFile.of(fabric).text(), StandardCharsets.US_ASCII);
        assertThat(tool.run("route @t.net --conf @torus-2QoS.conf --sm " + first + " --out @plan"))
                .as(tool.err())
                .isZero();
    }

    private Ibsim ibsim() throws IOException, InterruptedException {
        return new Ibsim(directory, NetFile.of(fabric).text(), fabric.nodeCount() + ROOM, fabric.portCount() + ROOM);
    }

    private String fabric(Ibsim ibsim, String... arguments) throws IOException, InterruptedException {
        String[] words = new String[arguments.length + 1];
        words[0] = "fabric";
        System.arraycopy(arguments, 0, words, 1, arguments.length);
        return ibsim.java(client, MainProgram.class, words);
    }

    @Test
    void openSmProgrammesWhatWasPlanned() throws IOException, InterruptedException {
        String conf = "qos TRUE\nrouting_engine torus-2QoS,no_fallback\ntorus_config %s\n"
                .formatted(directory.resolve("torus-2QoS.conf"));
        try (Ibsim ibsim = ibsim()) {
            ibsim.openSm(first, conf).await("SUBNET UP");
            assertThat(fabric(ibsim, "diff", "plan", "--live", "--ask-sls"))
                    .contains("LIDs: 0 of 18 differ", "forwarding entries: 0 of 162 differ")
                    .contains("SL to VL tables: 0 of ", "SLs of paths: 0 of 153 differ")
                    .endsWith("exit 0\n");
            assertThat(fabric(ibsim, "verify", "--live", "--ask-sls", "--conf", "torus-2QoS.conf"))
                    .contains("SLs: those of the subnet administration; torus-2QoS.conf gives the same")
                    .contains("verdict: clean")
                    .endsWith("exit 0\n");
            assertThat(fabric(ibsim, "show", "--live", "--ask-sls", "--out", "snapshot"))
                    .contains("read from: " + client + "/1", "0 missing of LIDs that are there")
                    .endsWith("exit 0\n");
            assertThat(tool.run("diff @plan @snapshot")).as(tool.out()).isZero();
            String tools = ibsim.run(client, "ibnetdiscover") + ibsim.run(client, "dump_fts");
            Files.writeString(directory.resolve("tools"), tools.replaceAll("(?m)^exit 0\n", ""));
            assertThat(tool.run("diff @plan --live --output-of-tools @tools")).isZero();
            assertThat(tool.out()).contains("forwarding entries: 0 of 162 differ");
        }
    }

    @Test
    void whatWasChangedBehindThePlanIsNamed() throws IOException, InterruptedException {
        try (Ibsim ibsim = ibsim()) {
            ibsim.javaUntil(
                            ": done,",
                            first,
                            MainProgram.class,
                            "sm",
                            "--device",
                            "any",
                            "--conf",
                            "torus-2QoS.conf",
                            "--opensm-lid-order",
                            "--socket",
                            directory.resolve("socket").toString())
                    .kill();
            assertThat(fabric(ibsim, "diff", "plan", "--live")).endsWith("exit 0\n");
            ibsim.console("Unlink \"S-%016x\"[2]".formatted(fabric.guid(0)));
            String cable = "%s/2: planned to %s, no link"
                    .formatted(fabric.description(0), fabric.portName(fabric.cable(fabric.portIndex(0, 2))));
            String found = fabric(ibsim, "diff", "plan", "--live");
            assertThat(found).contains("cables: 1 of 27 differ\n  " + cable).endsWith("exit 1\n");
            assertThat(fabric(ibsim, "verify", "--live", "--conf", "torus-2QoS.conf"))
                    .endsWith("exit 2\n");
        }
    }
}
