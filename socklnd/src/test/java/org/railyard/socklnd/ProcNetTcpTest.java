package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.socklnd.io.ProcNetTcp;
import org.railyard.testkit.NeedsFile;

class ProcNetTcpTest {
    @Test
    void readsBothTables(@TempDir Path net) throws IOException {
        Files.writeString(net.resolve("tcp"), asOnThisMachine("""
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:03FF 0200007F:03DC 01 00000060:00000000 00:00000000 00000000     0        0 1 1 0000000000000000 20 4 30 10 -1
               1: 0100007F:03FE 0200007F:03DC 01 00000000:00000000 00:00000000 00000000     0        0 1 1 0000000000000000 20 4 30 10 -1
            """));
        Files.writeString(net.resolve("tcp6"), asOnThisMachine("""
              sl  local_address                         remote_address                        st tx_queue rx_queue tr
               0: 0000000000000000FFFF00000100007F:03FD 0000000000000000FFFF00000200007F:03DC 01 00100000:00000001 00
               1: B80D0120000000000000000010000000:03FF B80D0120000000000000000020000000:03DC 01 00000001:00000000 00
            truncated line
            """));
        assertThat(new ProcNetTcp(net).unacknowledged())
                .containsOnly(
                        java.util.Map.entry(key("127.0.0.1", 1023, "127.0.0.2"), 0x60L),
                        java.util.Map.entry(key("127.0.0.1", 1021, "127.0.0.2"), 0x100000L),
                        java.util.Map.entry(key("2001:db8::10", 1023, "2001:db8::20"), 1L));
    }

    /** Turns the words of addresses, from a little-endian machine, into those of this one. */
    private static String asOnThisMachine(String table) {
        if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
            return table;
        }
        return Pattern.compile("\\b[0-9A-F]{8,32}(?=:)")
                .matcher(table)
                .replaceAll(address -> address.group().replaceAll("(..)(..)(..)(..)", "$4$3$2$1"));
    }

    private static String key(String local, int port, String remote) {
        return ProcNetTcp.key(new InetSocketAddress(local, port), new InetSocketAddress(remote, 988));
    }

    @Test
    @NeedsFile("/proc/self/net/tcp")
    void findsARealSocketWhosePeerDoesNotRead() throws IOException {
        Path tables = Path.of("/proc/self/net");
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel sender = SocketChannel.open(server.getLocalAddress());
                    SocketChannel receiver = server.accept()) {
                assertThat(receiver.isConnected()).isTrue();
                sender.configureBlocking(false);
                ByteBuffer bytes = ByteBuffer.allocate(1 << 20);
                while (sender.write(bytes) > 0) {
                    bytes.clear();
                }
                String key = ProcNetTcp.key(
                        (InetSocketAddress) sender.getLocalAddress(), (InetSocketAddress) sender.getRemoteAddress());
                assertThat(new ProcNetTcp(tables).unacknowledged().get(key)).isPositive();
            }
        }
    }

    @Test
    void knowsNothingWithoutTables(@TempDir Path net) {
        assertThat(new ProcNetTcp(net).unacknowledged()).isEmpty();
    }
}
