package org.railyard.mad.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.base.wire.WireFormatException;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.LinkRateCode;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.NodeDescription;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.TrapDetails;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;

final class MadTextTest {
    @Test
    void aRequestIsOneLine() {
        Mad get = Mad.directed(MadMethod.GET, PortInfo.TYPE, Modifiers.port(7), DirectedPath.of(1, 4));
        assertThat(MadText.line(get.set(Mad.TRANSACTION_ID, 0x1234)))
                .isEqualTo("SMP-D Get PortInfo port 7 route 0,1,4 tid 0x00001234");
    }

    @Test
    void anAnswerTellsWhatIsNotZero() {
        Mad set = Mad.directed(MadMethod.SET, PortInfo.TYPE, 1, DirectedPath.OWN_NODE);
        set.data(PortInfo.TYPE).set(PortInfo.STATE, PortState.ARMED.code()).set(PortInfo.LID, 7);
        assertThat(MadText.line(set.answer(MadStatus.OK, 0)))
                .isEqualTo("SMP-D GetResp PortInfo port 1 route 0 tid 0x00000000 | LID=7 PortState=Armed(3)");
        assertThat(MadText.line(set.answer(MadStatus.BAD_VALUE, 0)))
                .isEqualTo("SMP-D GetResp PortInfo port 1 route 0 tid 0x00000000 status 0x001c (invalid value)");
    }

    @Test
    void aQueryShowsWhatItAsksFor() {
        Mad query = Mad.sa(MadMethod.GET, SaPathRecord.TYPE, SaPathRecord.DLID.mask() | SaPathRecord.SGID.mask());
        query.data(SaPathRecord.TYPE)
                .set(SaPathRecord.DLID, 20)
                .setGid(SaPathRecord.SGID, new Gid(Gid.DEFAULT_PREFIX, 0x100001))
                .set(SaPathRecord.SLID, 5);
        assertThat(MadText.line(query)).endsWith(" | SGID=fe80:0:0:0:0:0:10:1 DLID=20");
    }

    @Test
    void aTrapShowsItsDetails() {
        Mad trap = Mad.lidRouted(MadMethod.TRAP, Notice.TYPE, 0);
        trap.data(Notice.TYPE).set(Notice.IS_GENERIC, 1).set(Notice.TRAP_NUMBER, Notice.LINK_STATE);
        trap.data(Notice.TYPE).details().set(TrapDetails.SWITCH_LID, 9);
        assertThat(MadText.line(trap)).endsWith("| IsGeneric=1 TrapNumber=128 | LID=9");
        assertThat(MadText.page(trap)).contains("LinkStateDetails", "LID........................... 9");
    }

    @Test
    void tablesAreShortened() {
        LinearForwardingTable table = LinearForwardingTable.TYPE.create();
        for (int i = 0; i < LinearForwardingTable.BLOCK; i++) {
            table.set(LinearForwardingTable.PORTS, i, i < 3 ? i : LinearForwardingTable.NO_PATH);
        }
        assertThat(table).hasToString("LinearForwardingTable Port=0,1,2,255×61");
    }

    @Test
    void aDescriptionCanNotDisturbATerminal() {
        Mad mad = Mad.directed(MadMethod.GET, NodeDescription.TYPE, 0, DirectedPath.OWN_NODE);
        mad.data(NodeDescription.TYPE).setText(NodeDescription.TEXT, "\u001b[2J\n\"é");
        assertThat(MadText.line(mad.answer(MadStatus.OK, 0))).endsWith("NodeDescription=\"_[2J___\"");
    }

    @Test
    void whatIsNotKnownIsToldByNumber() throws WireFormatException {
        Mad mad = Mad.over(new byte[Mad.SIZE])
                .set(Mad.MGMT_CLASS, 0x32)
                .set(Mad.METHOD, 0x55)
                .set(Mad.ATTRIBUTE_ID, 0x77);
        assertThat(MadText.line(mad)).isEqualTo("class 0x32 method 0x55 attribute 0x0077 tid 0x00000000");
    }

    @Test
    void theLastWordOfALineIsTheMad() throws WireFormatException {
        Mad mad = MadLines.read("  12 1.5 TX SMP-D Get len=256 | | 0181010100000001000000000000123900110000"
                        + "000000000000000000000000ffffffff")
                .orElseThrow();
        assertThat(mad.attributeId()).isEqualTo(0x11);
        assertThat(mad.length()).isEqualTo(Mad.SIZE);
        assertThat(MadLines.read("# comment")).isEmpty();
        assertThat(MadLines.read("  ")).isEmpty();
        assertThat(MadLines.read("R none")).isEmpty();
        assertThat(MadLines.read("x len=120 " + "00".repeat(20)).orElseThrow().length())
                .isEqualTo(120);
    }

    @ParameterizedTest
    @CsvSource({
        "01g1, column 3: no hexadecimal digit",
        "0101, a MAD of 2 bytes",
        "x 000000000000000000000000000000000, 33 hexadecimal digits",
        "len=10 01010000000000000000000000000000ff, len=10",
        "len=-1 01010000000000000000000000000000ff, len= without a number",
    })
    void whatIsNoMadIsRefused(String line, String message) {
        assertThatThrownBy(() -> MadLines.read(line))
                .isInstanceOf(WireFormatException.class)
                .hasMessageContaining(message);
    }

    @Test
    void ratesAreNotInTheOrderOfTheirCodes() {
        assertThat(LinkRateCode.text(2)).isEqualTo("2.5 Gb/s");
        assertThat(LinkRateCode.text(11)).isEqualTo("14 Gb/s");
        assertThat(LinkRateCode.tenthsOfGigabits(99)).isZero();
        assertThat(LinkRateCode.ofTenths(1000)).isEqualTo(16);
        assertThat(LinkRateCode.ofTenths(24)).isZero();
    }
}
