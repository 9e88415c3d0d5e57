package org.railyard.lnet.nid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NidTextTest {
    @ParameterizedTest
    @CsvSource({
        "tcp, tcp",
        "tcp0, tcp",
        "tcp00001, tcp1",
        "tcp65535, tcp65535",
        "o2ib3, o2ib3",
        "lo, lo",
        "gni, gni",
        "gip2, gip2",
        "ptlf, ptlf",
        "kfi1, kfi1",
        "efa, efa",
        "bxi3f9, bxi3f9"
    })
    void readsNets(String text, String canonical) {
        Net net = Net.parse(text);
        assertThat(net).hasToString(canonical);
        assertThat(Net.parse(net.toString())).isEqualTo(net);
    }

    @ParameterizedTest
    @CsvSource({
        "'', 1",
        "tcpx, 4",
        "tcp1x, 5",
        "tcp65536, 4",
        "tcp99999999999999999999, 4",
        "lo0, 3",
        "TCP, 1",
        "tcp-1, 4",
        "tcp\u0661, 4",
        "o2i, 1",
        "' tcp', 1"
    })
    void refusesWhatIsNoNet(String text, int column) {
        assertThatThrownBy(() -> Net.parse(text))
                .asInstanceOf(InstanceOfAssertFactories.type(NidFormatException.class))
                .returns(column, NidFormatException::column);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1@tcp1, 10.0.0.1@tcp1",
        "10.0.0.1, 10.0.0.1@tcp",
        "010.000.0.001@tcp0, 10.0.0.1@tcp",
        "255.255.255.255@o2ib65535, 255.255.255.255@o2ib65535",
        "2001:db8::1@tcp, 2001:db8::1@tcp",
        "2001:DB8:0:0:1:0:0:0@o2ib, 2001:db8:0:0:1::@o2ib",
        "::@tcp, ::@tcp",
        "::1@tcp, ::1@tcp",
        "1:2:3:4:5:6:7:8@tcp, 1:2:3:4:5:6:7:8@tcp",
        "1:0:3:4:5:6:7:8@tcp, 1:0:3:4:5:6:7:8@tcp",
        "::ffff:10.0.0.1@tcp, ::ffff:a00:1@tcp",
        "0000:0000:0000:0000:0000:ffff:255.255.255.255@tcp, ::ffff:ffff:ffff@tcp",
        "0@lo, 0@lo",
        "0x1F@gni, 31@gni",
        "4294967295@kfi2, 4294967295@kfi2",
        "1.2.3.4@gip, 1.2.3.4@gip",
        "*, <?>",
        "<?>, <?>"
    })
    void readsNids(String text, String canonical) {
        Nid nid = Nid.parse(text);
        assertThat(nid).hasToString(canonical);
        assertThat(Nid.parse(nid.toString())).isEqualTo(nid);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "@tcp", "10.0.0.1@", "10.0.0@tcp", "10.0.0.256@tcp", "10.0.0.1.2@tcp", "10..0.1@tcp",
                        "10.0.0.1@tcp@tcp", "5@tcp", "1@lo",
                "0@lo0", "*@tcp", "4294967296@gni", "-1@gni", "+1@gni", "0x@gni", "0x+5@gni", "0x1g@gni", "\u0663@gni",
                        "1::2::3@tcp",
                "[::1]@tcp", "fe80::1%eth0@tcp", "::1@gip", ":@tcp", "12345::@tcp", " 10.0.0.1@tcp", "10.0.0.1 @tcp",
                        "10.0.0.1@<20:3>"
            })
    void refusesWhatIsNoNid(String text) {
        assertThatThrownBy(() -> Nid.parse(text))
                .isInstanceOf(NidFormatException.class)
                .hasMessageContaining("expected");
    }

    @Test
    void namesTheColumnOfABadNet() {
        assertThatThrownBy(() -> Nid.parse("10.0.0.1@tpc"))
                .hasMessageStartingWith(
                        "'10.0.0.1@tpc', column 10: expected a net name, one of tcp, o2ib, lo, gni, gip, ptlf, kfi,"
                                + " efa, bxi3f");
    }

    @Test
    void showsOnlyTheStartOfALongText() {
        assertThatThrownBy(() -> Nid.parse("x".repeat(100_000)))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
    }

    @Test
    void writesNidsOfUnknownTypesAsWords() {
        assertThat(Nid.of(Net.of(20, 3), 0xc0a8010a)).hasToString("c0a8010a@<20:3>");
        assertThat(Nid.of(Net.of(20, 3), new byte[] {1, 2, 3, 4, 5, 6})).hasToString("01020304:0506@<20:3>");
        assertThat(Nid.of(Net.TCP, new byte[] {1, 2, 3, 4, 5, 6})).hasToString("01020304:0506@tcp");
    }

    @ParameterizedTest
    @CsvSource({
        "12345-10.0.0.1@tcp, 12345-10.0.0.1@tcp",
        "10.0.0.1@tcp, 12345-10.0.0.1@tcp",
        "U777-10.0.0.1@tcp, U777-10.0.0.1@tcp",
        "2147484425-10.0.0.1@tcp, U777-10.0.0.1@tcp",
        "LNET_PID_ANY-*, LNET_PID_ANY-<?>",
        "4294967295-10.0.0.1@tcp, LNET_PID_ANY-10.0.0.1@tcp",
        "0-0@lo, 0-0@lo"
    })
    void readsProcessIds(String text, String canonical) {
        ProcessId id = ProcessId.parse(text);
        assertThat(id).hasToString(canonical);
        assertThat(ProcessId.parse(id.toString())).isEqualTo(id);
    }

    @ParameterizedTest
    @CsvSource({
        "*, is the wildcard",
        "0@lo, is the loopback NID",
        "224.0.0.0@tcp, is a multicast address",
        "239.255.255.255@o2ib1, is a multicast address",
        "255.255.255.255@tcp, is the broadcast address",
        "0.0.0.0@gip, is the address that stands for none",
        "ff02::5@tcp, is a multicast address",
        "::@tcp, is the address that stands for none"
    })
    void tellsWhyNobodyHasANid(String text, String why) {
        assertThat(Nid.parse(text).whyNobodys()).isEqualTo(why);
    }

    @Test
    void aLinkLocalNidIsSomebodysButNobodyCanBeCalledByIt() {
        for (String text : List.of("fe80::1@tcp", "febf:ffff::@o2ib")) {
            assertThat(Nid.parse(text).whyNotCalled())
                    .startsWith("is a link-local address")
                    .contains("fd00::/8");
        }
        for (String text : List.of("fe7f::1@tcp", "fec0::1@tcp", "fd00::1@tcp", "254.128.0.1@tcp")) {
            assertThat(Nid.parse(text).whyNotCalled()).isNull();
        }
        assertThat(Nid.parse("ff02::5@tcp").whyNotCalled()).isEqualTo("is a multicast address");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "223.255.255.255@tcp",
                "240.0.0.0@tcp",
                "0.0.0.1@tcp",
                "127.0.0.1@o2ib",
                "fe80::1@tcp",
                "e000::1@tcp",
                "::1@efa",
                "0@gni",
                "4294967295@kfi",
                "3758096385@ptlf"
            })
    void aNodeMayHaveOtherNids(String text) {
        assertThat(Nid.parse(text).whyNobodys()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-10.0.0.1@tcp",
                "U-10.0.0.1@tcp",
                "+5-10.0.0.1@tcp",
                "4294967296-10.0.0.1@tcp",
                "U2147483648-10.0.0.1@tcp",
                "5-",
                "5x-0@lo"
            })
    void refusesWhatIsNoProcessId(String text) {
        assertThatThrownBy(() -> ProcessId.parse(text)).isInstanceOf(NidFormatException.class);
    }
}
