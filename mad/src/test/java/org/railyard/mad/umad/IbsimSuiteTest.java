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

/**
 * The suite over ibsim: through libibumad with its double preloaded, and through UDP, in processes of their own. Both
 * ask the subnet administration of an OpenSM as well.
 */
@NeedsRoot
@NeedsCommand({"ibsim", "unshare", "nsenter"})
final class IbsimSuiteTest {
    private static final int ROOM = 64;
    private static final String UDP_PORT = Integer.toString(Ibsim.UDP_PORT);

    @TempDir
    private Path directory;

    private final Fabric fabric = SampleTorus.torus(3, 3, 1, 1).fabric();

    private Ibsim start() throws IOException, InterruptedException {
        String text = NetFile.of(fabric).text();
        return new Ibsim(directory, text, fabric.nodeCount() + ROOM, fabric.portCount() + ROOM);
    }

    private Ibsim startUdp() throws IOException, InterruptedException {
        String text = NetFile.of(fabric).text();
        return Ibsim.overUdp(directory, text, fabric.nodeCount() + ROOM, fabric.portCount() + ROOM);
    }

    private String host(int index) {
        return fabric.description(fabric.switchCount() + index);
    }

    private static void assertAllPassed(String output) {
        String[] passed = Arrays.stream(MadTransportSuite.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .map(Method::getName)
                .map(name -> "passed " + name)
                .toArray(String[]::new);
        assertThat(passed).hasSizeGreaterThan(8);
        assertThat(output).contains(passed).endsWith("all " + passed.length + " done\nexit 0\n");
    }

    @Test
    void theWholeSuiteThroughLibibumad() throws IOException, InterruptedException {
        try (Ibsim ibsim = start()) {
            assertAllPassed(ibsim.java(host(0), SuiteProgram.class));
        }
    }

    @Test
    @NeedsCommand({"ibsim", "unshare", "nsenter", "ip"})
    void theWholeSuiteThroughUdp() throws IOException, InterruptedException {
        try (Ibsim ibsim = startUdp()) {
            assertAllPassed(ibsim.javaInside(SuiteProgram.class, UDP_PORT, host(0)));
        }
    }

    private void assertAnswers(String output) {
        int first = fabric.switchCount();
        assertThat(output)
                .contains("0 SA GetResp ClassPortInfo")
                .containsPattern("1 SA GetTableResp NodeRecord .*NodeGUID=0x%016x.*NodeDescription=\"%s\""
                        .formatted(fabric.guid(first), fabric.description(first)))
                .containsPattern("1 SA GetResp PathRecord .*DLID=1 .*P_Key=0xffff")
                .endsWith("exit 0\n");
    }

    @Test
    @NeedsCommand({"ibsim", "unshare", "nsenter", "opensm"})
    void theAdministrationOfOpenSmAnswersThroughLibibumad() throws IOException, InterruptedException {
        try (Ibsim ibsim = start()) {
            // The SM's own port gets LID 1.
            ibsim.openSm(host(0));
            assertAnswers(ibsim.java(host(1), SaProgram.class, "1", "2"));
        }
    }

    @Test
    @NeedsCommand({"ibsim", "unshare", "nsenter", "opensm", "ip"})
    void theAdministrationOfOpenSmAnswersThroughUdp() throws IOException, InterruptedException {
        try (Ibsim ibsim = startUdp()) {
            ibsim.openSm(host(0));
            assertAnswers(ibsim.javaInside(SaProgram.class, "1", "2", UDP_PORT, host(1)));
        }
    }
}
