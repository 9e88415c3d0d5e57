package org.railyard.node.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SocketPathTest {
    private static final Path OWN = Path.of("/run/user/7/railyard/lnetd.sock");
    private static final Path OF_SERVICE = Path.of("/run/railyard/lnetd.sock");
    private static final Map<String, String> USER = Map.of("XDG_RUNTIME_DIR", "/run/user/7");

    private static Path asked(Map<String, String> environment, String user, Path... there) {
        return SocketPath.LNETD.toAsk(environment, user, Set.of(there)::contains);
    }

    @Test
    void everybodyListensAtTheirOwnPlace() {
        assertThat(SocketPath.LNETD.toListen(USER, "root")).isEqualTo(OF_SERVICE);
        assertThat(SocketPath.LNETD.toListen(USER, "alice")).isEqualTo(OWN);
        assertThat(SocketPath.LNETD.toListen(Map.of(), "alice")).hasToString("/tmp/railyard-alice/lnetd.sock");
        assertThat(SocketPath.SM.toListen(Map.of(), "root")).hasToString("/run/railyard-sm/sm.sock");
        assertThat(SocketPath.SM.toListen(Map.of("RAILYARD_SM_SOCKET", "/x"), "root"))
                .hasToString("/x");
    }

    @Test
    void whoAsksFindsTheirOwnProgramOrElseTheService() {
        assertThat(asked(USER, "alice", OWN, OF_SERVICE)).isEqualTo(OWN);
        assertThat(asked(USER, "alice", OF_SERVICE)).isEqualTo(OF_SERVICE);
        assertThat(asked(USER, "alice")).isEqualTo(OWN);
        assertThat(asked(Map.of("RAILYARD_SOCKET", "/x"), "alice", OWN, OF_SERVICE))
                .as("a place that is named counts, whether anything is there or not")
                .hasToString("/x");
    }

    @Test
    void whoAsksASubnetManagerFindsTheService() {
        assertThat(SocketPath.SM.toAsk(USER, "alice", Set.of(Path.of("/run/railyard-sm/sm.sock"))::contains))
                .hasToString("/run/railyard-sm/sm.sock");
        assertThat(SocketPath.SM.toAsk(USER, "alice", Set.of(OF_SERVICE)::contains))
                .hasToString("/run/user/7/railyard/sm.sock");
    }
}
