package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.base.tune.TunableSpec.Flag;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.PeerNiHealth;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;

/** How what failed comes back (spec 10 §13). */
class RecoveryTest extends TwoRails {
    private static final int FULL = 1000;

    /** Counts the recovery pings of {@code a} from now on, one line each: seconds from now, destination. */
    private List<String> watchPings(int seconds) {
        List<String> pings = new ArrayList<>();
        net.takeLog();
        for (int second = 1; second <= seconds; second++) {
            net.pass(1);
            for (TestNetwork.Packet packet : net.takeLog()) {
                Nid source = packet.header().srcNid();
                if (packet.header().type() == MessageType.GET && (source.equals(A) || source.equals(A2))) {
                    pings.add(second + " " + packet.header().destNid());
                }
            }
        }
        return pings;
    }

    private void lustre() {
        Settings settings = Settings.of(CompatProfile.LUSTRE);
        for (Tunable tunable : Tunable.values()) {
            if (!tunable.spec().is(Flag.MODULE_PARAMETER)
                    && settings.get(tunable) != a.settings().get(tunable)) {
                a.set(tunable, settings.get(tunable));
            }
        }
    }

    private int local(Nid nid) {
        return healthOf(a, nid);
    }

    private int remote(Nid nid) {
        return peerNi(a, nid).health();
    }

    @Test
    @Requirement({"rsl-069", "rsl-070", "rsl-071", "rsl-129", "rsl-131", "rsl-022"})
    void onePingPerSecondGivesOneEach() {
        a.setHealth(A, 990);
        a.setPeerHealth(B2, 990);
        assertThat(a.localRecovery()).containsExactly(A);
        assertThat(a.peerRecovery()).containsExactly(B2);
        assertThat(watchPings(4))
                .containsExactlyInAnyOrder(
                        "1 " + A, "1 " + B2, "2 " + A, "2 " + B2, "3 " + A, "3 " + B2, "4 " + A, "4 " + B2);
        assertThat(local(A)).isEqualTo(994);
        assertThat(remote(B2)).isEqualTo(994);
        net.pass(10);
        assertThat(local(A)).isEqualTo(FULL);
        assertThat(remote(B2)).isEqualTo(FULL);
        assertThat(a.localRecovery()).isEmpty();
        assertThat(a.peerRecovery()).isEmpty();
        assertThat(watchPings(5)).as("all are well").isEmpty();
    }

    /** Wherever in a second it fails; what fails at its beginning waits for all of it. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 300_000_000L, 999_999_999L})
    @Requirement("rsl-069")
    void noPingLeavesBeforeTheSecondIsOver(long phase) {
        net.jump(phase);
        net.failNext(1, HealthStatus.NETWORK_TIMEOUT, header -> header.portal() == PORTAL);
        put(8, BITS, 0);
        assertThat(a.localRecovery()).hasSize(1);
        assertThat(a.peerRecovery()).hasSize(1);
        net.takeLog();
        net.jump(999_999_999L - phase);
        assertThat(net.takeTypes()).doesNotContain(MessageType.GET);
        net.jump(1);
        assertThat(net.takeTypes()).filteredOn(type -> type == MessageType.GET).hasSize(2);
    }

    @Test
    @Requirement("rsl-072")
    void afterOneErrorItTakesAsManyPingsAsTheSensitivity() {
        a.set(Tunable.HEALTH_SENSITIVITY, 3);
        net.failNext(1, HealthStatus.REMOTE_ERROR, header -> header.portal() == PORTAL);
        put(8, BITS, 0);
        assertThat(remote(B) + remote(B2)).isEqualTo(2 * FULL - 3);
        assertThat(watchPings(9)).hasSize(3);
        assertThat(remote(B) + remote(B2)).isEqualTo(2 * FULL);
    }

    /** While an NI recovers, its queues can drain: nothing joins them but a ping each second. */
    @Test
    @Requirement("rsl-130")
    void whatRecoversIsNotSentOverUntilItIsWell() {
        a.set(Tunable.HEALTH_SENSITIVITY, 3);
        a.set(Tunable.RETRY_COUNT, 0);
        fail(1, HealthStatus.LOCAL_TIMEOUT);
        put(8, BITS, 0);
        String failed = tries.getFirst().split(" > ")[0];
        for (int second = 0; second < 3; second++) {
            fail(0, HealthStatus.OK);
            for (int i = 0; i < 4; i++) {
                put(8, BITS, 0);
            }
            assertThat(tries).hasSize(4).noneMatch(pair -> pair.startsWith(failed + " "));
            net.pass(1);
        }
        fail(0, HealthStatus.OK);
        for (int i = 0; i < 4; i++) {
            put(8, BITS, 0);
        }
        assertThat(tries)
                .as("well again")
                .filteredOn(pair -> pair.startsWith(failed + " "))
                .hasSize(2);
    }

    @Test
    void theIncrementMayBeTheSensitivity() {
        a.set(Tunable.HEALTH_RECOVERY_INCREMENT, 0);
        a.setPeerHealth(B2, 500);
        net.pass(3);
        assertThat(remote(B2)).isEqualTo(800);
        a.set(Tunable.HEALTH_RECOVERY_INCREMENT, 7);
        net.pass(1);
        assertThat(remote(B2)).isEqualTo(807);
    }

    @Test
    void thePaceIsConfigurable() {
        a.set(Tunable.RECOVERY_INTERVAL, 4);
        a.setPeerHealth(B2, 500);
        assertThat(watchPings(9)).containsExactly("4 " + B2, "8 " + B2);
    }

    @Test
    @Requirement("rsl-073")
    void aPingThatFailsOrIsNotAnsweredCostsAgain() {
        a.setPeerHealth(B2, 900);
        net.failNext(1, HealthStatus.REMOTE_DROPPED, header -> header.type() == MessageType.GET);
        net.pass(1);
        assertThat(remote(B2)).isEqualTo(800);
        assertThat(a.statistics().get(Statistic.RESEND_COUNT))
                .as("never sent again")
                .isZero();
        net.fail(header -> null);
        net.lose(packet -> packet.header().destNid().equals(B2));
        net.pass(6);
        assertThat(remote(B2)).isEqualTo(700);
    }

    @Test
    @Requirement("rsl-070")
    void whoWasLoweredBeforeItWasEverHeardRecoversWhenTheTransportFindsIt() {
        Nid mute = Nid.parse("10.0.0.77@tcp");
        a.addPeer(List.of(mute));
        net.failNext(1, HealthStatus.REMOTE_DROPPED, header -> header.destNid().equals(mute));
        net.awaitError(a.ping(mute, Nid.ANY, Duration.ofSeconds(1)));
        assertThat(remote(mute)).isLessThan(FULL);
        net.pass(3);
        assertThat(a.peerRecovery()).as("nobody knows whether it is there").isEmpty();
        net.notifyPeer(A, mute, true, false, net.now(a));
        assertThat(a.peerRecovery()).containsExactly(mute);
    }

    @Test
    @Requirement("rsl-073")
    void aPingOfAnNiToItselfThatIsLostCostsTheNi() {
        a.setHealth(A, 900);
        net.lose(packet -> packet.header().type() == MessageType.GET
                && packet.header().destNid().equals(A));
        net.pass(6);
        assertThat(local(A)).isEqualTo(800);
        assertThat(peerNi(a, A).health()).as("an own NID is no peer to blame").isEqualTo(FULL);
    }

    @Test
    @Requirement("rsl-073")
    void aPingOfAnNiToItselfThatCanNotBeSentCostsOnce() {
        a.setHealth(A, 900);
        a.setHealth(A2, 0);
        net.failNext(1, HealthStatus.LOCAL_ERROR, header -> header.destNid().equals(A));
        net.pass(1);
        assertThat(local(A) + local(A2)).as("A2's was answered").isEqualTo(900 - 100 + 1);
    }

    @Test
    void oneIsUnderWayAtATime() {
        a.setPeerHealth(B2, 500);
        net.hold(header -> header.type() == MessageType.GET);
        net.pass(4);
        assertThat(net.heldCount()).isEqualTo(1);
    }

    @Test
    void aPeerThatWasNeverHeardIsNotPinged() {
        net.takeLog();
        net.fail(header -> header.destNid().toString().startsWith("10.0.0.9")
                ? new TestNetwork.Failure(Errno.EIO, HealthStatus.REMOTE_ERROR)
                : null);
        a.put(source(8, new Recorder()), false, Nid.ANY, ProcessId.of(Nid.parse("10.0.0.9@tcp")), PORTAL, BITS, 0, 0);
        net.settle();
        assertThat(remote(Nid.parse("10.0.0.9@tcp"))).isLessThan(FULL);
        assertThat(a.peerRecovery()).isEmpty();
    }

    @Test
    void aPeerThatIsSilentForTooLongIsGivenUp() {
        a.set(Tunable.RECOVERY_LIMIT, 10);
        a.setPeerHealth(B2, 500);
        net.lose(packet -> packet.header().destNid().equals(B2));
        net.pass(9);
        assertThat(a.peerRecovery()).containsExactly(B2);
        assertThat(peerNi(a, B2).failures().pingCount()).isPositive();
        net.pass(2);
        assertThat(a.peerRecovery()).isEmpty();
        assertThat(peerNi(a, B2).failures().pingCount()).isZero();
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
        a.setPeerHealth(far, 500);
        assertThat(a.peerRecovery()).containsExactly(far);
        a.removeNi(Nid.parse("10.1.0.1@tcp1"));
        net.settle();
        net.pass(1);
        assertThat(a.peerRecovery()).isEmpty();
    }

    @Test
    @Requirement({"rsl-022", "rsl-076", "rsl-079", "rsl-125"})
    void aDeviceThatFailedIsWaitedForNotPinged() {
        a.setHealth(A2, 500);
        net.device(A2.toString(), DeviceEvent.FATAL);
        assertThat(watchPings(4)).noneMatch(line -> line.endsWith(A2.toString()));
        assertThat(local(A2)).isEqualTo(500);
        for (int i = 0; i < 4; i++) {
            fail(0, HealthStatus.OK);
            put(8, BITS, 0);
            assertThat(tries).allMatch(pair -> pair.startsWith(A + " "));
        }
        net.device(A2.toString(), DeviceEvent.CLEAR);
        assertThat(watchPings(4)).anyMatch(line -> line.endsWith(A2.toString()));
    }

    @Test
    void underLustrePingsGetRarer() {
        lustre();
        a.setPeerHealth(B2, 500);
        net.fail(header -> header.type() == MessageType.GET && header.destNid().equals(B2)
                ? new TestNetwork.Failure(Errno.EHOSTUNREACH, HealthStatus.REMOTE_DROPPED)
                : null);
        List<Integer> seconds = new ArrayList<>();
        long start = net.now(a) / 1_000_000_000L;
        int pings = 0;
        for (int second = 1; second < 2100; second++) {
            net.pass(1);
            int now = peerNi(a, B2).failures().pingCount();
            if (now != pings) {
                pings = now;
                seconds.add(second);
                long pause = pings <= 9 ? 1L << pings : 900;
                assertThat(peerNi(a, B2).failures().nextPing()).isEqualTo(start + second + pause);
            }
        }
        assertThat(seconds).containsExactly(1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 1923);
        assertThat(remote(B2)).isZero();
    }

    /**
     * Spec 10 §13: ping 5 answered, health 500 to 600, ping count 0, the next one due 32 s later and none in between.
     */
    @Test
    void underLustreTheFirstAnswerAfterALongSilenceGivesHealthOnceAndTheNextPingStaysFarAway() {
        lustre();
        a.setPeerHealth(B2, 900);
        net.fail(header -> header.type() == MessageType.GET && header.destNid().equals(B2)
                ? new TestNetwork.Failure(Errno.EHOSTUNREACH, HealthStatus.REMOTE_DROPPED)
                : null);
        net.pass(30);
        assertThat(remote(B2)).isEqualTo(500);
        assertThat(peerNi(a, B2).failures().pingCount()).isEqualTo(4);
        net.fail(header -> null);
        net.pass(1);
        assertThat(remote(B2)).isEqualTo(600);
        assertThat(peerNi(a, B2).failures().pingCount()).isZero();
        long due = peerNi(a, B2).failures().nextPing();
        assertThat(due).isEqualTo(net.now(a) / 1_000_000_000L + 32);
        assertThat(watchPings(31)).isEmpty();
        assertThat(watchPings(1)).containsExactly("1 " + B2);
        assertThat(remote(B2)).isEqualTo(700);
    }

    @Test
    void underLustreAnNiThatReachesItselfIsWellAtOnce() {
        lustre();
        a.setHealth(A, 800);
        net.pass(1);
        assertThat(local(A)).as("it took a GET and sent a REPLY").isEqualTo(FULL);
    }

    /**
     * As in the capture of a rail that goes down for 20 s: the other side sees DOWN, 900, one ping; then UP and 1000,
     * and the time of the next ping stays.
     */
    @Test
    void underLustreARailThatGoesDownAndComesBack() {
        lustre();
        Recorder at = new Recorder();
        sink(BITS, 8, at);
        net.device(B2.toString(), DeviceEvent.FATAL);
        assertThat(remote(B2)).isEqualTo(900);
        assertThat(peerNi(a, B2).up()).isFalse();
        assertThat(a.peerRecovery()).containsExactly(B2);
        assertThat(healthOf(b, B2)).as("hard errors are no matter of health").isEqualTo(FULL);
        net.hold(header -> header.destNid().equals(B2));
        net.pass(1);
        PeerNiHealth seen = peerNi(a, B2).failures();
        assertThat(seen.pingCount()).isEqualTo(1);
        assertThat(seen.nextPing()).isEqualTo(net.now(a) / 1_000_000_000L + 2);
        net.pass(17);
        assertThat(peerNi(a, B2).failures()).as("one at a time").isEqualTo(seen);
        net.device(B2.toString(), DeviceEvent.CLEAR);
        net.releaseAll();
        assertThat(remote(B2)).isEqualTo(FULL);
        assertThat(peerNi(a, B2).up()).isTrue();
        assertThat(peerNi(a, B2).failures().pingCount()).isZero();
        assertThat(peerNi(a, B2).failures().nextPing()).isEqualTo(seen.nextPing());
        net.pass(1);
        assertThat(a.peerRecovery()).isEmpty();
    }

    @Test
    void theLogSaysEverMoreRarelyWhatIsNotWell() {
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            a.set(Tunable.RECOVERY_INTERVAL, 86_400);
            a.setHealth(A, 500);
            a.setPeerHealth(B2, 500);
            List<Integer> seconds = new ArrayList<>();
            int before = 0;
            for (int second = 0; second < 1300; second++) {
                int now = (int) log.lines().stream()
                        .filter(line -> line.contains("1 peer NIs in recovery (showing 1): " + B2))
                        .count();
                if (now > before) {
                    seconds.add(second);
                    before = now;
                }
                net.pass(1);
            }
            assertThat(seconds).hasSize(7);
            assertThat(seconds.get(1) - seconds.get(0)).isEqualTo(60);
            assertThat(seconds.get(2) - seconds.get(1)).isEqualTo(120);
            assertThat(seconds.get(5) - seconds.get(4)).isEqualTo(300);
            assertThat(log.lines()).anyMatch(line -> line.contains("1 local NIs in recovery (showing 1): " + A));
        }
    }

    @Test
    void theLogBeginsAnewWhenAllWasWellForThatLong() {
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            a.set(Tunable.RECOVERY_INTERVAL, 86_400);
            for (int i = 0; i < 2; i++) {
                a.setPeerHealth(B2, 500);
                net.pass(1);
                assertThat(linesOfRecovery(log)).as("at once").isEqualTo(1 + 2 * i);
                net.pass(58);
                assertThat(linesOfRecovery(log)).isEqualTo(1 + 2 * i);
                net.pass(2);
                assertThat(linesOfRecovery(log)).as("after a minute").isEqualTo(2 + 2 * i);
                a.setPeerHealth(B2, 1000);
                net.pass(121);
            }
            assertThat(log.lines()).as("only what there is to say").doesNotContain("INFO ");
        }
    }

    private static long linesOfRecovery(LogTap log) {
        return log.lines().stream().filter(line -> line.contains("in recovery")).count();
    }
}
