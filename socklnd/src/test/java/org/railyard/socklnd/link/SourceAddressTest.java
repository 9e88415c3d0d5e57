package org.railyard.socklnd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetAddress;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.socklnd.io.SocketErrors;

/** From which address of its device an NI reaches a peer of the other address family. */
final class SourceAddressTest {
    private static final InetAddress PEER = InetAddress.ofLiteral("2001:db8::9");

    private static InetAddress source(String... addresses) {
        return InterfaceTable.sourceAmong(Stream.of(addresses).map(InetAddress::ofLiteral), "eth0", PEER);
    }

    @Test
    void anotherAddressOfTheDevice() {
        assertThat(source("10.0.0.1", "2001:db8::1", "2001:db8::2")).isEqualTo(InetAddress.ofLiteral("2001:db8::1"));
    }

    @Test
    void aDeviceWithoutOneIsNoFaultOfTheNi() {
        assertThatExceptionOfType(ErrnoException.class)
                .isThrownBy(() -> source("10.0.0.1", "10.0.0.2"))
                .withMessageContaining("eth0 has no address of the family of 2001:db8:0:0:0:0:0:9")
                .satisfies(failure -> {
                    assertThat(failure.errno()).isEqualTo(Errno.ENETUNREACH);
                    assertThat(SocketErrors.healthOfConnect(failure.errno())).isEqualTo(HealthStatus.REMOTE_DROPPED);
                });
    }
}
