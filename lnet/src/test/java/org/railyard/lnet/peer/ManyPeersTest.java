package org.railyard.lnet.peer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.HeldLock;
import org.railyard.lnet.udsp.Policy;

/** A hundred thousand peers of two NIDs each. */
class ManyPeersTest {
    private static final int PEERS = 100_000;
    private static final long MIB = 1 << 20;

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        long before = Long.MAX_VALUE;
        // Until there is nothing more to collect.
        for (int i = 0; i < 10; i++) {
            System.gc();
            long now = runtime.totalMemory() - runtime.freeMemory();
            if (now >= before) {
                return before;
            }
            before = now;
        }
        return before;
    }

    @Test
    void fitInto256MiB(TestReporter reporter) {
        Net second = Net.of(NetType.TCP, 1);
        long before = used();
        Policy policy = new Policy();
        PeerTable table = new PeerTable(HeldLock.make(), new NiTable(policy), policy);
        for (int i = 0; i < PEERS; i++) {
            PeerNi first = table.findOrCreate(Nid.of(Net.TCP, (10 << 24) + i), null);
            table.addNid(requireNonNull(first).peer(), Nid.of(second, (11 << 24) + i));
        }
        long bytes = used() - before;
        reporter.publishEntry(
                PEERS + " peers of two NIDs",
                bytes / MIB + " MiB, " + bytes / (2 * PEERS) + " bytes for each NID and its share of the peer");
        assertThat(bytes / MIB).isLessThan(256);
        assertThat(table.find(Nid.of(second, (11 << 24) + PEERS - 1))).isNotNull();
        assertThat(table.all()).hasSize(PEERS).allMatch(peer -> peer.nets.size() == 2);
    }
}
