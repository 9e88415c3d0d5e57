package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How many names are told, and how many others there are. */
class SomeNamesTest {
    private static final List<String> NAMES = List.of("a", "b", "c", "d");

    @Test
    void othersAreCounted() {
        assertThat(SomeNames.of(NAMES, 5)).isEqualTo("a, b, c, d");
        assertThat(SomeNames.of(NAMES, 4)).isEqualTo("a, b, c, d");
        assertThat(SomeNames.of(NAMES, 3)).isEqualTo("a, b, c and 1 other");
        assertThat(SomeNames.of(NAMES, 2, "; ")).isEqualTo("a; b and 2 others");
    }

    @Test
    void aLineIsAboutOneOrMany() {
        assertThat(SomeNames.line(List.of(), " is", "%d are", 2, ", ")).isEmpty();
        assertThat(SomeNames.line(List.of("a"), " is", "%d are", 2, ", ")).containsExactly("a is");
        assertThat(SomeNames.line(NAMES, " is", "%d are", 2, ", ")).containsExactly("4 are: a, b and 2 others");
    }
}
