package org.railyard.lnet.nid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NidListTest {
    private static List<String> expand(String text) {
        return NidList.parse(text).nids().stream().map(Nid::toString).toList();
    }

    @Test
    void expandsBrackets() {
        assertThat(expand("10.0.[0-1].[1-5/2]@tcp,7@gni"))
                .containsExactly(
                        "10.0.0.1@tcp",
                        "10.0.0.3@tcp",
                        "10.0.0.5@tcp",
                        "10.0.1.1@tcp",
                        "10.0.1.3@tcp",
                        "10.0.1.5@tcp",
                        "7@gni");
        assertThat(expand("10.0.0.[1, 4, 6-7]@tcp1"))
                .containsExactly("10.0.0.1@tcp1", "10.0.0.4@tcp1", "10.0.0.6@tcp1", "10.0.0.7@tcp1");
        assertThat(expand("[1-3]@kfi")).containsExactly("1@kfi", "2@kfi", "3@kfi");
        assertThat(expand("10.0.0.1 , fd00::1@o2ib")).containsExactly("10.0.0.1@tcp", "fd00::1@o2ib");
        assertThat(expand("0@lo")).containsExactly("0@lo");
        assertThat(expand("10.0.0.[1,1-2],10.0.0.2@tcp")).containsExactly("10.0.0.1@tcp", "10.0.0.2@tcp");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        10.99.[0-1].[1-5]@tcp       | 10.99.[0-1].[1-5]@tcp
        10.0.0.[1 - 5 / 2],0x7@gni  | 10.0.0.[1-5/2]@tcp,7@gni
        fd00:0::1@tcp0,10.0.0.[9]   | fd00::1@tcp,10.0.0.9@tcp
        """)
    void writesBracketForm(String text, String canonical) {
        NidList list = NidList.parse(text);
        assertThat(list)
                .hasToString(canonical)
                .isEqualTo(NidList.parse(canonical))
                .hasSameHashCodeAs(NidList.parse(canonical));
        assertThat(NidList.parse(canonical).nids()).isEqualTo(list.nids());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ''                          | 1
        10.0.0.1@tcp,               | 14
        ,10.0.0.1@tcp               | 1
        *                           | 1
        *@tcp                       | 1
        10.0.0.*@tcp                | 8
        <?>                         | 1
        10.0.0.[5-3]@tcp            | 11
        10.0.0.]1-3[@tcp            | 8
        10.0.0.[1-3@tcp             | 12
        10.0.0.1-3@tcp              | 9
        10.0.0.0/24@tcp             | 9
        10.0.0.1@tcp[1-2]           | 13
        10.0.0.1@tcp 10.0.0.2@tcp   | 13
        10.0.0.1@tcp,5@lo           | 14
        10.0.0.1@tcp,10.0.0.[1-128] | 14
        10.0.0.1@xyz                | 10
        fd00::[1-2]@tcp             | 1
        """)
    void saysWhereItIsWrong(String text, int column) {
        assertThatThrownBy(() -> NidList.parse(text))
                .asInstanceOf(InstanceOfAssertFactories.type(NidFormatException.class))
                .returns(column, NidFormatException::column);
    }

    @Test
    void countsBeforeItExpands() {
        assertThat(NidList.parse("10.0.0.[1-128]").nids()).hasSize(128);
        assertThat(NidList.parse("10.0.[0-255].[0-255]", 65_536).nids()).hasSize(65_536);
        assertThatThrownBy(() -> NidList.parse("[0-255].[0-255].[0-255].[0-255]"))
                .isInstanceOf(NidFormatException.class)
                .hasMessageContaining("at most 128 NIDs");
        assertThatThrownBy(() -> NidList.parse("[0-4294967295]@gni")).isInstanceOf(NidFormatException.class);
    }
}
