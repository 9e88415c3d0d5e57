package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Traffic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.Requirement;

/** Send credits and the queues in front of them (spec 10 §7). */
class CreditsTest extends TwoNodes {
    private static final int HEADER = 72;

    private final Recorder from = new Recorder();

    @Override
    TestNetwork network() {
        return new TestNetwork().withTunables(8, 12);
    }

    /** Failures are not what this is about: health stays high. */
    @Override
    Settings settings() {
        return Settings.of(CompatProfile.DOCUMENTS)
                .with(Tunable.HEALTH_SENSITIVITY, 1)
                .with(Tunable.EXPIRE_ACTIVE_MESSAGES, false);
    }

    private void hold() {
        net.hold(header -> header.type() == MessageType.PUT);
    }

    @Test
    @Requirement("dbg-060")
    void aNegativeValueIsTheNumberThatWaits() {
        hold();
        Md md = source(100, from);
        for (int i = 1; i <= 11; i++) {
            put(md, false);
            assertThat(peerNiOf(a).credits()).isEqualTo(8 - i);
            assertThat(peerNiOf(a).queuedBytes()).isEqualTo(i * (100L + HEADER));
        }
        assertThat(net.heldCount())
                .as("no more than the peer's credits are in the transport")
                .isEqualTo(8);
        assertThat(niOf(a).credits()).isEqualTo(12 - 8);
        net.releaseAll();
        assertThat(peerNiOf(a).credits()).isEqualTo(8);
        assertThat(peerNiOf(a).minCredits()).isEqualTo(-3);
        assertThat(peerNiOf(a).queuedBytes()).isZero();
        assertThat(niOf(a).credits()).isEqualTo(12);
        assertThat(niOf(a).minCredits()).isEqualTo(4);
        assertThat(from.lines()).hasSize(11).containsOnly("SEND");
    }

    @Test
    void waitingMessagesGoInOrder() {
        hold();
        for (int i = 1; i <= 20; i++) {
            put(i, BITS, 0);
        }
        net.takeLog();
        net.releaseAll();
        assertThat(net.takeLog()).extracting(p -> p.payload().length).isSorted().hasSize(20);
    }

    @Test
    @Requirement("dbg-035")
    void theNiHasCreditsOfItsOwn() {
        LNet c = net.node("10.0.0.3@tcp");
        net.await(a.discover(Nid.parse("10.0.0.3@tcp"), false));
        assertThat(c.nids()).hasSize(1);
        hold();
        Md md = source(1, from);
        for (int i = 0; i < 8; i++) {
            put(md, false);
            a.put(md, false, Nid.ANY, ProcessId.of(Nid.parse("10.0.0.3@tcp")), PORTAL, BITS, 0, 0);
        }
        net.settle();
        assertThat(niOf(a).credits()).isEqualTo(-4);
        assertThat(niOf(a).maxCredits()).isEqualTo(12);
        assertThat(net.heldCount()).isEqualTo(12);
        assertThat(a.peers()).allMatch(peer -> peer.nis().getFirst().credits() == 0);
        net.releaseAll();
        assertThat(niOf(a).credits()).isEqualTo(12);
        assertThat(niOf(a).minCredits()).isEqualTo(-4);
        assertThat(from.lines()).hasSize(16);
    }

    @Test
    void peerCreditsAreCappedAtCredits() {
        try (TestNetwork small = new TestNetwork().withTunables(8, 3)) {
            LNet x = small.node("10.0.0.1@tcp");
            small.node("10.0.0.2@tcp");
            small.await(x.discover(B, false));
            assertThat(x.peers().getFirst().nis().getFirst().credits()).isEqualTo(3);
        }
    }

    @Test
    void creditsComeBackAfterFailuresOfAnyKind() {
        net.hold(header -> header.type() == MessageType.PUT);
        for (int i = 0; i < 20; i++) {
            put(source(10, from), true);
        }
        net.fail(header -> new TestNetwork.Failure(Errno.ECONNRESET, HealthStatus.LOCAL_ABORTED));
        net.releaseAll();
        net.fail(header -> null);
        net.refuse(header -> Errno.ENOBUFS);
        for (int i = 0; i < 20; i++) {
            put(source(10, from), true);
        }
        net.refuse(header -> null);
        net.lose(packet -> true);
        for (int i = 0; i < 20; i++) {
            put(source(10, from), true);
        }
        assertThat(from.lines()).hasSize(60);
        assertThat(peerNiOf(a).credits()).isEqualTo(8);
        assertThat(niOf(a).credits()).isEqualTo(12);
    }

    @Test
    @Requirement("rsl-059")
    void aMessageThatWaitedTooLongIsNotSent() {
        hold();
        Recorder late = new Recorder();
        for (int i = 0; i < 8; i++) {
            put(source(10, from), false);
        }
        put(source(10, late), false);
        net.pass(151);
        assertThat(late.lines()).isEmpty();
        net.takeLog();
        net.releaseAll();
        assertThat(late.lines()).containsExactly("SEND ETIMEDOUT");
        assertThat(net.takeTypes()).hasSize(8);
        assertThat(a.dropCount()).isEqualTo(1);
        assertThat(niOf(a).traffic().dropped().put()).isEqualTo(1);
        assertThat(peerNiOf(a).traffic().dropped().put()).isEqualTo(1);
    }

    @Test
    void loopbackUsesNoCredits() {
        a.attach(
                MeConfig.of(PORTAL, BITS), MdConfig.of(memory(8)).withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE));
        NiInfo before = niOf(a);
        a.put(source(8, from), true, Nid.ANY, ProcessId.of(Nid.LOOPBACK), PORTAL, BITS, 0, 0);
        assertThat(from.lines()).containsExactlyInAnyOrder("SEND", "ACK");
        assertThat(niOf(a)).isEqualTo(before);
        assertThat(a.peers()).hasSize(1);
    }

    @Test
    @Requirement({"dbg-010", "dbg-015", "dbg-050", "dbg-055"})
    void trafficIsCountedByTypeAResponseUnderItsRequest() {
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory(8)).withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        NiInfo before = niOf(a);
        NiInfo beforeB = niOf(b);
        put(source(8, from), true);
        put(source(8, from), false);
        get(source(8, from), BITS, 0);
        net.refuse(header -> Errno.ENETDOWN);
        put(source(8, from), false);
        Traffic after = niOf(a).traffic();
        assertThat(after.sent().put() - before.traffic().sent().put()).isEqualTo(2);
        assertThat(after.sent().get() - before.traffic().sent().get()).isEqualTo(1);
        assertThat(after.received().ack() - before.traffic().received().ack()).isEqualTo(1);
        assertThat(after.received().reply() - before.traffic().received().reply())
                .isEqualTo(1);
        assertThat(after.sent().reply() + after.sent().ack()).isZero();
        Traffic other = niOf(b).traffic();
        assertThat(other.received().put() - beforeB.traffic().received().put()).isEqualTo(2);
        assertThat(other.received().get() - beforeB.traffic().received().get()).isEqualTo(1);
        assertThat(other.sent().put() - beforeB.traffic().sent().put())
                .as("the ACK")
                .isEqualTo(1);
        assertThat(other.sent().get() - beforeB.traffic().sent().get())
                .as("the REPLY")
                .isEqualTo(1);
        assertThat(peerNiOf(a).traffic()).isEqualTo(after);
        assertThat(other.sent().sum())
                .isEqualTo(other.sent().put() + other.sent().get());
    }
}
