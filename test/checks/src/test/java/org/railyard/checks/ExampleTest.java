package org.railyard.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Runs the examples of the documentation, which the build compiles with the tests. */
class ExampleTest {
    @Test
    void helloLNetSaysWhatTheDocumentationSays() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            Class.forName("HelloLNet").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(before);
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .containsExactlyInAnyOrder(
                        "server: 64 bytes from 127.0.3.2@tcp",
                        "client: the server stored 64 bytes",
                        "client: the mailbox says 'hello, LNet'");
    }
}
