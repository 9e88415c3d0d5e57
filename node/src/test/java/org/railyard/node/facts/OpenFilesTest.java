package org.railyard.node.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.railyard.base.ErrnoException;
import org.railyard.doctor.HostFacts.Descriptors;

/** The limit of open files. */
final class OpenFilesTest {
    @Test
    void whatIsNeededAndWhetherItIsThere() {
        Descriptors now = OpenFiles.look(1000);
        assertThat(now.needed()).isEqualTo(1256);
        assertThat(now.limit()).isPositive();
        assertThat(now.open()).isBetween(1L, now.limit());
        assertThat(OpenFiles.warning(new Descriptors(1256, 80, 1256))).isEmpty();
        assertThat(OpenFiles.warning(Descriptors.UNKNOWN)).isEmpty();
        assertThat(OpenFiles.warning(new Descriptors(1255, 80, 1256)).orElseThrow())
                .startsWith("the limit of open files is 1255, and 1256 may be needed (max_connections 1000, and 256")
                .contains("ulimit -n 1256", "LimitNOFILE=1256", "--param max_connections=N");
    }

    @Test
    void withTooFewANodeDoesNotStart() {
        OpenFiles.requireLeast(new Descriptors(128, 80, 1256));
        OpenFiles.requireLeast(Descriptors.UNKNOWN);
        assertThatExceptionOfType(ErrnoException.class)
                .isThrownBy(() -> OpenFiles.requireLeast(new Descriptors(64, 50, 1256)))
                .withMessageContaining("the limit of open files is 64; a node needs at least 128, and 1256 for")
                .withMessageContaining("ulimit -n 1256");
    }
}
