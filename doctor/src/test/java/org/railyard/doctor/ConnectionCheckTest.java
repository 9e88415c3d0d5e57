package org.railyard.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.lnet.lnd.PeerConnections;
import org.railyard.lnet.lnd.PeerConnections.State;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

/** What is said of connections that a transport could not make. */
class ConnectionCheckTest extends Examined {
    private static final String ONE = "10.0.0.1@tcp";
    private static final String TWO = "10.0.0.2@tcp";
    private static final String PEER = "10.0.0.9@tcp";
    private static final String OTHER = "10.0.0.8@tcp";
    private static final long SECOND = 1_000_000_000L;

    ConnectionCheckTest() {
        setup.infos.add(Snapshots.ni("eth0", ONE, Snapshots.WELL, 256));
        setup.infos.add(Snapshots.ni("eth1", TWO, Snapshots.WELL, 256));
        setup.peer(Snapshots.peer(PEER, OTHER));
    }

    private void connection(String ni, String peer, State state, @Nullable Errno why) {
        int bulk = state == State.CONNECTED ? 1 : 0;
        int control = state == State.CONNECTED || state == State.INCOMPLETE ? 1 : 0;
        setup.connected.add(new Setup.Connected(
                Nid.parse(ni),
                new PeerConnections(
                        Nid.parse(peer),
                        ProcessId.LUSTRE_PID,
                        state,
                        Map.of("control", control, "bulk in", bulk),
                        2,
                        12 * SECOND,
                        12 * SECOND,
                        0,
                        why,
                        7 * SECOND + 1)));
    }

    @Test
    void aPeerNiThatConnectionsCanNotBeMadeTo() {
        connection(ONE, PEER, State.FAILED, Errno.ECONNREFUSED);
        connection(TWO, PEER, State.NONE, null);
        Finding finding = only("connection-down");
        assertThat(finding.subject()).isEqualTo("peer NI " + PEER);
        assertThat(finding.found())
                .isEqualTo("no connection from " + ONE + " for 12 s; the last attempt failed: "
                        + Errno.ECONNREFUSED.text() + " (ECONNREFUSED); messages try again after 8 s");
        assertThat(finding.means()).isEqualTo("nothing gets to the peer at the moment");
        assertThat(finding.mend()).anyMatch(line -> line.startsWith("lnetctl ping --source " + ONE + " " + PEER));
    }

    @Test
    void anotherRailOfThePeerIsUp() {
        connection(ONE, PEER, State.FAILED, Errno.ETIMEDOUT);
        connection(TWO, OTHER, State.CONNECTED, null);
        assertThat(only("connection-down").means()).startsWith("messages take the other ways");
    }

    @Test
    void someConnectionsAreMissing() {
        connection(ONE, PEER, State.INCOMPLETE, Errno.EALREADY);
        assertThat(only("connection-incomplete").found()).contains("1 control", "0 bulk in", "2 bulk each way");
    }

    @Test
    void whatIsWellOrUnderWayIsNoFinding() {
        connection(ONE, PEER, State.CONNECTED, null);
        connection(TWO, PEER, State.CONNECTING, Errno.ECONNREFUSED);
        connection(TWO, OTHER, State.NONE, Errno.ECONNRESET);
        assertThat(ids()).isEmpty();
    }

    @Test
    void oneCauseIsToldOnce() {
        connection(ONE, OTHER, State.FAILED, Errno.ECONNREFUSED);
        setup.asked = true;
        setup.silent.put(Nid.parse(PEER), "no route to host (EHOSTUNREACH)");
        assertThat(ids()).as("the peer answers on none of its NIDs").containsExactly("peer-silent");
        setup.silent.clear();
        setup.rails.add(new Setup.Rail(Nid.parse(PEER), Nid.parse(ONE), Nid.parse(OTHER), "Connection timed out"));
        assertThat(ids()).containsExactly("rail-silent");
        setup.rails.clear();
        assertThat(ids()).containsExactly("connection-down");
    }

    @Test
    void anNiThatIsDownExplainsItself() {
        setup.infos.clear();
        connection(ONE, PEER, State.FAILED, Errno.ENETDOWN);
        assertThat(ids()).doesNotContain("connection-down");
    }
}
