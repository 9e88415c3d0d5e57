package org.railyard.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PsnTest {
    @Test
    void numbersGoInACircle() {
        assertThat(Psn.plus(0xFF_FFFF, 1)).isZero();
        assertThat(Psn.plus(0, -1)).isEqualTo(0xFF_FFFF);
        assertThat(Psn.distance(0xFF_FFFE, 3)).isEqualTo(5);
        assertThat(Psn.distance(3, 0xFF_FFFE)).isEqualTo(-5);
        assertThat(Psn.distance(0, 0x7F_FFFF)).isEqualTo(0x7F_FFFF);
        assertThat(Psn.distance(0, 0x80_0000)).isEqualTo(-0x80_0000);
    }
}
