package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.conformance.TestMessage;
import org.railyard.host.RealHost;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ProtocolVersion;

/** Memory that its owner frees while it is lent fails the message it is of, and not its connection. */
class FreedMemoryTest extends ScriptedPeerCase {
    /** More than sockets hold. */
    private static final int MESSAGES = 60_000;

    @Test
    void whileItsMessageWaitsForASocket() throws Exception {
        try (Node node = node(
                builder -> builder.set(SockTunable.MAX_QUEUED, MESSAGES).set(SockTunable.TX_BUFFER_SIZE, 65_536))) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                Await.until("the first one", () -> node.stack.completions.size() == 1);
                Set<LndMessage> freed = Collections.newSetFromMap(new IdentityHashMap<>());
                try (Arena arena = Arena.ofShared()) {
                    for (int i = 0; i < MESSAGES; i++) {
                        TestMessage next = TestMessage.put(OWN, HIGH, 8, 1);
                        if (i % 3 == 0) {
                            next = TestMessage.put(
                                    OWN, HIGH, 1, arena.allocate(8).asByteBuffer());
                            freed.add(next);
                        }
                        assertThat(node.lnd.send(node.ni, next)).isZero();
                    }
                }
                assertThat(node.stack.completions.size())
                        .as("most of them wait")
                        .isLessThan(MESSAGES / 2);
                Thread.ofVirtual().start(() -> readToEnd(peer.control()));
                Await.until("all", () -> node.stack.completions.size() == 1 + MESSAGES);
                assertThat(node.stack.completions)
                        .filteredOn(each -> each.status() != 0)
                        .hasSizeGreaterThan(freed.size() / 2)
                        .allSatisfy(each -> {
                            assertThat(each.status()).isEqualTo(Errno.EFAULT.status());
                            assertThat(each.health()).isEqualTo(HealthStatus.LOCAL_ERROR);
                        })
                        .allMatch(each -> freed.contains(each.message()));
                assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(3);
                // What did not leave is not waited for.
                host.advance(100 * VirtualHost.SECOND);
                assertThat(node.lnd.stats().timeouts()).isZero();
            }
        }
    }

    private static void readToEnd(RawPeer peer) {
        try {
            peer.isReset();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void beforeItsMessageIsSent() {
        UnaryOperator<SockLndConfig.Builder> config = builder ->
                builder.protocol(ProtocolVersion.V2).zeroCopyRequests(true).set(SockTunable.ENABLE_CSUM, 1);
        Node from = new Node("127.0.1.1@tcp", ports, new RealHost(), config);
        try (Node to = new Node("127.0.1.2@tcp", ports, new RealHost(), config)) {
            assertThat(from.stack.awaitCompletion(from.put(to, 20_000, 1)).status())
                    .isZero();
            TestMessage freed;
            try (Arena arena = Arena.ofShared()) {
                freed = TestMessage.put(
                        from.nid, to.nid, 2, arena.allocate(20_000).asByteBuffer());
            }
            assertThat(from.lnd.send(from.ni, freed)).isEqualTo(Errno.EFAULT.status());
            assertThat(from.stack.awaitCompletion(from.put(to, 20_000, 3)).status())
                    .isZero();
            from.close();
            assertThat(from.stack.completionOf(freed))
                    .as("given back again as one that waits for its acknowledgement")
                    .isNull();
        }
    }
}
