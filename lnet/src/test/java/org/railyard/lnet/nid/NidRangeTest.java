package org.railyard.lnet.nid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NidRangeTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        *@tcp                   | 10.0.0.1@tcp 2001:db8::1@tcp          | 10.0.0.1@tcp1 10.0.0.1@o2ib 0@lo
        *@tcp[1-3]              | 10.0.0.1@tcp1 10.0.0.1@tcp3           | 10.0.0.1@tcp 10.0.0.1@tcp4
        *@*                     | 10.0.0.1@tcp7 5@gni ::1@o2ib          |
        10.0.0.0/24@tcp         | 10.0.0.0@tcp 10.0.0.255@tcp           | 10.0.1.0@tcp 10.0.0.1@tcp1 a00::@tcp
        10.0.0.7/32@tcp         | 10.0.0.7@tcp                          | 10.0.0.6@tcp
        128.0.0.0/1@tcp         | 200.0.0.1@tcp                         | 100.0.0.1@tcp
        2001:db8::/32@tcp       | 2001:db8::1@tcp 2001:db8:ffff::@tcp   | 2001:db9::1@tcp 32.1.13.184@tcp
        fd00::1:0/112@tcp       | fd00::1:0@tcp fd00::1:ffff@tcp        | fd00::2:0@tcp
        fd00::5@tcp             | fd00::5@tcp                           | fd00::4@tcp
        10.0.0.5@tcp            | 10.0.0.5@tcp                          | 10.0.0.6@tcp
        10.*.0x0.[1-5/2,9]@tcp  | 10.7.0.1@tcp 10.0.0.3@tcp 10.0.0.9@tcp | 10.0.0.2@tcp 10.0.0.7@tcp 10.0.1.1@tcp
        [1-8/4, 0x10]@gni       | 1@gni 5@gni 16@gni                    | 4@gni 9@gni 5@kfi
        7@*                     | 7@gni 7@kfi2 0.0.0.7@tcp              | 8@gni
        '  10.0.0.1  @  tcp  '  | 10.0.0.1@tcp                          | 10.0.0.2@tcp
        1.2.3.[4-5]@*           | 1.2.3.4@tcp 1.2.3.5@gip               | 1.2.3.6@tcp
        1.2.0.0/16@*            | 1.2.3.4@tcp                           | 1.3.3.4@tcp
        0@lo                    | 0@lo                                  | 0.0.0.0@tcp
        """)
    void matchesWhatItSays(String text, String inside, String outside) {
        NidRange range = NidRange.parse(text);
        assertThat(range)
                .hasSameHashCodeAs(NidRange.parse(range.toString()))
                .isEqualTo(NidRange.parse(range.toString()));
        for (String nid : inside.split(" ")) {
            assertThat(range.matches(Nid.parse(nid)))
                    .as("%s contains %s", range, nid)
                    .isTrue();
        }
        for (String nid : outside == null ? new String[0] : outside.split(" ")) {
            assertThat(range.matches(Nid.parse(nid)))
                    .as("%s contains %s", range, nid)
                    .isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'10.*.0.[ 1 - 5 / 2 , 9 ]@tcp', '10.[0-255].0.[1-5/2,9]@tcp'",
        "*@tcp0, *@tcp",
        "*@tcp*, *@tcp*",
        "10.0.0.0/8@o2ib0x10, 10.0.0.0/8@o2ib16",
        "fd00::/128@tcp, fd00::@tcp",
        "[5]@gni, 5@gni",
        "[5-5/3]@gni, 5@gni"
    })
    void hasOneWayToWriteIt(String text, String canonical) {
        assertThat(NidRange.parse(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @CsvSource({
        "'', 1",
        "10.0.0.1, 1",
        "@tcp, 1",
        "10.0.0@tcp, 7",
        "10.0.0.256@tcp, 8",
        "10.0.0.[5-3]@tcp, 11",
        "10.0.0.[1-5@tcp, 12",
        "10.0.0.[1-5/0]@tcp, 13",
        "10.0.0.[]@tcp, 9",
        "10.0.0.0/0@tcp, 10",
        "10.0.0.0/33@tcp, 10",
        "fd00::/129@tcp, 8",
        "fd00::[1-2]@tcp, 1",
        "*x@tcp, 2",
        "1-5@gni, 2",
        "*@tcp[1-3, 10",
        "*@tcp[3-1], 9",
        "*@xyz, 3",
        "10.0.0.1@tcp x, 14",
        "::1@gip, 1",
        "10.0.0.1@tcp65536, 13"
    })
    void saysWhereItIsWrong(String text, int column) {
        assertThatThrownBy(() -> NidRange.parse(text))
                .asInstanceOf(InstanceOfAssertFactories.type(NidFormatException.class))
                .returns(column, NidFormatException::column);
    }

    @Test
    void neverTakesALongAddressForAShortOne() {
        Nid odd = Nid.of(Net.TCP, new byte[] {10, 0, 0, 1, 7});
        assertThat(NidRange.parse("10.0.0.1@tcp").matches(odd)).isFalse();
        assertThat(NidRange.parse("10.0.0.0/8@tcp").matches(odd)).isFalse();
        assertThat(NidRange.parse("*@tcp").matches(odd)).isTrue();
    }

    @Test
    void readsLists() {
        NidRangeList list = NidRangeList.parse("  10.0.0.[1-2]@tcp   192.168.0.0/16 @ o2ib\t*@gni ");
        assertThat(list.ranges()).hasSize(3);
        assertThat(list).hasToString("10.0.0.[1-2]@tcp 192.168.0.0/16@o2ib *@gni");
        assertThat(NidRangeList.parse(list.toString())).isEqualTo(list);
        assertThat(list.matches(Nid.parse("192.168.3.4@o2ib"))).isTrue();
        assertThat(list.matches(Nid.parse("192.168.3.4@tcp"))).isFalse();
        assertThat(list.ranges().getLast().net()).isEqualTo(NetRange.parse("gni"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "  ", "10.0.0.1@tcp,10.0.0.2@tcp", "10.0.0.1@tcp 10.0.0.2", "10.0.0.1 10.0.0.2@tcp", "--help"
            })
    void refusesWhatIsNoList(String text) {
        assertThatThrownBy(() -> NidRangeList.parse(text)).isInstanceOf(NidFormatException.class);
    }

    @Test
    void refusesTextsWithoutEnd() {
        assertThatThrownBy(() -> NidRangeList.parse("*@tcp ".repeat(10_000)))
                .isInstanceOf(NidFormatException.class)
                .hasMessageContaining("at most 16384 characters");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        tcp           | tcp         | tcp tcp0      | tcp1 o2ib
        tcp0          | tcp         | tcp           | tcp1
        tcp5          | tcp5        | tcp5          | tcp
        tcp[1-3, 0x7] | tcp[1-3,7]  | tcp1 tcp7     | tcp tcp4
        tcp[0-2/2]    | tcp[0-2/2]  | tcp tcp2      | tcp1
        o2ib*         | o2ib*       | o2ib o2ib9    | tcp
        *             | *           | tcp o2ib9 lo  |
        lo            | lo          | lo            | tcp
        """)
    void matchesNets(String text, String canonical, String inside, String outside) {
        NetRange range = NetRange.parse(text);
        assertThat(range)
                .hasToString(canonical)
                .isEqualTo(NetRange.parse(canonical))
                .hasSameHashCodeAs(NetRange.parse(canonical));
        for (String net : inside.split(" ")) {
            assertThat(range.matches(Net.parse(net)))
                    .as("%s contains %s", range, net)
                    .isTrue();
        }
        for (String net : outside == null ? new String[0] : outside.split(" ")) {
            assertThat(range.matches(Net.parse(net)))
                    .as("%s contains %s", range, net)
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "tcp[",
                "tcp[1",
                "tcp[1-3]x",
                "tcp**",
                "tcp65536",
                "lo1",
                "lo[0-1]",
                "10.0.0.1@tcp",
                "tcp[70000]"
            })
    void refusesWhatIsNoNetRange(String text) {
        assertThatThrownBy(() -> NetRange.parse(text)).isInstanceOf(NidFormatException.class);
    }
}
