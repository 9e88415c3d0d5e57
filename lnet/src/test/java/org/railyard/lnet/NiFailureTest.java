package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;

/** What becomes of messages whose NI fails while they wait for it (spec 10 §11.4). */
class NiFailureTest extends TwoRails {
    private final Recorder from = new Recorder();
    private final Recorder at = new Recorder();

    @Override
    TestNetwork network() {
        return new TestNetwork().withTunables(4, 4);
    }

    /**
     * Makes 20 messages wait from a named NI: four in the transport, the others for credits of the peer NI, or of the
     * NI.
     */
    private void fill(Nid self, int count) {
        sink(BITS, 8, at);
        net.hold(header -> header.portal() == PORTAL);
        for (int i = 0; i < count; i++) {
            a.put(source(8, from), false, self, TO_B, PORTAL, BITS, 0, 0);
        }
        net.settle();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Requirement("snd-085")
    void messagesThatWaitForAnNiThatFailsMoveToAnother(boolean requeue) {
        a.set(Tunable.REQUEUE_ON_NI_FAILURE, requeue ? 1 : 0);
        fill(Nid.ANY, 30);
        int before = net.heldCount();
        fail(0, HealthStatus.OK);
        net.device(A.toString(), DeviceEvent.FATAL);
        net.releaseAll();
        assertThat(from.lines()).hasSize(30).containsOnly("SEND");
        assertThat(at.lines()).hasSize(30);
        assertThat(tries).hasSize(30);
        long overTheFailed =
                tries.stream().filter(pair -> pair.startsWith(A + " ")).count();
        if (requeue) {
            assertThat(overTheFailed).as("only what the transport had").isLessThanOrEqualTo(before);
        } else {
            assertThat(overTheFailed).isGreaterThan(before / 2);
        }
        assertThat(a.statistics().get(Statistic.RESEND_COUNT)).as("no resend").isZero();
    }

    /** What the failed device has comes back much later, or never: nobody who only waited for it waits for that. */
    @Test
    @Requirement("snd-085")
    void whatWaitsForTheNiDoesNotWaitForWhatItsDeviceHas() {
        a.setHealth(A2, 500);
        fill(Nid.ANY, 30);
        assertThat(net.heldCount()).as("all leave by the better NI").isEqualTo(4);
        loseDeviceOfA();
        assertThat(net.heldCount()).as("what the failed device has").isEqualTo(4);
        assertThat(from.lines()).as("all others are done").hasSize(26).containsOnly("SEND");
        assertThat(at.lines()).hasSize(26);
        net.releaseAll();
        assertThat(from.lines()).hasSize(30);
    }

    @Test
    @Requirement("snd-085")
    void whatWaitsForAPeerNiMayTakeAnotherAtOnce() {
        a.setPeerHealth(B2, 500);
        a.setHealth(A2, 500);
        fill(Nid.ANY, 30);
        a.setPeerHealth(B2, 1000);
        assertThat(net.heldCount()).as("all go to the better peer NI").isEqualTo(4);
        loseDeviceOfA();
        assertThat(from.lines()).as("those that chose the other peer NI").hasSizeGreaterThan(10);
        net.releaseAll();
        assertThat(from.lines()).hasSize(30).containsOnly("SEND");
    }

    /** What a silent peer NI was sent comes back when its time is over, and the rest would then wait for that again. */
    @Test
    void whatWaitsForAPeerNiThatFailsTakesAnother() {
        fillBestPeerNi();
        fail(1, HealthStatus.NETWORK_TIMEOUT);
        net.release(1);
        letOthersThanToB();
        assertThat(from.lines())
                .as("all but what the transport has")
                .hasSize(27)
                .containsOnlyOnce("SEND EIO")
                .filteredOn(line -> line.equals("SEND"))
                .hasSize(26);
        net.releaseAll();
        assertThat(from.lines()).hasSize(30);
        assertThat(a.statistics().get(Statistic.RESEND_COUNT)).as("no resend").isZero();
    }

    @ParameterizedTest
    @CsvSource({"1, 26", "0, 0"})
    void whatWaitsForAPeerNiThatItsNodeSaysIsDownTakesAnother(int requeue, int others) {
        a.set(Tunable.REQUEUE_ON_NI_FAILURE, requeue);
        fillBestPeerNi();
        net.device(B.toString(), DeviceEvent.FATAL);
        letOthersThanToB();
        assertThat(from.lines()).hasSize(others);
        net.releaseAll();
        assertThat(from.lines()).hasSize(30).containsOnly("SEND");
    }

    private void fillBestPeerNi() {
        a.setPeerHealth(B2, 500);
        fill(Nid.ANY, 30);
        assertThat(net.heldCount()).as("all go to the better peer NI").isEqualTo(4);
        a.setPeerHealth(B2, 1000);
    }

    private void letOthersThanToB() {
        net.hold(header -> header.portal() == PORTAL && header.destNid().equals(B));
        net.releaseOthers();
    }

    /** That its second attempt waited for an NI that failed meanwhile is no third one. */
    @Test
    void aResendThatMovesToAnotherNiCountsOnce() {
        net.hold(header -> header.portal() == PORTAL && header.srcNid().equals(A2));
        sink(BITS, 8, at);
        for (int i = 0; i < 4; i++) {
            a.put(source(8, from), false, A2, TO_B, PORTAL, BITS, 0, 0);
        }
        net.settle();
        fail(1, HealthStatus.LOCAL_DROPPED);
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            put(source(8, from), false);
            assertThat(tries).as("the second attempt waits for the other NI").hasSize(1);
            assertThat(a.statistics().get(Statistic.RESEND_COUNT)).isEqualTo(1);
            net.device(A2.toString(), DeviceEvent.FATAL);
            net.settle();
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("attempt"))
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .contains("sent again from " + A2)
                    .endsWith("attempt 2 of at most 3");
        }
        assertThat(tries).as("it goes by the first again").hasSize(2);
        assertThat(from.lines()).containsExactly("SEND");
        assertThat(a.statistics().get(Statistic.RESEND_COUNT)).isEqualTo(1);
        assertThat(a.statistics().get(Statistic.SUCCESSFUL_RESENDS)).isEqualTo(1);
        net.releaseAll();
    }

    private void loseDeviceOfA() {
        net.device(A.toString(), DeviceEvent.FATAL);
        net.hold(header -> header.portal() == PORTAL && header.srcNid().equals(A));
        net.releaseOthers();
    }

    @Test
    @Requirement("snd-085")
    void messagesThatNameTheNiThatFailedFail() {
        fill(A, 30);
        net.device(A.toString(), DeviceEvent.FATAL);
        net.releaseAll();
        assertThat(from.lines()).hasSize(30);
        assertThat(from.lines()).filteredOn(line -> line.equals("SEND")).hasSizeBetween(4, 8);
        assertThat(from.lines())
                .filteredOn(line -> line.equals("SEND EHOSTUNREACH"))
                .hasSizeBetween(22, 26);
    }

    @Test
    void anNiThatIsRemovedGivesItsMessagesToTheOther() {
        fill(Nid.ANY, 30);
        a.removeNi(A);
        net.releaseAll();
        assertThat(from.lines()).hasSize(30);
        assertThat(from.lines())
                .filteredOn(line -> line.equals("SEND ESHUTDOWN"))
                .hasSizeLessThanOrEqualTo(4);
        assertThat(from.lines()).filteredOn(line -> line.equals("SEND")).hasSizeGreaterThanOrEqualTo(26);
    }

    /** What is sent to the NID of an NI that is down arrives, pings are answered, and no answer leaves from that NI. */
    @Test
    void nothingIsSentToAnOwnNiThatIsDown() {
        putToItself(1);
        net.device(A2.toString(), DeviceEvent.FATAL);
        net.settle();
        a.setPeerHealth(A2, 1000);
        fail(0, HealthStatus.OK);
        putToItself(20);
        assertThat(tries).hasSize(20).containsOnly(A + " > " + A);
        net.device(A2.toString(), DeviceEvent.CLEAR);
        net.settle();
        putToItself(20);
        assertThat(tries).as("it is up again").anyMatch(pair -> pair.endsWith(" > " + A2));
    }

    private void putToItself(int count) {
        for (int i = 0; i < count; i++) {
            a.put(source(8, from), false, Nid.ANY, TO_A, PORTAL, BITS, 0, 0);
        }
        net.settle();
    }

    @Test
    void closingEndsWhatWaits() {
        fill(Nid.ANY, 30);
        a.close();
        assertThat(from.lines())
                .filteredOn(line -> line.equals("SEND ESHUTDOWN"))
                .hasSize(30);
        assertThat(a.messagesInUse()).isZero();
    }
}
