package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.Requirement;

/**
 * GETs over a transport whose peers write the answer to where the GET says: no REPLY is sent, but all is as if one had
 * been (spec 10 §22).
 */
class PlacedRepliesTest extends TwoNodes {
    private final Recorder from = new Recorder();
    private final Recorder at = new Recorder();

    @Override
    TestNetwork network() {
        return new TestNetwork().withTunables(2, 4).placeReplies();
    }

    @Override
    String[] nidsOfA() {
        return new String[] {A.toString(), "10.0.0.11@tcp"};
    }

    @Override
    String[] nidsOfB() {
        return new String[] {B.toString(), "10.0.0.12@tcp"};
    }

    private void serve(MemorySegment content, MdOption... more) {
        MdConfig config = MdConfig.of(content)
                .withOptions(MdOption.OP_GET, MdOption.MANAGE_REMOTE, MdOption.TRUNCATE)
                .withHandler(at);
        b.attach(MeConfig.of(PORTAL, BITS), more.length == 0 ? config : config.withOptions(more));
    }

    private Md get(MemorySegment into) {
        Md md = a.bind(MdConfig.of(into).withThreshold(2).withAutoUnlink().withHandler(from));
        a.get(md, Nid.ANY, TO_B, PORTAL, BITS, 0);
        net.settle();
        return md;
    }

    private long repliesSent() {
        return net.takeLog().stream()
                .filter(packet -> packet.header().type() == MessageType.REPLY)
                .count();
    }

    @Test
    @Requirement({"rsl-008", "snd-045"})
    void theEventsAreThoseOfAReply() {
        long before = a.statistics().get(Statistic.RECV_LENGTH);
        long sent = b.statistics().get(Statistic.SEND_LENGTH);
        serve(counting(100));
        MemorySegment into = memory(100);
        get(into);
        assertThat(repliesSent()).isZero();
        assertThat(from.lines()).containsExactly("REPLY", "SEND!");
        assertThat(bytes(into)).isEqualTo(bytes(counting(100)));
        Event reply = from.only(EventKind.REPLY);
        assertThat(reply.messageType()).isEqualTo(MessageType.GET);
        assertThat(reply.mlength()).isEqualTo(100);
        assertThat(reply.rlength()).isEqualTo(100);
        assertThat(reply.offset()).isZero();
        assertThat(reply.initiatorNid()).isEqualTo(B);
        assertThat(b.nids()).contains(reply.senderNid()).contains(reply.sourceNid());
        assertThat(a.nids()).contains(reply.targetNid());
        Event got = at.only(EventKind.GET);
        assertThat(got.status()).isZero();
        assertThat(got.mlength()).isEqualTo(100);
        assertThat(got.initiatorNid()).isEqualTo(A);
        assertThat(a.statistics().get(Statistic.RECV_LENGTH) - before).isEqualTo(100);
        assertThat(b.statistics().get(Statistic.SEND_LENGTH) - sent).isEqualTo(100);
    }

    @Test
    void aReplyThatWasWrittenIsNotWaitedForAnyMore() {
        serve(counting(100));
        Md md = a.bind(MdConfig.of(memory(100)).withHandler(from));
        for (int i = 0; i < 2; i++) {
            a.get(md, Nid.ANY, TO_B, PORTAL, BITS, 0);
            net.settle();
        }
        assertThat(from.lines()).containsExactly("REPLY", "SEND", "REPLY", "SEND");
        assertThat(a.statistics().get(Statistic.RST_ALLOC)).isZero();
        net.pass(200);
        assertThat(a.statistics().get(Statistic.RESPONSE_TIMEOUT_COUNT)).isZero();
        assertThat(from.lines()).hasSize(4);
        md.unlink();
    }

    @Test
    void aShortReplyLeavesTheRestAsItWas() {
        serve(counting(60));
        MemorySegment into = memory(100);
        get(into);
        Event reply = from.only(EventKind.REPLY);
        assertThat(reply.mlength()).isEqualTo(60);
        assertThat(reply.rlength()).isEqualTo(60);
        assertThat(into.asSlice(0, 60).mismatch(counting(60))).isEqualTo(-1);
        assertThat(into.asSlice(60).mismatch(memory(40))).isEqualTo(-1);
    }

    @Test
    @Requirement("rsl-009")
    void withoutAMatchTheGetFailsAtOnce() {
        get(memory(100));
        assertThat(from.lines()).containsExactly("SEND ENODATA");
        assertThat(at.lines()).isEmpty();
    }

    @Test
    @Requirement("rsl-127")
    void aGetThatTakesTooLongGivesItsMemoryBackWhenThePeerCanNotWriteAnyMore() {
        serve(counting(100));
        net.hold(header -> header.portal() == PORTAL);
        Md md = get(memory(100));
        net.pass(149);
        assertThat(from.lines()).isEmpty();
        net.pass(1);
        assertThat(from.lines()).as("told in time").containsExactly("SEND ETIMEDOUT");
        md.unlink();
        assertThat(from.lines()).as("the peer may still write").containsExactly("SEND ETIMEDOUT");
        net.releaseAll();
        assertThat(from.lines()).containsExactly("SEND ETIMEDOUT", "UNLINK!");
        assertThat(at.lines()).as("the peer answered").containsExactly("GET");
    }

    @Test
    void anUnlinkedDescriptorIsGoneWhenBothAreBack() {
        serve(counting(100));
        net.late().keep(packet -> packet.header().portal() == PORTAL);
        Md md = get(memory(100));
        assertThat(from.lines()).isEmpty();
        md.unlink();
        assertThat(from.lines()).isEmpty();
        net.late().complete();
        assertThat(from.lines()).containsExactly("SEND ETIMEDOUT!");
    }

    @Test
    void whatFailsLaterWasNeverAnswered() {
        serve(counting(100));
        net.late().keep(packet -> packet.header().portal() == PORTAL);
        get(memory(100));
        net.late().complete(Errno.EIO.status(), HealthStatus.REMOTE_TIMEOUT);
        assertThat(from.lines()).containsExactly("SEND EIO");
    }

    @Test
    @Requirement("rsl-100")
    void aGetThatDidNotLeaveIsSentAgainAndAnsweredOnce() {
        serve(counting(100));
        int[] left = {1};
        net.fail(header -> header.portal() == PORTAL && left[0]-- > 0
                ? new TestNetwork.Failure(Errno.EIO, HealthStatus.LOCAL_DROPPED)
                : null);
        MemorySegment into = memory(100);
        get(into);
        net.pass(2);
        assertThat(from.lines()).containsExactly("REPLY", "SEND!");
        assertThat(bytes(into)).isEqualTo(bytes(counting(100)));
    }

    @Test
    void aDescriptorThatTakesNoReplyIsNotWrittenTo() {
        serve(counting(100));
        Md md = a.bind(MdConfig.of(memory(100)).withThreshold(1).withHandler(from));
        a.get(md, Nid.ANY, TO_B, PORTAL, BITS, 0);
        net.settle();
        assertThat(repliesSent()).as("sent as a message, and dropped").isEqualTo(1);
        assertThat(from.lines()).containsExactly("SEND");
    }
}
