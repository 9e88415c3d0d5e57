package org.railyard.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;

class BindFailureTest {
    private static Errno failure(InetSocketAddress address) throws IOException {
        try (ServerSocketChannel socket = ServerSocketChannel.open()) {
            return BindFailure.errno(catchThrowableOfType(BindException.class, () -> socket.bind(address)));
        }
    }

    @Test
    void theReasonIsNotAlwaysThatTheAddressIsInUse() throws IOException {
        try (ServerSocketChannel taken = ServerSocketChannel.open()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            assertThat(failure((InetSocketAddress) taken.getLocalAddress())).isEqualTo(Errno.EADDRINUSE);
        }
        assertThat(failure(new InetSocketAddress("192.0.2.1", 0))).isEqualTo(Errno.EADDRNOTAVAIL);
        // Of a port below 1024, for who is not root.
        assertThat(BindFailure.errno(new BindException("Permission denied"))).isEqualTo(Errno.EPERM);
    }
}
