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
    void whatStandsForMappingsAndListsElsewhereIsRefused() {
        assertThat(DocReader.mapping("a: &n 7\nb: *n")).containsEntry("b", 7L);
        for (String each : List.of("a: &a [x]\nb:  *a", "a: &a\n  - *a", "a: x\nb: &a {c: *a}")) {
            assertThatThrownBy(() -> DocReader.mapping(each))
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .matches("no document: 2:(5|11): found \\*a, an alias of a mapping or a list, expected it to be"
                            + " written out");
        }
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
