package org.railyard.sm.lid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.fabric.format.Guid2Lid.Range;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.NodeType;
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
        LidTable table = LidTable.parse(
                kept + line(ends[1], 5) + line(ends[2], 6) + absent + "0x00000000000000bb 0x0030 0x0033\n"
                        + line(ends[3], 9),
                0);
        int[] now = new int[fabric.portCount()];
        now[ends[0]] = 4;
        now[ends[1]] = 8;
        now[ends[2]] = 0x31;
        table.follow(fabric, now, 0);
        assertThat(table.text().lines().filter(line -> !line.isEmpty()))
                .as("one that has no LID keeps its entry, so does an absent one whose LIDs nobody has")
                .containsExactlyInAnyOrder(
                        kept.strip(), absent.strip(), line(ends[3], 9).strip());
    }

    @ParameterizedTest
    @CsvSource({
        // A host has LID 0x20; with LMC 1 it has 0x21 too, a switch has one LID only.
        "true, 0, 0x20 0x20, false",
        "true, 0, 0x1e 0x1f, true",
        "true, 0, 0x1f 0x20, false",
        "true, 0, 0x20 0x23, false",
        "true, 0, 0x21 0x22, true",
        "true, 1, 0x21 0x22, false",
        "true, 1, 0x22 0x23, true",
        "false, 1, 0x21 0x22, true"
    })
    void anAbsentPortKeepsWhatNobodyHas(boolean isHost, int lmc, String lids, boolean stays) {
        LidTable table = LidTable.parse("0xaa " + lids, 0);
        int[] now = new int[fabric.portCount()];
        int node = isHost ? fabric.switchCount() : 0;
        now[fabric.portIndex(node, isHost ? 1 : 0)] = 0x20;
        table.follow(fabric, now, lmc);
        assertThat(table.has(0xAA)).isEqualTo(stays);
    }

    @Test
    void oneOfSeveralPortsWithTheGuidIsEnough() {
        FabricBuilder builder = new FabricBuilder();
        builder.node(NodeType.CA, 0x100, 1, "A").port(1).guid(1);
        builder.node(NodeType.CA, 0x101, 1, "B").port(1).guid(1);
        Fabric two = builder.build();
        LidTable table = LidTable.parse("0x1 0x7 0x7", 0);
        int[] now = new int[two.portCount()];
        now[two.portIndex(0, 1)] = 5;
        now[two.portIndex(1, 1)] = 7;
        table.follow(two, now, 0);
        assertThat(table.has(1)).isTrue();
        now[two.portIndex(1, 1)] = 6;
        table.follow(two, now, 0);
        assertThat(table.has(1)).isFalse();
    }

    /** Of lines that claim the same the first counts; the others are named, in the order of the text. */
    @Test
    void linesThatClaimTheSameAreIgnoredAndNamed() {
        LidTable table = LidTable.parse("""
            0x0a 0x0004 0x0007
            0x0b 0x0007 0x0007
            0x0a 0x0020 0x0020
            0x0c 0x0008 0x0008
            0x0d 0x0004 0x0005
            0x0e 0x0003 0x0004
            0x0f 0x0003 0x0003
            """, 0);
        assertThat(table.findings())
                .extracting(found -> found.at("guid2lid"))
                .containsExactly(
                        "guid2lid:2:1: LIDs 0x0007 to 0x0007 of port GUID 0x000000000000000b are in part those of "
                                + "0x000000000000000a in line 1; ignored",
                        "guid2lid:3:1: port GUID 0x000000000000000a has LIDs in line 1 already; ignored",
                        "guid2lid:5:1: LIDs 0x0004 to 0x0005 of port GUID 0x000000000000000d are in part those of "
                                + "0x000000000000000a in line 1; ignored",
                        "guid2lid:6:1: LIDs 0x0003 to 0x0004 of port GUID 0x000000000000000e are in part those of "
                                + "0x000000000000000a in line 1; ignored");
        assertThat(table.text().lines().filter(line -> !line.isEmpty()))
                .as("what an ignored line claims is free")
                .containsExactly(
                        "0x000000000000000a 0x0004 0x0007",
                        "0x000000000000000c 0x0008 0x0008",
                        "0x000000000000000f 0x0003 0x0003");
    }

    /**
     * As OpenSM reads the same file with the same LMC: several LIDs begin at a multiple of 2^LMC, however many they
     * are, and single ones, which switches have, anywhere. Who has the LIDs of an ignored line keeps them.
     */
    @ParameterizedTest
    @CsvSource({"0, a1 a2 a3 a4 a5 a6 a7 a8", "1, a1 a2 a4 a5 a6 a7 a8 a9", "2, a1 a2 a6 a7 a9"})
    void severalLidsThatDoNotBeginWhereTheLmcHasThemAreIgnoredAndNamed(int lmc, String kept) {
        LidTable table = LidTable.parse("""
            0xa1 0x0005 0x0005
            0xa2 0x0008 0x0008
            0xa3 0x000b 0x000c
            0xa4 0x000e 0x000f
            0xa5 0x0012 0x0015
            0xa6 0x0018 0x001b
            0xa7 0x0029 0x0029
            0xa8 0x0042 0x0049
            0xa9 0x000c 0x000c
            """, lmc);
        assertThat(table.ranges().keySet())
                .containsExactlyElementsOf(Stream.of(kept.split(" "))
                        .map(guid -> Long.parseLong(guid, 16))
                        .toList());
        assertThat(table.findings()).hasSize(9 - table.ranges().size());
        if (lmc > 0) {
            assertThat(table.findings().getFirst().at("guid2lid"))
                    .isEqualTo("guid2lid:3:1: LIDs 0x000b to 0x000c of port GUID 0x00000000000000a3 do not begin at a"
                            + " multiple of %d (LMC %d); ignored".formatted(1 << lmc, lmc));
        }
    }

    @Test
    void aTableKnowsWhetherItSaysWhatItSaid() {
        LidTable table = LidTable.parse("0xaa 0x4 0x4", 0);
        Map<Long, Range> before = table.entries();
        assertThat(table.isAsAt(before)).isTrue();
        table.put(0xBB, new Range(5, 5));
        assertThat(table.isAsAt(before)).isFalse();
        assertThat(before).containsOnlyKeys(0xAAL);
    }

    @Test
    void aTableThatWasNotKeptIsUnsavedUntilItIs() {
        LidTable table = new LidTable();
        assertThat(table.isUnsaved()).isFalse();
        table.unsaved(true);
        assertThat(table.isUnsaved()).isTrue();
        table.unsaved(false);
        assertThat(table.isUnsaved()).isFalse();
    }

    @Test
    void theLastLidOfPortsThatAreThere() {
        int host = fabric.portIndex(fabric.switchCount(), 1);
        assertThat(new LidTable().lastOf(fabric)).isZero();
        assertThat(LidTable.parse(line(0, 9) + "0x%x 0x10 0x13\n0xaa 0x40 0x40\n".formatted(fabric.portGuid(host)), 0)
                        .lastOf(fabric))
                .isEqualTo(0x13);
        assertThat(LidTable.parse(line(0, 0x50) + "0x%x 0x10 0x13\n".formatted(fabric.portGuid(host)), 0)
                        .lastOf(fabric))
                .isEqualTo(0x50);
    }

    @Test
    void theOldestThatNobodyNeedsIsGivenUp() {
        LidTable table = LidTable.parse("0xc 0x3 0x3\n0xb 0x2 0x2\n0xa 0x1 0x1\n", 0);
        assertThat(table.giveUpOldest(Set.of(0xCL))).isTrue();
        assertThat(table.entries()).containsOnlyKeys(0xCL, 0xAL);
        assertThat(table.giveUpOldest(Set.of(0xCL, 0xAL))).isFalse();
        assertThat(table.entries()).hasSize(2);
    }
}
