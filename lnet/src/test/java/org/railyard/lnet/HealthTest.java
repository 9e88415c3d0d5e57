package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.NiHealth;
import org.railyard.lnet.api.NiState;
import org.railyard.lnet.api.PeerNiHealth;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.Recorder;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;

/** What failures cost (spec 10 §11). */
class HealthTest extends TwoNodes {
    private static final String DEVICE_DOWN =
            " is down: its device test0 failed, is gone, or lost its link or address; 'lnetctl doctor' tells more";

    private static final int FULL = 1000;

    private void failOnce(HealthStatus health) {
        net.failNext(1, health, header -> header.portal() == PORTAL);
        put(8, BITS, 0);
    }

    private int local() {
        return niOf(a).health();
    }

    private int remote() {
        return peerNiOf(a).health();
    }

    private void always(Tunable tunable, int value) {
        a.set(tunable, value);
    }

    @ParameterizedTest
    @EnumSource(HealthStatus.class)
    @Requirement({"rsl-026", "rsl-032", "rsl-036", "rsl-066", "rsl-067", "rsl-091", "rsl-094", "rsl-097", "rsl-016"})
    void aFailureCostsTheSideAtFault(HealthStatus status) {
        failOnce(status);
        boolean here = status.name().startsWith("LOCAL") || status == HealthStatus.NETWORK_TIMEOUT;
        boolean there = status.name().startsWith("REMOTE") || status == HealthStatus.NETWORK_TIMEOUT;
        assertThat(local()).isEqualTo(here ? FULL - 100 : FULL);
        assertThat(remote()).isEqualTo(there ? FULL - 100 : FULL);
        assertThat(failuresHere()).as("counted on this side").isEqualTo(here ? 1 : 0);
        assertThat(failuresThere()).as("counted on the other side").isEqualTo(there ? 1 : 0);
    }

    private long failuresHere() {
        NiHealth here = niOf(a).failures();
        return here.interrupts()
                + here.dropped()
                + here.aborted()
                + here.noRoute()
                + here.timeouts()
                + here.error()
                + here.networkTimeouts();
    }

    private long failuresThere() {
        PeerNiHealth there = peerNiOf(a).failures();
        return there.error() + there.dropped() + there.timeout() + there.networkTimeout();
    }

    @Test
    @Requirement({"rsl-068", "rsl-067"})
    void bySensitivity() {
        always(Tunable.HEALTH_SENSITIVITY, 250);
        failOnce(HealthStatus.NETWORK_TIMEOUT);
        assertThat(local()).isEqualTo(FULL - 250);
        assertThat(remote()).isEqualTo(FULL - 250);
    }

    @Test
    @Requirement("rsl-075")
    void sensitivityZeroSwitchesHealthOff() {
        always(Tunable.HEALTH_SENSITIVITY, 0);
        failOnce(HealthStatus.NETWORK_TIMEOUT);
        net.device(A.toString(), DeviceEvent.DEGRADED);
        assertThat(local()).isEqualTo(FULL);
        assertThat(remote()).isEqualTo(FULL);
        assertThat(a.settings().get(Tunable.RETRY_COUNT)).isZero();
        a.setHealth(A, 700);
        a.setPeerHealth(B, 600);
        net.pass(5);
        assertThat(local()).as("what an administrator set stays").isEqualTo(700);
        assertThat(remote()).isEqualTo(600);
    }

    @Test
    @Requirement({"rsl-148", "rsl-149"})
    void healthStaysBetweenNothingAndFull() {
        assertThat(local()).isEqualTo(FULL);
        Random random = new Random(5);
        HealthStatus[] all = HealthStatus.values();
        always(Tunable.HEALTH_RECOVERY_INCREMENT, 333);
        for (int i = 0; i < 60; i++) {
            always(Tunable.HEALTH_SENSITIVITY, 1 + random.nextInt(1000));
            failOnce(all[random.nextInt(all.length)]);
            assertThat(local()).isBetween(0, FULL);
            assertThat(remote()).isBetween(0, FULL);
            net.pass(random.nextInt(3));
            assertThat(local()).isBetween(0, FULL);
            assertThat(remote()).isBetween(0, FULL);
        }
        failOnce(HealthStatus.NETWORK_TIMEOUT);
        net.pass(10);
        assertThat(local()).as("three or four pings of 333 each").isEqualTo(FULL);
        assertThat(remote()).isEqualTo(FULL);
    }

    @Test
    @Requirement({"rsl-033", "rsl-156", "rsl-157", "rsl-158", "rsl-043"})
    void failuresAreCountedOnTheSideAtFaultAndForTheNode() {
        always(Tunable.RETRY_COUNT, 0);
        for (HealthStatus status : HealthStatus.values()) {
            failOnce(status);
        }
        NiHealth here = niOf(a).failures();
        assertThat(here.interrupts()).isEqualTo(1);
        assertThat(here.dropped()).isEqualTo(1);
        assertThat(here.aborted()).isEqualTo(1);
        assertThat(here.noRoute()).isEqualTo(1);
        assertThat(here.error()).isEqualTo(1);
        assertThat(here.timeouts()).as("the network's are counted apart").isEqualTo(1);
        assertThat(here.networkTimeouts()).isEqualTo(1);
        PeerNiHealth there = peerNiOf(a).failures();
        assertThat(there.error()).isEqualTo(1);
        assertThat(there.dropped()).isEqualTo(1);
        assertThat(there.timeout()).isEqualTo(1);
        assertThat(there.networkTimeout()).isEqualTo(1);
        for (Statistic each : Statistic.values()) {
            boolean failure = each.name().matches("(LOCAL|REMOTE|NETWORK)_.*_?COUNT");
            if (failure) {
                assertThat(a.statistics().get(each)).as(each.name()).isEqualTo(1);
            }
        }
        assertThat(a.statistics().get(Statistic.FAILED_RESENDS)).isZero();
        assertThat(a.dropCount()).as("a failure is not a drop").isZero();
    }

    @Test
    void whatContradictsItselfIsNobodysFault() {
        failOnce(HealthStatus.OK);
        assertThat(local()).isEqualTo(FULL);
        assertThat(remote()).isEqualTo(FULL);
        assertThat(a.statistics().get(Statistic.RESEND_COUNT)).isZero();
    }

    @Test
    void aPayloadThatDoesNotArriveIsAFailureToo() {
        sink(BITS, 8, new Recorder());
        net.damage(packet -> packet.header().portal() == PORTAL);
        put(8, BITS, 0);
        assertThat(niOf(b).health()).isEqualTo(FULL - 100);
        assertThat(niOf(b).failures().error()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void thePeersOnlyNiLosesHealthOrNot(boolean counts) {
        always(Tunable.SINGLE_RAIL_REMOTE_HEALTH, counts ? 1 : 0);
        failOnce(HealthStatus.REMOTE_DROPPED);
        assertThat(remote()).isEqualTo(counts ? FULL - 100 : FULL);
        assertThat(peerNiOf(a).failures().dropped()).as("counted it is").isEqualTo(1);
        assertThat(a.statistics().get(Statistic.REMOTE_DROPPED_COUNT)).isEqualTo(1);
        assertThat(a.statistics().get(Statistic.RESEND_COUNT)).isEqualTo(counts ? 1 : 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Requirement("rsl-034")
    void aNodeOfOneNiSendsAgainOverItOrNot(boolean again) {
        assertThat(a.settings().get(Tunable.SINGLE_RAIL_RESEND))
                .as("unless told otherwise")
                .isOne();
        always(Tunable.SINGLE_RAIL_RESEND, again ? 1 : 0);
        failOnce(HealthStatus.LOCAL_TIMEOUT);
        assertThat(local()).isEqualTo(FULL - 100);
        assertThat(a.statistics().get(Statistic.RESEND_COUNT)).isEqualTo(again ? 1 : 0);
    }

    @Test
    @Requirement({"rsl-020", "rsl-026"})
    void aMissingResponseCostsTheNextHop() {
        net.lose(packet -> true);
        put(source(8, new Recorder()), true);
        net.pass(151);
        assertThat(remote()).isLessThan(FULL);
        assertThat(local()).isEqualTo(FULL);
        assertThat(a.statistics().get(Statistic.RESPONSE_TIMEOUT_COUNT)).isPositive();
    }

    @Test
    @Requirement({"rsl-124", "rsl-101"})
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
        net.hold(header -> header.portal() == PORTAL);
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
    @Requirement("rsl-040")
    void whatFailsAfterItsDeadlineCostsNothing() {
        always(Tunable.EXPIRE_ACTIVE_MESSAGES, 0);
        net.hold(header -> header.portal() == PORTAL);
        Recorder late = new Recorder();
        put(source(8, late), false);
        net.pass(151);
        net.failNext(1, HealthStatus.LOCAL_TIMEOUT, header -> true);
        net.releaseAll();
        assertThat(late.lines()).containsExactly("SEND EIO");
        assertThat(local()).isEqualTo(FULL);
        assertThat(a.statistics().get(Statistic.LOCAL_TIMEOUT_COUNT)).isZero();
        assertThat(a.statistics().get(Statistic.RESEND_COUNT)).isZero();
    }

    @Test
    @Requirement({"hlt-025", "dbg-030", "dyn-050"})
    void anNiWithoutHealthIsAnnouncedAsDownUntilItIsAllWell() {
        always(Tunable.HEALTH_RECOVERY_INCREMENT, 100);
        assertThat(niOf(a).state()).isEqualTo(NiState.ACTIVE);
        failOnce(HealthStatus.LOCAL_ERROR);
        assertThat(niOf(a).state()).isEqualTo(NiState.DEGRADED);
        assertThat(niOf(a).up()).isTrue();
        a.setHealth(A, 0);
        net.settle();
        assertThat(niOf(a).state()).isEqualTo(NiState.FAILED);
        assertThat(niOf(a).up()).isFalse();
        assertThat(peerNiOf(b).up()).as("pushed").isFalse();
        net.pass(9);
        assertThat(local()).isEqualTo(900);
        assertThat(niOf(a).up()).isFalse();
        net.pass(1);
        assertThat(local()).isEqualTo(FULL);
        assertThat(niOf(a).up()).isTrue();
        assertThat(niOf(a).state()).isEqualTo(NiState.ACTIVE);
        assertThat(peerNiOf(b).up()).isTrue();
    }

    /** It is well as soon as its device is. */
    @Test
    void whatADeviceThatIsDownLosesCostsNoHealth() {
        net.hold(header -> header.portal() == PORTAL);
        put(8, BITS, 0);
        net.device(A.toString(), DeviceEvent.FATAL);
        net.failNext(1, HealthStatus.LOCAL_ABORTED, header -> header.portal() == PORTAL);
        net.releaseAll();
        assertThat(niOf(a).failures().aborted()).as("counted it is").isEqualTo(1);
        assertThat(local()).isEqualTo(FULL);
        net.device(A.toString(), DeviceEvent.CLEAR);
        assertThat(niOf(a).state()).isEqualTo(NiState.ACTIVE);
    }

    @Test
    @Requirement({"hlt-015", "hlt-020", "hlt-025", "dbg-110", "cb-068"})
    void aDegradedDeviceCostsOnce() {
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            net.device(A.toString(), DeviceEvent.DEGRADED);
            assertThat(log.lines()).contains("SEVERE NI " + A + " works worse than it should, its health is 900");
        }
        assertThat(local()).isEqualTo(FULL - 100);
        assertThat(niOf(a).state()).isEqualTo(NiState.DEGRADED);
        assertThat(niOf(a).up()).isTrue();
        assertThat(a.localRecovery()).containsExactly(A);
    }

    @Test
    @Requirement({"dbg-110", "snd-080", "hlt-025", "rsl-159", "rsl-160"})
    void changesOfTheStateOfAnNiAreLoggedAsErrorsAndCounted() {
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            net.device(A.toString(), DeviceEvent.FATAL);
            assertThat(niOf(a).state()).isEqualTo(NiState.FAILED);
            assertThat(niOf(a).up()).isFalse();
            assertThat(local()).as("health is another matter").isEqualTo(FULL);
            net.device(A.toString(), DeviceEvent.FATAL);
            assertThat(niOf(a).failures().downEvents()).isEqualTo(1);
            assertThat(niOf(a).failures().upEvents()).isZero();
            net.device(A.toString(), DeviceEvent.CLEAR);
            assertThat(niOf(a).failures().downEvents()).isEqualTo(1);
            assertThat(niOf(a).failures().upEvents()).isEqualTo(1);
            a.setHealth(A, 0);
            net.pass(2);
            a.setHealth(A, FULL);
            net.pass(2);
            assertThat(log.lines())
                    .containsSubsequence(
                            "SEVERE NI " + A + DEVICE_DOWN,
                            "SEVERE NI " + A + " is up again",
                            "SEVERE NI " + A + " is down: it has no health left",
                            "SEVERE NI " + A + " is well again");
        }
    }

    @Test
    @Requirement("dbg-110")
    void anErrorThatPassesIsAChangeOfTheStateAsWell() {
        always(Tunable.RETRY_COUNT, 0);
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            failOnce(HealthStatus.LOCAL_DROPPED);
            assertThat(niOf(a).state()).isEqualTo(NiState.DEGRADED);
            net.pass(2);
            assertThat(log.lines())
                    .filteredOn(line -> line.startsWith("SEVERE NI " + A))
                    .containsExactly("SEVERE NI " + A + " is degraded, its health is not full");
            a.setHealth(A, FULL);
            net.pass(2);
            assertThat(log.lines()).contains("SEVERE NI " + A + " is well again");
        }
    }

    @Test
    @Requirement("dbg-020")
    void timeoutsAreLoggedNowAndThenAndCountedEach() {
        always(Tunable.RETRY_COUNT, 0);
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            for (int i = 0; i < 5; i++) {
                failOnce(HealthStatus.NETWORK_TIMEOUT);
                failOnce(HealthStatus.LOCAL_TIMEOUT);
            }
            for (String kind : new String[] {"NETWORK_TIMEOUT", "LOCAL_TIMEOUT"}) {
                assertThat(log.lines())
                        .filteredOn(line -> line.contains(kind))
                        .singleElement()
                        .asString()
                        .contains(A.toString(), B.toString());
            }
        }
        assertThat(niOf(a).failures().timeouts()).isEqualTo(5);
        assertThat(niOf(a).failures().networkTimeouts()).isEqualTo(5);
    }

    @Test
    @Requirement("rsl-019")
    void aPeerOfWhichNothingIsWellIsNamedInTheLog() {
        b.addNi(net.request("10.0.1.2@tcp"));
        net.settle();
        String said = "every interface of peer " + B;
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            failOnce(HealthStatus.REMOTE_ERROR);
            assertThat(log.lines()).as("one of two is well").noneMatch(line -> line.contains(said));
            failOnce(HealthStatus.REMOTE_ERROR);
            assertThat(log.lines()).anyMatch(line -> line.contains(said));
        }
        assertThat(a.peers().getFirst().nis())
                .as("each for itself")
                .extracting(ni -> ni.health())
                .containsExactly(FULL - 100, FULL - 100);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1001, 5000})
    void anAdministratorSetsHealthWithinItsRange(int other) {
        a.setHealth(A, 300);
        a.setPeerHealth(B, 0);
        assertThat(local()).isEqualTo(300);
        assertThat(remote()).isZero();
        assertThat(a.localRecovery()).containsExactly(A);
        assertThat(a.peerRecovery()).containsExactly(B);
        a.setHealth(A, other);
        a.setPeerHealth(B, other);
        assertThat(local()).isEqualTo(FULL);
        assertThat(remote()).isEqualTo(FULL);
        expect(Errno.ENODEV, () -> a.setHealth(B, 1));
        expect(Errno.ENOENT, () -> a.setPeerHealth(Nid.parse("10.9.9.9@tcp"), 1));
    }

    @Test
    void aTransportMayReviveAPeer() {
        a.setPeerHealth(B, 300);
        long now = net.now(a);
        net.notifyPeer(A, B, true, false, now);
        assertThat(remote()).as("without the reset flag").isEqualTo(300);
        net.notifyPeer(A, B, true, true, now + 1);
        assertThat(remote()).as("in the future").isEqualTo(300);
        net.notifyPeer(A, B, true, true, now - 1);
        assertThat(remote()).as("older than what is known").isEqualTo(300);
        net.notifyPeer(A, B, false, true, now);
        assertThat(remote()).as("dead").isEqualTo(300);
        net.notifyPeer(A, B, true, true, now);
        assertThat(remote()).isEqualTo(FULL);
        net.notifyPeer(A, Nid.parse("10.9.9.9@tcp"), true, true, now);
        assertThat(a.peers())
                .as("a gateway that was only heard of becomes no peer")
                .hasSize(1);
    }

    @Test
    void underLustreAnySuccessGivesHealth() {
        Consumer<Integer> set = health -> {
            a.setHealth(A, health);
            a.setPeerHealth(B, health);
        };
        set.accept(500);
        sink(BITS, 8, new Recorder());
        put(source(8, new Recorder()), true);
        assertThat(local()).as("documents").isEqualTo(500);
        assertThat(remote()).isEqualTo(500);
        always(Tunable.HEALTH_RAISE_ON_ANY_SUCCESS, 1);
        put(source(8, new Recorder()), false);
        assertThat(local()).as("one PUT left").isEqualTo(600);
        assertThat(remote()).as("which proves nothing of the peer").isEqualTo(500);
        put(source(8, new Recorder()), true);
        assertThat(local()).as("a PUT left and its ACK came").isEqualTo(800);
        assertThat(remote()).isEqualTo(600);
    }
}
