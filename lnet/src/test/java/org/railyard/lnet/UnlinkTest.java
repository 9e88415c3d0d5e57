package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.wire.MessageType;

/** The end of descriptors (spec 10 §4.3): exactly one event says that it is the last. */
class UnlinkTest extends TwoNodes {
    private final Recorder at = new Recorder();
    private final Recorder from = new Recorder();

    @Test
    void anIdleDescriptorIsGoneWithItsEventWhenTheCallReturns() {
        Md md = source(8, from);
        md.unlink();
        assertThat(from.lines()).containsExactly("UNLINK!");
        assertThat(md.isUnlinked()).isTrue();
        expect(Errno.ENOENT, md::unlink);
        expect(Errno.ENOENT, () -> put(md, false));
        assertThat(from.lines()).containsExactly("UNLINK!");
    }

    @Test
    void anAttachedDescriptorMatchesNothingAnyMore() {
        sink(BITS, 8, at).unlink();
        put(8, BITS, 0);
        assertThat(at.lines()).containsExactly("UNLINK!");
        assertThat(b.dropCount()).isEqualTo(1);
    }

    @Test
    void aBusyDescriptorGoesWithItsLastMessageWhichDoesNotSucceed() {
        sink(BITS, 8, at);
        net.hold(header -> header.type() == MessageType.PUT);
        Md md = source(8, from);
        put(md, true);
        put(md, true);
        md.unlink();
        assertThat(from.lines()).isEmpty();
        assertThat(md.isUnlinked()).isTrue();
        net.release(1);
        assertThat(from.lines()).containsExactly("SEND ETIMEDOUT");
        net.releaseAll();
        assertThat(from.lines()).containsExactly("SEND ETIMEDOUT", "SEND ETIMEDOUT!");
        assertThat(at.lines()).containsExactly("PUT", "PUT");
        assertThat(a.dropCount()).as("the ACKs name nobody").isEqualTo(2);
    }

    @Test
    void aBusyTargetFinishesTheReplyThatHasBegun() {
        Md md = b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(counting(8))
                        .withOptions(MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                        .withHandler(at));
        net.hold(header -> header.type() == MessageType.REPLY);
        get(source(8, from), BITS, 0);
        md.unlink();
        assertThat(at.lines()).isEmpty();
        net.releaseAll();
        assertThat(at.lines()).containsExactly("GET ETIMEDOUT!");
    }

    @Test
    void unlinkingInAHandlerTakesEffectAfterIt() {
        Md md = sink(BITS, 8, at);
        List<String> during = new ArrayList<>();
        at.then(event -> {
            if (event.kind() == EventKind.PUT) {
                md.unlink();
                during.addAll(at.lines());
            }
        });
        put(8, BITS, 0);
        assertThat(during).containsExactly("PUT");
        assertThat(at.lines()).containsExactly("PUT", "UNLINK!");
    }

    @Test
    void unlinkingAnotherDescriptorInAHandlerTakesEffectAfterIt() {
        Recorder others = new Recorder();
        Md other = a.bind(MdConfig.of(memory(8)).withHandler(others));
        sink(BITS, 8, at);
        from.then(event -> {
            if (!other.isUnlinked()) {
                other.unlink();
            }
        });
        put(source(8, from), false);
        assertThat(others.lines()).containsExactly("UNLINK!");
    }

    @Test
    void unlinkingTheLastOfAnAutoUnlinkDescriptorInItsHandlerIsTooLate() {
        sink(BITS, 8, at);
        Md md = a.bind(MdConfig.of(memory(8)).withThreshold(1).withAutoUnlink().withHandler(from));
        List<Errno> seen = new ArrayList<>();
        from.then(event -> {
            try {
                md.unlink();
            } catch (ErrnoException e) {
                seen.add(e.errno());
            }
        });
        put(md, false);
        assertThat(from.lines()).containsExactly("SEND!");
        assertThat(seen).containsExactly(Errno.ENOENT);
    }

    @Test
    void aMessageThatWaitsForCreditsIsCancelled() {
        sink(BITS, 8, at);
        net.hold(header -> header.type() == MessageType.PUT);
        Md first = source(8, new Recorder());
        for (int i = 0; i < 8; i++) {
            put(first, false);
        }
        Md md = source(8, from);
        put(md, true);
        assertThat(peerNiOf(a).credits()).isEqualTo(-1);
        md.unlink();
        assertThat(from.lines()).as("it is found out when its turn comes").isEmpty();
        net.releaseAll();
        assertThat(from.lines()).containsExactly("SEND ECANCELED!");
        assertThat(at.lines()).hasSize(8);
        assertThat(peerNiOf(a).credits()).isEqualTo(8);
        assertThat(niOf(a).health()).as("no interface did anything wrong").isEqualTo(1000);
        assertThat(peerNiOf(a).health()).isEqualTo(1000);
    }

    @Test
    void aMessageParkedForDiscoveryIsCancelled() {
        net.node("10.0.0.3@tcp");
        net.hold(header -> header.type() == MessageType.GET);
        Md md = source(8, from);
        a.put(md, true, Nid.ANY, ProcessId.of(Nid.parse("10.0.0.3@tcp")), PORTAL, BITS, 0, 0);
        net.settle();
        md.unlink();
        net.releaseAll();
        assertThat(from.lines()).containsExactly("SEND ECANCELED!");
    }

    @Test
    void aDescriptorUnlinkedWhileItsReplyIsDamagedStillSeesItsEnd() {
        b.attach(
                MeConfig.of(PORTAL, BITS), MdConfig.of(memory(8)).withOptions(MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        Md md = source(8, from);
        net.damage(packet -> packet.header().type() == MessageType.REPLY);
        get(md, BITS, 0);
        assertThat(from.lines()).containsExactly("SEND");
        md.unlink();
        assertThat(from.lines()).containsExactly("SEND", "UNLINK!");
    }

    @Test
    void unlinkEndsTheTimingOfTheResponse() {
        net.lose(MessageType.PUT);
        Md md = source(8, from);
        put(md, true);
        md.unlink();
        net.pass(200);
        assertThat(from.lines()).containsExactly("SEND", "UNLINK!");
    }
}
