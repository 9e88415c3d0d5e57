package org.railyard.socklnd.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ConnectionType;

class SocketTuningTest {
    private static final int SEND = 65_536;
    private static final int RECEIVE = 98_304;

    @Test
    void acceptedConnectionsHaveTheBuffersOfDialledOnes() throws Exception {
        SocketTuning tuning = new SocketTuning(
                SockLndConfig.builder()
                        .set(SockTunable.TX_BUFFER_SIZE, SEND)
                        .set(SockTunable.RX_BUFFER_SIZE, RECEIVE)
                        .build(),
                -1);
        try (ServerSocketChannel listener = ServerSocketChannel.open();
                SocketChannel dialled = SocketChannel.open()) {
            tuning.beforeListen(listener);
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            tuning.beforeConnect(dialled);
            dialled.connect(listener.getLocalAddress());
            try (SocketChannel accepted = listener.accept()) {
                for (SocketChannel each : new SocketChannel[] {dialled, accepted}) {
                    tuning.afterHello(each, ConnectionType.BULK_OUT);
                    // Linux keeps twice as much for its own use, and tells that.
                    assertThat(each.getOption(StandardSocketOptions.SO_SNDBUF)).isIn(SEND, 2 * SEND);
                    assertThat(each.getOption(StandardSocketOptions.SO_RCVBUF)).isIn(RECEIVE, 2 * RECEIVE);
                }
            }
        }
    }
}
