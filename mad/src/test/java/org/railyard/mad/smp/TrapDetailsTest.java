package org.railyard.mad.smp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.ReportNotice;

/** Where notices have what they tell. */
final class TrapDetailsTest {
    /**
     * Notices of reports as OpenSM 3.3.23 sends them: what is around the GID was never set there.
     *
     * @param trap number of the trap
     * @param report the notice in hexadecimal digits
     * @param gid the port that came or went, or the group
     */
    @ParameterizedTest
    @CsvSource({
        "64,83000004004000010000000000000000fe800000000000000000000000100021185aa067fc7f00000000000023560000"
                + "370000000000000000c644b695470deefe800000000000000000000000100001,fe80:0:0:0:0:0:10:21",
        "65,830000040041000100c644b695470deefe800000000000000000000000100021010000000000000070ccf6dc3b7f0000"
                + "70a609f5235600002a9e0af523560000fe800000000000000000000000100001,fe80:0:0:0:0:0:10:21",
        "66,830000040042000198849f67fc7f0000ff12601bffff00000000000000000002d00f00c03b7f0000a38f39e03b7f0000"
                + "700f00c03b7f000090849f67fc7f0000fe800000000000000000000000100001,ff12:601b:ffff:0:0:0:0:2",
        "67,8300000400430001d00d00c03b7f0000ff12601bffff00000000000000000002d80e00c03b7f00005faf21e03b7f0000"
                + "d80e00c03b7f000090849f67fc7f0000fe800000000000000000000000100001,ff12:601b:ffff:0:0:0:0:2"
    })
    void whatASubnetManagerTellsIsAGid(int trap, String report, String gid) {
        byte[] bytes = HexFormat.of().parseHex(report);
        ReportNotice told = new ReportNotice(bytes, 0);
        assertThat(told.notice().getInt(Notice.TRAP_NUMBER)).isEqualTo(trap);
        assertThat(told.notice().getInt(Notice.ISSUER_LID)).isEqualTo(1);
        assertThat(told.notice().details().getGid(TrapDetails.GID)).hasToString(gid);
        assertThat(told.getGid(ReportNotice.ISSUER_GID)).isEqualTo(new Gid(Gid.DEFAULT_PREFIX, 0x100001));
    }
}
