package org.railyard.base.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.testkit.Allocations;

class DocReaderTest {
    @Test
    void whatIsNestedTooDeeplyIsRefused() {
        assertThat(DocReader.mapping("a: " + "[".repeat(63) + "]".repeat(63))).containsKey("a");
        for (String open : List.of("[", "{b: ")) {
            String close = open.equals("[") ? "]" : "}";
            String tooDeep = "a: " + open.repeat(64) + close.repeat(64);
            String far = "{a: " + open.repeat(20_000);
            for (String each : List.of(tooDeep, far)) {
                assertThatThrownBy(() -> DocReader.mapping(each))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("found more than 64 levels of nesting, expected at most 64");
            }
        }
    }

    @Test
    void anAliasWithinWhatItStandsForIsRefused() {
        assertThat(DocReader.mapping("a: &n 7\nb: *n")).containsEntry("b", 7L);
        assertThat(DocReader.mapping("a: &a [x]\nb:  *a")).containsEntry("b", List.of("x"));
        for (String each : List.of("a: x\nb: &a [*a]", "a: &a\n  - [*a]", "a: x\nb: &a {c: *a}")) {
            assertThatThrownBy(() -> DocReader.mapping(each))
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .matches("no document: 2:(6|8|11): found \\*a, an alias within what it stands for, expected one of"
                            + " something before it");
        }
    }

    @Test
    void aShortTextThatStandsForTooMuchIsRefused() {
        StringBuilder text = new StringBuilder("a0: &a0 [x, x]\n");
        for (int i = 1; i < 25; i++) {
            text.append("a%d: &a%d [*a%d, *a%d]%n".formatted(i, i, i - 1, i - 1));
        }
        assertThatThrownBy(() -> DocReader.mapping(text.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than " + DocReader.MAX_VALUES + " values");
    }

    @Test
    void aLongTextCostsMemoryByItsLengthOnly() {
        String text = "net:\n    - net type: tcp\n".repeat(50_000);
        String document = JsonText.of(Map.of("text", text));
        Allocations allocations = new Allocations();
        long before = allocations.bytes();
        Map<String, Object> read = DocReader.mapping(document);
        assertThat(allocations.bytes() - before).as("bytes allocated").isLessThan(200L * document.length());
        assertThat(read.get("text")).isEqualTo(text);
    }
}
