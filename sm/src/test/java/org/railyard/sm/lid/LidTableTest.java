package org.railyard.sm.lid;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;

class LidTableTest {
    private final Fabric fabric = SampleTorus.torus(2, 1, 1, 1).fabric();

    private String line(int port, int lid) {
        return "0x%016x 0x%04x 0x%04x\n".formatted(fabric.portGuid(port), lid, lid);
    }

    /** What another subnet manager gave counts more than what the table has. */
    @Test
    void followsTheLidsThatPortsHave() {
        int[] ends = new int[4];
        int count = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port)) {
                ends[count++] = port;
            }
        }
        String kept = line(ends[0], 4);
        String absent = "0x00000000000000aa 0x0020 0x0023\n";
        LidTable table = LidTable.parse(kept + line(ends[1], 5) + line(ends[2], 6) + absent
                + "0x00000000000000bb 0x0030 0x0033\n" + line(ends[3], 9));
        int[] now = new int[fabric.portCount()];
        now[ends[0]] = 4;
        now[ends[1]] = 8;
        now[ends[2]] = 0x31;
        table.follow(fabric, now);
        assertThat(table.text().lines().filter(line -> !line.isEmpty()))
                .as("one that has no LID keeps its entry, so does an absent one whose LIDs nobody has")
                .containsExactlyInAnyOrder(
                        kept.strip(), absent.strip(), line(ends[3], 9).strip());
    }
}
