package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A page of the docs that is made from the code; {@code -Drailyard.docs.write=true} writes it instead. */
final class DocPage {
    private DocPage() {}

    static void check(String name, String text) throws IOException {
        Path page = Path.of("..", "docs", name);
        if (Boolean.getBoolean("railyard.docs.write")) {
            Files.writeString(page, text);
        }
        assertThat(Files.readString(page)).as(name).isEqualTo(text);
    }
}
