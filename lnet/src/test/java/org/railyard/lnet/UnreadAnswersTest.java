package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/** A peer asks and asks, and does not read the answers. */
class UnreadAnswersTest extends TwoNodes {
    private static final int ASKED = 120_000;
    private static final long OTHER_BITS = BITS + 1;
    private static final int MOST = Node.MAX_MESSAGES / 9 + 1;

    private static LNetHeader ping(Nid source) {
        LNetHeader header = new LNetHeader();
        header.setGet(1, 1, Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, 256);
        header.setRoute(B, ProcessId.LUSTRE_PID, source, ProcessId.LUSTRE_PID);
        return header;
    }

    private static LNetHeader put(Nid source, long bits, boolean ack) {
        LNetHeader header = new LNetHeader();
        long cookie = ack ? 1 : Wire.NO_COOKIE;
        header.setPut(4, cookie, cookie, PORTAL, bits, 0, 0);
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
        leavesRoom(new Recorder());
    }

    @Test
    void acksThatItDoesNotReadCountAsWell() {
        net.hold(header -> header.type() == MessageType.ACK);
        b.attach(
                MeConfig.of(PORTAL, BITS), MdConfig.of(memory(8)).withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE));
        for (int i = 0; i < ASKED; i++) {
            assertThat(net.inject(A, put(A, BITS, true), new byte[4], B)).isZero();
        }
        leavesRoom(new Recorder());
    }

    private void leavesRoom(Recorder at) {
        net.takeLog();
        assertThat(b.messagesInUse()).isLessThanOrEqualTo(MOST);
        sink(OTHER_BITS, 8, at);
        LNetHeader header = put(Nid.parse("10.0.0.3@tcp"), OTHER_BITS, false);
        assertThat(net.inject(header, new byte[4])).isZero();
        assertThat(at.lines()).containsExactly("PUT");
        // Faster than to send them all.
        b.close();
    }
}
