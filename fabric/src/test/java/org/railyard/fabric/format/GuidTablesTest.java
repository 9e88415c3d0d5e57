package org.railyard.fabric.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.sample.SampleTorus;

/** {@code guid2lid} and {@code guid2mkey}: what a subnet manager keeps by port GUID. */
final class GuidTablesTest {
    private static final Fabric FABRIC =
            FreshLids.assign(SampleTorus.torus(3, 2, 1, 1).fabric(), Fabric.NONE);

    /** As ibsim gives them; a number with + is counted from the last one with =, and does not become that. */
    @Test
    void nodesWithoutAGuidOfTheirOwnGetTheNextOne() {
        List<NetFile.Node> nodes = NetFile.parse("""
            caguid+0x7
            Ca 1 "A"
            [1] "S"[1]

            Ca 2 "B"
            [1] "S"[2]

            hcaguids=0x500
            Ca 1 "C"
            [1] "S"[3]

            caguid+0x20
            Ca 1 "D"
            [1] "S"[4]

            caguid+0x40
            Ca 1 "E"
            [1] "S"[5]

            Ca 1 "F"
            [1] "S"[6]

            switchguid+0x3
            sysimgguid=0x9999
            Switch 9 "S"
            [7] "T"[1]

            Switch 3 "T"
            [2] "R"[1]

            rtguid=0x700
            Rt 2 "R"
            [1] "T"[2]

            rtguid+0x4
            Rt 2 "Q"
            [1] "T"[3]
            """).nodes();
        assertThat(nodes)
                .extracting(node -> "%s 0x%x 0x%x".formatted(node.id(), node.guid(), node.systemGuid()))
                .containsExactly(
                        "A 0x100007 0x100007",
                        "B 0x100009 0x100009",
                        "C 0x500 0x500",
                        "D 0x520 0x520",
                        "E 0x540 0x540",
                        "F 0x542 0x542",
                        "S 0x200003 0x9999",
                        "T 0x200004 0x200004",
                        "R 0x700 0x700",
                        "Q 0x704 0x704");
    }

    @Test
    void rangesOfOneToManyLids() {
        Guid2Lid read = Guid2Lid.parse(
                "0x1 0x0001 0x0001\r\n\n0x2 0x0002 0x0003\n0x3 0x0080 0x00ff\n0xFfFfFfFfFfFfFfFf 0xbfff 0xbfff");
        assertThat(read.ranges().values()).extracting(Guid2Lid.Range::lmc).containsExactly(0, 1, 7, 0);
        assertThat(read.ranges()).containsKey(-1L);
        assertThat(read.line(3)).isEqualTo(4);
        assertThat(read.line(4)).isZero();
        assertThat(read.repeated()).isEmpty();
        assertThat(read.text()).endsWith("0xffffffffffffffff 0xbfff 0xbfff\n\n");
    }

    @Test
    void whatIsNoRangeIsRefused() {
        String[] wrong = {"0x0004 0x0003", "0x0004 0x0006", "0x0001 0x0100", "0x0001 0xc000"};
        for (String range : wrong) {
            assertThatExceptionOfType(FormatException.class)
                    .as(range)
                    .isThrownBy(() -> Guid2Lid.parse("\n0x1 " + range))
                    .satisfies(e -> {
                        assertThat(e.line()).isEqualTo(2);
                        assertThat(e.column()).isEqualTo(12);
                    });
        }
        assertThatThrownBy(() -> Guid2Lid.parse("0x1 0x0000 0x0000")).hasMessageContaining("column 5");
        assertThatThrownBy(() -> Guid2Lid.parse("0x1 0x0000 0x0001")).hasMessageContaining("column 5");
        assertThatThrownBy(() -> Guid2Lid.parse("0x1 0xc000 0xc000")).hasMessageContaining("column 5");
        assertThatThrownBy(() -> Guid2Lid.parse("0x1 0x1 0x1 0x1")).hasMessageContaining("column 13");
        assertThatThrownBy(() -> Guid2Lid.parse("0x10000000000000000 0x1 0x1")).hasMessageContaining("column 3");
    }

    @Test
    void ofAGuidThatComesTwiceTheFirstRecordCounts() {
        Guid2Lid read = Guid2Lid.parse("0x1 0x0001 0x0001\n\n0x1 0x0002 0x0002\n0x2 0x0003 0x0003\n0x01 0x4 0x4\n");
        assertThat(read.ranges()).hasSize(2).containsEntry(1L, new Guid2Lid.Range(1, 1));
        assertThat(read.repeated()).isEqualTo(Map.of(3, 1L, 5, 1L));
    }

    @Test
    void aFabricGetsTheLmcsOfPortsThatHaveTheBaseLid() {
        int host = FABRIC.hosts().getLast();
        int other = FABRIC.hosts().getFirst();
        int free = FABRIC.maxLid() + 1 + 3 & ~3;
        int[] lids = new int[FABRIC.portCount()];
        int[] lmcs = new int[FABRIC.portCount()];
        lids[host] = free;
        lids[other] = free + 8;
        lmcs[other] = 1;
        lids[FABRIC.portIndex(0, 0)] = 1;
        Fabric narrow = FABRIC.withLids(lids, lmcs);
        String text = "0x%016x 0x%04x 0x%04x\n";
        Fabric wide = Guid2Lid.parse(text.formatted(FABRIC.portGuid(host), free, free + 3)
                        + text.formatted(FABRIC.portGuid(other), free + 8, free + 11)
                        + text.formatted(FABRIC.guid(0), 2, 3))
                .widen(narrow);
        assertThat(wide.lmc(host)).isEqualTo(2);
        assertThat(wide.portOfLid(free + 3)).isEqualTo(host);
        assertThat(wide.lmc(other)).as("it has one").isEqualTo(1);
        assertThat(wide.lmc(FABRIC.portIndex(0, 0))).as("another base LID").isZero();
        assertThat(wide.lid(FABRIC.portIndex(0, 0))).isEqualTo(1);
        assertThat(Guid2Lid.of(wide).ranges())
                .containsEntry(FABRIC.portGuid(host), new Guid2Lid.Range(free, free + 3))
                .hasSize(3);
        Guid2Lid overlap = Guid2Lid.parse(text.formatted(FABRIC.portGuid(host), free, free + 15));
        assertThatExceptionOfType(FabricException.class).isThrownBy(() -> overlap.widen(narrow));
    }

    @Test
    void keysAreReadAndWrittenAndNotTold() {
        Guid2Mkey read = Guid2Mkey.parse("0x0000000000000002 0x00000000000000ff\n\n0x1 0xabc\n0x2 0x7\n");
        assertThat(read.keys()).isEqualTo(Map.of(2L, 0xFFL, 1L, 0xABCL));
        assertThat(read.text())
                .isEqualTo("0x0000000000000002 0x00000000000000ff\n\n0x0000000000000001 0x0000000000000abc\n\n");
        assertThat(Guid2Mkey.of(Map.of(-1L, 1L, 1L, -1L)).text())
                .isEqualTo("0x0000000000000001 0xffffffffffffffff\n\n0xffffffffffffffff 0x0000000000000001\n\n");
        String[] wrong = {"0x1 0x5ec4e7g", "0x1 0x5ec4e7 0x5ec4e7", "0x1", "5ec4e7 0x1", "0x1 0x5ec4e75ec4e75ec4e7"};
        for (String line : wrong) {
            assertThatExceptionOfType(FormatException.class)
                    .as(line)
                    .isThrownBy(() -> Guid2Mkey.parse("\n" + line + "\n"))
                    .satisfies(e -> {
                        assertThat(e.line()).isEqualTo(2);
                        assertThat(e.column()).isPositive();
                        assertThat(e.at("guid2mkey")).doesNotContain("5ec4");
                    });
        }
    }

    @Test
    void lidsBeginWithTheFirstHostInACable() {
        Fabric fabric = NetFile.parse("""
            Switch 4 "s"
            [1] "b"[1]
            [2] "c"[1]
            [3] "t"[3]

            Switch 4 "t"
            [3] "s"[3]

            caguid=0x100
            Ca 1 "a"

            caguid=0x200
            Ca 1 "b"
            [1] "s"[1]

            caguid=0x300
            Ca 1 "c"
            [1] "s"[2]
            """).fabric();
        int host = fabric.portIndex(fabric.nodeOfGuid(0x200), 1);
        assertThat(FreshLids.firstEndPort(fabric)).isEqualTo(host);
        Fabric fresh = FreshLids.assign(fabric, Fabric.NONE);
        assertThat(fresh.portOfLid(1)).isEqualTo(host);
        assertThat(fresh.maxLid()).isEqualTo(4);
        assertThat(fresh.lid(fabric.portIndex(fabric.nodeOfGuid(0x100), 1))).isZero();
        int other = fabric.portIndex(fabric.nodeOfGuid(0x300), 1);
        assertThat(FreshLids.assign(fabric, other).portOfLid(1)).isEqualTo(other);
        Fabric switches = NetFile.parse("Switch 4 \"s\"\n[3] \"t\"[3]\n\nSwitch 4 \"t\"\n[3] \"s\"[3]\n")
                .fabric();
        assertThat(FreshLids.firstEndPort(switches)).isEqualTo(Fabric.NONE);
        assertThat(FreshLids.assign(switches, Fabric.NONE).maxLid()).isEqualTo(2);
    }
}
