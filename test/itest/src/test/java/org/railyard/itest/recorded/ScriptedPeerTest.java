package org.railyard.itest.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Tunable;

/** The judge is awake: a node that differs from the recorded one does not pass. */
final class ScriptedPeerTest {
    private static final String A = "10.99.0.11@tcp";
    private static final String B = "10.99.0.12@tcp";

    private final Place place = Place.onLoopback();

    @Test
    void seesAnotherFeatureBit() throws IOException {
        try (ScriptedPeer a = new ScriptedPeer(Recording.load("a2_ping_single_rail_discovery_on"), place, A);
                LNet b = place.node(settings -> settings.with(Tunable.DISCOVERY, false), place.transport(), B)) {
            assertThatThrownBy(a::playToEnd)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("features of ping info: the kernel's is 0x1e, ours 0xe");
            assertThat(b.peers()).as("the node works, it is only different").hasSize(1);
        }
    }

    @Test
    void seesAnNiMore() throws IOException {
        try (ScriptedPeer a = new ScriptedPeer(Recording.load("a2_ping_single_rail_discovery_on"), place, A);
                LNet b = place.node(B, "10.99.1.12@tcp")) {
            assertThatThrownBy(a::playToEnd)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("payload length: the kernel's is 48, ours 64")
                    .hasMessageContaining(b.nids().getLast().toString());
        }
    }

    @Test
    void seesAnotherBufferSize() throws IOException {
        try (ScriptedPeer b = new ScriptedPeer(
                        Recording.load("a2_ping_single_rail_discovery_on").until(0.5), place, B);
                LNet a = place.node(A)) {
            assertThatThrownBy(() -> {
                        a.discover(place.nid(B), false);
                        b.playToEnd();
                    })
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("sink length: the kernel's is 3960, ours 272");
        }
    }
}
