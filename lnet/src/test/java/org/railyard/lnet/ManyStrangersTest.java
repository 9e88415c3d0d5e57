package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.peer.PeerTable;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.wire.LNetHeader;

/** Somebody makes up more nodes than can be remembered. */
class ManyStrangersTest extends TwoNodes {
    private static final int NO_PORTAL = 9999;

    private void putFrom(Nid stranger, int portal, byte[] payload) {
        LNetHeader header = new LNetHeader();
        header.setPut(payload.length, Wire.NO_COOKIE, Wire.NO_COOKIE, portal, BITS, 0, 0);
        header.setRoute(B, ProcessId.LUSTRE_PID, stranger, ProcessId.LUSTRE_PID);
        assertThat(net.inject(stranger, header, payload, B)).isZero();
    }

    @Test
    void nodesThatCameLaterAreHeardAndOldOnesStay() {
        for (int i = 0; i <= PeerTable.MAX_PEER_NIS; i++) {
            putFrom(Nid.of(Net.TCP, (11 << 24) + i), NO_PORTAL, new byte[0]);
        }
        net.takeLog();
        Recorder at = new Recorder();
        sink(BITS, 8, at);
        putFrom(Nid.parse("12.0.0.1@tcp"), PORTAL, new byte[4]);
        assertThat(at.lines()).containsExactly("PUT");
        assertThat(b.peers())
                .hasSize(PeerTable.MAX_PEER_NIS)
                .anyMatch(peer -> peer.primaryNid().equals(A) && peer.state() != 0);
        assertThat(net.takeLog()).isEmpty();
    }
}
