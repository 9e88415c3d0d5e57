package org.railyard.fabric.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.golden.Golden;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.route.SlToVlTables;
import org.railyard.fabric.sample.SampleTorus;

/** Errors say line, column, what was found and what was expected. */
final class FormatErrorsTest {
    private static final String SUBNET_LINE =
            "{ %s Ports:04 SystemGUID:000000000000000a NodeGUID:000000000000000a PortGUID:000000000000000a VenID:000000"
                    + " DevID:0000 Rev:00000000 {a} LID:%04X PN:%02X } { SW Ports:04 SystemGUID:000000000000000b"
                    + " NodeGUID:000000000000000b PortGUID:000000000000000b VenID:00000000 DevID:0000 Rev:00000000 {b}"
                    + " LID:%04X PN:%02X } PHY=4x LOG=ACT SPD=10\n";

    private static final Fabric FABRIC =
            FreshLids.assign(SampleTorus.torus(3, 2, 1, 1).fabric(), Fabric.NONE);

    private static void refused(String text, Consumer<String> reader, int line, int column, String expected) {
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> reader.accept(text))
                .satisfies(e -> {
                    assertThat(e.line()).isEqualTo(line);
                    assertThat(e.column()).isEqualTo(column);
                    assertThat(e.expected()).contains(expected);
                });
    }

    private static void net(String text) {
        NetFile.parse(text).fabric();
    }

    @Test
    void netFiles() {
        refused("Swich 4 \"a\"\n", FormatErrorsTest::net, 1, 1, "a node, a port");
        refused("Switch 4 \"a\"\n[1] \"b\"[1]\nSwitch 4 \"b\"\n", FormatErrorsTest::net, 3, 7, "empty line");
        refused("Switch 4 \"a\"\n[5] \"b\"[1]\n", FormatErrorsTest::net, 2, 2, "port, 1 to 4");
        refused("Switch 4 \"a\"\n[1] \"b\"[1]\n", FormatErrorsTest::net, 2, 1, "id of a node");
        refused("Switch 4 \"a\"\n\nSwitch 4 \"a\"\n", FormatErrorsTest::net, 3, 1, "line 1 does not have");
        refused(
                "switchguid=0x5\nSwitch 4 \"a\"\n\nswitchguid=0x5\nSwitch 4 \"b\"\n",
                FormatErrorsTest::net,
                5,
                1,
                "a of line 2");
    }

    @Test
    void aCableThatOneEndNamesIsLeftOutAndTold() {
        List<String> findings = new ArrayList<>();
        Fabric fabric = NetFile.parse("Switch 4 \"a\"\n[1] \"b\"[2]\n\nSwitch 4 \"b\"\n[2] \"a\"[3]\n")
                .fabric(findings);
        assertThat(fabric.peer(fabric.portIndex(0, 1))).isEqualTo(Fabric.NONE);
        assertThat(findings).hasSize(2);
        assertThat(findings.getFirst()).startsWith("line 2: half-connected cable");
        assertThat(findings.getLast()).startsWith("line 5: half-connected cable");
    }

    @Test
    void defaultGuidsCountAsIbsimDoes() {
        Fabric fabric = NetFile.parse("Ca 2 \"h\"\n\nCa 1 \"i\"\n\nSwitch 4 \"s\"\n\nSwitch 4 \"t\"\n")
                .fabric();
        assertThat(fabric.nodeOfGuid(0x100000)).isNotEqualTo(Fabric.NONE);
        assertThat(fabric.nodeOfGuid(0x100003)).isNotEqualTo(Fabric.NONE);
        assertThat(fabric.nodeOfGuid(0x200000)).isZero();
        assertThat(fabric.nodeOfGuid(0x200001)).isEqualTo(1);
    }

    /** A file may number nodes without room for the ports that are not in use. */
    @Test
    void aPortOutOfUseHasNoGuidOfAnother() {
        String text = """
            caguid=0x100
            Ca 2 "a"
            [1] "s"[1]

            caguid=0x101
            Ca 1 "b"
            [1] "s"[2]

            caguid=0x200
            Ca 2 "c"
            [1] "s"[3]

            switchguid=0x300
            Switch 4 "s"
            [1] "a"[1]
            [2] "b"[1]
            [3] "c"[1]
            """;
        Fabric fabric = NetFile.parse(text).fabric();
        int a = fabric.nodeOfGuid(0x100);
        int b = fabric.nodeOfGuid(0x101);
        assertThat(fabric.portGuid(fabric.portIndex(a, 2))).isZero();
        assertThat(fabric.portGuid(fabric.portIndex(fabric.nodeOfGuid(0x200), 2)))
                .isEqualTo(0x202);
        assertThat(new EndPortsByGuid(fabric).port(0x102)).isEqualTo(fabric.portIndex(b, 1));
        Fabric lids = Guid2Lid.parse("0x101 0x5 0x5\n0x102 0x6 0x6\n").apply(fabric);
        assertThat(lids.portOfLid(6)).isEqualTo(fabric.portIndex(b, 1));
    }

    @Test
    void outputOfIbnetdiscover() {
        String text = """
            #
            # Topology file
            #
            vendid=0x2c9
            devid=0xbd36
            sysimgguid=0x200005
            switchguid=0x200005(200005)
            Switch\t36 "S-0000000000200005"\t\t# "sw "1" {1}" enhanced port 0 lid 5 lmc 0
            [7]\t"H-0000000000100040"[1](100041) \t\t# "host 4" lid 11 4xEDR

            vendid=0x0
            devid=0x0
            sysimgguid=0x100040
            caguid=0x100040
            Ca\t1 "H-0000000000100040"\t\t# "host 4"
            [1](100041) \t"S-0000000000200005"[7]\t\t# lid 11 lmc 1 "sw 1,1" lid 5 4xEDR
            """;
        Fabric fabric = NetFile.parse(text).fabric();
        assertThat(fabric.description(0)).isEqualTo("sw \"1\" {1}");
        assertThat(fabric.enhancedPort0(0)).isTrue();
        assertThat(fabric.hardware(0).vendorId()).isEqualTo(0x2c9);
        assertThat(fabric.type(1)).isEqualTo(NodeType.CA);
        assertThat(fabric.portOfLid(5)).isEqualTo(fabric.portIndex(0, 0));
        assertThat(fabric.portOfLid(12)).isEqualTo(fabric.portIndex(1, 1));
        assertThat(fabric.peer(fabric.portIndex(0, 7))).isEqualTo(fabric.portIndex(1, 1));
        assertThat(NetFile.parse(NetFile.of(fabric).text()).fabric().description(0))
                .isEqualTo("sw _1_ _1_");
    }

    /** A file and what {@code ibnetdiscover} of infiniband-diags 39 printed for it in ibsim, without its time. */
    @Test
    void aFabricIsWrittenAsIbnetdiscoverPrintsIt() {
        String text = """
            vendid=0x0
            devid=0x0
            sysimgguid=0x200001
            switchguid=0x200001(200001)
            Switch\t4 "S-0000000000200001"\t\t# "b" base port 0 lid 3 lmc 0
            [1]\t"S-0000000000200000"[1]\t\t# "a" lid 1 2xSDR
            [2]\t"H-0000000000100002"[1](100003) \t\t# "i" lid 4 1xSDR
            [3]\t"S-0000000000200000"[3]\t\t# "a" lid 1 4xSDR

            vendid=0x0
            devid=0x0
            sysimgguid=0x200000
            switchguid=0x200000(200000)
            Switch\t4 "S-0000000000200000"\t\t# "a" base port 0 lid 1 lmc 0
            [1]\t"S-0000000000200001"[1]\t\t# "b" lid 3 2xSDR
            [2]\t"H-0000000000100000"[1](100001) \t\t# "h" lid 2 2xSDR
            [3]\t"S-0000000000200001"[3]\t\t# "b" lid 3 4xSDR

            vendid=0x0
            devid=0x0
            sysimgguid=0x100002
            caguid=0x100002
            Ca\t1 "H-0000000000100002"\t\t# "i"
            [1](100003) \t"S-0000000000200001"[2]\t\t# lid 4 lmc 0 "b" lid 3 1xSDR

            vendid=0x0
            devid=0x0
            sysimgguid=0x100000
            caguid=0x100000
            Ca\t1 "H-0000000000100000"\t\t# "h"
            [1](100001) \t"S-0000000000200000"[2]\t\t# lid 2 lmc 0 "a" lid 1 2xSDR

            """;
        String written = DiscoverWriter.text(NetFile.parse(text).fabric());
        assertThat(written.split("\n\n")).containsExactlyInAnyOrder(text.split("\n\n"));
        String other = text.replace("\"b\" base", "\"b\" enhanced").replace("sysimgguid=0x100002", "sysimgguid=0x77");
        assertThat(DiscoverWriter.text(NetFile.parse(other).fabric()).split("\n\n"))
                .containsExactlyInAnyOrder(other.split("\n\n"));
    }

    @Test
    void aPortLoopedToItselfHasNoCable() {
        List<String> findings = new ArrayList<>();
        Fabric net = NetFile.parse("Switch 4 \"s\"\n[1] \"t\"[1]\n[3] \"s\"[3]\n\nSwitch 4 \"t\"\n[1] \"s\"[1]\n")
                .fabric(findings);
        assertThat(net.cable(net.portIndex(0, 3))).isEqualTo(Fabric.NONE);
        assertThat(net.cable(net.portIndex(0, 1))).isEqualTo(net.portIndex(1, 1));
        assertThat(findings).containsExactly("line 3: \"s\"[3] is looped to itself, not used");
        String looped = SUBNET_LINE
                .formatted("SW", 1, 3, 1, 3)
                .replace("00000b", "00000a")
                .replace("{b}", "{a}");
        Fabric list = SubnetList.parse(SUBNET_LINE.formatted("SW", 1, 1, 2, 1) + looped)
                .fabric();
        assertThat(list.cable(list.portIndex(0, 3))).isEqualTo(Fabric.NONE);
        assertThat(list.cable(list.portIndex(0, 1))).isEqualTo(list.portIndex(1, 1));
    }

    @Test
    void twoPortsWithOneGuidAreRefused() {
        String text = """
            switchguid=0x200000
            Switch 4 "s"
            [1] "a"[2]
            [2] "b"[1]

            caguid=0x100
            Ca 2 "a"
            [2] "s"[1]

            caguid=0x101
            Ca 1 "b"
            [1] "s"[2]
            """;
        refused(text, FormatErrorsTest::net, 12, 1, "one that \"a\"[2] of line 8 does not have");
        net(text.replace("caguid=0x101", "caguid=0x102"));
        refused(
                text.replace("caguid=0x101", "caguid=0x1fffff"),
                FormatErrorsTest::net,
                12,
                1,
                "one that \"s\"[0] of line 2 does not have");
    }

    @Test
    void linesOfASubnetListThatContradictEachOther() {
        String one = SUBNET_LINE.formatted("SW", 1, 1, 2, 1);
        SubnetList.parse(one + SUBNET_LINE.formatted("SW", 1, 2, 2, 2));
        refused(
                one + SUBNET_LINE.formatted("CA", 1, 2, 2, 2),
                SubnetList::parse,
                2,
                1,
                "a with GUID 0xa is SW in an earlier line");
        refused(
                one + SUBNET_LINE.formatted("SW", 1, 2, 3, 2),
                SubnetList::parse,
                2,
                1,
                "b has LID 0003 here and 0002 in an earlier line");
    }

    @Test
    void tablesThatAreNoneOrCutOff() {
        Consumer<String> reader = text -> LftsDump.parse(text, FABRIC);
        refused("\n# nothing yet\n\u007fELF\u0001\n", reader, 3, 1, "Unicast lids");
        String whole = LftsDump.text(FABRIC, new ForwardingTables(new byte[FABRIC.switchCount()][FABRIC.maxLid() + 1]));
        reader.accept(whole);
        String cut = whole.substring(0, whole.lastIndexOf("0x"));
        refused(cut, reader, (int) cut.lines().count(), 11, "cut off");
        // By hand, without counts.
        reader.accept(cut.replaceAll(".* lids dumped\n", ""));
    }

    @Test
    void tables() {
        Consumer<String> lfts = text -> LftsDump.parse(text, FABRIC);
        String header = "Unicast lids [0-9] of switch Lid 2 guid 0x0000000000200000 ('a'):\n";
        refused("0x0001 001\n", lfts, 1, 1, "before the first entry");
        refused(header + "0x0001 006\n", lfts, 2, 8, "port, 0 to 5");
        refused(header + "0xC000 001\n", lfts, 2, 1, "LID, 0 to 49151");
        refused(header + "0x0001 001\n" + header, lfts, 3, 41, "no table yet");
        refused("Multicast mlids\n", lfts, 1, 1, "unicast");
        String fdbs = "dump_ucast_routes: Switch 0x200000\n";
        refused(fdbs + "0x0001 : 001  : 02  : maybe\n", UnicastDump::parse, 2, 23, "No ");
        refused("nonsense\n", UnicastDump::parse, 1, 1, "dump_ucast_routes");
    }

    /** The engine {@code file} of OpenSM sends an entry to where its port is now. */
    @Test
    void entriesFollowTheirPortGuid() {
        int port = FABRIC.portOfLid(1);
        String text = "Unicast lids [0-9] of switch Lid 2 guid 0x0000000000200000 ('a'):\n"
                + "0x0009 003 # Channel Adapter portguid 0x%016x: 'moved'\n".formatted(FABRIC.portGuid(port));
        ForwardingTables read = LftsDump.parse(text, FABRIC);
        assertThat(read.port(0, 1)).isEqualTo(3);
        assertThat(read.port(0, 9)).isEqualTo(ForwardingTables.NO_PATH);
    }

    @Test
    void entriesOfSeveralLidsKeepTheirPlaceBehindTheBaseLid() {
        Fabric fabric = FreshLids.assign(SampleTorus.torus(3, 2, 1, 1).fabric(), Fabric.NONE, 2);
        int host = fabric.hosts().getLast();
        int base = fabric.lid(host);
        String head = "Unicast lids [0-9] of switch Lid 2 guid 0x%016x ('a'):\n".formatted(fabric.guid(0));
        String entry = "0x%04x 00%d # Channel Adapter portguid 0x" + "%016x: 'h'\n".formatted(fabric.portGuid(host));
        StringBuilder text = new StringBuilder(head);
        int moved = fabric.maxLid() + 1 + 3 & ~3;
        for (int offset = 0; offset < 4; offset++) {
            text.append(entry.formatted(moved + offset, offset));
        }
        ForwardingTables read = LftsDump.parse(text, fabric);
        for (int offset = 0; offset < 4; offset++) {
            assertThat(read.port(0, base + offset)).isEqualTo(offset);
        }
        String there = entry.formatted(base + 1, 3);
        LftsDump.parse(head + there + entry.formatted(moved + 1, 3), fabric);
        LftsDump.parse(head + there + entry.formatted(moved + 2, 4), fabric);
        refused(
                head + "# by hand\n" + there + entry.formatted(moved + 1, 4),
                in -> LftsDump.parse(in, fabric),
                4,
                1,
                "port 3, as for LID 0x%04x, or".formatted(base + 1));
        int none = fabric.maxLid() + 9;
        String nobody = "0x%04x 005 # Channel Adapter portguid 0x000000000000abcd: 'h'\n";
        assertThat(LftsDump.parse(head + nobody.formatted(base) + nobody.formatted(none), fabric)
                        .port(0, base))
                .isEqualTo(5);
    }

    @Test
    void otherDumps() {
        Consumer<String> sl2vl = text -> Sl2VlDump.parse(text, FABRIC);
        refused("0 0 : 1\n", sl2vl, 1, 1, "Switch 0x");
        refused("Switch 0x200000, base\n0   1   : 0 16\n", sl2vl, 2, 13, "VL, 0 to 15");
        Consumer<String> multicast = text -> MulticastDump.parse(text, FABRIC, Map.of());
        refused("Switch 0x200000\n0x0001 : 0x001\n", multicast, 2, 1, "multicast LID");
        refused("Switch 0x200000\n0xC000 : 0x0FF\n", multicast, 2, 10, "port, 0 to 5");
        refused("0x1 0x0001 0x0003\n", Guid2Lid::parse, 1, 12, "1, 2, 4");
        refused("0x1 0x0000 0x0000\n", Guid2Lid::parse, 1, 5, "smallest LID, 1 to 49151");
        refused("0x1 0xc000 0xc000\n", Guid2Lid::parse, 1, 5, "smallest LID, 1 to 49151");
        refused("12x\n", NodeList::parse, 1, 3, "a blank");
        refused("switch 1,2 GUID\n", TorusDump::parse, 1, 11, ",");
        refused("x".repeat(5000), NodeList::parse, 1, 4097, "4096 characters");
        refused("0x200000 0 1 0x00\n", text -> SlVlFile.parse(text, FABRIC), 1, 18, "a blank");
        refused("{ CA Ports:01\n", SubnetList::parse, 1, 14, "SystemGUID");
    }

    @Test
    void aLinkHasOneLaneAtLeast() {
        String line = SUBNET_LINE.formatted("SW", 1, 1, 2, 1);
        refused(line.replace("4x", "0x"), SubnetList::parse, 1, line.indexOf("4x") + 1, "lanes, 1 to 12");
        refused(line.replace("4x", "13x"), SubnetList::parse, 1, line.indexOf("4x") + 1, "lanes, 1 to 12");
        String net = "Switch 4 \"s\"\n[1] \"t\"[1] # \"t\" lid 2 %dxEDR\n\nSwitch 4 \"t\"\n[1] \"s\"[1]\n";
        assertThat(NetFile.parse(net.formatted(2)).fabric().width(1)).isEqualTo(2);
        assertThat(NetFile.parse(net.formatted(0)).fabric().width(1))
                .as("as if nothing was told")
                .isEqualTo(4);
    }

    @Test
    void slsByLidAloneBelongToThePortBeforeThem() {
        Consumer<String> pathSls = text -> PathSlFile.parse(text, FABRIC);
        refused("# SLs\n0x0001 : 1\n", pathSls, 2, 1, "Channel Adapter 0x");
        refused("Channel Adapter 0x1, base LID 1\n0xC000 : 1\n", pathSls, 2, 1, "a LID, 0 to 49151");
        refused("Channel Adapter 0x1, base LID 1\n0x0001 : 16\n", pathSls, 2, 10, "SL, 0 to 15");
        refused("0x100000 49152 1\n", pathSls, 1, 10, "destination LID");
    }

    @Test
    void anSl2VlDumpThatIsCutOffIsNoTableOfZeros() {
        Consumer<String> sl2vl = text -> Sl2VlDump.parse(text, FABRIC);
        List<String> lines = Sl2VlDump.text(FABRIC, new SlToVlTables.Builder(FABRIC, SlToVl.ALL_ZERO).build())
                .lines()
                .toList();
        sl2vl.accept(String.join("\n", lines));
        int last = 0;
        for (int i = 0; i < lines.size(); i++) {
            // From the second port of a switch to the first.
            last = lines.get(i).startsWith("2   1   :") ? i : last;
        }
        for (int kept = 1; kept <= last; kept++) {
            String cut = String.join("\n", lines.subList(0, kept));
            if (cut.contains("Switch ")) {
                assertThatExceptionOfType(FormatException.class)
                        .as("%d lines", kept)
                        .isThrownBy(() -> sl2vl.accept(cut))
                        .withMessageContaining("cut off, or of another fabric");
            }
        }
        List<String> without = new ArrayList<>(lines);
        without.remove(last);
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> sl2vl.accept(String.join("\n", without)))
                .withMessageContaining("the table from port 2 to 1 of switch 0x");
        sl2vl.accept("");
    }

    @Test
    void listsOfGuids() {
        NodeList list = NodeList.parse("# roots\n0x10 root one\n\n020#octal\r\n18446744073709551615\n");
        assertThat(list.entries()).extracting(NodeList.Entry::guid).containsExactly(0x10L, 16L, -1L);
        assertThat(list.entries()).extracting(NodeList.Entry::line).containsExactly(2, 4, 5);
        assertThat(list.entries().getFirst().rest()).isEqualTo("root one");
        assertThat(NodeList.parse(list.text()).text()).isEqualTo(list.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"t2d-5x6", "t2d-5x5-2port-same", "t3d-5x4x3-shuf", "mesh2d-4x4", "neg-3x3x5-multicast"})
    void freshLidsAreThoseOfOpenSm(String folder) {
        Golden golden = new Golden(folder);
        SubnetList list = SubnetList.parse(golden.text("opensm-subnet.lst"));
        int[] none = new int[list.fabric().portCount()];
        Fabric fresh = FreshLids.assign(list.fabric().withLids(none, none), list.smPort());
        assertThat(Guid2Lid.of(fresh).ranges())
                .isEqualTo(Guid2Lid.parse(golden.text("guid2lid")).ranges());
    }
}
