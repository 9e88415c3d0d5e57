package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.wire.LNetHeader;

/** Messages that should not be (spec 10 §9, 01 §5). */
class ReceiveChecksTest extends TwoNodes {
    private static final int EPROTO = -71;
    private static final int PID = ProcessId.LUSTRE_PID;
    private static final int MTU = 1 << 20;

    private final Recorder at = new Recorder();

    private static LNetHeader put(int length) {
        LNetHeader header = fromAToB();
        header.setPut(length, Wire.NO_COOKIE, Wire.NO_COOKIE, PORTAL, BITS, 0, 0);
        return header;
    }

    private void isRefused(LNetHeader header, byte[] payload) {
        long before = b.dropCount();
        assertThat(net.inject(A, header, payload, B)).isEqualTo(EPROTO);
        assertThat(b.dropCount()).isEqualTo(before);
        assertThat(b.messagesInUse()).isZero();
    }

    /** A payload length is only a number in a header: the check comes before the payload. */
    @Test
    void payloadLengthsAreChecked() {
        sink(BITS, MTU, at);
        for (int length : new int[] {MTU + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
            isRefused(put(length), new byte[0]);
            LNetHeader reply = fromAToB();
            reply.setReply(length, 1, 1);
            isRefused(reply, new byte[0]);
        }
        assertThat(net.inject(put(MTU), new byte[MTU])).isZero();
        assertThat(at.lines()).containsExactly("PUT");
    }

    @Test
    void acksAndGetsCarryNoPayload() {
        for (byte type : new byte[] {0, 2}) {
            LNetHeader header = fromAToB();
            MemorySegment wire = memory(72);
            header.setPut(1, 1, 1, PORTAL, BITS, 0, 0);
            header.write(wire, 0, false);
            wire.set(ValueLayout.JAVA_BYTE, 24, type);
            try {
                header.read(wire, 0, false);
            } catch (WireFormatException e) {
                throw new AssertionError(e);
            }
            isRefused(header, new byte[1]);
        }
    }

    @Test
    void aMessageForAnotherNidOfTheNetShouldHaveGoneThere() {
        LNetHeader header = put(0);
        header.setRoute(Nid.parse("10.0.0.77@tcp"), PID, A, PID);
        isRefused(header, new byte[0]);
    }

    @Test
    void aMessageForAnotherNiOfThisNodeCameTheWrongWay() {
        b.addNi(net.request("10.1.0.2@tcp1"));
        LNetHeader header = put(0);
        header.setRoute(Nid.parse("10.1.0.2@tcp1"), PID, A, PID);
        isRefused(header, new byte[0]);
    }

    @Test
    void loopbackNeverComesOverTheWire() {
        LNetHeader header = put(0);
        header.setRoute(Nid.LOOPBACK, PID, A, PID);
        isRefused(header, new byte[0]);
    }

    @Test
    void aMessageToBeForwardedIsDropped() {
        LNetHeader header = put(4);
        header.setRoute(Nid.parse("10.1.0.77@tcp7"), PID, A, PID);
        assertThat(net.inject(A, header, new byte[4], B)).isZero();
        assertThat(b.dropCount()).isEqualTo(1);
        assertThat(niOf(b).traffic().dropped().put()).isEqualTo(1);
    }

    @Test
    void nobodyCanBeTheSource() {
        sink(BITS, 8, at);
        for (Nid source : new Nid[] {Nid.ANY, Nid.LOOPBACK}) {
            LNetHeader header = put(4);
            header.setRoute(B, PID, source, PID);
            assertThat(net.inject(source, header, new byte[4], B)).isZero();
            assertThat(net.inject(A, header, new byte[4], B)).isZero();
            header.setRoute(B, PID, A, PID);
            assertThat(net.inject(source, header, new byte[4], B)).isZero();
        }
        assertThat(at.lines()).isEmpty();
        assertThat(b.dropCount()).isEqualTo(6);
        assertThat(b.peers()).hasSize(1);
    }

    @Test
    void theDestinationsProcessIdIsNotChecked() {
        sink(BITS, 8, at);
        LNetHeader header = put(4);
        header.setRoute(B, 1, A, PID);
        net.inject(header, new byte[4]);
        assertThat(at.only(EventKind.PUT).targetPid()).isEqualTo(1);
    }

    @Test
    void anUnknownSenderBecomesAPeerOfOneNid() {
        sink(BITS, 8, at);
        Nid stranger = Nid.parse("10.0.0.50@tcp");
        LNetHeader header = put(4);
        header.setRoute(B, PID, stranger, PID);
        net.inject(header, new byte[4]);
        PeerInfo peer = b.peers().getLast();
        assertThat(peer.primaryNid()).isEqualTo(stranger);
        assertThat(peer.multiRail()).isFalse();
        assertThat(peer.state()).isZero();
        assertThat(at.only(EventKind.PUT).initiatorNid()).isEqualTo(stranger);
        net.settle();
        assertThat(net.takeLog()).isEmpty();
    }

    @Test
    void theLastHopIsTheSenderOfAForwardedMessage() {
        sink(BITS, 8, at);
        LNetHeader header = put(4);
        Nid far = Nid.parse("10.7.0.1@tcp7");
        header.setRoute(B, PID, far, PID);
        net.inject(A, header, new byte[4], B);
        Event event = at.only(EventKind.PUT);
        assertThat(event.senderNid()).isEqualTo(A);
        assertThat(event.sourceNid()).isEqualTo(far);
        assertThat(event.initiatorNid()).isEqualTo(far);
    }

    @Test
    void manyBadMessagesDoNotHurtTheGoodOnes() {
        sink(BITS, 8, at);
        for (int i = 0; i < 1000; i++) {
            isRefused(put(-i - 1), new byte[0]);
        }
        put(8, BITS, 0);
        assertThat(at.lines()).containsExactly("PUT");
    }
}
