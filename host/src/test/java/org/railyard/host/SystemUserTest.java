package org.railyard.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SystemUserTest {
    @Test
    void theEffectiveUserCounts() {
        assertThat(SystemUser.isRoot(List.of("Name:\tjava", "Uid:\t0\t0\t0\t0", "Gid:\t7\t7\t7\t7")))
                .isTrue();
        assertThat(SystemUser.isRoot(List.of("Uid:\t1000\t0\t0\t0"))).isTrue();
        assertThat(SystemUser.isRoot(List.of("Uid:\t0\t1000\t0\t0", "Gid:\t0\t0\t0\t0")))
                .isFalse();
        assertThat(SystemUser.isRoot(List.of("Uid:\t10\t10\t10\t10"))).isFalse();
        assertThat(SystemUser.isRoot(List.of())).isFalse();
    }

    @Test
    void thisProgramHasAUser() {
        assertThat(SystemUser.name()).isNotEmpty();
    }
}
