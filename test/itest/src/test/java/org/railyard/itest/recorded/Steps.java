package org.railyard.itest.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.railyard.itest.kit.Await;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PingReply;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.tune.SockLndConfig;

/**
 * What the scenarios have in common: the NIDs of the recordings, questions to our node, and what is expected of the
 * answers.
 */
final class Steps {
    static final String A0 = "10.99.0.11@tcp";
    static final String A1 = "10.99.1.11@tcp";
    static final String B0 = "10.99.0.12@tcp";
    static final String B1 = "10.99.1.12@tcp";
    static final String B1_TCP1 = "10.99.1.12@tcp1";
    static final String C1 = "10.99.1.13@tcp";
    static final String A6 = "fd00:99::11@tcp";
    static final String B6 = "fd00:99::12@tcp";

    /** State bits of a peer (spec 11 §1.1). */
    private static final int DISCOVERING = 1 << 6;

    private static final int DATA_PRESENT = 1 << 7;

    private Steps() {}

    static ScriptedPeer kernel(String capture, Place place, String... played) throws IOException {
        return new ScriptedPeer(Recording.load(capture), place, played);
    }

    static void pingAndDiscover(String capture, Place place, SockLndConfig.Builder transport, double pinged)
            throws IOException {
        try (ScriptedPeer b = new ScriptedPeer(Recording.load(capture).ofPortal0(), place, B0);
                LNet a = place.node(settings -> settings, transport, A0)) {
            CompletionStage<PingReply> answer = ping(a, place, B0);
            b.playUntil(pinged);
            expect(answer, place, B0);
            CompletionStage<PeerInfo> discovered = a.discover(place.nid(B0), false);
            b.playToEnd();
            expectPeer(discovered, place, B0);
        }
    }

    static void bePingedAndDiscovered(String capture, Place place, SockLndConfig.Builder transport) throws IOException {
        try (ScriptedPeer a = new ScriptedPeer(Recording.load(capture).ofPortal0(), place, A0);
                LNet b = place.node(settings -> settings, transport, B0)) {
            a.playToEnd();
            Await.until("A as a multi-rail peer", () -> peer(b, place, A0).multiRail());
        }
    }

    static CompletionStage<PingReply> ping(LNet node, Place place, String target) {
        return node.ping(place.nid(target), Nid.ANY, Duration.ofSeconds(20));
    }

    /**
     * Waits until a node is at rest, as the kernels were between two commands: a push that is still being merged would
     * make a question needless, and a credit that is still out would send it another way.
     */
    static void awaitRest(LNet node) {
        Await.until(
                () -> "a node at rest: " + node.nis() + node.peers(),
                () -> node.nis().stream().allMatch(ni -> ni.credits() == ni.maxCredits())
                        && node.peers().stream()
                                .allMatch(peer -> (peer.state() & (DISCOVERING | DATA_PRESENT)) == 0
                                        && peer.nis().stream().allMatch(ni -> ni.queuedBytes() == 0)));
    }

    static void expect(CompletionStage<PingReply> ping, Place place, String target) {
        assertThat(Await.value(ping).nids()).contains(place.nid(target));
    }

    static void expectPeer(CompletionStage<PeerInfo> discovered, Place place, String... nids) {
        PeerInfo peer = Await.value(discovered);
        assertThat(peer.multiRail()).isTrue();
        assertThat(nids(peer)).containsExactlyElementsOf(nids(place, nids));
    }

    static List<Nid> nids(Place place, String... recorded) {
        return Stream.of(recorded).map(place::nid).toList();
    }

    static List<Nid> nids(PeerInfo peer) {
        return peer.nis().stream().map(PeerInfo.PeerNiInfo::nid).toList();
    }

    /** Returns what our node knows of a peer. */
    static PeerInfo peer(LNet node, Place place, String primary) {
        return node.peers().stream()
                .filter(peer -> peer.primaryNid().equals(place.nid(primary)))
                .findFirst()
                .orElseThrow(() ->
                        new AssertionError("our node does not know " + place.nid(primary) + " but " + node.peers()));
    }
}
