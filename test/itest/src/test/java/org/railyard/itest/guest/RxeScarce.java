package org.railyard.itest.guest;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Host;
import org.railyard.conformance.bond.ScarceCards;
import org.railyard.ibverbs.IbvProvider;
import org.railyard.ibverbs.MemoryLimit;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.O2ibLnd;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.verbs.Access;
import org.railyard.verbs.Pd;

/**
 * Nodes on the cards of the guest. The process runs out of objects of the first card, or of memory that it may lock,
 * when the caller has what it needs for a connection.
 */
final class RxeScarce extends RxePairs implements ScarceCards {
    private static final Net FIRST = Net.parse("o2ib");
    private static final Net SECOND = Net.parse("o2ib1");
    private static final int LAST = 3;
    private static final String CARD = "rxe0";

    /** A completion queue, a queue pair and a region. */
    private static final int OBJECTS_OF_A_CONNECTION = 3;

    /** Message buffers of one end with usual tunables are 104 KiB: one of them fits, two do not. */
    private static final long LEFT_BYTES = 160 << 10;

    private final Arena arena = Arena.ofShared();
    private final boolean ofMemory;
    private @Nullable Pd filler;

    /** Makes nodes that run out of memory that may be locked, or of objects of the card. */
    RxeScarce(boolean ofMemory) {
        super("org.railyard.o2iblnd.O2ibLnd");
        this.ofMemory = ofMemory;
    }

    @Override
    O2ibLnd make(LndUpcalls stack, Host host, IbvProvider cards) {
        return new O2ibLnd(stack, host, cards, Tunables.DEFAULT);
    }

    @Override
    public List<NiRequest> requests(int node) {
        NiRequest first = NiRequest.ofInterface(FIRST, name(node, 0));
        NiRequest second = NiRequest.ofInterface(SECOND, name(node, 1));
        return node == 0 ? List.of(first, second) : List.of(node == LAST ? second : first);
    }

    @Override
    public Nid nid(int node) {
        return node == LAST ? Nid.of(SECOND, ip(node, 1)) : Nid.of(FIRST, ip(node, 0));
    }

    @Override
    public Nid second() {
        return Nid.of(SECOND, ip(0, 1));
    }

    @Override
    public boolean isOfCard() {
        return !ofMemory;
    }

    @Override
    public boolean limitsCalls() {
        return true;
    }

    @Override
    public void useUp() {
        if (!ofMemory) {
            RxeQuota.allow(CARD, String.valueOf(RxeQuota.objects(CARD) + OBJECTS_OF_A_CONNECTION));
            return;
        }
        long pinned = providers().stream().mapToLong(IbvProvider::pinnedBytes).sum();
        long bytes = MemoryLimit.read().orElseThrow() - pinned - LEFT_BYTES;
        Pd made = providers().getFirst().devices().getFirst().openPd();
        made.registerArena(arena.allocate(bytes, 4096), Access.LOCAL_WRITE);
        filler = made;
    }

    @Override
    public void free() {
        if (!ofMemory) {
            RxeQuota.allow(CARD, "max");
            return;
        }
        Objects.requireNonNull(filler).close();
    }

    @Override
    public Map<String, Long> refusals(int node) {
        return lnd(node).rejectsSent();
    }

    @Override
    public boolean isExplained() {
        String what =
                ofMemory ? "MiB allowed (ulimit -l)" : "the cgroup of this process may allow no more: see rdma.max";
        return logged().stream().anyMatch(line -> line.contains("no connection: ") && line.contains(what));
    }

    @Override
    public void close() {
        super.close();
        arena.close();
    }
}
