package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.BugDetectors;
import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.api.SilentCloseable;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.HexFormat;
import org.railyard.conformance.TestMessage;
import org.railyard.host.RealHost;
import org.railyard.lnet.nid.Nid;

/** Whatever comes over a connection, that connection ends, everything received is given back, and others go on. */
class FrameReaderFuzzTest {
    private static final String NID = "127.0.6.1@tcp";
    private static final String BYSTANDER = "10.0.0.2@tcp";

    @FuzzTest(maxDuration = "3s")
    void frames(FuzzedDataProvider data) throws IOException {
        BugDetectors.allowNetworkConnections((host, port) -> host.startsWith("127."));
        int type = data.consumeInt(1, 3);
        byte[] bytes = data.consumeRemainingAsBytes();
        // To Jazzer, a connection is a finding unless it is expected.
        try (SilentCloseable _ = BugDetectors.allowNetworkConnections((host, _) -> host.startsWith("127.0.6."));
                Node node = new Node(NID, new Node.Ports(), new RealHost(), builder -> builder);
                RawPeer bystander = RawPeer.connect("127.0.6.2", NID, node.port())) {
            bystander.control(NID, BYSTANDER, 1);
            try (RawPeer peer = RawPeer.connect("127.0.6.3", NID, node.port())) {
                assertThat(peer.hello(NID, "10.0.0.3@tcp", 1, type)).isPositive();
                peer.send(HexFormat.of().formatHex(bytes));
            }
            Await.until("closed", () -> node.lnd.stats().closed() == 1);
            assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(1);
            TestMessage message = TestMessage.put(node.nid, Nid.parse(BYSTANDER), 4, 1);
            assertThat(node.lnd.send(node.ni, message)).isZero();
            assertThat(bystander.read(100)).startsWith("c1");
            // Every header got its answer: arrivals whole, the rest given back with an error.
            int begun = node.stack.headers.size();
            Await.until("given back", () -> node.stack.arrivals.size() + node.stack.completions.size() == begun + 1);
        }
    }
}
