package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fabrics as they are in the field: extra switches, hosts with two ports, names of vendors, half a cable. */
class FieldFabricsTest {
    private static final String NAMED = "MF0;leaf00:MQM8700/U1";

    @TempDir
    private Path dir = Path.of("");

    private FabricTool tool = new FabricTool(dir);

    @BeforeEach
    void aTorus() {
        tool = new FabricTool(dir);
        assertThat(tool.run("generate torus 5x5 --hosts 1 --out @t.net --conf @t.conf"))
                .isZero();
    }

    /** Adds a line to the ports of a node, which gets more of them if need be. */
    private static void addPort(List<String> lines, String description, int number, String peer) {
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.endsWith("# \"" + description + "\"")) {
                lines.set(i, line.replaceFirst("^(Switch|Ca) \\d+", "$1 " + number));
                lines.add(i + 1, "[%d] %s".formatted(number, peer));
                return;
            }
        }
        throw new IllegalArgumentException(description);
    }

    private static String id(List<String> lines, String description) {
        String line = lines.stream()
                .filter(each -> each.endsWith("# \"" + description + "\""))
                .findFirst()
                .orElseThrow();
        return line.substring(line.indexOf('"'), line.indexOf('"', line.indexOf('"') + 1) + 1);
    }

    private List<String> net() throws IOException {
        return new ArrayList<>(Files.readAllLines(dir.resolve("t.net")));
    }

    private void write(String name, List<String> lines) throws IOException {
        Files.write(dir.resolve(name), lines);
    }

    @Test
    void aSwitchThatBelongsToNoTorusIsRoutedAround() throws IOException {
        List<String> lines = net();
        addPort(lines, "S-0.0.0", 9, "\"S-EX\"[1]");
        lines.addAll(List.of(
                "",
                "switchguid=0x2fff00",
                "Switch 4 \"S-EX\"",
                "[1] " + id(lines, "S-0.0.0") + "[9]",
                "[2] \"H-EX\"[1]"));
        lines.addAll(List.of("", "caguid=0x1fff00", "Ca 1 \"H-EX\"", "[1] \"S-EX\"[2]"));
        write("extra.net", lines);
        assertThat(tool.run("route @extra.net --conf @t.conf --group 0xC000=all --out @a"))
                .isZero();
        assertThat(tool.out()).contains("1 switch is not part of the torus and routed around", "S-EX");
        assertThat(tool.err()).contains("50 routes do not arrive; what arrives closes no credit loop");
        assertThat(dir.resolve("a/opensm-lfts.dump")).exists();
        assertThat(tool.run("route @extra.net --conf @t.conf --strict --out @b"))
                .isEqualTo(3);
        assertThat(tool.err()).contains("not-placed");
    }

    @Test
    void aPartlyPlacedTorusIsRoutedAsOpenSmDoes() throws IOException {
        assertThat(tool.run("generate torus 5x6 --hosts 1 --out @y.net --conf @y.conf"))
                .isZero();
        String conf = Files.readString(dir.resolve("y.conf")).replace("torus 5 6", "torus 4 6");
        Files.writeString(dir.resolve("y4.conf"), conf + "\nxm_link 0x200000 0x200018\n");
        assertThat(tool.run("route @y.net --conf @y4.conf --engine opensm-torus --out @a"))
                .isZero();
        assertThat(tool.err()).as("as many pairs as with OpenSM 3.3.23").contains("318 routes do not arrive");
        assertThat(tool.run("route @y.net --conf @y4.conf --out @b")).isEqualTo(3);
        assertThat(tool.err()).contains("6 of 30 switches have no place in the 4 x 6 x 1 torus");
    }

    @Test
    void portsOfOneHostOnTwoSwitchesHaveSlsOfTheirOwn() throws IOException {
        List<String> lines = net();
        for (int x = 0; x < 5; x++) {
            String host = "H-%d.0.0.0".formatted(x);
            String second = "S-%d.3.0".formatted((x + 3) % 5);
            addPort(lines, second, 9, id(lines, host) + "[2]");
            addPort(lines, host, 2, id(lines, second) + "[9]");
        }
        write("two.net", lines);
        assertThat(tool.run("route @two.net --conf @t.conf --out @a"))
                .as("%s", tool.err())
                .isZero();
        assertThat(tool.run("verify @a")).as("%s", tool.out()).isZero();
        assertThat(tool.run("verify @a --conf @t.conf")).isZero();
        assertThat(tool.out()).contains("ibdm.psl", "gives the same");
        Path psl = dir.resolve("a/ibdm.psl");
        Files.writeString(psl, Files.readString(psl).replaceAll("(?m) : 1$", " : 0"));
        assertThat(tool.run("verify @a --conf @t.conf")).isNotEqualTo(3);
        assertThat(tool.out()).contains("warning: SLs are those of", "SL 0, by the configuration 1");
    }

    @Test
    void namesMayHaveColonsAndSlashes() throws IOException {
        List<String> lines = net();
        lines.replaceAll(line -> line.replace("# \"S-3.1.0\"", "# \"" + NAMED + "\""));
        write("named.net", lines);
        for (String fail : List.of(NAMED, NAMED + ":S-4.1.0", "S-4.1.0:" + NAMED, NAMED + "/2")) {
            assertThat(tool.run("whatif @named.net --conf @t.conf --fail " + fail))
                    .as("%s: %s", fail, tool.err())
                    .isZero();
            assertThat(tool.out()).contains(fail, "1 failure: 1 proved");
        }
        assertThat(tool.run("whatif @named.net --conf @t.conf --yaml --fail " + NAMED))
                .isZero();
        assertThat(tool.out()).as("the host of the switch").contains("cut_off: 1\n");
        assertThat(tool.run("whatif @named.net --conf @t.conf --yaml --fail " + NAMED + "/2"))
                .isZero();
        assertThat(tool.out()).contains("cut_off: 0\n");
    }

    @Test
    void groupedOutputOfIbnetdiscoverIsRead() throws IOException {
        Files.writeString(dir.resolve("grouped"), """
            # Topology file: generated on Sun Nov 22 20:59:46 2026

            Chassis 1 (guid 0x8f10400411f59)

            vendid=0x8f1
            devid=0x5a05
            sysimgguid=0x8f10400411f59
            switchguid=0x8f10400411f58(8f10400411f58)\t# Spine 1 Chip 1
            Switch\t24 "S-0008f10400411f58"\t\t# "ISR9024D Voltaire" base port 0 lid 1 lmc 0
            [1][ext 5]\t"S-00002c90300aaaa0"[1][ext 7]\t\t# "MF0;leaf00:MQM8700/U1" lid 2 4xSDR

            Non-Chassis Nodes

            vendid=0x2c9
            devid=0xcb20
            sysimgguid=0x2c90300aaaa0
            switchguid=0x2c90300aaaa0(2c90300aaaa0)\t#\s
            Switch\t36 "S-00002c90300aaaa0"\t\t# "MF0;leaf00:MQM8700/U1" base port 0 lid 2 lmc 0
            [1]\t"S-0008f10400411f58"[1]\t\t# "ISR9024D Voltaire" lid 1 4xSDR
            [2]\t"H-0000000000100010"[1](100011) \t\t# "host b" lid 3 4xSDR

            vendid=0x0
            devid=0xcb20
            sysimgguid=0x100010
            caguid=0x100010
            Ca\t1 "H-0000000000100010"\t\t# "host b"
            [1](100011) \t"S-00002c90300aaaa0"[2]\t\t# lid 3 lmc 0 "MF0;leaf00:MQM8700/U1" lid 2 4xSDR
            """);
        assertThat(tool.run("show @grouped")).as("%s", tool.err()).isZero();
        assertThat(tool.out()).contains("switches: 2, CAs: 1", "cables: 1 between switches, 1 to CAs");
    }

    @Test
    void halfACableIsAFinding() throws IOException {
        List<String> lines = net();
        addPort(lines, "S-0.0.0", 9, id(lines, "S-2.2.0") + "[4]");
        write("half.net", lines);
        assertThat(tool.run("route @half.net --conf @t.conf --out @a")).isZero();
        assertThat(tool.err()).contains("half.net: line ", "half-connected cable, not used");
    }

    @Test
    void anEmptyFileIsAnError() throws IOException {
        Files.writeString(dir.resolve("empty"), "");
        for (String command : List.of("show @empty", "route @empty --conf @t.conf --out @a")) {
            assertThat(tool.run(command)).isEqualTo(2);
            assertThat(tool.err()).contains("empty: found nothing in it, expected an ibsim net file");
        }
    }

    @Test
    void lidsOfFreshFabricsAreThoseOfOpenSm() throws IOException {
        // OpenSM 3.3.23 -l 1 on this fabric: 2-3 for its own port, one for a switch, multiples of two for hosts.
        assertThat(tool.run("generate torus 3x3 --hosts 2 --out @l.net --conf @l.conf"))
                .isZero();
        assertThat(tool.run("route @l.net --conf @l.conf --lmc 1 --out @a")).isZero();
        assertThat(Files.readString(dir.resolve("a/guid2lid")))
                .contains("0x0000000000100001 0x0002 0x0003")
                .contains("0x0000000000200000 0x0004 0x0004")
                .contains("0x0000000000100101 0x0006 0x0007")
                .contains("0x0000000000200008 0x000e 0x000e")
                .contains("0x0000000000100011 0x0010 0x0011")
                .contains("0x00000000001000f1 0x002e 0x002f");
        assertThat(Files.readString(dir.resolve("a/opensm-lfts.dump"))).contains("\n47 lids dumped\n");
        assertThat(tool.run("route @l.net --conf @l.conf --sm H-1.1.0.0 --out @b"))
                .isZero();
        assertThat(Files.readString(dir.resolve("b/guid2lid"))).contains("0x0000000000100081 0x0001 0x0001");
    }

    /** OpenSM 3.3.23 on ibsim, whose nodes say revision 0xA1; a net file does not tell it. */
    @Test
    void theSubnetListIsThatOfOpenSm() throws IOException {
        for (String name : List.of("fabric.net.gz", "fabric.conf.gz", "opensm-subnet.lst.gz")) {
            try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("/opensm/" + name))) {
                Files.copy(in, dir.resolve(name));
            }
        }
        String golden;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(dir.resolve("opensm-subnet.lst.gz")))) {
            golden = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
        assertThat(tool.run("route @fabric.net.gz --conf @fabric.conf.gz --out @a"))
                .as("%s", tool.err())
                .isZero();
        assertThat(Files.readString(dir.resolve("a/opensm-subnet.lst")))
                .isEqualTo(golden.replace("Rev:000000A1", "Rev:00000000"));
        assertThat(tool.run("route @opensm-subnet.lst.gz --conf @fabric.conf.gz --out @b"))
                .as("%s", tool.err())
                .isZero();
        assertThat(Files.readString(dir.resolve("b/opensm-subnet.lst"))).isEqualTo(golden);
        assertThat(tool.run("route @opensm-subnet.lst.gz --conf @fabric.conf.gz --sm H-1.1.0.0/1 --out @c"))
                .isZero();
        assertThat(Files.readString(dir.resolve("c/opensm-subnet.lst")).lines())
                .filteredOn(line -> line.startsWith("{ CA-SM "))
                .singleElement()
                .asString()
                .contains("{H-1.1.0.0} LID:0001 PN:01 }");
    }

    @Test
    void loadsMayBeAList() {
        assertThat(new LoadList.Converter().convert("0.5,0.1:0.3:0.1").all())
                .isEqualTo(Arrays.asList(0.1, 0.2, 0.3, 0.5));
    }
}
