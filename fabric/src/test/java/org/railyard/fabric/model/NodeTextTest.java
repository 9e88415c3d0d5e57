package org.railyard.fabric.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeTextTest {
    @ParameterizedTest
    @CsvSource({
        "H-1, H-1",
        // The two bytes of UTF-8, one of ISO 8859-1, and no UTF-8 because of its last byte.
        "H\u00C3\u00B4st, H\u00F4st",
        "H\u00F4st, H\u00F4st",
        "\u00C3\u00B4\u00F4, \u00C3\u00B4\u00F4",
        // More than bytes: read by somebody who knew what they are.
        "\u65E5\u00C3\u00B4, \u65E5\u00C3\u00B4",
        "\u00E6\u0097\u00A5, \u65E5"
    })
    void bytesAreReadAsTheyCanBe(String raw, String text) {
        FabricBuilder builder = new FabricBuilder();
        builder.node(NodeType.CA, 1, 1, raw);
        Fabric fabric = builder.build();
        assertThat(fabric.description(0)).isEqualTo(text);
        assertThat(fabric.rawDescription(0)).isEqualTo(raw);
    }

    /** Whoever names a node must not write to the terminal or the log of an administrator. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\n",
                "\t",
                "\u001B",
                "\u007F",
                // Control Sequence Introducer, alone and in UTF-8; writing from right to left, and ends of lines, in
                // UTF-8.
                "\u009B",
                "\u00C2\u009B",
                "\u00E2\u0080\u00AE",
                "\u00E2\u0080\u00A8",
                "\u00E2\u0080\u00A9",
                "\u202E"
            })
    void whatNobodySeesIsReplaced(String raw) {
        assertThat(NodeText.of("H" + raw + "1")).isEqualTo("H_1");
    }

    @Test
    void charactersOfTwoUnitsStayOne() {
        assertThat(NodeText.of("\u00F0\u009F\u009A\u0082\n")).isEqualTo("\uD83D\uDE82_");
    }
}
