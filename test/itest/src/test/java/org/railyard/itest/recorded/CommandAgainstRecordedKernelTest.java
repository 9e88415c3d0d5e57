package org.railyard.itest.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.railyard.itest.kit.Await;
import org.railyard.itest.kit.Command;

/**
 * The commands against recorded kernel nodes: they say to them what lnetctl's kernel said, and print what lnetctl
 * printed.
 */
final class CommandAgainstRecordedKernelTest {
    private static final String A = "10.99.0.11@tcp";
    private static final String B = "10.99.0.12@tcp";

    private final Place place = Place.onLoopback();

    private CompletableFuture<Command> start(String name) {
        return CompletableFuture.supplyAsync(() -> Command.run(
                name,
                "--port",
                Integer.toString(place.port()),
                "--any-source-port",
                "--source",
                place.nid(A).toString(),
                place.nid(B).toString()));
    }

    @Test
    void ping() throws IOException {
        Recording recording =
                Recording.load("a1_ping_single_rail_discovery_off").until(0.2);
        try (ScriptedPeer b = new ScriptedPeer(recording, place, B)) {
            CompletableFuture<Command> ping = start("ping");
            b.playToEnd();
            Command done = Await.value(ping);
            assertThat(done.exit()).isZero();
            assertThat(done.out()).isEqualTo("""
                ping:
                - primary nid: 127.99.0.12@tcp
                  Multi-Rail: false
                  peer_ni:
                  - nid: 127.99.0.12@tcp
                """);
        }
    }

    @Test
    void discover() throws IOException {
        Recording recording =
                Recording.load("e_lst_brw_read_4k_full").ofPortal0().upToFirstAck();
        try (ScriptedPeer b = new ScriptedPeer(recording, place, B)) {
            CompletableFuture<Command> discover = start("discover");
            b.playToLastLine();
            Command done = Await.value(discover);
            assertThat(done.exit()).isZero();
            assertThat(done.out()).isEqualTo("""
                discover:
                - primary nid: 127.99.0.12@tcp
                  Multi-Rail: true
                  peer_ni:
                  - nid: 127.99.0.12@tcp
                """);
        }
    }
}
