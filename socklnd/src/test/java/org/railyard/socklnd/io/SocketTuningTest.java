package org.railyard.socklnd.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
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
    void withinTheMachineTheSendBufferIsSmallUnlessTheTunablesSayOtherwise() throws Exception {
        assertThat(SocketTuning.isOfThisMachine(InetAddress.ofLiteral("127.0.7.1")))
                .isTrue();
        assertThat(SocketTuning.isOfThisMachine(InetAddress.ofLiteral("::1"))).isTrue();
        assertThat(SocketTuning.isOfThisMachine(InetAddress.ofLiteral("192.0.2.1")))
                .as("an address of documentation")
                .isFalse();
        for (NetworkInterface device : NetworkInterface.networkInterfaces().toList()) {
            for (InterfaceAddress own : device.getInterfaceAddresses()) {
                assertThat(SocketTuning.isOfThisMachine(own.getAddress())).isTrue();
            }
        }
        int other = SocketTuning.LOCAL_SEND_BUFFER / 2;
        assertThat(sendBuffer(SockLndConfig.builder().build()))
                .isEqualTo(sendBuffer(SockLndConfig.builder()
                        .set(SockTunable.TX_BUFFER_SIZE, SocketTuning.LOCAL_SEND_BUFFER)
                        .build()))
                .isNotEqualTo(sendBuffer(SockLndConfig.builder()
                        .set(SockTunable.TX_BUFFER_SIZE, other)
                        .build()));
    }

    /** Returns the send buffer of a connection over loopback, bytes. */
    private static int sendBuffer(SockLndConfig config) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open();
                SocketChannel dialled = SocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            dialled.connect(listener.getLocalAddress());
            new SocketTuning(config, -1).afterHello(dialled, ConnectionType.BULK_OUT);
            return dialled.getOption(StandardSocketOptions.SO_SNDBUF);
        }
    }

    @Test
    void acceptedConnectionsHaveTheTypeOfServiceOfDialledOnes() throws Exception {
        for (int tos : new int[] {-1, 0x68}) {
            SocketTuning tuning = new SocketTuning(SockLndConfig.builder().build(), tos);
            try (ServerSocketChannel listener = ServerSocketChannel.open();
                    SocketChannel dialled = SocketChannel.open()) {
                tuning.beforeListen(listener);
                listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                tuning.beforeConnect(dialled);
                assertThat(dialled.getOption(StandardSocketOptions.IP_TOS)).isEqualTo(Math.max(0, tos));
                dialled.connect(listener.getLocalAddress());
                try (SocketChannel accepted = listener.accept()) {
                    for (SocketChannel each : new SocketChannel[] {dialled, accepted}) {
                        tuning.afterHello(each, ConnectionType.CONTROL);
                        assertThat(each.getOption(StandardSocketOptions.IP_TOS)).isEqualTo(Math.max(0, tos));
                    }
                }
            }
        }
    }

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
