package org.railyard.sm.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.testkit.Ibsim;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;

/** Standby, takeover and handover with a real OpenSM, in both roles (spec 42 §9). */
@NeedsRoot
@NeedsCommand({"ibsim", "opensm", "unshare", "nsenter", "sminfo", "ibnetdiscover"})
class HandoverTest {
    private static final SampleTorus TORUS = SampleTorus.torus(3, 3, 1, 1);
    private static final int ROOM = 10;
    private static final String OPENSM = "sm_priority %d\nsminfo_polling_timeout 500\npolling_retry_number 2\n";

    private final Fabric fabric = TORUS.fabric();
    private final String ours = fabric.description(fabric.switchCount());
    private final String other = fabric.description(fabric.switchCount() + 4);
    private final String client = fabric.description(fabric.switchCount() + 7);

    @TempDir
    private Path directory;

    @BeforeEach
    void conf() throws IOException {
        Files.writeString(directory.resolve("torus-2QoS.conf"), TORUS.conf(1), StandardCharsets.US_ASCII);
    }

    private Ibsim ibsim() throws IOException, InterruptedException {
        return new Ibsim(directory, NetFile.of(fabric).text(), fabric.nodeCount() + ROOM, fabric.portCount() + ROOM);
    }

    private static long guid(Fabric of, String host) {
        for (int node = of.switchCount(); node < of.nodeCount(); node++) {
            if (of.description(node).equals(host)) {
                return of.portGuid(of.portIndex(node, 1));
            }
        }
        throw new IllegalArgumentException(host);
    }

    /** Waits until ports of the subnet take the subnet manager at this host for the master, and it says that it is. */
    private void awaitMaster(Ibsim ibsim, String host) throws IOException, InterruptedException {
        await(ibsim, "SMINFO_MASTER", "0x%x".formatted(guid(fabric, host)), "sminfo");
    }

    private void await(Ibsim ibsim, String state, String guid, String... command)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        String said = "";
        while (System.nanoTime() < deadline) {
            said = ibsim.run(client, command);
            if (said.contains(state) && said.contains(guid)) {
                return;
            }
        }
        throw new AssertionError("no " + state + " of " + guid + ": " + said);
    }

    /** OpenSM comes later with a higher priority, and dies. */
    @Test
    void openSmTakesTheSubnetAndLosesIt() throws IOException, InterruptedException {
        try (Ibsim ibsim = ibsim()) {
            Ibsim.Program railyard = ibsim.javaUntil("sweep DONE", ours, MasterProgram.class, "torus-2QoS.conf", "3");
            awaitMaster(ibsim, ours);
            Ibsim.Program openSm = ibsim.openSm(other, OPENSM.formatted(5));
            awaitMaster(ibsim, other);
            assertThat(railyard.printed()).contains("standby: handed over to ");
            openSm.kill();
            awaitMaster(ibsim, ours);
            assertThat(railyard.printed()).contains("does not answer", "master: taken over");
            assertThat(ibsim.run(client, "ibnetdiscover")).endsWith("exit 0\n");
        }
    }

    /** OpenSM stands by; Railyard ends, and comes back. */
    @Test
    void openSmStandsByAndIsHandedTheSubnet() throws IOException, InterruptedException {
        try (Ibsim ibsim = ibsim()) {
            Ibsim.Program railyard = ibsim.javaUntil("sweep DONE", ours, MasterProgram.class, "torus-2QoS.conf", "5");
            ibsim.openSm(other, OPENSM.formatted(3));
            String there = "0x%x".formatted(guid(fabric, other));
            await(ibsim, "SMINFO_STANDBY", there, "sminfo", lid(railyard, other));
            railyard.end();
            assertThat(railyard.printed()).contains("not active: handed over to ");
            awaitMaster(ibsim, other);
            Ibsim.Program again = ibsim.javaUntil("sweep DONE", ours, MasterProgram.class, "torus-2QoS.conf", "5");
            awaitMaster(ibsim, ours);
            assertThat(again.printed()).contains("master: ");
            await(ibsim, "SMINFO_STANDBY", there, "sminfo", lid(again, other));
        }
    }

    /** Returns the LID that Railyard gave to a host. */
    private static String lid(Ibsim.Program railyard, String host) throws IOException {
        Matcher lid = Pattern.compile("^" + Pattern.quote(host) + " has LID (\\d+)$", Pattern.MULTILINE)
                .matcher(railyard.printed());
        assertThat(lid.find()).isTrue();
        return lid.group(1);
    }
}
