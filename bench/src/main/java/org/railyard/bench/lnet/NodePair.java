package org.railyard.bench.lnet;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.railyard.base.ErrnoException;
import org.railyard.bench.compare.CpuPlacement;
import org.railyard.bench.compare.Side;
import org.railyard.host.RealHost;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.o2iblnd.O2ibLndProvider;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.roce.RoceProvider;
import org.railyard.roce.api.RoceSettings;
import org.railyard.socklnd.SockLndProvider;
import org.railyard.socklnd.tune.AcceptPolicy;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SourcePorts;

/**
 * Two nodes on loopback addresses, one address a rail, that know each other; and a router between them if they are on
 * different nets.
 */
final class NodePair implements AutoCloseable {
    static final int PORTAL = 41;

    private static final long LIMIT_NANOS = 10_000_000_000L;
    private static final long LOOK_NANOS = 5_000_000L;

    private static final String[] LEFT = {"127.0.1.1@tcp", "127.0.2.1@tcp"};
    private static final String[] RIGHT = {"127.0.1.2@tcp", "127.0.2.2@tcp"};
    private static final String FAR = "127.0.3.2@tcp1";
    private static final String[] ROUTER = {"127.0.1.9@tcp", "127.0.3.9@tcp1"};

    /** Most that the protocol can count. */
    private static final int MOST_O2IB_CREDITS = 255;

    /** Memory of both nodes. */
    final Arena arena = Arena.ofShared();

    final LNet left;
    final LNet right;

    /** The right node, as a target. */
    final ProcessId target;

    private final Map<String, String> ofTcp;
    private final List<LNet> started = new ArrayList<>();
    private final List<RoceProvider> devices = new ArrayList<>();

    /** Starts the nodes; their threads are those of their side. A router is on that of the receiver. */
    NodePair(ProgramLayout layout, int peerCredits, Map<String, String> tunables, CpuPlacement placement)
            throws IOException, InterruptedException {
        this.ofTcp = tunables;
        int port = freePort();
        NetTunables ofNet = new NetTunables(180, peerCredits, 0, Math.max(256, 2 * peerCredits));
        try {
            placement.enter(Side.RECEIVER);
            if (layout == ProgramLayout.ROUTED) {
                start(port, ofNet, Settings.DEFAULT.with(Tunable.FORWARDING, 1), ROUTER);
                right = start(port, ofNet, Settings.DEFAULT, FAR);
                placement.enter(Side.SENDER);
                left = start(port, ofNet, Settings.DEFAULT, LEFT[0]);
                target = ProcessId.of(Nid.parse(FAR));
                right.routes().add(Net.TCP, Nid.parse(ROUTER[1]), 1, 0);
                left.routes().add(target.nid().net(), Nid.parse(ROUTER[0]), 1, 0);
                awaitRoute(right);
                awaitRoute(left);
            } else if (layout == ProgramLayout.O2IB) {
                int udpPort = freeUdpPort();
                right = startO2ib(udpPort, peerCredits, "127.0.1.2");
                placement.enter(Side.SENDER);
                left = startO2ib(udpPort, peerCredits, "127.0.1.1");
                target = right.nids().stream()
                        .filter(nid -> !nid.isLoopback())
                        .map(ProcessId::of)
                        .findFirst()
                        .orElseThrow();
            } else {
                int rails = layout == ProgramLayout.ONE_RAIL ? 1 : 2;
                right = start(port, ofNet, Settings.DEFAULT, Arrays.copyOf(RIGHT, rails));
                placement.enter(Side.SENDER);
                left = start(port, ofNet, Settings.DEFAULT, Arrays.copyOf(LEFT, rails));
                target = ProcessId.of(Nid.parse(RIGHT[0]));
            }
            left.discover(target.nid(), false).toCompletableFuture().join();
        } catch (ErrnoException | CompletionException e) {
            closeAll();
            throw new IOException(e);
        }
    }

    private LNet start(int port, NetTunables tunables, Settings settings, String... nids) {
        SockLndConfig.Builder socklnd = SockLndConfig.builder();
        ofTcp.forEach(socklnd::set);
        socklnd.acceptPort(port).accept(AcceptPolicy.ALL).sourcePorts(SourcePorts.ANY);
        LNetConfig.Builder config =
                LNetConfig.builder().lnd(new SockLndProvider(socklnd.build())).settings(settings);
        for (String nid : nids) {
            config.ni(NiRequest.ofNid(Nid.parse(nid)).withTunables(tunables));
        }
        LNet node = LNet.start(config.build());
        started.add(node);
        return node;
    }

    private LNet startO2ib(int udpPort, int peerCredits, String address) {
        int credits = Math.min(peerCredits, MOST_O2IB_CREDITS);
        RoceProvider device =
                RoceProvider.open(new RealHost(), List.of(address), RoceSettings.DEFAULT.withUdpPort(udpPort));
        devices.add(device);
        LNet node = LNet.start(LNetConfig.builder()
                .lnd(new O2ibLndProvider(_ -> device, Tunables.DEFAULT))
                .ni(NiRequest.ofNid(Nid.parse(address + "@o2ib"))
                        .withTunables(new NetTunables(180, credits, 0, 2 * credits)))
                .build());
        started.add(node);
        return node;
    }

    /** Waits until the router has told that both sides are there. */
    private static void awaitRoute(LNet node) throws IOException {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!node.routes().list().stream().allMatch(RouteInfo::isUp)) {
            if (System.nanoTime() - end > 0) {
                throw new IOException(
                        "the route does not come up: " + node.routes().list());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private static int freeUdpPort() throws IOException {
        try (DatagramSocket probe = new DatagramSocket(0, InetAddress.ofLiteral("127.0.1.1"))) {
            return probe.getLocalPort();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.1.1"))) {
            return probe.getLocalPort();
        }
    }

    @Override
    public void close() {
        closeAll();
        arena.close();
    }

    private void closeAll() {
        started.reversed().forEach(LNet::close);
        devices.forEach(RoceProvider::close);
    }
}
