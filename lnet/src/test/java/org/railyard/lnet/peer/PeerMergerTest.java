package org.railyard.lnet.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.host.StateLock;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.event.NodeEvents;
import org.railyard.lnet.health.HealthTable;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.HeldLock;
import org.railyard.lnet.sim.TestHost;
import org.railyard.lnet.udsp.Policy;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.testkit.Requirement;

/** Spec 11 §4.1, row by row, and what people are told of it. */
class PeerMergerTest {
    private static final Nid P0 = Nid.parse("10.0.0.9@tcp");
    private static final Nid P1 = Nid.parse("10.0.1.9@tcp");
    private static final Nid P2 = Nid.parse("10.0.2.9@tcp");
    private static final Nid Q0 = Nid.parse("10.0.0.8@tcp");
    private static final Nid Q1 = Nid.parse("10.0.1.8@tcp");

    private final List<String> lines = new ArrayList<>();
    private final Policy policy = new Policy();
    private final StateLock lock = HeldLock.make();
    private final PeerTable peers = new PeerTable(lock, new NiTable(policy), policy);
    private final PeerMerger merger = new PeerMerger(
            peers,
            new HealthTable(
                    lock,
                    () -> Settings.of(CompatProfile.DOCUMENTS),
                    new TestHost(0),
                    new NodeEvents(lock, new TestHost(0), null),
                    () -> {}),
            (level, topic, line) -> lines.add(level + " " + topic + ": " + line));

    private Peer peer(int state, Nid... nids) {
        PeerNi first = peers.findOrCreate(nids[0], null);
        if (first == null) {
            throw new AssertionError("the table is full");
        }
        Peer peer = first.peer();
        peer.set(state);
        for (int i = 1; i < nids.length; i++) {
            peers.addNid(peer, nids[i]);
        }
        return peer;
    }

    private Peer multiRail(Nid... nids) {
        return peer(PeerState.MULTI_RAIL, nids);
    }

    private static PingInfo info(Nid... nids) {
        List<PingInfo.Entry> entries = new ArrayList<>();
        for (Nid nid : nids) {
            entries.add(new PingInfo.Entry(nid, PingInfo.STATUS_UP));
        }
        return PingInfo.of(PingInfo.MULTI_RAIL | PingInfo.DISCOVERY, 12345, 1, entries);
    }

    private static List<Nid> nids(Peer peer) {
        return peer.nis().stream().map(PeerNi::nid).toList();
    }

    @Test
    void theSecondNidOfAnotherPeerMoves() {
        Peer other = multiRail(Q0, Q1);
        other.set(PeerState.NIDS_UPTODATE);
        Peer peer = multiRail(P0);
        assertThat(merger.merge(peer, info(P0, Q1), true)).isSameAs(peer);
        assertThat(nids(peer)).containsExactly(P0, Q1);
        assertThat(nids(other)).containsExactly(Q0);
        assertThat(other.is(PeerState.NIDS_UPTODATE))
                .as("it is to be asked again")
                .isFalse();
    }

    @Test
    void theFirstNidOfAnotherPeerBringsItsEnd() {
        Peer other = multiRail(Q0, Q1);
        Peer peer = multiRail(P0);
        merger.merge(peer, info(P0, Q0), true);
        assertThat(nids(peer)).containsExactly(P0, Q0);
        assertThat(other.detached).isTrue();
        assertThat(peers.find(Q1)).isNull();
        assertThat(peer.is(PeerState.LOCK_PRIMARY)).isFalse();
    }

    @Test
    void theLockOfAPeerThatEndsGoesOn() {
        Peer locked = multiRail(Q0);
        peers.lock(locked, Q0);
        Peer peer = multiRail(P0);
        merger.merge(peer, info(P0, Q0), true);
        assertThat(peer.primaryNid).isEqualTo(Q0);
        assertThat(peer.is(PeerState.LOCK_PRIMARY)).isTrue();
        assertThat(nids(peer)).containsExactly(Q0, P0);
    }

    @Test
    void ofTwoLocksTheEarlierOneWins() {
        Peer early = multiRail(P0);
        peers.lock(early, P0);
        Peer late = multiRail(Q0);
        peers.lock(late, Q0);
        merger.merge(early, info(P0, Q0), true);
        assertThat(nids(early)).containsExactly(P0, Q0);

        Peer later = multiRail(P2);
        peers.lock(later, P2);
        merger.merge(later, info(P2, P0), true);
        assertThat(later.primaryNid).as("it has two NIDs, so nothing moves").isEqualTo(P2);
        assertThat(nids(later)).containsExactly(P2);
    }

    @Test
    void theLaterOneGivesWay() {
        Peer early = multiRail(Q0);
        peers.lock(early, Q0);
        Peer late = multiRail(P0);
        peers.lock(late, P0);
        merger.merge(late, info(P0, Q0), true);
        assertThat(late.primaryNid).isEqualTo(Q0);
        assertThat(late.lockedAt).isEqualTo(1);
    }

    @Test
    void ofAPeerThatIsNotMultiRailTheAnswerIsAboutTheNidThatGaveIt() {
        Peer first = peer(0, P0);
        Peer second = peer(0, P1);
        List<PingInfo.Entry> entries =
                List.of(new PingInfo.Entry(P0, PingInfo.STATUS_DOWN), new PingInfo.Entry(P1, PingInfo.STATUS_DOWN));
        assertThat(merger.merge(second, PingInfo.of(PingInfo.DISCOVERY, 12345, 1, entries), true))
                .isSameAs(second);
        assertThat(second.nis().getFirst().isUp()).isFalse();
        assertThat(first.nis().getFirst().isUp()).isTrue();
    }

    @Test
    @Requirement({"snd-065", "dyn-060"})
    void twoLockedPeersThatClaimOneNidAreFlaggedAndToldOf() {
        Peer locked = multiRail(Q0, Q1);
        peers.lock(locked, Q0);
        Peer peer = multiRail(P0);
        merger.merge(peer, info(P0, Q0), true);
        assertThat(nids(peer)).containsExactly(P0);
        assertThat(nids(locked)).containsExactly(Q0, Q1);
        assertThat(peer.is(PeerState.BAD_CONFIG)).isTrue();
        assertThat(locked.is(PeerState.BAD_CONFIG)).isTrue();
        assertThat(lines)
                .anyMatch(line -> line.startsWith("ERROR claims: peers " + P0 + " and " + Q0 + " both claim " + Q0));
    }

    @Test
    @Requirement("dyn-060")
    void whatContradictsTheConfigurationIsToldAndLeft() {
        Peer configured = peer(PeerState.MULTI_RAIL | PeerState.CONFIGURED, P0, P1);
        merger.merge(configured, info(P0, P2), true);
        assertThat(nids(configured)).containsExactly(P0, P1);
        assertThat(configured.nis().get(1).isUp()).isFalse();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).startsWith("WARNING configuration: peer " + P0 + " announces [" + P2);
        assertThat(lines.get(1)).startsWith("WARNING vanished: peer " + P0 + " does not announce its NIDs [" + P1);

        Peer other = multiRail(Q0);
        lines.clear();
        merger.merge(other, info(Q0, P1), true);
        assertThat(nids(other)).containsExactly(Q0);
        assertThat(lines).singleElement().asString().contains("which other peers keep");
    }

    @Test
    @Requirement("dyn-060")
    void aMultiRailFlagThatContradictsTheConfigurationIsTold() {
        Peer plain = peer(PeerState.CONFIGURED, P0);
        merger.setMultiRail(plain, true, true);
        assertThat(plain.isMultiRail()).isFalse();
        Peer configured = peer(PeerState.CONFIGURED | PeerState.MULTI_RAIL, P1);
        merger.setMultiRail(configured, false, true);
        assertThat(configured.isMultiRail()).isTrue();
        Peer discovered = multiRail(P2);
        merger.setMultiRail(discovered, false, true);
        assertThat(discovered.isMultiRail()).isFalse();
        assertThat(lines)
                .extracting(line -> line.substring(0, line.indexOf(':')))
                .containsExactly("WARNING multi-rail", "WARNING multi-rail", "ERROR multi-rail");
        lines.clear();
        merger.setMultiRail(plain, true, false);
        merger.setMultiRail(plain, false, true);
        assertThat(lines).as("nothing to say").isEmpty();
    }

    @Test
    void aPrimaryNidThatBelongsToAnotherPeersTailChangesThatPeersPrimary() {
        Peer other = multiRail(Q0, Q1);
        Peer peer = multiRail(P0);
        assertThat(merger.merge(peer, info(Q1, P0), true)).isSameAs(other);
        assertThat(other.primaryNid).isEqualTo(Q1);
        assertThat(nids(other)).containsExactly(Q1, P0);
        assertThat(peer.detached).isTrue();
    }

    @Test
    void aPeerWithoutMultiRailOnlyLearnsWhichNidsAreDown() {
        Peer plain = peer(0, P0);
        PingInfo info = PingInfo.of(
                PingInfo.RTE_DISABLED,
                12345,
                1,
                List.of(new PingInfo.Entry(P1, PingInfo.STATUS_UP), new PingInfo.Entry(P0, PingInfo.STATUS_DOWN)));
        merger.merge(plain, info, true);
        assertThat(plain.primaryNid).isEqualTo(P0);
        assertThat(nids(plain)).containsExactly(P0);
        assertThat(plain.nis().getFirst().isUp()).isFalse();
        assertThat(plain.nis().getFirst().health).isEqualTo(900);
        merger.merge(plain, info(P0), false);
        assertThat(plain.nis().getFirst().health)
                .as("never used, so only its owner's word counts")
                .isEqualTo(1000);
    }

    @Test
    void aNidIsSplitOffUnlessSomethingHoldsIt() {
        Peer peer = multiRail(P0, P1);
        Peer alone = merger.splitOff(peer.nis().getFirst());
        assertThat(alone).isNotNull();
        assertThat(peer.primaryNid).isEqualTo(P1);
        assertThat(nids(peer)).containsExactly(P1);
        assertThat(merger.splitOff(peer.nis().getFirst())).as("its only NID").isNull();

        Peer locked = multiRail(Q0, Q1);
        peers.lock(locked, Q0);
        assertThat(merger.splitOff(locked.nis().getFirst())).isNull();
        assertThat(merger.splitOff(locked.nis().get(1))).isNotNull();
    }
}
