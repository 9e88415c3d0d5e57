package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.base.Errno;
import org.railyard.lnet.api.DropRule;
import org.railyard.lnet.api.FaultFilter;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.testkit.LogTap;

/**
 * What failures cost whom with the settings that a node has by itself: the silence of a peer is no evidence against the
 * NI that asked it.
 */
class SilentPeersTest extends TwoNodes {
    private static final String DEVICE_DOWN =
            " is down: its device test0 failed, is gone, or lost its link or address; 'lnetctl doctor' tells more";

    private static final int FULL = 1000;
    private static final Nid C = Nid.parse("10.0.0.3@tcp");

    private final List<Nid> silent = new ArrayList<>();

    @Override
    Settings settings() {
        return Settings.DEFAULT;
    }

    private int own() {
        return niOf(a).health();
    }

    private void silence(HealthStatus status, Nid... nids) {
        silent.addAll(List.of(nids));
        net.fail(header -> isSilent(header) ? new TestNetwork.Failure(Errno.ETIMEDOUT, status) : null);
    }

    private boolean isSilent(LNetHeader header) {
        return silent.contains(header.destNid());
    }

    private void ping(Nid target) {
        net.awaitError(a.ping(target, Nid.ANY, Duration.ofSeconds(1)));
    }

    @ParameterizedTest
    @EnumSource(names = {"NETWORK_TIMEOUT", "LOCAL_TIMEOUT", "REMOTE_DROPPED", "REMOTE_ERROR", "REMOTE_TIMEOUT"})
    void onePeerThatIsSilentCostsTheNiNothing(HealthStatus status) {
        silence(status, B);
        for (int i = 0; i < 40; i++) {
            ping(B);
        }
        assertThat(own()).isEqualTo(FULL);
        assertThat(niOf(a).up()).isTrue();
        assertThat(a.localRecovery()).isEmpty();
    }

    @Test
    void onePeerThatDoesNotSpeakLNetCostsTheNiNothing() {
        net.fail(header -> new TestNetwork.Failure(Errno.EPROTO, HealthStatus.LOCAL_ERROR));
        for (int i = 0; i < 12; i++) {
            ping(B);
        }
        assertThat(own()).isEqualTo(FULL);
    }

    /** No memory or files left, or memory that the application has freed. */
    @ParameterizedTest
    @EnumSource(names = {"EMFILE", "ENFILE", "ENOMEM", "EFAULT"})
    void whatIsThisProcesssFaultCostsTheNiNothing(Errno errno) {
        net.fail(header -> new TestNetwork.Failure(errno, HealthStatus.LOCAL_ERROR));
        for (int i = 0; i < 12; i++) {
            ping(B);
        }
        assertThat(own()).isEqualTo(FULL);
    }

    @Test
    void peersThatWereNeverHeardSayNothing() {
        for (int i = 0; i < 40; i++) {
            Nid absent = Nid.parse("10.0.0." + (100 + i) + "@tcp");
            silence(HealthStatus.NETWORK_TIMEOUT, absent);
            ping(absent);
        }
        assertThat(own()).isEqualTo(FULL);
    }

    @Test
    void severalPeersThatFallSilentTogetherAreEvidence() {
        LNet c = net.node(settings(), C.toString());
        net.await(a.discover(C, false));
        net.pass(1);
        silence(HealthStatus.NETWORK_TIMEOUT, B, C);
        ping(B);
        assertThat(own()).as("one").isEqualTo(FULL);
        ping(C);
        assertThat(own()).as("two").isEqualTo(FULL - 100);
        for (int i = 0; i < 20; i++) {
            ping(i % 2 == 0 ? B : C);
        }
        assertThat(own()).as("what fails together is one failure").isEqualTo(FULL - 100);
        net.pass(3);
        assertThat(own()).as("recovered in seconds").isEqualTo(FULL);
        assertThat(c.nids()).containsExactly(C);
    }

    @Test
    void onePeerThatAnswersAcquitsTheNi() {
        net.node(settings(), C.toString());
        Nid d = Nid.parse("10.0.0.4@tcp");
        net.node(settings(), d.toString());
        net.await(a.discover(C, false));
        net.await(a.discover(d, false));
        silence(HealthStatus.NETWORK_TIMEOUT, B, C);
        for (int i = 0; i < 20; i++) {
            net.pass(1);
            ping(B);
            net.await(a.ping(d, Nid.ANY, Duration.ofSeconds(1)));
            ping(C);
            assertThat(own()).isEqualTo(FULL);
        }
    }

    @Test
    void peersThatDiedWhileTheNiWorkedSayNothingMoreWhenItIsIdle() {
        net.node(settings(), C.toString());
        Nid d = Nid.parse("10.0.0.4@tcp");
        net.node(settings(), d.toString());
        net.await(a.discover(C, false));
        net.await(a.discover(d, false));
        silence(HealthStatus.NETWORK_TIMEOUT, B, C);
        for (Nid dead : List.of(B, C)) {
            // The answer comes while the dead peer is waited for.
            net.await(a.ping(d, Nid.ANY, Duration.ofSeconds(1)));
            ping(dead);
        }
        net.pass(20);
        for (int i = 0; i < 20; i++) {
            net.pass(1);
            ping(i % 2 == 0 ? B : C);
            assertThat(own()).isEqualTo(FULL);
        }
    }

    /** Where transports take all that is sent: what shows first is that nothing is answered. */
    @Test
    void peersThatStoppedAnsweringWhileTheNiWorkedSayNothingMoreWhenItIsIdle() {
        net.node(settings(), C.toString());
        Nid d = Nid.parse("10.0.0.4@tcp");
        net.node(settings(), d.toString());
        net.await(a.discover(C, false));
        net.await(a.discover(d, false));
        net.lose(packet -> !packet.header().srcNid().equals(d)
                && !packet.header().destNid().equals(d));
        for (Nid dead : List.of(B, C)) {
            var asked = a.ping(dead, Nid.ANY, Duration.ofSeconds(1));
            net.await(a.ping(d, Nid.ANY, Duration.ofSeconds(1)));
            net.pass(2);
            net.awaitError(asked);
        }
        net.pass(20);
        silence(HealthStatus.NETWORK_TIMEOUT, B, C);
        ping(B);
        ping(C);
        assertThat(own()).isEqualTo(FULL);
    }

    @Test
    void whatTheSocketLayerReportsCostsTheNiAtOnceAndItIsBackInSeconds() {
        silence(HealthStatus.LOCAL_ERROR, B);
        for (int i = 0; i < 10; i++) {
            ping(B);
        }
        assertThat(own()).isZero();
        assertThat(niOf(a).up()).isFalse();
        silent.clear();
        net.pass(11);
        assertThat(own()).isEqualTo(FULL);
        assertThat(niOf(a).up()).isTrue();
    }

    @Test
    void aFaultRuleSaysWhoseFailureItIs() {
        a.faults()
                .add(DropRule.of(FaultFilter.all().withRate(1)).withHealthErrors(Set.of(HealthStatus.NETWORK_TIMEOUT)));
        ping(B);
        assertThat(own()).isEqualTo(FULL - 100);
        assertThat(peerNiOf(a).health()).as("it has no other NID").isEqualTo(FULL);
    }

    @Test
    void aPeerWithOneNidLosesNoHealthAndNothingIsSentAgain() {
        silence(HealthStatus.REMOTE_DROPPED, B);
        ping(B);
        put(8, BITS, 0);
        assertThat(peerNiOf(a).health()).isEqualTo(FULL);
        assertThat(a.peerRecovery()).isEmpty();
        assertThat(a.statistics().get(Statistic.RESEND_COUNT)).isZero();
        assertThat(a.statistics().get(Statistic.REMOTE_DROPPED_COUNT)).isEqualTo(2);
    }

    @Test
    void aPingThatOnlyLooksChangesNoHealth() {
        a.setHealth(A, 500);
        a.setPeerHealth(B, 700);
        silence(HealthStatus.LOCAL_ERROR, B);
        net.awaitError(a.inventory().probe(B, Nid.ANY, Duration.ofSeconds(1)));
        assertThat(own()).isEqualTo(500);
        assertThat(peerNiOf(a).health()).isEqualTo(700);
        a.set(Tunable.HEALTH_RAISE_ON_ANY_SUCCESS, 1);
        silent.clear();
        net.await(a.inventory().probe(B, Nid.ANY, Duration.ofSeconds(1)));
        assertThat(peerNiOf(a).health()).as("nor does an answer").isEqualTo(700);
        net.await(a.ping(B, Nid.ANY, Duration.ofSeconds(1)));
        assertThat(peerNiOf(a).health()).as("that of a ping does").isEqualTo(800);
    }

    /** Whom the first attempt cost something, by a fault rule, says nothing of the second. */
    @Test
    void aFaultRuleThatHitAnAttemptSaysNothingOfTheNext() {
        a.set(Tunable.RETRY_COUNT, 1);
        a.set(Tunable.SINGLE_RAIL_RESEND, 1);
        a.set(Tunable.SINGLE_RAIL_REMOTE_HEALTH, 1);
        a.faults().add(DropRule.of(FaultFilter.all().withRate(2)).withHealthErrors(Set.of(HealthStatus.LOCAL_DROPPED)));
        silence(HealthStatus.LOCAL_TIMEOUT, B);
        put(8, BITS, 0);
        assertThat(a.statistics().get(Statistic.LOCAL_DROPPED_COUNT)).isEqualTo(1);
        assertThat(a.statistics().get(Statistic.LOCAL_TIMEOUT_COUNT)).isEqualTo(1);
        assertThat(own()).as("the rule says that the NI failed").isEqualTo(FULL - 100);
        assertThat(peerNiOf(a).health()).as("then its peer was silent").isEqualTo(FULL - 100);
    }

    @Test
    void whatAnAdministratorLowersIsInRecoveryHeardOrNot() {
        Nid mute = Nid.parse("10.0.0.77@tcp");
        a.peerConfiguration().create(mute, true, false);
        net.await(a.ping(A, Nid.ANY, Duration.ofSeconds(1)));
        a.setPeerHealth(mute, 0);
        a.setPeerHealth(A, 0);
        a.setPeerHealth(B, 0);
        assertThat(a.peerRecovery()).containsExactly(mute, A, B);
        net.pass(3);
        assertThat(a.peerRecovery()).as("nobody answers there").contains(mute);
        net.pass(9);
        assertThat(a.peerRecovery()).containsExactly(mute);
        a.setPeerHealth(mute, FULL);
        net.pass(2);
        assertThat(a.peerRecovery()).isEmpty();
    }

    @Test
    void whatIsDoneAboutFailuresIsInformationAndTheStateOfAnNiIsAnError() {
        a.addNi(net.request("10.0.1.1@tcp"));
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            net.failNext(1, HealthStatus.LOCAL_DROPPED, header -> header.portal() == PORTAL);
            put(8, BITS, 0);
            net.pass(2);
            net.device(A.toString(), DeviceEvent.FATAL);
            net.device(A.toString(), DeviceEvent.CLEAR);
            assertThat(log.lines())
                    .filteredOn(line -> !line.startsWith("INFO"))
                    .containsExactly(
                            "SEVERE NI " + A + " is degraded, its health is not full",
                            "SEVERE NI " + A + " is well again",
                            "SEVERE NI " + A + DEVICE_DOWN,
                            "SEVERE NI " + A + " is up again");
            assertThat(log.lines())
                    .anyMatch(line -> line.contains("sent again from"))
                    .anyMatch(line -> line.startsWith("INFO") && line.contains("local NIs in recovery"));
        }
    }
}
