package org.railyard.fabric.torus.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.testkit.Requirement;

/** The configuration file, keyword by keyword (spec 30 §1.2). */
class TorusConfTest {
    private static final String FULL = """
        # a comment, then an empty line

        torus 5 4M 0x3 # trailing comment
        xp_link 0x200000 0x20000c
        xm_link 0x200000 0x200030
        yp_link 2097152 0x200003
        zp_link 0x200000 0x200001
        x_dateline -2
        y_dateline +1
        next_seed
        xp_link 0x200001 0x20000d
        ym_link 0x200001 0x20000a
        zm_link 0xffffffffffffffff 0x200001
        z_dateline 02
        portgroup_max_ports 8
        portgroup_max_ports 20
        port_order 7 10 7 6
        max_changes 100
        """;

    @Test
    @Requirement({"t2q-101", "t2q-102", "t2q-104"})
    void everyKeywordIsUnderstood() {
        TorusConf conf = TorusConfParser.parse(FULL);
        assertThat(conf.shape()).isEqualTo(TorusShape.of(new int[] {5, 4, 3}, new boolean[] {false, true, false}));
        assertThat(conf.seeds()).hasSize(2);
        assertThat(conf.seeds().getFirst().links())
                .containsEntry(TorusGroup.plus(0), new SeedLink(0x200000, 0x20000c))
                .containsEntry(TorusGroup.minus(0), new SeedLink(0x200000, 0x200030))
                .containsEntry(TorusGroup.plus(1), new SeedLink(0x200000, 0x200003))
                .containsEntry(TorusGroup.plus(2), new SeedLink(0x200000, 0x200001));
        assertThat(conf.seeds().getFirst().position(conf.shape()))
                .isEqualTo(conf.shape().position(2, 3, 0));
        assertThat(conf.seeds().getLast().links()).containsEntry(TorusGroup.minus(2), new SeedLink(-1, 0x200001));
        assertThat(conf.seeds().getLast().dateline(2)).isEqualTo(2);
        assertThat(conf.portgroupMaxPorts()).isEqualTo(20);
        assertThat(conf.portOrder()).containsExactly(7, 10, 6);
        assertThat(conf.maxChanges()).isEqualTo(100);
    }

    @Test
    void whatIsWrittenIsReadBack() {
        TorusConf conf = TorusConfParser.parse(FULL);
        assertThat(TorusConfParser.parse(conf.toText())).isEqualTo(conf);
    }

    @Test
    void defaultsAreThoseOfTheSpecification() {
        TorusConf conf = TorusConfParser.parse("mesh 4T 2T 6\r\n");
        assertThat(conf.shape().open(0)).isFalse();
        assertThat(conf.shape().open(1)).as("radix 2 is always a mesh").isTrue();
        assertThat(conf.shape().open(2)).isTrue();
        assertThat(conf.seeds()).isEmpty();
        assertThat(conf.portgroupMaxPorts()).isEqualTo(16);
        assertThat(conf.portOrder()).isEmpty();
        assertThat(conf.maxChanges()).isEqualTo(32);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "torus 5 5 | line 1, column 10: found end of line, expected the radix of z",
                "torus 5 0 5 | line 1, column 9: found \"0\", expected the radix of y",
                "torus 5 5 5q | line 1, column 11: found \"5q\", expected the radix of z",
                "torus -5 5 5 | line 1, column 7: found \"-5\", expected the radix of x",
                "torus 08 5 5 | line 1, column 7: found \"08\", expected the radix of x",
                "torus 300 300 300 | line 1, column 7: found \"300\", expected at most 49151 positions",
                "torus 5 5 5;mesh 5 5 5 | line 2, column 1: found \"mesh\", expected only one torus or mesh statement",
                "torus 5 5 5;x_dateline 5 | line 2, column 12: found \"5\", expected a dateline of -4 to 4",
                "x_dateline 1;torus 5 5 5 | line 1, column 1: found \"x_dateline\", expected the torus or mesh"
                        + " statement before",
                "torus 5 5 5;xp_link 0x1 | line 2, column 12: found end of line, expected a GUID",
                "torus 5 5 5;xp_link 0x1 0x10000000000000000 | line 2, column 13: found \"0x10000000000000000\","
                        + " expected a GUID",
                "torus 5 5 5;xp_link 1 2;xp_link 1 3 | line 3, column 1: found \"xp_link\", expected each link once",
                "torus 5 5 5;port_order 1,2 | line 2, column 12: found \"1,2\", expected a port number",
                "torus 5 5 5;port_order 255 | line 2, column 12: found \"255\", expected a port number",
                "torus 5 5 5;port_order | line 2, column 11: found end of line, expected port numbers",
                "torus 5 5 5;portgroup_max_ports 0 | line 2, column 21: found \"0\", expected a number of ports",
                "torus 5 5 5;max_changes -1 | line 2, column 13: found \"-1\", expected a number of changes",
                "Torus 5 5 5 | line 1, column 1: found \"Torus\", expected a keyword",
                "# nothing | line 1, column 1: found end of line, expected a torus or mesh statement"
            })
    void errorsNameLineAndColumn(String text, String message) {
        assertThatThrownBy(() -> TorusConfParser.parse(text.replace(';', '\n')))
                .isInstanceOf(TorusConfException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void allErrorsOfAFileAreReported() {
        TorusConfException error = catchThrowableOfType(
                TorusConfException.class,
                () -> TorusConfParser.parse("torus 5 x 5\nfoo\nxp_link 1 2\nmax_changes no\n"));
        assertThat(error.problems()).extracting(FormatException::line).containsExactly(1, 2, 4);
    }

    @Test
    void errorsAndSeedsAreBounded() {
        TorusConfException many =
                catchThrowableOfType(TorusConfException.class, () -> TorusConfParser.parse("foo\n".repeat(10_000)));
        assertThat(many.problems()).hasSize(TorusConfParser.MAX_PROBLEMS);
        assertThatThrownBy(() -> TorusConfParser.parse("torus 5 5 1\n" + "next_seed\n".repeat(257)))
                .hasMessageContaining("at most 256 seeds");
        assertThatThrownBy(() -> TorusConfParser.parse("#".repeat(TorusConfParser.MAX_CHARACTERS + 1)))
                .hasMessageContaining("a file of at most");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "torus 5 5 1;xp_link 1 2 | 4E2E",
                "torus 5 5 1;yp_link 1 2 | 4E2B",
                "torus 5 5 5;xp_link 1 2;yp_link 1 3 | 4E2C",
                "torus 4 5 1;xp_link 1 2;yp_link 1 3 | 4E23",
                "torus 4 5 1;xm_link 1 2;yp_link 1 3 | 4E22",
                "torus 5 4 1;xp_link 1 2;yp_link 1 3 | 4E26",
                "torus 5 5 4;xp_link 1 2;yp_link 1 3;zm_link 1 4 | 4E28",
                "torus 5 5 1;xp_link 1 2;yp_link 3 4 | 4E2F",
                "torus 1 5 5;yp_link 1 2;zp_link 3 4 | 4E2D",
                "torus 5 5 1;xp_link 1 2;yp_link 1 3;next_seed | 4E2B 4E2E",
                "mesh 4 5 1;xm_link 1 2;yp_link 1 3 | seed-edge",
                "torus 5 5 1 | 4E30",
                "mesh 4 4 1;xp_link 1 2;yp_link 1 3 | ''"
            })
    @Requirement("t2q-101")
    void seedsAreChecked(String text, String codes) {
        TorusConf conf = TorusConfParser.parse(text.replace(';', '\n'));
        assertThat(SeedRules.problems(conf.shape(), conf.seeds()))
                .extracting(Refusal.Reason::code)
                .containsExactlyElementsOf(codes.isEmpty() ? List.of() : List.of(codes.split(" ")));
    }

    @FuzzTest
    void anyTextIsReadOrRefused(FuzzedDataProvider data) {
        String text = data.consumeRemainingAsString();
        try {
            TorusConf conf = TorusConfParser.parse(text);
            assertThat(TorusConfParser.parse(conf.toText())).isEqualTo(conf);
        } catch (TorusConfException refused) {
            assertThat(refused.problems()).isNotEmpty();
        }
    }
}
