package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;

/** How nodes and cables are named that came or went. */
class FabricChangesTest {
    private static final String SWITCHES = """
        Switch 3 "S-1"
        [1] "S-2"[1]
        [2] "H-1"[2]

        Switch %d "S-2"
        [1] "S-1"[1]
        %s
        """;

    private static final String HOST = """

        Ca 2 "H-1"
        [2] "S-1"[2]
        """;

    private static Fabric fabric(String text) {
        return NetFile.parse(text).fabric();
    }

    /** The first port of the host has no cable. */
    @Test
    void aHostIsNamedWithTheSwitchWhereItWas() {
        Fabric both = fabric(SWITCHES.formatted(3, "") + HOST);
        Fabric alone = fabric(SWITCHES.formatted(3, "").replace("[2] \"H-1\"[2]\n", ""));
        assertThat(FabricChanges.between(both, alone)).containsExactly("gone: H-1 at S-1/2");
        assertThat(FabricChanges.between(alone, both)).containsExactly("new: H-1 at S-1/2");
        assertThat(FabricChanges.between(both, both)).isEmpty();
    }

    /** A switch is replaced by one with the same GUID and fewer ports. */
    @Test
    void aCableAtAPortThatIsNoMoreIsGone() {
        Fabric large = fabric(
                SWITCHES.formatted(3, "[3] \"S-1\"[3]").replace("[2] \"H-1\"", "[3] \"S-2\"[3]\n[2] \"H-1\"") + HOST);
        Fabric small = fabric(SWITCHES.formatted(2, "") + HOST);
        assertThat(FabricChanges.between(large, small)).containsExactly("gone: S-1/3 to S-2/3");
        assertThat(FabricChanges.between(small, large)).containsExactly("new: S-1/3 to S-2/3");
    }
}
