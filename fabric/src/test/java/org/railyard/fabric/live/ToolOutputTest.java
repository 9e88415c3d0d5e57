package org.railyard.fabric.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.SlToVlTables;

/** Texts as ibnetdiscover, dump_fts and saquery of infiniband-diags 39 printed them for a subnet in ibsim. */
final class ToolOutputTest {
    private static final String TOPOLOGY = """
        #
        # Initiated from node 0000000000100010 port 0000000000100011

        vendid=0x0
        devid=0x0
        sysimgguid=0x200000
        switchguid=0x200000(200000)
        Switch\t2 "S-0000000000200000"\t\t# "S-0" base port 0 lid 2 lmc 0
        [1]\t"H-0000000000100010"[1](100011) \t\t# "H-0" lid 1 4xSDR
        [2]\t"H-0000000000100020"[1](100021) \t\t# "H-1" lid 3 4xSDR

        vendid=0x0
        devid=0x0
        sysimgguid=0x100010
        caguid=0x100010
        Ca\t1 "H-0000000000100010"\t\t# "H-0"
        [1](100011) \t"S-0000000000200000"[1]\t\t# lid 1 lmc 0 "S-0" lid 2 4xSDR

        caguid=0x100020
        Ca\t1 "H-0000000000100020"\t\t# "H-1"
        [1](100021) \t"S-0000000000200000"[2]\t\t# lid 3 lmc 0 "S-0" lid 2 4xSDR
        """;

    private static final String DUMPED = """
        ibwarn: [32652] sim_connect: attached as client 1 at node "H-0000000000100010"
        Unicast lids [0x0-0x3] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000200000 (S-0):
          Lid  Out   Destination
               Port     Info\s
        0x0001 001 : (Channel Adapter portguid 0x0000000000100011: 'H-0')
        0x0002 000 : (Switch portguid 0x0000000000200000: 'S-0')
        0x0003 002 : (Channel Adapter portguid 0x0000000000100021: 'H-1')
        3 valid lids dumped\s
        Multicast mlids [0xc000-0xc3ff] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000200000 (S-0):
             Ports: 0 1 2\s
         MLid
        0 valid mlids dumped\s
        """;

    private static final String TABLE_RECORD = """
        LFT Record dump:
        \t\tLID........................2
        \t\tBlock......................0
        \t\tLFT:
        \t\tLID\tPort Number
        \t\t0\t255
        \t\t1\t1
        \t\t2\t0
        \t\t3\t2
        \t\t4\t255
        """;

    private static String slToVl(int lid, int in, int out) {
        return """
            SL2VLTableRecord dump:
            \t\tLID........................%d
            \t\tInPort.....................%d
            \t\tOutPort....................%d
            \t\tSL: 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14|15|
            \t\tVL: 0| 1| 0| 1| 0| 1| 0| 1| 4| 5| 4| 5| 4| 5| 4|15|
            """.formatted(lid, in, out);
    }

    private static final String ARBITRATION = """
        VLArbTableRecord dump:
        \t\tLID........................2
        \t\tPort.......................1
        \t\tBlock......................1
        \t\tVL    : 0| 1| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|
        \t\tWeight: 0| 4| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|
        \t\tVL    : 2| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|15|
        \t\tWeight: 9| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 7|
        """;

    private static String allSlToVl() {
        StringBuilder all = new StringBuilder();
        for (int in = 0; in <= 2; in++) {
            all.append(slToVl(2, in, 1)).append(slToVl(2, in, 2));
        }
        return all.append(slToVl(3, 0, 0)).toString();
    }

    private static void assertForwarding(LiveSubnet live) {
        assertThat(live.unread()).isEmpty();
        ForwardingTables tables = live.forwarding().orElseThrow();
        assertThat(tables.port(0, 1)).isEqualTo(1);
        assertThat(tables.port(0, 2)).isZero();
        assertThat(tables.port(0, 3)).isEqualTo(2);
        assertThat(tables.port(0, 4)).isEqualTo(ForwardingTables.NO_PATH);
    }

    @Test
    void theTopologyAloneIsASubnetWithoutTables() {
        LiveSubnet live = ToolOutput.parse(TOPOLOGY);
        assertThat(live.fabric().lid(live.fabric().portIndex(0, 0))).isEqualTo(2);
        assertThat(live.forwarding()).isEmpty();
        assertThat(live.slToVl()).isEmpty();
        assertThat(live.multicast()).isEmpty();
        assertThat(live.arbitration()).isEmpty();
        assertThat(live.unread()).isEmpty();
    }

    /** As {@code ibnetdiscover -g} prints it. */
    @Test
    void nodesMayBeGroupedByChassis() {
        String grouped = TOPOLOGY.replaceFirst("\n\n", "\n\nChassis 1 (guid 0x200000)\n\n")
                .replaceFirst("(?s)\n\n(vendid=0x0\ndevid=0x0\nsysimgguid=0x100010)", "\n\nNon-Chassis Nodes\n\n$1");
        assertThat(grouped).contains("Non-Chassis Nodes", "Chassis 1");
        assertForwarding(ToolOutput.parse(grouped + DUMPED));
    }

    @Test
    void descriptionsMayHoldAnyBytes() {
        // The second byte of Å in UTF-8 is a control character that ends lines in some texts.
        String name = "\u00c3\u0085-0";
        String text = (TOPOLOGY + DUMPED)
                .replace("\"S-0\"", "\"" + name + "\"")
                .replace("(S-0)", "(" + name + ")")
                .replace("'S-0'", "'" + name + "'");
        LiveSubnet live = ToolOutput.parse(text);
        assertThat(live.fabric().description(0)).isEqualTo("Å-0");
        assertForwarding(live);
    }

    @Test
    void dumpedTablesAreRead() {
        assertForwarding(ToolOutput.parse(TOPOLOGY + DUMPED));
    }

    @Test
    void recordsOfTablesAreReadInAnyOrder() {
        LiveSubnet live = ToolOutput.parse(TABLE_RECORD + allSlToVl() + "\n" + TOPOLOGY + ARBITRATION);
        assertForwarding(live);
        Fabric fabric = live.fabric();
        SlToVlTables tables = live.slToVl().orElseThrow();
        assertThat(tables.table(0, 1, 2)).isEqualTo(0xF454545410101010L);
        assertThat(tables.isKnown(0, 2, 2)).isTrue();
        assertThat(tables.isKnown(0, 0, 0)).isFalse();
        assertThat(tables.isEndKnown(fabric.portOfLid(3))).isTrue();
        assertThat(tables.isEndKnown(fabric.portOfLid(1))).isFalse();
        PortArbitration arbitration = Objects.requireNonNull(live.arbitration().get(fabric.portIndex(0, 1)));
        assertThat(arbitration.of(arbitration, 8)).hasToString("high none, low 1:4,2:9");
    }

    @Test
    void tablesThatAreMissingAreToldAsUnread() {
        assertThat(ToolOutput.parse(TOPOLOGY + slToVl(2, 1, 2)).unread())
                .containsExactly(
                        "S-0: no SL to VL table from port 0 to port 1",
                        "S-0: no SL to VL table from port 1 to port 1",
                        "S-0: no SL to VL table from port 2 to port 1",
                        "S-0: no SL to VL table from port 0 to port 2",
                        "S-0: no SL to VL table from port 2 to port 2");
        String other = DUMPED.replace("200000", "200009");
        assertThat(ToolOutput.parse(TOPOLOGY + other).forwarding()).isEmpty();
    }

    @Test
    void aBadLineIsNamed() {
        assertThatThrownBy(() -> ToolOutput.parse(TOPOLOGY + "what is this\n"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("line 22, column 1: found \"what is this\", expected output of ibnetdiscover");
        assertThatThrownBy(() -> ToolOutput.parse(TOPOLOGY + DUMPED.replace("0x0003 002", "0x0003 003")))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("a port of the switch, 0 to 2");
        assertThatThrownBy(() -> ToolOutput.parse(TOPOLOGY + slToVl(2, 1, 3)))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("ports 0 to 2");
        assertThatThrownBy(() -> ToolOutput.parse(TABLE_RECORD))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("ibnetdiscover, too");
        assertThatThrownBy(() -> ToolOutput.parse(TOPOLOGY + TABLE_RECORD.replace("\t\t3\t2", "\t\t64\t2")))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("a LID of block 0");
    }
}
