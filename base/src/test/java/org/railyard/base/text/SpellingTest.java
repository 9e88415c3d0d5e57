package org.railyard.base.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {
    private static final List<String> KNOWN = List.of("net", "route", "peer", "qos", "peer_credits", "no_qos");

    @ParameterizedTest
    @CsvSource({
        "nte, net",
        "set, net",
        "ruote, route",
        "rout, route",
        "peers, peer",
        "Peer Credit, peer_credits",
        "peercredist, peer_credits",
        "noqos, no_qos",
        "pee, peer"
    })
    void aWordThatIsNearIsFound(String word, String meant) {
        assertThat(Spelling.hint(word, KNOWN)).isEqualTo(" (did you mean '" + meant + "'?)");
    }

    @ParameterizedTest
    @CsvSource({"foo", "ten", "x", "multicast", "''"})
    void aWordThatIsNotIsNot(String word) {
        assertThat(Spelling.hint(word, KNOWN)).isEmpty();
    }

    @Test
    void theNearestComesFirst() {
        assertThat(Spelling.near("peer_credit", List.of("peer_credits", "peer_edit", "credits"), 2))
                .containsExactly("peer_credits", "peer_edit");
        assertThat(Spelling.near("a".repeat(65), List.of("a".repeat(65)), 1)).isEmpty();
    }
}
