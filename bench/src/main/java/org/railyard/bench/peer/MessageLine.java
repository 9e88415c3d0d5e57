package org.railyard.bench.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * One end of a connection that sends and receives whole messages. Used by one thread; an interrupt ends it with {@link
 * ClosedByInterruptException}.
 */
interface MessageLine extends AutoCloseable {
    /** Writes all that remains of a message. */
    void send(ByteBuffer message) throws IOException;

    /** Fills a message; returns false if the other end has closed. */
    boolean receive(ByteBuffer message) throws IOException;

    @Override
    void close() throws IOException;

    /** The thread waits inside the read. */
    record Blocking(SocketChannel channel) implements MessageLine {
        @Override
        public void send(ByteBuffer message) throws IOException {
            while (message.hasRemaining()) {
                channel.write(message);
            }
        }

        @Override
        public boolean receive(ByteBuffer message) throws IOException {
            while (message.hasRemaining()) {
                if (channel.read(message) < 0) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** The thread waits in a selector and then reads what is there. */
    final class Selecting implements MessageLine {
        private final SocketChannel channel;
        private final Selector selector;
        private final SelectionKey key;

        /** Makes the channel non-blocking. */
        Selecting(SocketChannel channel) throws IOException {
            this.channel = channel;
            channel.configureBlocking(false);
            this.selector = channel.provider().openSelector();
            this.key = channel.register(selector, SelectionKey.OP_READ);
        }

        @Override
        public void send(ByteBuffer message) throws IOException {
            channel.write(message);
            while (message.hasRemaining()) {
                key.interestOps(SelectionKey.OP_WRITE);
                await();
                key.interestOps(SelectionKey.OP_READ);
                channel.write(message);
            }
        }

        @Override
        public boolean receive(ByteBuffer message) throws IOException {
            while (message.hasRemaining()) {
                await();
                if (channel.read(message) < 0) {
                    return false;
                }
            }
            return true;
        }

        /** Takes note of the ready key: with one channel there is nothing to tell apart. */
        private static void onlyOneKey(SelectionKey ready) {}

        private void await() throws IOException {
            selector.select(Selecting::onlyOneKey);
            if (Thread.currentThread().isInterrupted()) {
                throw new ClosedByInterruptException();
            }
        }

        @Override
        public void close() throws IOException {
            try (selector) {
                channel.close();
            }
        }
    }
}
