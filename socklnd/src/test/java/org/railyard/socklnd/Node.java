package org.railyard.socklnd;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.railyard.base.host.Host;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.io.SendQueues;
import org.railyard.socklnd.link.DeviceLinkState;
import org.railyard.socklnd.tune.AcceptPolicy;
import org.railyard.socklnd.tune.PeerPorts;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.tune.SourcePorts;
import org.railyard.socklnd.wire.ConnectionType;

/**
 * A node on a loopback address: a transport, its recording stack, one NI to begin with. Ports are free ones, found
 * through a shared table.
 */
final class Node implements AutoCloseable {
    /** Who listens where. */
    static final class Ports implements PeerPorts {
        private final Map<Nid, Integer> known = new ConcurrentHashMap<>();

        @Override
        public int portOf(Nid peer, ConnectionType type) {
            // Port 1 on loopback refuses.
            return known.getOrDefault(peer, 1);
        }

        void set(Nid nid, int port) {
            known.put(nid, port);
        }
    }

    final RecordingStack stack = new RecordingStack();
    final SockLnd lnd;
    final LndNi ni;
    final Nid nid;
    private final Ports ports;

    Node(String nid, Ports ports, Host host, UnaryOperator<SockLndConfig.Builder> config) {
        this(nid, ports, host, config, Map::of);
    }

    Node(String nid, Ports ports, Host host, UnaryOperator<SockLndConfig.Builder> config, SendQueues queues) {
        this.ports = ports;
        this.nid = Nid.parse(nid);
        SockLndConfig.Builder builder = SockLndConfig.builder()
                .acceptPort(0)
                .accept(AcceptPolicy.ALL)
                .sourcePorts(SourcePorts.ANY)
                .set(SockTunable.NSCHEDS, 2)
                .peerPorts(ports)
                .linkMonitor((device, address) -> DeviceLinkState.UP);
        this.lnd = new SockLnd(config.apply(builder).build(), stack, host, queues);
        this.ni = add(this.nid, Map.of());
    }

    /** Starts one more NI. */
    LndNi add(Nid other, Map<String, Integer> tunables) {
        NiRequest request = NiRequest.ofNid(other).withLndTunables(tunables);
        String device = lnd.resolve(request).interfaceName();
        LndNi added = new TestNi(other, other.net(), device, request.tunables(), tunables);
        lnd.startup(added);
        ports.set(other, lnd.listenPort(added));
        return added;
    }

    int port() {
        return lnd.listenPort(ni);
    }

    /** Sends a PUT to another node. */
    TestMessage put(Node to, int payload, long bits) {
        TestMessage message = TestMessage.put(nid, to.nid, payload, bits);
        int status = lnd.send(ni, message);
        if (status != 0) {
            throw new AssertionError("send returned " + status);
        }
        return message;
    }

    @Override
    public void close() {
        lnd.close();
    }
}
