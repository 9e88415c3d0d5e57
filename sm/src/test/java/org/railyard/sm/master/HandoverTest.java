package org.railyard.sm.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private long guid(String host) {
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            if (fabric.description(node).equals(host)) {
                return fabric.portGuid(fabric.portIndex(node, 1));
            }
        }
        throw new IllegalArgumentException(host);
    }

    /** Asks, once, whom the subnet takes for the master. */
    private void assertMaster(Ibsim ibsim, String host) throws IOException, InterruptedException {
        assertThat(ibsim.run(client, "sminfo"))
                .as("%s", ibsim.printed())
                .contains("sm guid 0x%x,".formatted(guid(host)), "SMINFO_MASTER");
    }

    /** OpenSM is master, Railyard stands by; OpenSM dies. */
    @Test
    void aDeadOpenSmIsReplaced() throws IOException, InterruptedException {
        try (Ibsim ibsim = ibsim()) {
            Ibsim.Program openSm = ibsim.openSm(other, OPENSM.formatted(5));
            openSm.await("SUBNET UP");
            Ibsim.Program railyard =
                    ibsim.javaUntil("sweep STANDBY", ours, MasterProgram.class, "torus-2QoS.conf", "3");
            assertMaster(ibsim, other);
            openSm.kill();
            railyard.await("does not answer", "master: taken over", "sweep DONE");
            assertMaster(ibsim, ours);
            assertThat(ibsim.run(client, "ibnetdiscover")).endsWith("exit 0\n");
        }
    }

    /** OpenSM stands by; Railyard ends, and comes back. */
    @Test
    void openSmStandsByAndIsHandedTheSubnet() throws IOException, InterruptedException {
        try (Ibsim ibsim = ibsim()) {
            Ibsim.Program railyard = ibsim.javaUntil("sweep DONE", ours, MasterProgram.class, "torus-2QoS.conf", "5");
            Ibsim.Program openSm = ibsim.openSm(other, OPENSM.formatted(3));
            openSm.await("STANDBY");
            // Its trap makes us sweep, and find it.
            railyard.await("sweep DONE", "sweep DONE");
            assertThat(ibsim.run(client, "sminfo", lid(railyard, other))).contains("SMINFO_STANDBY");
            assertMaster(ibsim, ours);
            railyard.end();
            assertThat(railyard.printed()).contains("not active: handed over to ");
            openSm.await("SUBNET UP");
            assertMaster(ibsim, other);
            Ibsim.Program again = ibsim.javaUntil("sweep DONE", ours, MasterProgram.class, "torus-2QoS.conf", "5");
            assertMaster(ibsim, ours);
            assertThat(again.printed()).contains("master: ");
            assertThat(ibsim.run(client, "sminfo", lid(again, other))).contains("SMINFO_STANDBY");
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
