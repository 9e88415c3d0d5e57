package org.railyard.o2iblnd.bond;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** Any text as a target file: read without failing, and what was read, written, reads the same. */
class TargetFileFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void file(byte[] bytes) {
        TargetFile.Content content = TargetFile.parse("fuzz", new String(bytes, StandardCharsets.UTF_8));
        String written = content.targets().stream().map(Target::toString).collect(Collectors.joining("\n"));
        TargetFile.Content again = TargetFile.parse("fuzz", written);
        if (!again.targets().equals(content.targets()) || !again.findings().isEmpty()) {
            throw new AssertionError("reads differently: " + written);
        }
    }
}
