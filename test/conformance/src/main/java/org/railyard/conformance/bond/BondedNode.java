package org.railyard.conformance.bond;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.NodeEvent;
import org.railyard.lnet.api.PeerInfo.PeerNiInfo;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

/** A node that others write to and read from, with every byte compared. */
final class BondedNode implements AutoCloseable {
    private static final int PORTAL = 42;
    private static final long SINK = 1;
    private static final long SOURCE = 2;

    /** The largest message that there is. */
    private static final int BYTES = 1 << 20;

    private final NodeCards cards;
    private final int number;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment sink = arena.allocate(BYTES, 64);
    private final MemorySegment source = arena.allocate(BYTES, 64);
    private final MemorySegment memory = arena.allocate(BYTES, 64);
    private final Random random;
    private final List<NodeEvent> news = new CopyOnWriteArrayList<>();
    private final LNet node;

    BondedNode(NodeCards cards, int number) {
        this.cards = cards;
        this.number = number;
        this.random = new Random(number);
        LNetConfig.Builder config =
                LNetConfig.builder().lnd(cards.transport(number)).listener(news::add);
        cards.requests(number).forEach(config::ni);
        this.node = LNet.start(config.build());
        fill(source);
        node.attach(MeConfig.of(PORTAL, SINK), MdConfig.of(sink).withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE));
        node.attach(
                MeConfig.of(PORTAL, SOURCE), MdConfig.of(source).withOptions(MdOption.OP_GET, MdOption.MANAGE_REMOTE));
    }

    private void fill(MemorySegment what) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        MemorySegment.copy(bytes, 0, what, ValueLayout.JAVA_BYTE, 0, BYTES);
    }

    Nid nid() {
        return cards.nid(number);
    }

    NiInfo ni() {
        return node.nis().stream()
                .filter(each -> each.nid().equals(nid()))
                .findFirst()
                .orElseThrow();
    }

    /** Returns what happened to the node. */
    List<NodeEvent> news() {
        return List.copyOf(news);
    }

    /** Returns the NIs of the peers that it knows. */
    List<PeerNiInfo> peers() {
        return node.peers().stream().flatMap(each -> each.nis().stream()).toList();
    }

    private <T> CompletableFuture<T> ended(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        assertThat(cards.await(future::isDone)).as("it ends in time").isTrue();
        return future;
    }

    private CompletableFuture<Integer> put(Nid peer) {
        return ended(node.put(ProcessId.of(peer), PORTAL, SINK, memory).thenApply(each -> each.mlength()));
    }

    /** Tries to write to a peer; tells whether that failed. */
    boolean failsToReach(BondedNode peer) {
        return put(peer.nid()).isCompletedExceptionally();
    }

    /** Writes 1 MiB to a peer and reads as much from it; both arrive as they were. */
    void exchange(BondedNode peer) {
        exchange(peer, peer.nid());
    }

    /** The same with a NID of the peer. */
    void exchange(BondedNode peer, Nid at) {
        fill(memory);
        assertThat(put(at).join()).isEqualTo(BYTES);
        assertThat(peer.sink.mismatch(memory)).as("what was written differs at").isNegative();
        memory.fill((byte) 0);
        assertThat(ended(node.get(ProcessId.of(at), PORTAL, SOURCE, memory))
                        .join()
                        .mlength())
                .isEqualTo(BYTES);
        assertThat(peer.source.mismatch(memory)).as("what was read differs at").isNegative();
    }

    @Override
    public void close() {
        node.close();
        arena.close();
    }
}
