package org.railyard.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TextThreadTest {
    @Test
    void whatIsFlushedTogetherIsOneText() {
        List<String> texts = Collections.synchronizedList(new ArrayList<>());
        try (TextThread thread = new TextThread("test", texts::add, lost -> "lost " + lost)) {
            PrintWriter writer = thread.writer();
            writer.print("a");
            writer.print(1);
            writer.flush();
            writer.flush();
            writer.printf("b%n");
            writer.println("c");
            writer.print("d");
            writer.close();
            thread.add("e");
        }
        assertThat(texts.stream().map(String::strip)).containsExactly("a1", "b", "c", "d", "e");
    }
}
