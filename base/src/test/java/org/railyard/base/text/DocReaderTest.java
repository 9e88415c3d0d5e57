package org.railyard.base.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DocReaderTest {
    @Test
    void aLongTextCostsMemoryByItsLengthOnly() throws ReflectiveOperationException {
        // By reflection: the module under test does not read the management modules.
        Object threads = Class.forName("java.lang.management.ManagementFactory")
                .getMethod("getThreadMXBean")
                .invoke(null);
        Method bytes = Class.forName("com.sun.management.ThreadMXBean").getMethod("getCurrentThreadAllocatedBytes");
        String text = "net:\n    - net type: tcp\n".repeat(50_000);
        String document = JsonText.of(Map.of("text", text));
        long before = (long) bytes.invoke(threads);
        Map<String, Object> read = DocReader.mapping(document);
        assertThat((long) bytes.invoke(threads) - before).as("bytes allocated").isLessThan(200L * document.length());
        assertThat(read.get("text")).isEqualTo(text);
    }
}
