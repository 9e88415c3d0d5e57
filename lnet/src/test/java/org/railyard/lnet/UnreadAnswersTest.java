package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/** A peer asks and asks, and does not read the answers. */
class UnreadAnswersTest extends TwoNodes {
    private static final int ASKED = 120_000;
    private static final int MOST = Node.MAX_MESSAGES / 9 + 1;

    private static LNetHeader ping(Nid source) {
        LNetHeader header = new LNetHeader();
        header.setGet(1, 1, Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, 256);
        header.setRoute(B, ProcessId.LUSTRE_PID, source, ProcessId.LUSTRE_PID);
        return header;
    }

    @Test
    void whateverItCallsItselfItLeavesMessagesForOthers() {
        net.hold(header -> header.type() == MessageType.REPLY);
        for (int i = 0; i < ASKED; i++) {
            Nid source = i % 2 == 0 ? A : Nid.of(A.net(), (11 << 24) + i % 1000);
            assertThat(net.inject(A, ping(source), new byte[0], B)).isZero();
        }
        net.takeLog();
        assertThat(b.messagesInUse()).isLessThanOrEqualTo(MOST);
        Recorder at = new Recorder();
        sink(BITS, 8, at);
        LNetHeader header = new LNetHeader();
        header.setPut(4, Wire.NO_COOKIE, Wire.NO_COOKIE, PORTAL, BITS, 0, 0);
        header.setRoute(B, ProcessId.LUSTRE_PID, Nid.parse("10.0.0.3@tcp"), ProcessId.LUSTRE_PID);
        assertThat(net.inject(header, new byte[4])).isZero();
        assertThat(at.lines()).containsExactly("PUT");
        // Faster than to send them all.
        b.close();
    }
}
