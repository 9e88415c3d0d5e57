package org.railyard.mad.umad;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.transport.MadTransportSuite;
import org.railyard.testkit.Ibsim;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;

/** The suite over libibumad and ibsim, in a process of its own. */
@NeedsRoot
@NeedsCommand({"ibsim", "unshare", "nsenter"})
final class UmadSuiteTest {
    private static final int ROOM = 64;

    @TempDir
    private Path directory;

    private Ibsim start(Fabric fabric) throws IOException, InterruptedException {
        String text = NetFile.of(fabric).text();
        return new Ibsim(directory, text, fabric.nodeCount() + ROOM, fabric.portCount() + ROOM);
    }

    @Test
    void theWholeSuite() throws IOException, InterruptedException {
        Fabric fabric = SampleTorus.torus(3, 3, 1, 1).fabric();
        try (Ibsim ibsim = start(fabric)) {
            String output = ibsim.java(fabric.description(fabric.switchCount()), SuiteProgram.class);
            String[] passed = Arrays.stream(MadTransportSuite.class.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(Test.class))
                    .map(Method::getName)
                    .map(name -> "passed " + name)
                    .toArray(String[]::new);
            assertThat(passed).hasSizeGreaterThan(8);
            assertThat(output).contains(passed).endsWith("all " + passed.length + " done\nexit 0\n");
        }
    }

    @Test
    @NeedsCommand({"ibsim", "unshare", "nsenter", "opensm"})
    void theAdministrationOfOpenSmAnswers() throws IOException, InterruptedException {
        Fabric fabric = SampleTorus.torus(3, 3, 1, 1).fabric();
        int first = fabric.switchCount();
        try (Ibsim ibsim = start(fabric)) {
            // The SM's own port gets LID 1.
            ibsim.openSm(fabric.description(first));
            String output = ibsim.java(fabric.description(first + 1), SaProgram.class, "1");
            assertThat(output)
                    .contains("0 SA GetResp ClassPortInfo")
                    .containsPattern("1 SA GetTableResp NodeRecord .*NodeGUID=0x%016x.*NodeDescription=\"%s\""
                            .formatted(fabric.guid(first), fabric.description(first)))
                    .containsPattern("1 SA GetResp PathRecord .*DLID=1 .*P_Key=0xffff")
                    .endsWith("exit 0\n");
        }
    }
}
