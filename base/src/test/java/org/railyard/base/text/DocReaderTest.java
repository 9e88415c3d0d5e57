package org.railyard.base.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.testkit.Allocations;

class DocReaderTest {
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
