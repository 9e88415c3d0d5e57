package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.Requirement;

/** What failures cost, and how health comes back (spec 10 §11, §13). */
class HealthTest extends TwoNodes {
    private static final int FULL = 1000;

    private void failOnce(HealthStatus health) {
        net.fail(header -> header.portal() == PORTAL ? new TestNetwork.Failure(Errno.EIO, health) : null);
        put(8, BITS, 0);
        net.fail(header -> null);
    }

    private int local() {
        return niOf(a).health();
    }

    private int remote() {
        return peerNiOf(a).health();
    }

    @ParameterizedTest
    @EnumSource(HealthStatus.class)
    @Requirement({"rsl-026", "rsl-032", "rsl-066", "rsl-067", "rsl-091", "rsl-094", "rsl-097"})
    void aFailureCostsTheSideAtFault(HealthStatus status) {
        failOnce(status);
        boolean here = status.name().startsWith("LOCAL") || status == HealthStatus.NETWORK_TIMEOUT;
        boolean there = status.name().startsWith("REMOTE") || status == HealthStatus.NETWORK_TIMEOUT;
        assertThat(local()).isEqualTo(here ? FULL - 100 : FULL);
        assertThat(remote()).isEqualTo(there ? FULL - 100 : FULL);
    }

    @Test
    @Requirement({"rsl-070", "rsl-129", "rsl-131", "rsl-148"})
    void answeredPingsOnceASecondGiveItBack() {
        for (int i = 0; i < 12; i++) {
            failOnce(HealthStatus.NETWORK_TIMEOUT);
        }
        assertThat(local()).isZero();
        assertThat(remote()).isZero();
        net.takeLog();
        List<String> pinged = new ArrayList<>();
        for (int second = 0; second < 3; second++) {
            net.pass(1);
            net.takeLog().stream()
                    .map(TestNetwork.Packet::header)
                    .filter(header -> header.type() == MessageType.GET)
                    .forEach(header -> pinged.add(header.destNid().toString()));
        }
        assertThat(pinged)
                .containsExactlyInAnyOrder(
                        A.toString(), B.toString(), A.toString(), B.toString(), A.toString(), B.toString());
        net.pass(20);
        assertThat(local()).isEqualTo(FULL);
        assertThat(remote()).isEqualTo(FULL);
        net.takeLog();
        net.pass(5);
        assertThat(net.takeLog()).as("all are well").isEmpty();
    }

    @Test
    @Requirement("rsl-073")
    void anUnansweredPingCostsAgain() {
        failOnce(HealthStatus.REMOTE_ERROR);
        net.lose(MessageType.GET);
        net.pass(7);
        assertThat(remote()).isLessThan(FULL - 100);
    }

    @Test
    void aMissingResponseCostsTheNextHop() {
        net.lose(packet -> true);
        put(source(8, new Recorder()), true);
        net.pass(151);
        assertThat(remote()).isLessThan(FULL);
        assertThat(local()).isEqualTo(FULL);
    }

    @Test
    @Requirement("rsl-124")
    void anNiOfNoHealthIsStillUsedIfThereIsNoOther() {
        for (int i = 0; i < 10; i++) {
            failOnce(HealthStatus.NETWORK_TIMEOUT);
        }
        assertThat(local()).isZero();
        Recorder at = new Recorder();
        sink(BITS, 8, at);
        put(8, BITS, 0);
        assertThat(at.lines()).containsExactly("PUT");
    }

    @Test
    void messagesThatWereGivenUpCostNothing() {
        net.hold(header -> header.type() == MessageType.PUT);
        Md md = source(8, new Recorder());
        for (int i = 0; i < 12; i++) {
            put(md, false);
        }
        md.unlink();
        net.releaseAll();
        assertThat(local()).isEqualTo(FULL);
        assertThat(remote()).isEqualTo(FULL);
    }

    @Test
    void aPeerOnANetThatIsGoneIsNotPinged() {
        a.addNi(net.request("10.1.0.1@tcp1"));
        b.addNi(net.request("10.1.0.2@tcp1"));
        net.settle();
        Nid far = Nid.parse("10.1.0.2@tcp1");
        LNetHeader hello = new LNetHeader();
        hello.setPut(0, 1, 1, PORTAL, BITS, 0, 0);
        hello.setRoute(Nid.parse("10.1.0.1@tcp1"), ProcessId.LUSTRE_PID, far, ProcessId.LUSTRE_PID);
        net.inject(hello, new byte[0]);
        net.fail(header ->
                header.destNid().equals(far) ? new TestNetwork.Failure(Errno.EIO, HealthStatus.REMOTE_ERROR) : null);
        Md md = source(8, new Recorder());
        a.put(md, false, Nid.parse("10.1.0.1@tcp1"), ProcessId.of(far), PORTAL, BITS, 0, 0);
        net.settle();
        assertThat(a.peers().getFirst().nis().getLast().health()).isLessThan(FULL);
        a.removeNi(Nid.parse("10.1.0.1@tcp1"));
        net.fail(header -> null);
        net.settle();
        long before = niOf(a).traffic().sent().get();
        net.pass(5);
        assertThat(niOf(a).traffic().sent().get()).isEqualTo(before);
    }
}
