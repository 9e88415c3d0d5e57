package org.railyard.mad.umad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.wire.Mad;

/** Which port is taken, and what is said when there is none. */
final class UmadTransportTest {
    private static final UmadPort ETHERNET = port("mlx4_0", 1, PortState.ACTIVE, "Ethernet");
    private static final UmadPort DOWN = port("mlx5_0", 1, PortState.DOWN, "InfiniBand");
    private static final UmadPort ACTIVE = port("mlx5_1", 2, PortState.ACTIVE, "InfiniBand");

    private static UmadPort port(String device, int port, PortState state, String linkLayer) {
        return new UmadPort(device, port, 0x10, 0, 0, state, 100, linkLayer);
    }

    @Test
    void theFirstActiveInfiniBandPortIsTakenUnlessOneIsNamed() {
        List<UmadPort> all = List.of(ETHERNET, DOWN, ACTIVE);
        assertThat(UmadTransport.choose(all, UmadSettings.client())).isEqualTo(ACTIVE);
        assertThat(UmadTransport.choose(all, UmadSettings.client().at("mlx5_0", 1)))
                .isEqualTo(DOWN);
        assertThat(UmadTransport.choose(List.of(DOWN), UmadSettings.client())).isEqualTo(DOWN);
    }

    @Test
    void withoutAPortTheMessageTellsWhatThereIs() {
        assertThatThrownBy(() -> UmadTransport.choose(
                        List.of(ETHERNET), UmadSettings.client().at("mlx5_9", 3)))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV))
                .hasMessageContaining("mlx5_9 has no InfiniBand port 3")
                .hasMessageContaining("mlx4_0/1")
                .hasMessageContaining("Ethernet");
        assertThatThrownBy(() -> UmadTransport.choose(List.of(), UmadSettings.client()))
                .hasMessageContaining("driver");
    }

    @Test
    void withoutTheLibraryTheMessageTellsThePackage() {
        assertThatThrownBy(() -> UmadLibrary.load("libibumad.so.none"))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT))
                .hasMessageContaining("libibumad3");
    }

    @Test
    void buffersGrowByHalvesOfTheirSum() {
        assertThat(UmadTransport.grown(65_537)).isEqualTo(131_072);
        assertThat(UmadTransport.grown(131_072)).isEqualTo(131_072);
        assertThat(UmadTransport.grown(Mad.MAX_MESSAGE - 1)).isEqualTo(Mad.MAX_MESSAGE);
        assertThat(UmadTransport.grown(Mad.MAX_MESSAGE)).isEqualTo(Mad.MAX_MESSAGE);
    }
}
