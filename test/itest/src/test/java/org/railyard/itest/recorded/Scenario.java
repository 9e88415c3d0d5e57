package org.railyard.itest.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.railyard.itest.recorded.Steps.A0;
import static org.railyard.itest.recorded.Steps.A1;
import static org.railyard.itest.recorded.Steps.A6;
import static org.railyard.itest.recorded.Steps.B0;
import static org.railyard.itest.recorded.Steps.B1;
import static org.railyard.itest.recorded.Steps.B1_TCP1;
import static org.railyard.itest.recorded.Steps.B6;
import static org.railyard.itest.recorded.Steps.C1;
import static org.railyard.itest.recorded.Steps.awaitRest;
import static org.railyard.itest.recorded.Steps.bePingedAndDiscovered;
import static org.railyard.itest.recorded.Steps.expect;
import static org.railyard.itest.recorded.Steps.expectPeer;
import static org.railyard.itest.recorded.Steps.kernel;
import static org.railyard.itest.recorded.Steps.nids;
import static org.railyard.itest.recorded.Steps.peer;
import static org.railyard.itest.recorded.Steps.ping;
import static org.railyard.itest.recorded.Steps.pingAndDiscover;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.railyard.conformance.SteeredHost;
import org.railyard.host.RealHost;
import org.railyard.itest.kit.Await;
import org.railyard.itest.kit.Loopback;
import org.railyard.itest.talk.Item;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PingReply;
import org.railyard.lnet.api.RouterBufferInfo;
import org.railyard.lnet.api.RoutingState;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ProtocolVersion;

/**
 * Conversations between two kernel nodes, in each of which our node takes the place of one of them. A and B are the
 * nodes of the recordings: A has 10.99.0.11 and 10.99.1.11, B has 10.99.0.12 and 10.99.1.12. Where B is a router, A is
 * only on its first net, and C, 10.99.1.13, on its second.
 */
enum Scenario {
    WE_PING_TWICE_AND_ARE_PINGED("our node as A pings B twice and is pinged, discovery off", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            try (ScriptedPeer b = kernel("a1_ping_single_rail_discovery_off", place, B0);
                    LNet a = place.node(settings -> settings.with(Tunable.DISCOVERY, false), place.transport(), A0)) {
                CompletionStage<PingReply> first = ping(a, place, B0);
                b.playUntil(0.2);
                expect(first, place, B0);
                awaitRest(a);
                CompletionStage<PingReply> second = ping(a, place, B0);
                b.playUntil(0.4);
                expect(second, place, B0);
                b.playToEnd();
            }
        }
    },
    WE_ARE_PINGED_TWICE_AND_PING(
            "our node as B is pinged twice and pings A over A's connections, discovery off", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            try (ScriptedPeer a = kernel("a1_ping_single_rail_discovery_off", place, A0);
                    LNet b = place.node(settings -> settings.with(Tunable.DISCOVERY, false), place.transport(), B0)) {
                a.playUntil(0.4);
                CompletionStage<PingReply> answer = ping(b, place, A0);
                a.playToEnd();
                expect(answer, place, A0);
            }
        }
    },
    WE_PING_AND_STOP("our node as A pings B with discovery on, then stops", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            try (ScriptedPeer b = kernel("a2_ping_single_rail_discovery_on", place, B0)) {
                try (LNet a = place.node(A0)) {
                    CompletionStage<PingReply> answer = ping(a, place, B0);
                    b.playUntil(2);
                    expect(answer, place, B0);
                }
                b.playToEnd();
            }
        }
    },
    WE_ARE_PINGED_AND_LEFT("our node as B is pinged by A, which stops then", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            try (ScriptedPeer a = kernel("a2_ping_single_rail_discovery_on", place, A0);
                    LNet b = place.node(B0)) {
                a.playToEnd();
                assertThat(peer(b, place, A0).multiRail()).isFalse();
            }
        }
    },
    WE_DISCOVER_TWO_RAILS(
            "our node as A discovers B at first contact, again, and by force; B pushes back on the other rail",
            Family.V4) {
        @Override
        void play(Place place) throws IOException {
            try (ScriptedPeer b = kernel("b1_discover_multirail_first_contact", place, B0, B1);
                    LNet a = place.node(A0, A1)) {
                CompletionStage<PeerInfo> first = a.discover(place.nid(B0), false);
                b.playUntil(2);
                expectPeer(first, place, B0, B1);
                awaitRest(a);
                CompletionStage<PeerInfo> again = a.discover(place.nid(B1), false);
                b.playUntil(2.9);
                expectPeer(again, place, B0, B1);
                awaitRest(a);
                CompletionStage<PeerInfo> forced = a.discover(place.nid(B0), true);
                b.playUntil(4);
                expectPeer(forced, place, B0, B1);
                b.playToEnd();
            }
        }
    },
    WE_ARE_DISCOVERED_WITH_TWO_RAILS("our node as B is discovered by A and pushes back on the other rail", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            try (ScriptedPeer a = kernel("b1_discover_multirail_first_contact", place, A0, A1);
                    LNet b = place.node(B0, B1)) {
                a.playUntil(4);
                assertThat(nids(peer(b, place, A0))).containsExactlyElementsOf(nids(place, A0, A1));
                awaitRest(b);
                CompletionStage<PeerInfo> discovered = b.discover(place.nid(A1), false);
                a.playToEnd();
                expectPeer(discovered, place, A0, A1);
            }
        }
    },
    WE_PING_BOTH_RAILS_THEN_DISCOVER("our node as A pings two NIDs, then learns that they are one node", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            try (ScriptedPeer b = kernel("b2_ping_multirail_then_discover", place, B0, B1);
                    LNet a = place.node(A0, A1)) {
                CompletionStage<PingReply> first = ping(a, place, B0);
                b.playUntil(0.5);
                expect(first, place, B0);
                awaitRest(a);
                CompletionStage<PingReply> second = ping(a, place, B1);
                b.playUntil(2);
                expect(second, place, B1);
                assertThat(a.peers()).hasSize(2);
                awaitRest(a);
                CompletionStage<PeerInfo> discovered = a.discover(place.nid(B0), false);
                b.playToEnd();
                expectPeer(discovered, place, B0, B1);
                Await.until("one peer of two", () -> a.peers().size() == 1);
            }
        }
    },
    WE_ARE_PINGED_ON_BOTH_RAILS_THEN_DISCOVERED("our node as B is pinged on both rails, then discovered", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            try (ScriptedPeer a = kernel("b2_ping_multirail_then_discover", place, A0, A1);
                    LNet b = place.node(B0, B1)) {
                a.playToEnd();
                Await.until("one peer of two", () -> b.peers().size() == 1);
                assertThat(nids(peer(b, place, A0))).containsExactlyElementsOf(nids(place, A0, A1));
            }
        }
    },
    WE_DISCOVER_A_PEER_WITHOUT_DISCOVERY(
            "our node as A discovers B, which has discovery off: one ping, no push, one NID", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            try (ScriptedPeer b = kernel("b3_discover_peer_with_discovery_off", place, B0, B1);
                    LNet a = place.node(A0, A1)) {
                CompletionStage<PeerInfo> found = a.discover(place.nid(B0), false);
                b.playToEnd();
                PeerInfo peer = Await.value(found);
                assertThat(peer.multiRail()).isFalse();
                assertThat(nids(peer)).containsExactly(place.nid(B0));
            }
        }
    },
    WE_HAVE_DISCOVERY_OFF(
            "our node as B, with discovery off, is discovered by A: it says so and tells its NIDs", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            try (ScriptedPeer a = kernel("b3_discover_peer_with_discovery_off", place, A0, A1);
                    LNet b = place.node(
                            settings -> settings.with(Tunable.DISCOVERY, false), place.transport(), B0, B1)) {
                a.playToEnd();
                assertThat(peer(b, place, A0).multiRail()).isFalse();
            }
        }
    },
    WE_ARE_TOLD_OF_NIS("our node as A is told by pushes that B has an NI more, then one less", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            try (ScriptedPeer b = kernel("c_dynamic_ni_add_del_push", place, B0, B1);
                    LNet a = place.node(A0, A1)) {
                CompletionStage<PeerInfo> found = a.discover(place.nid(B0), false);
                b.playUntil(0.7);
                expectPeer(found, place, B0);
                b.playUntil(5);
                Await.until("the second NI of B", () -> nids(peer(a, place, B0)).equals(nids(place, B0, B1)));
                b.playToEnd();
                Await.until(
                        "the second NI of B to go",
                        () -> nids(peer(a, place, B0)).equals(nids(place, B0)));
            }
        }
    },
    WE_TELL_OF_NIS("our node as B adds an NI, then deletes it, and pushes to A what a kernel pushes", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            SteeredHost host = new SteeredHost(new RealHost());
            // Whether ACK or push back is first decides which NID of A is next in turn.
            host.hold("lnet-discovery");
            try (ScriptedPeer a = kernel("c_dynamic_ni_add_del_push", place, A0, A1);
                    LNet b = place.node(host, B0)) {
                a.playUntil(0.040_95);
                host.release("lnet-discovery");
                a.playUntil(0.7);
                assertThat(nids(peer(b, place, A0))).containsExactlyElementsOf(nids(place, A0, A1));
                awaitRest(b);
                Nid added = b.addNi(Loopback.ni(place.nid(B1)));
                assertThat(added).isEqualTo(place.nid(B1));
                a.playUntil(5);
                awaitRest(b);
                b.removeNi(added);
                a.playToEnd();
            }
        }
    },
    WE_OPEN_FOUR_CONNECTIONS_PER_TYPE(
            "our node as A opens 1 + 4 + 4 connections in the order of a kernel, conns_per_peer 4", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            Recording recording = Recording.load("j_conns_per_peer_4").until(1.0);
            SockLndConfig.Builder transport = place.transport().set(SockTunable.CONNS_PER_PEER, 4);
            try (ScriptedPeer b = new ScriptedPeer(recording, place, B0);
                    LNet a = place.bareNode(transport, A0)) {
                CompletionStage<PingReply> answer = ping(a, place, B0);
                b.playToEnd();
                expect(answer, place, B0);
            }
        }
    },
    WE_TAKE_FOUR_CONNECTIONS_PER_TYPE(
            "our node as B takes 1 + 4 + 4 connections and answers on A's, conns_per_peer 4", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            Recording recording = Recording.load("j_conns_per_peer_4").until(1.0);
            SockLndConfig.Builder transport = place.transport().set(SockTunable.CONNS_PER_PEER, 4);
            try (ScriptedPeer a = new ScriptedPeer(recording, place, A0);
                    LNet b = place.bareNode(transport, B0)) {
                a.playToEnd();
                assertThat(b.nids()).containsExactly(place.nid(B0));
            }
        }
    },
    WE_KEEP_AN_IDLE_CONNECTION_ALIVE(
            "our node as A has nothing to say for half a minute and sends one keepalive, on the same type of"
                    + " connection",
            Family.V4) {
        @Override
        void play(Place place) throws IOException {
            SteeredHost host = new SteeredHost(new RealHost());
            Recording recording = Recording.load("a3_idle_keepalive").until(40);
            try (ScriptedPeer b = new ScriptedPeer(recording, place, B0);
                    LNet a = place.node(host, A0)) {
                CompletionStage<PingReply> answer = ping(a, place, B0);
                b.playUntil(1);
                expect(answer, place, B0);
                // From when on the connections are idle is the node's secret, so time flies until it notices.
                Await.until("a keepalive", () -> {
                    host.advance(Duration.ofMillis(400));
                    return b.hasUnread(Item.Noop.class);
                });
                b.playToLastLine();
            }
        }
    },
    WE_LOSE_THE_RACE(
            "our node as A and B dial each other at the same moment: A has the lower NID and loses", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            try (ScriptedPeer b = kernel("k_race_simultaneous_connect", place, B0);
                    LNet a = place.node(A0)) {
                CompletionStage<PingReply> answer = ping(a, place, B0);
                // How often the loser tries again before the winner's last connection is there depends on the moment.
                b.playToLastLine();
                expect(answer, place, B0);
            }
        }
    },
    WE_SPEAK_V1("our node as A speaks V1: ping, discovery, push back", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            pingAndDiscover("l_protocol_v1", place, place.transport().protocol(ProtocolVersion.V1), 0.3);
        }
    },
    WE_ARE_SPOKEN_TO_IN_V1("our node as B is spoken to in V1", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            bePingedAndDiscovered("l_protocol_v1", place, place.transport());
        }
    },
    WE_SPEAK_V2_WITH_CHECKSUMS("our node as A speaks V2 with checksums: ping, discovery, push back", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            SockLndConfig.Builder transport =
                    place.transport().protocol(ProtocolVersion.V2).set(SockTunable.ENABLE_CSUM, 1);
            pingAndDiscover("l_protocol_v2_csum", place, transport, 0.3);
        }
    },
    WE_ARE_SPOKEN_TO_IN_V2_WITH_CHECKSUMS("our node as B is spoken to in V2 with checksums", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            bePingedAndDiscovered("l_protocol_v2_csum", place, place.transport().set(SockTunable.ENABLE_CSUM, 1));
        }
    },
    WE_STEP_DOWN_TO_V2("our node as A begins with V3 and goes on with V2, which is all that B speaks", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            try (ScriptedPeer b = kernel("l_protocol_v3_to_v2_negotiation", place, B0);
                    LNet a = place.node(A0)) {
                CompletionStage<PingReply> answer = ping(a, place, B0);
                b.playToEnd();
                expect(answer, place, B0);
            }
        }
    },
    WE_OFFER_V2("our node as B speaks V2 only and says so to A, which began with V3", Family.V4) {
        @Override
        void play(Place place) throws IOException {
            try (ScriptedPeer a = kernel("l_protocol_v3_to_v2_negotiation", place, A0);
                    LNet b = place.node(ProtocolVersion.V2, B0)) {
                a.playToEnd();
                assertThat(b.peers()).hasSize(1);
            }
        }
    },
    WE_ROUTE(
            "our node as B is a router: starts, says which of its nets work, passes pings and a discovery between A on"
                    + " one net and C on another",
            Family.V4) {
        @Override
        void play(Place place) throws IOException {
            SteeredHost host = new SteeredHost(new RealHost());
            Settings settings = Settings.of(CompatProfile.LUSTRE)
                    .with(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 5)
                    .with(Tunable.ROUTER_PING_TIMEOUT, 5);
            try (ScriptedPeer others = kernel("h1_router_ping", place, A0, C1);
                    LNet b = place.node(host, settings, B0, B1_TCP1)) {
                b.routing().enable();
                host.advance(Duration.ofSeconds(1));
                Await.until(
                        "nobody to be heard on the nets", () -> b.nis().stream().noneMatch(NiInfo::up));
                others.playUntil(6);
                host.advance(Duration.ofSeconds(5));
                others.playUntil(10.5);
                assertThat(b.routing().state()).isEqualTo(RoutingState.STARTING);
                host.advance(Duration.ofSeconds(5));
                others.playToEnd();
                assertThat(b.routing().state()).isEqualTo(RoutingState.ENABLED);
                // What the kernel's own counters said in the end.
                assertThat(b.statistics().get(Statistic.ROUTE_COUNT)).isEqualTo(10);
                assertThat(b.statistics().get(Statistic.ROUTE_LENGTH)).isEqualTo(240);
                assertThat(b.routing().buffers())
                        .extracting(RouterBufferInfo::buffers)
                        .containsExactly(2048, 16_384, 1024);
                assertThat(b.routing().buffers().getLast().minCredits())
                        .as("large ones were never needed")
                        .isEqualTo(1024);
            }
        }
    },
    WE_PING_AND_DISCOVER_OVER_IPV6("our node as A pings and discovers B: large NIDs, V4", Family.V6) {
        @Override
        void play(Place place) throws IOException {
            try (ScriptedPeer b = kernel("i1_ipv6_large_nid", place, B6);
                    LNet a = place.node(A6)) {
                CompletionStage<PingReply> answer = ping(a, place, B6);
                b.playUntil(0.5);
                expect(answer, place, B6);
                CompletionStage<PeerInfo> discovered = a.discover(place.nid(B6), false);
                b.playToEnd();
                expectPeer(discovered, place, B6);
            }
        }
    },
    WE_ARE_DISCOVERED_OVER_IPV6("our node as B is pinged and discovered by A: large NIDs, V4", Family.V6) {
        @Override
        void play(Place place) throws IOException {
            try (ScriptedPeer a = kernel("i1_ipv6_large_nid", place, A6);
                    LNet b = place.node(B6)) {
                a.playToEnd();
                Await.until("A as a multi-rail peer", () -> peer(b, place, A6).multiRail());
            }
        }
    };

    /** Address family of a scenario. */
    enum Family {
        /** IPv4. */
        V4,
        /** IPv6. */
        V6
    }

    private final String sentence;
    private final Family family;

    Scenario(String sentence, Family family) {
        this.sentence = sentence;
        this.family = family;
    }

    /**
     * Plays it.
     *
     * @throws AssertionError if our node does not behave like the recorded one
     */
    abstract void play(Place place) throws IOException;

    Family family() {
        return family;
    }

    @Override
    public String toString() {
        return sentence;
    }
}
