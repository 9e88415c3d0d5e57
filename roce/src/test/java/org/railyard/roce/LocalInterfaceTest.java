package org.railyard.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.base.ErrnoException;
import org.railyard.host.RealHost;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.net.LocalInterface;
import org.railyard.testkit.Requirement;

class LocalInterfaceTest {
    @Test
    void interfacesAreFoundByNameAndByAddress() {
        List<LocalInterface> found = LocalInterface.find(List.of("lo", "127.0.45.9"));
        assertThat(found).extracting(LocalInterface::name).containsExactly("lo", "lo:127.0.45.9");
        assertThat(found).extracting(each -> LocalInterface.text(each.ip())).containsExactly("127.0.0.1", "127.0.45.9");
        assertThat(found.getFirst().reaches(0x7F12_3456)).isTrue();
        assertThat(found.getFirst().reaches(0x0A00_0001)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nosuch0 | ENODEV: no interface is called nosuch0; expected a name such as eth0, or an IPv4 address",
                "::1 | ENODEV: no interface is called ::1; expected a name such as eth0, or an IPv4 address",
                "192.0.2.1 | EADDRNOTAVAIL: no interface has the address 192.0.2.1",
            })
    void whatIsNotThereIsSaidSo(String wanted, String message) {
        assertThatThrownBy(() -> LocalInterface.find(List.of(wanted)))
                .isInstanceOf(ErrnoException.class)
                .hasMessage(message);
    }

    /** A socket is bound to the address that was named; there is no way to receive on all of them. */
    @Test
    @Requirement("sv-044")
    void nobodyListensOnAllAddresses() {
        assertThatThrownBy(() -> RoceProvider.open(new RealHost(), List.of("0.0.0.0")))
                .hasMessageContaining("no interface has the address 0.0.0.0");
        assertThatThrownBy(() -> RoceProvider.open(new RealHost(), List.of())).hasMessageContaining("expected 1…64");
    }

    @Test
    void anAddressThatIsTakenIsSaidSo() {
        RoceSettings settings = RoceSettings.DEFAULT.withUdpPort(14_795);
        try (RoceProvider first = RoceProvider.open(new RealHost(), List.of("127.0.45.1"), settings)) {
            assertThat(first.interfaces())
                    .singleElement()
                    .satisfies(one -> assertThat(one.name()).isEqualTo("lo"));
            assertThatThrownBy(() -> RoceProvider.open(new RealHost(), List.of("127.0.45.1"), settings))
                    .isInstanceOf(ErrnoException.class)
                    .hasMessageContaining("EADDRINUSE")
                    .hasMessageContaining("UDP port 14795 of 127.0.45.1");
        }
    }

    @ParameterizedTest
    @CsvSource({"1500, 1024", "4200, 4096", "4100, 2048", "9000, 4096", "65536, 4096", "320, 256", "300, 0"})
    void packetsAreAsLargeAsTheyFit(int mtu, int packet) {
        assertThat(new LocalInterface("eth0", "eth0", 1, 24, mtu).pathMtu()).isEqualTo(packet);
    }
}
