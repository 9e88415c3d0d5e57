package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.Requirement;

/** The table of event fields (spec 10 §5.3). */
class EventFieldsTest extends TwoNodes {
    private static final int PID = ProcessId.LUSTRE_PID;
    private static final long HDR_DATA = 0xfeed_beefL;

    private final Recorder at = new Recorder();
    private final Recorder from = new Recorder();

    private void attach(MdOption... options) {
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory(64)).withOptions(options).withHandler(at));
    }

    private static void isFromNobody(Event event) {
        assertThat(event.initiatorNid()).isEqualTo(Nid.ANY);
        assertThat(event.initiatorPid()).isEqualTo(PID);
        assertThat(event.sourceNid()).isEqualTo(Nid.ANY);
        assertThat(event.senderNid()).isEqualTo(Nid.ANY);
    }

    private static void goes(Event event, Nid source, Nid target) {
        assertThat(event.targetNid()).isEqualTo(target);
        assertThat(event.targetPid()).isEqualTo(PID);
        assertThat(event.initiatorNid()).isEqualTo(source);
        assertThat(event.initiatorPid()).isEqualTo(PID);
        assertThat(event.sourceNid()).isEqualTo(source);
        assertThat(event.senderNid()).isEqualTo(source);
    }

    @Test
    @Requirement({"rsl-001", "rsl-012"})
    void putWithAck() {
        attach(MdOption.OP_PUT, MdOption.MANAGE_REMOTE, MdOption.TRUNCATE);
        Md md = source(40, from);
        a.put(md, true, Nid.ANY, TO_B, PORTAL, BITS, 32, HDR_DATA);
        net.settle();

        Event send = from.only(EventKind.SEND);
        isFromNobody(send);
        assertThat(send.targetNid()).isEqualTo(B);
        assertThat(send.targetPid()).isEqualTo(PID);
        assertThat(send.messageType()).isEqualTo(MessageType.PUT);
        assertThat(send.portal()).isEqualTo(PORTAL);
        assertThat(send.matchBits()).isEqualTo(BITS);
        assertThat(send.rlength()).isEqualTo(40);
        assertThat(send.mlength()).isEqualTo(40);
        assertThat(send.offset()).isEqualTo(32);
        assertThat(send.hdrData()).isEqualTo(HDR_DATA);
        assertThat(send.status()).isZero();
        assertThat(send.unlinked()).isFalse();
        assertThat(send.md()).isSameAs(md);

        Event put = at.only(EventKind.PUT);
        goes(put, A, B);
        assertThat(put.messageType()).isEqualTo(MessageType.PUT);
        assertThat(put.portal()).isEqualTo(PORTAL);
        assertThat(put.matchBits()).isEqualTo(BITS);
        assertThat(put.rlength()).isEqualTo(40);
        assertThat(put.mlength()).isEqualTo(32);
        assertThat(put.offset()).isEqualTo(32);
        assertThat(put.hdrData()).isEqualTo(HDR_DATA);

        Event ack = from.only(EventKind.ACK);
        goes(ack, B, A);
        assertThat(ack.messageType()).isEqualTo(MessageType.ACK);
        assertThat(ack.matchBits()).isEqualTo(BITS);
        assertThat(ack.rlength()).isZero();
        assertThat(ack.mlength()).isEqualTo(32);
        assertThat(ack.md()).isSameAs(md);
        assertThat(ack.sequence()).isNotEqualTo(send.sequence());
    }

    @Test
    @Requirement({"rsl-001", "rsl-004"})
    void getWithReply() {
        attach(MdOption.OP_GET, MdOption.MANAGE_REMOTE, MdOption.TRUNCATE);
        Md md = source(40, from);
        a.get(md, Nid.ANY, TO_B, PORTAL, BITS, 32);
        net.settle();

        Event send = from.only(EventKind.SEND);
        isFromNobody(send);
        assertThat(send.targetNid()).isEqualTo(B);
        assertThat(send.messageType()).isEqualTo(MessageType.GET);
        assertThat(send.portal()).isEqualTo(PORTAL);
        assertThat(send.matchBits()).isEqualTo(BITS);
        assertThat(send.rlength()).isEqualTo(40);
        assertThat(send.mlength()).isEqualTo(40);
        assertThat(send.offset()).isEqualTo(32);
        assertThat(send.hdrData()).isZero();

        Event get = at.only(EventKind.GET);
        goes(get, A, B);
        assertThat(get.messageType()).isEqualTo(MessageType.GET);
        assertThat(get.portal()).isEqualTo(PORTAL);
        assertThat(get.matchBits()).isEqualTo(BITS);
        assertThat(get.rlength()).isEqualTo(40);
        assertThat(get.mlength()).isEqualTo(32);
        assertThat(get.offset()).isEqualTo(32);
        assertThat(get.hdrData()).isZero();

        Event reply = from.only(EventKind.REPLY);
        goes(reply, B, A);
        assertThat(reply.messageType()).isEqualTo(MessageType.REPLY);
        assertThat(reply.rlength()).isEqualTo(32);
        assertThat(reply.mlength()).isEqualTo(32);
        assertThat(reply.offset()).isZero();
    }

    @Test
    void aReplyThatIsCutSaysHowMuchWasStored() {
        attach(MdOption.OP_GET, MdOption.MANAGE_REMOTE);
        Md md = a.bind(MdConfig.of(memory(8)).withOptions(MdOption.TRUNCATE).withHandler(from));
        net.lose(MessageType.REPLY);
        get(md, BITS, 0);
        LNetHeader get = net.takeLog().getFirst().header();
        LNetHeader reply = new LNetHeader();
        reply.setReply(12, get.interfaceCookie(), get.objectCookie());
        reply.setRoute(A, PID, B, PID);
        net.inject(reply, new byte[12]);
        assertThat(from.only(EventKind.REPLY).rlength()).isEqualTo(12);
        assertThat(from.only(EventKind.REPLY).mlength()).isEqualTo(8);
    }

    @Test
    void unlinkOfAnIdleDescriptor() {
        Md md = source(4, from);
        md.unlink();
        Event event = from.only(EventKind.UNLINK);
        assertThat(event.status()).isZero();
        assertThat(event.unlinked()).isTrue();
        assertThat(event.md()).isSameAs(md);
        assertThat(event.targetNid()).isEqualTo(Nid.ANY);
        assertThat(event.rlength()).isZero();
        assertThat(event.mlength()).isZero();
    }

    @Test
    @Requirement("snd-045")
    void passiveEventsTellPeerAndPath() {
        Nid other = Nid.parse("10.0.1.1@tcp");
        a.addNi(net.request(other.toString()));
        net.settle();
        attach(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE);
        net.takeLog();
        a.put(source(4, from), true, other, TO_B, PORTAL, BITS, 0, 0);
        a.get(source(4, from), other, TO_B, PORTAL, BITS, 0);
        net.settle();
        for (Event event : at.events()) {
            assertThat(event.initiatorNid()).as("its identity").isEqualTo(A);
            assertThat(event.sourceNid()).as("where to answer to").isEqualTo(other);
            assertThat(event.senderNid()).isEqualTo(other);
        }
        assertThat(net.takeLog())
                .filteredOn(
                        p -> p.header().type() == MessageType.ACK || p.header().type() == MessageType.REPLY)
                .hasSize(2)
                .allMatch(p ->
                        p.header().srcNid().equals(B) && p.header().destNid().equals(other));
    }

    @Test
    void sequenceNumbersGrowOverAllDescriptorsOfANode() {
        attach(MdOption.OP_PUT, MdOption.MANAGE_REMOTE);
        put(source(1, from), true);
        put(source(1, from), false);
        source(1, from).unlink();
        assertThat(from.events()).extracting(Event::sequence).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void anAckIsNotBelievedToCoverMoreThanWasSent() {
        net.lose(MessageType.ACK);
        attach(MdOption.OP_PUT, MdOption.MANAGE_REMOTE);
        put(source(8, from), true);
        LNetHeader put = net.takeLog().getFirst().header();
        assertThat(put.wantsAck()).isTrue();
        LNetHeader ack = new LNetHeader();
        ack.setAck(put.interfaceCookie(), put.objectCookie(), BITS, -1);
        ack.setRoute(A, PID, B, PID);
        net.inject(ack, new byte[0]);
        assertThat(from.only(EventKind.ACK).mlength()).isEqualTo(8);
    }

    @Test
    void aPutWithoutAckAsksForNone() {
        attach(MdOption.OP_PUT, MdOption.MANAGE_REMOTE);
        put(source(8, from), false);
        LNetHeader put = net.takeLog().getFirst().header();
        assertThat(put.interfaceCookie()).isEqualTo(Wire.NO_COOKIE);
        assertThat(put.objectCookie()).isEqualTo(Wire.NO_COOKIE);
        assertThat(from.lines()).containsExactly("SEND");
    }

    @Test
    void eventsOverLoopback() {
        Recorder here = new Recorder();
        a.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory(8))
                        .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                        .withHandler(here));
        ProcessId self = ProcessId.of(Nid.LOOPBACK);
        a.put(source(8, from), true, Nid.ANY, self, PORTAL, BITS, 0, 0);
        a.get(source(8, from), Nid.ANY, self, PORTAL, BITS, 0);
        assertThat(here.lines()).containsExactly("PUT", "GET");
        assertThat(from.lines()).containsExactlyInAnyOrder("SEND", "ACK", "SEND", "REPLY");
        assertThat(here.only(EventKind.PUT).initiatorNid()).isEqualTo(Nid.LOOPBACK);
        assertThat(here.only(EventKind.PUT).sourceNid()).isEqualTo(Nid.LOOPBACK);
        assertThat(net.takeLog()).isEmpty();
    }
}
