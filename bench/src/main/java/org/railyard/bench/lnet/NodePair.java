package org.railyard.bench.lnet;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.railyard.lnet.LNet;
import org.railyard.lnet.LNetConfig;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.socklnd.AcceptPolicy;
import org.railyard.socklnd.SockLndConfig;
import org.railyard.socklnd.SockLndProvider;
import org.railyard.socklnd.SourcePorts;

/** Two nodes on loopback addresses, one address a rail, that know each other. */
final class NodePair implements AutoCloseable {
    static final int PORTAL = 41;

    private static final String[] LEFT = {"127.0.1.1@tcp", "127.0.2.1@tcp"};
    private static final String[] RIGHT = {"127.0.1.2@tcp", "127.0.2.2@tcp"};

    /** Memory of both nodes. */
    final Arena arena = Arena.ofShared();

    final LNet left;
    final LNet right;

    /** The right node, as a target. */
    final ProcessId target = ProcessId.of(Nid.parse(RIGHT[0]));

    NodePair(int rails, int peerCredits) throws IOException {
        int port = freePort();
        NetTunables tunables = new NetTunables(180, peerCredits, 0, Math.max(256, 2 * peerCredits));
        List<LNet> started = new ArrayList<>();
        try {
            right = start(port, tunables, rails, RIGHT);
            started.add(right);
            left = start(port, tunables, rails, LEFT);
            started.add(left);
            left.discover(target.nid(), false).toCompletableFuture().join();
        } catch (LNetException e) {
            started.forEach(LNet::close);
            throw new IOException(e);
        }
    }

    private static LNet start(int port, NetTunables tunables, int rails, String... nids) {
        SockLndConfig socklnd = SockLndConfig.builder()
                .acceptPort(port)
                .accept(AcceptPolicy.ALL)
                .sourcePorts(SourcePorts.ANY)
                .build();
        LNetConfig.Builder config = LNetConfig.builder().lnd(new SockLndProvider(socklnd));
        for (int i = 0; i < rails; i++) {
            config.ni(NiRequest.ofNid(Nid.parse(nids[i])).withTunables(tunables));
        }
        return LNet.start(config.build());
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.1.1"))) {
            return probe.getLocalPort();
        }
    }

    @Override
    public void close() {
        left.close();
        right.close();
        arena.close();
    }
}
