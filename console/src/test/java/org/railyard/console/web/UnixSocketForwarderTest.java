package org.railyard.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Unix socket on a machine that runs out of file descriptors. */
@Timeout(60)
final class UnixSocketForwarderTest {
    @TempDir
    private Path dir = Path.of("");

    @Test
    void aConnectionThatCouldNotBeTakenDoesNotEndTheOthers() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        Path socket = dir.resolve("console.sock");
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            UnixSocketForwarder.Acceptor failsTwice = listener -> {
                if (asked.incrementAndGet() <= 2) {
                    throw new IOException("Too many open files");
                }
                return listener.accept();
            };
            try (UnixSocketForwarder _ =
                            UnixSocketForwarder.open(socket, (InetSocketAddress) server.getLocalAddress(), failsTwice);
                    SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
                client.write(ByteBuffer.wrap(new byte[] {7}));
                try (SocketChannel inside = server.accept()) {
                    ByteBuffer read = ByteBuffer.allocate(1);
                    assertThat(inside.read(read)).isEqualTo(1);
                    assertThat(read.get(0)).isEqualTo((byte) 7);
                }
            }
        }
    }
}
