package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.lnd.Incarnations;

class IncarnationsTest {
    private final Incarnations heard = new Incarnations();

    private boolean[] all(long... incarnations) {
        boolean[] told = new boolean[incarnations.length];
        for (int i = 0; i < told.length; i++) {
            told[i] = heard.heard(incarnations[i]);
        }
        return told;
    }

    @Test
    void twoThatTakeTurnsAreTwoNodes() {
        assertThat(all(7, 7, 9, 7, 7, 9, 7, 7, 9, 10, 9))
                .containsExactly(false, false, false, false, false, false, true, false, true, false, false);
    }

    @Test
    void restartsAreNot() {
        assertThat(LongStream.rangeClosed(1, 100).anyMatch(heard::heard)).isFalse();
    }

    @Test
    void aCallFromBeforeARestartIsNot() {
        assertThat(all(7, 9, 7, 9, 10, 9, 10, 11)).containsOnly(false);
    }

    @Test
    void programsBesideADaemonAreNot() {
        assertThat(all(7, 20, 7, 21, 7, 22, 7, 23, 7)).containsOnly(false);
    }
}
