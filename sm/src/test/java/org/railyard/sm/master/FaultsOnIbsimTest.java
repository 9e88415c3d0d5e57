package org.railyard.sm.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.testkit.Ibsim;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;

/** What breaks in a subnet on ibsim, as an admin sees it with tools that ask the devices (spec 42 §8). */
@NeedsRoot
@NeedsCommand({"ibsim", "unshare", "nsenter", "smpquery", "dump_fts", "ibnetdiscover"})
final class FaultsOnIbsimTest {
    private static final SampleTorus TORUS = SampleTorus.torus(4, 3, 1, 1);
    private static final int ROOM = 64;
    private static final String CONF = "torus-2QoS.conf";
    private static final String DONE = "sweep DONE";
    private static final int MAX_LOOKS = 100;

    private final Fabric fabric = TORUS.fabric();
    private final String ours = fabric.description(fabric.switchCount());
    private final String client = fabric.description(fabric.switchCount() + 3);

    @TempDir
    private Path directory;

    @BeforeEach
    void conf() throws IOException {
        Files.writeString(directory.resolve(CONF), TORUS.conf(1), StandardCharsets.US_ASCII);
    }

    private Ibsim ibsim() throws IOException, InterruptedException {
        return new Ibsim(directory, NetFile.of(fabric).text(), fabric.nodeCount() + ROOM, fabric.portCount() + ROOM);
    }

    private Ibsim.Program railyard(Ibsim ibsim, String until) throws IOException, InterruptedException {
        return ibsim.javaUntil(until, ours, MasterProgram.class, CONF, "0");
    }

    private String node(int node) {
        return "\"%s-%016x\"".formatted(fabric.isSwitch(node) ? "S" : "H", fabric.guid(node));
    }

    /** Returns the first port of a switch with a cable to another one. */
    private int cable(int sw) {
        for (int port = fabric.portIndex(sw, 1); port < fabric.portIndex(sw, fabric.ports(sw)); port++) {
            if (fabric.cable(port) != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(fabric.cable(port)))) {
                return fabric.portNumber(port);
            }
        }
        throw new AssertionError("no cable");
    }

    /** Gives the console a command, and waits for the trap and the sweep that follow. */
    private static void change(Ibsim ibsim, Ibsim.Program railyard, String command)
            throws IOException, InterruptedException {
        String before = railyard.printed();
        ibsim.console(command);
        railyard.awaitBehind(before, "trap 128", DONE);
    }

    /** Returns the forwarding tables that the switches hold. */
    private String tables(Ibsim ibsim) throws IOException, InterruptedException {
        String dump = ibsim.run(client, "dump_fts");
        assertThat(dump).endsWith("exit 0\n");
        return dump.lines().filter(line -> line.startsWith("0x")).collect(Collectors.joining("\n"));
    }

    /** Returns the LIDs that hosts were last given. */
    private static Map<String, String> lids(Ibsim.Program railyard) throws IOException {
        Map<String, String> lids = new TreeMap<>();
        Matcher each =
                Pattern.compile("^(\\S+) has LID (\\d+)$", Pattern.MULTILINE).matcher(railyard.printed());
        while (each.find()) {
            lids.put(each.group(1), each.group(2));
        }
        return lids;
    }

    @Test
    void aCableAndAHostThatComeBackLeaveNothingBehind() throws IOException, InterruptedException {
        try (Ibsim ibsim = ibsim()) {
            Ibsim.Program railyard = railyard(ibsim, DONE);
            String whole = tables(ibsim);
            String cable = node(5) + "[" + cable(5) + "]";
            String host = node(fabric.switchCount() + 7);
            for (String what : List.of(cable, host)) {
                change(ibsim, railyard, "Unlink " + what);
                assertThat(tables(ibsim)).as(what).isNotEqualTo(whole);
                change(ibsim, railyard, "ReLink " + what);
                assertThat(tables(ibsim)).as(what).isEqualTo(whole);
            }
        }
    }

    /** OpenSM 3.3.23 lost the switch. */
    @Test
    void aSwitchThatLosesAThirdOfAllMadsStays() throws IOException, InterruptedException {
        try (Ibsim ibsim = ibsim()) {
            Ibsim.Program railyard = railyard(ibsim, DONE);
            Map<String, String> lids = lids(railyard);
            ibsim.console("Error " + node(5) + " 30");
            String cable = node(1) + "[" + cable(1) + "]";
            change(ibsim, railyard, "Unlink " + cable);
            change(ibsim, railyard, "ReLink " + cable);
            assertThat(railyard.printed()).doesNotContain("INCOMPLETE").doesNotContain("UNROUTABLE");
            ibsim.console("Error " + node(5) + " 0");
            assertThat(lids(railyard)).isEqualTo(lids).hasSize(fabric.nodeCount() - fabric.switchCount());
            assertThat(ibsim.run(client, "ibnetdiscover").split("\nSwitch").length - 1)
                    .isEqualTo(fabric.switchCount());
        }
    }

    @Test
    void killedInTheMiddleOfASweepAndStartedAgain() throws IOException, InterruptedException {
        try (Ibsim ibsim = ibsim()) {
            Ibsim.Program first = railyard(ibsim, DONE);
            Map<String, String> lids = lids(first);
            String tables = tables(ibsim);
            first.kill();
            for (int i = 0; i < 2; i++) {
                railyard(ibsim, "master: ").kill();
            }
            Ibsim.Program last = railyard(ibsim, DONE);
            assertThat(lids(last)).isEqualTo(lids);
            assertThat(tables(ibsim)).isEqualTo(tables);
        }
    }

    @Test
    void aLidThatSomebodyChangedIsSetRight() throws IOException, InterruptedException {
        try (Ibsim ibsim = ibsim()) {
            Ibsim.Program railyard = railyard(ibsim, DONE);
            Map<String, String> lids = lids(railyard);
            String own = lids.get(client);
            String taken = lids.get(fabric.description(fabric.switchCount() + 5));
            assertThat(ownLid(ibsim)).isEqualTo(own);
            ibsim.console("Baselid " + node(fabric.switchCount() + 3) + "[1] " + taken);
            for (int i = 0; i < MAX_LOOKS && !ownLid(ibsim).equals(taken); i++) {
                // The console takes its time.
            }
            assertThat(ownLid(ibsim)).isEqualTo(taken);
            // Another subnet manager makes it read everything.
            String before = railyard.printed();
            ibsim.javaUntil(
                    "sweep STANDBY", fabric.description(fabric.switchCount() + 5), MasterProgram.class, CONF, "0");
            railyard.awaitBehind(before, "trap 144", DONE);
            assertThat(lids(railyard)).isEqualTo(lids);
            assertThat(ownLid(ibsim)).isEqualTo(own);
        }
    }

    /** Asks the client's own port. */
    private String ownLid(Ibsim ibsim) throws IOException, InterruptedException {
        Matcher lid = Pattern.compile("^Lid:\\.*(\\d+)$", Pattern.MULTILINE)
                .matcher(ibsim.run(client, "smpquery", "-D", "portinfo", "0", "1"));
        assertThat(lid.find()).isTrue();
        return lid.group().replaceAll("\\D", "");
    }
}
