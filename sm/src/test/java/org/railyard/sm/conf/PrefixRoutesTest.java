package org.railyard.sm.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FormatException;
import org.railyard.sm.conf.PrefixRoutes.Route;

/** The file of prefix routes. */
final class PrefixRoutesTest {
    @Test
    void theOrderCounts() {
        PrefixRoutes routes = PrefixRoutes.parse("""
            # prefix       router
            0xfec0000000000001 0x1234

            fec0000000000001   *     # any other
            *                  5678
            """);
        assertThat(routes.of(0xFEC0_0000_0000_0001L))
                .extracting(Route::guid)
                .containsExactly(OptionalLong.of(0x1234), OptionalLong.empty(), OptionalLong.of(0x5678));
        assertThat(routes.of(1)).extracting(Route::guid).containsExactly(OptionalLong.of(0x5678));
        assertThat(PrefixRoutes.NONE.of(1)).isEmpty();
    }

    @Test
    void aLineIsAPrefixAndAGuid() {
        assertThatThrownBy(() -> PrefixRoutes.parse("fec0\n1"))
                .isInstanceOf(FormatException.class)
                .hasMessageContainingAll(
                        "line 1, column 1: found \"fec0\"", "in the same line, the port GUID of a router");
        assertThatThrownBy(() -> PrefixRoutes.parse("fec0 1 2")).hasMessageContaining("end of line");
        assertThatThrownBy(() -> PrefixRoutes.parse("fec0 12345678901234567"))
                .hasMessageContainingAll("line 1, column 6", "port GUID of a router");
        assertThatThrownBy(() -> PrefixRoutes.parse(", 1")).hasMessageContaining("prefix of 64 bits");
    }
}
