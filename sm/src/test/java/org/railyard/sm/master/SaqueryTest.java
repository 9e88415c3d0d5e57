package org.railyard.sm.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.testkit.Ibsim;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;

/** A master on ibsim, asked by the tools that admins have: in processes of their own. */
@NeedsRoot
@NeedsCommand({"ibsim", "unshare", "nsenter", "saquery", "sminfo", "ibnetdiscover", "smpquery"})
final class SaqueryTest {
    private static final int ROOM = 64;

    /** By query: what has to be in the answer. The subnet manager's own port has LID 1, its switch LID 2. */
    private static final Map<String, String> QUERIES = Map.ofEntries(
            Map.entry("-c", "Capability mask..........0x2602"),
            Map.entry("NR 1", "node_type...............Channel Adapter"),
            Map.entry("PIR 2/1", "LinkState:.......................Active"),
            Map.entry("SL2VL 2/1/2", "SL: 0| 1|"),
            Map.entry("VLAR 2/1", "Block......................1"),
            Map.entry("PKTR 2/0/0", "Query result returned 0x0200"),
            Map.entry("--smkey 1 PKTR 2/0/0", "0xffff 0x0000"),
            Map.entry("LFTR 2/0", "LFT Record dump"),
            Map.entry("LR 1/1", "ToLID......................2"),
            Map.entry("SMIR", "SMState...............3"),
            Map.entry("GIR 1/0", "GUID 0"),
            Map.entry("SWIR 2", "MulticastFDBTop"),
            Map.entry("MCMR", "MGID....................ff12:401b:ffff::ffff:ffff"),
            Map.entry("-g", "Mlid....................0xC000"),
            Map.entry("-p --src-to-dst 1:2", "dlid....................2"),
            Map.entry("-s", "IsSM ports"),
            Map.entry("IIR", ""),
            Map.entry("SR", ""));

    private static String ipv6(long guid) {
        return "fe80::%x:%x:%x:%x"
                .formatted(guid >>> 48, guid >>> 32 & 0xFFFF, guid >>> 16 & 0xFFFF, guid & 0xFFFF)
                .replaceAll("::(0:)+", "::");
    }

    @TempDir
    private Path directory;

    @Test
    void everyRecordIsThere() throws IOException, InterruptedException {
        SampleTorus torus = SampleTorus.torus(3, 3, 1, 1);
        Fabric fabric = torus.fabric();
        Files.writeString(directory.resolve("torus-2QoS.conf"), torus.conf(1), StandardCharsets.US_ASCII);
        String first = fabric.description(fabric.switchCount());
        String client = fabric.description(fabric.switchCount() + 3);
        try (Ibsim ibsim =
                new Ibsim(directory, NetFile.of(fabric).text(), fabric.nodeCount() + ROOM, fabric.portCount() + ROOM)) {
            long other = fabric.portGuid(fabric.portIndex(fabric.switchCount() + 1, 1));
            Files.writeString(
                    directory.resolve("kept"),
                    "# railyard subnet administration 1\nalias %x 0 0 2c9030000000042%s\n"
                            .formatted(other, " 0".repeat(6)),
                    StandardCharsets.US_ASCII);
            ibsim.javaUntil("sweep DONE", first, MasterProgram.class, "torus-2QoS.conf", "0", "kept");
            assertThat(ibsim.run(client, "sminfo")).contains("sm lid 1 ", "SMINFO_MASTER");
            assertThat(ibsim.run(client, "ibnetdiscover"))
                    .contains("lid 1 ", "lid " + fabric.nodeCount() + " ")
                    .endsWith("exit 0\n");
            assertThat(ibsim.run(client, "smpquery", "portinfo", "2", "1")).contains("Active");
            for (Map.Entry<String, String> query : QUERIES.entrySet()) {
                String[] command = ("saquery " + query.getKey()).split(" ");
                assertThat(ibsim.run(client, command))
                        .as("saquery " + query.getKey())
                        .contains(query.getValue(), "exit ");
            }
            String alias = "fe80::2c9:300:0:42";
            String own = ipv6(fabric.portGuid(fabric.portIndex(fabric.switchCount() + 2, 1)));
            assertThat(ibsim.run(client, "saquery", "PR", "--sgid-to-dgid", own + "-" + alias))
                    .contains("dgid...................." + alias, "sgid...................." + own);
        }
    }
}
