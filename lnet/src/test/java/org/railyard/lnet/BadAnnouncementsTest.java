package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.testkit.LogTap;

/** What announcements that no honest node would send do to the peer table: nothing, or an error (spec 11 §3–§4). */
class BadAnnouncementsTest extends ScriptedPeerCase {
    private static final int REDISCOVER = 32;

    @Test
    void unreadableAnswersEndTheDiscoveryAfterAFewPings() {
        peer.saysBytes(new byte[100]);
        assertThat(net.awaitError(a.discover(P0, false)).errno()).isEqualTo(Errno.EPROTO);
        assertThat(net.takeTypes().stream().filter(t -> t == MessageType.GET)).hasSize(4);
        assertThat(peerOf(P0).state() & REDISCOVER).isEqualTo(REDISCOVER);
        peer.says(FULL, 1, P0);
        net.await(a.discover(P0, false));
        assertThat(peerOf(P0).state()).isEqualTo(273);
    }

    @Test
    void anAnswerThatAlwaysClaimsToBeLongerEndsTheDiscoveryToo() {
        byte[] bytes = new byte[272];
        PingInfo info = PingInfo.of(FULL, 12345, 1, List.of(new PingInfo.Entry(P0, PingInfo.STATUS_UP)));
        MemorySegment memory = MemorySegment.ofArray(bytes);
        info.write(memory, 0);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, 12, 4000);
        peer.saysBytes(bytes);
        assertThat(net.awaitError(a.discover(P0, false)).errno()).isEqualTo(Errno.EPROTO);
        assertThat(net.takeLog().stream()
                        .filter(p -> p.header().type() == MessageType.GET)
                        .map(p -> p.header().sinkLength()))
                .allMatch(bytesAsked -> bytesAsked <= 1 << 20)
                .hasSize(4);
    }

    @Test
    void nidsThatNobodyCanHaveAreNotBelieved() {
        Nid multicast = Nid.parse("224.0.0.9@tcp");
        for (Nid[] claim : new Nid[][] {{Nid.ANY, P0}, {Nid.LOOPBACK, P0}, {multicast, P0}}) {
            peer.saysRaw(FULL, 1, claim);
            net.await(a.discover(P0, false));
            assertThat(nidsOf(P0)).containsExactly(P0);
            assertThat(a.knownPrimaryNid(P0)).isEqualTo(P0);
        }
        peer.saysRaw(FULL, 1, P0, Nid.ANY, Nid.LOOPBACK, multicast, P1);
        net.await(a.discover(P0, false));
        assertThat(nidsOf(P0)).containsExactly(P0, P1);
    }

    @Test
    void linkLocalNidsAreLeftOutAndTheRestIsTaken() {
        Nid linkLocal = Nid.parse("fe80::9@tcp");
        Nid global = Nid.parse("2001:db8::9@tcp");
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            peer.says(FULL, 1, P0, P1, linkLocal, global);
            net.await(a.discover(P0, false));
            assertThat(nidsOf(P0)).containsExactly(P0, P1, global);
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("link-local"))
                    .singleElement()
                    .asString()
                    .contains("peer 10.0.0.9@tcp announces the link-local [fe80::9@tcp]", "ignored", "fd00::/8");
        }
        peer.says(FULL, 2, linkLocal, P0, P2);
        net.await(a.discover(P0, false));
        assertThat(nidsOf(P0)).as("also as the first").containsExactly(P0, P2);
        assertThat(peerOf(P0).primaryNid()).isEqualTo(P0);
        peer.answersPuts();
        net.await(put(P0));
    }

    /** It costs what any message to a NID that nobody has costs: an attempt, and those that follow it at once. */
    @Test
    void whoPushesInTheNameOfAnInventedNidDoesNotGetItDialledAgainAndAgain() {
        Nid invented = Nid.parse("10.0.7.7@tcp");
        int[] dials = {0};
        net.refuse(header -> {
            dials[0] += header.destNid().equals(invented) ? 1 : 0;
            return null;
        });
        PingInfo info = PingInfo.of(FULL, 12345, 1, List.of(new PingInfo.Entry(invented, PingInfo.STATUS_UP)));
        byte[] bytes = new byte[info.bytes()];
        info.write(MemorySegment.ofArray(bytes), 0);
        LNetHeader push = new LNetHeader();
        push.setPut(bytes.length, Wire.NO_COOKIE, Wire.NO_COOKIE, Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, 0);
        push.setRoute(A, ProcessId.LUSTRE_PID, invented, ProcessId.LUSTRE_PID);
        net.inject(P0, push, bytes, null);
        net.pass(1200);
        assertThat(dials[0]).isBetween(1, 3);
    }

    @Test
    void anAnnouncementOfNothingIsIgnored() {
        peer.says(FULL, 1);
        net.await(a.discover(P0, false));
        assertThat(nidsOf(P0)).containsExactly(P0);
    }

    @Test
    void aNodeThatDoesNotAnnounceTheNidItIsCalledByIsNotAskedForEver() {
        peer.says(FULL, 1, P1);
        peer.answersPuts();
        net.await(put(P0));
        net.await(put(P0));
        assertThat(net.takeTypes().stream().filter(t -> t == MessageType.GET).count())
                .isLessThan(6);
        net.await(a.discover(P0, false));
    }
}
