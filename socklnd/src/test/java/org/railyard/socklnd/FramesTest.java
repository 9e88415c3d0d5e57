package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.railyard.conformance.TestMessage;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.socklnd.stats.HandshakeRefusal;
import org.railyard.socklnd.tune.SockTunable;

/** What frames of a peer do to a node beyond what its messages say: acknowledgements, and what is no frame. */
class FramesTest extends ScriptedPeerCase {
    private static final int PUT = 1;
    private static final int HELLO = 4;
    private static final int NOOP_BYTES = 24;

    private static String le(int value) {
        return HexFormat.of().toHexDigits(Integer.reverseBytes(value));
    }

    /** A frame with a message of so many bytes that asks for an acknowledgement and brings one, 0 for none. */
    private static String frame(int type, int asks, int acknowledges, int length) {
        return "c1000000" + "00000000" + le(asks) + "00000000" + le(acknowledges) + "00000000" + "0505007f00000200"
                + "0905007f00000200" + "3930000039300000" + le(type) + le(length) + "ff".repeat(16) + "00".repeat(24)
                + "ab".repeat(length);
    }

    @Test
    void anAcknowledgementThatComesWithAMessageCounts() throws Exception {
        try (Node node = node(builder -> builder.zeroCopyRequests(true))) {
            TestMessage message = put(node, 20_000);
            try (Trio peer = acceptAll(node)) {
                peer.control().send(frame(PUT, 0, 2, 4));
                assertThat(node.stack.awaitCompletion(message).status()).isZero();
                Await.until("the message that brought it", () -> node.stack.arrivals.size() == 1);
                assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(3);
                // Acknowledged twice.
                peer.control().send(frame(PUT, 0, 2, 4));
                Await.until("closed", () -> node.lnd.stats().connectionsOpen() == 0);
                assertThat(node.stack.headers).hasSize(1);
                assertThat(node.lnd.stats().refused(HandshakeRefusal.BAD_FRAME)).isEqualTo(1);
            }
        }
    }

    /** Whoever asks for acknowledgements and does not read them at once gets each of them later, in order. */
    @Test
    void acknowledgementsThatWaitForTheSocketLeaveInOrder() throws Exception {
        int asked = 30_000;
        try (Node node = node(builder -> builder.set(SockTunable.TX_BUFFER_SIZE, 65_536))) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                for (int i = 0; i < asked; i += 1000) {
                    StringBuilder frames = new StringBuilder();
                    for (int k = 0; k < 1000; k++) {
                        frames.append(frame(PUT, 2 + i + k, 0, 0));
                    }
                    peer.control().send(frames.toString());
                }
                Await.until("all", () -> node.stack.arrivals.size() == asked);
                ByteBuffer acks =
                        ByteBuffer.wrap(peer.in().readBytes(asked * NOOP_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
                for (int i = 0; i < asked; i++) {
                    if (acks.getLong(i * NOOP_BYTES + 8) != 0 || acks.getLong(i * NOOP_BYTES + 16) != 2 + i) {
                        throw new AssertionError("acknowledgement " + i + " is wrong");
                    }
                }
                assertThat(node.lnd.stats().zeroCopyAcksSent()).isEqualTo(asked);
            }
        }
    }

    @Test
    void aHelloAmongTheMessagesClosesAll() throws Exception {
        try (Node node = node(builder -> builder)) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                peer.control().send(frame(HELLO, 0, 0, 0));
                Await.until("closed", () -> node.lnd.stats().connectionsOpen() == 0);
                assertThat(node.stack.headers).isEmpty();
                assertThat(node.lnd.stats().refused(HandshakeRefusal.BAD_FRAME)).isEqualTo(1);
            }
        }
    }

    @Test
    void whatIsNoFrameIsFoundWhenTheMessageBeforeItIsDecidedLater() throws Exception {
        try (Node node = node(builder -> builder)) {
            TestMessage sent = put(node, 10);
            try (Trio peer = acceptAll(node)) {
                assertThat(node.stack.awaitCompletion(sent).status()).isZero();
                List<Runnable> waiting = new CopyOnWriteArrayList<>();
                node.stack.policy = (ni, header, from, pid, receiver) -> {
                    LNetHeader copy = new LNetHeader();
                    copy.copyFrom(header);
                    waiting.add(() -> node.stack.store(ni, copy, from, pid, receiver));
                    return 0;
                };
                peer.control().send(frame(PUT, 0, 0, 4) + "dd".repeat(NOOP_BYTES));
                Await.until("the first one", () -> waiting.size() == 1);
                assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(3);
                waiting.getFirst().run();
                Await.until("closed", () -> node.lnd.stats().connectionsOpen() == 0);
                assertThat(node.stack.arrivals).hasSize(1);
                assertThat(node.lnd.stats().refused(HandshakeRefusal.BAD_FRAME)).isEqualTo(1);
                assertThat(node.stack.completions).hasSize(1);
            }
        }
    }
}
