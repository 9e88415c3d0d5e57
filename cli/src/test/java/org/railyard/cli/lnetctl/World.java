package org.railyard.cli.lnetctl;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Host;
import org.railyard.cli.service.NoServiceException;
import org.railyard.config.ni.Device;
import org.railyard.control.Dlc;
import org.railyard.control.node.NodeDlc;
import org.railyard.control.node.NodeEnvironment;
import org.railyard.doctor.HostFacts;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.lnd.PeerConnections;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.node.facts.SystemFacts;
import org.railyard.socklnd.SockLndProvider;
import org.railyard.socklnd.link.DeviceLinkState;
import org.railyard.socklnd.tune.AcceptPolicy;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SourcePorts;

/** Two nodes in this process that talk over loopback addresses; each has interfaces eth0 and eth1. */
final class World implements AutoCloseable {
    private final Map<String, NodeDlc> nodes = new LinkedHashMap<>();
    private final int port;

    World() throws IOException {
        this(Settings.DEFAULT);
    }

    /** Makes both with settings of their own. */
    World(Settings settings) throws IOException {
        // Free on one address of loopback is as good as free on all.
        try (ServerSocket probe = new ServerSocket(0)) {
            port = probe.getLocalPort();
        }
        nodes.put("guest1", new NodeDlc(new Guest(11, port, settings, 0, "N")));
        nodes.put("guest2", new NodeDlc(new Guest(12, port, settings, 0, "N")));
    }

    /** Makes one node whose CPUs are divided, and another. */
    World(int partitions) throws IOException {
        this(Settings.DEFAULT);
        nodes.put("guest1", new NodeDlc(new Guest(11, port, Settings.DEFAULT, partitions, "")));
    }

    /** What a command wrote, and its exit code. */
    record Result(int exit, String out, String err) {}

    /** Runs the tool on a node. */
    Result run(String node, List<String> args, String input) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Lnetctl.run(
                args,
                new BufferedReader(new StringReader(input)),
                new PrintWriter(out),
                new PrintWriter(err),
                () -> "test",
                () -> dlc(node));
        return new Result(exit, out.toString(), err.toString());
    }

    /** Runs the tool on the first node. */
    Result run(String line) {
        return run("guest1", Words.of(line), "");
    }

    /** Returns a node. */
    Dlc dlc(String node) {
        NodeDlc dlc = nodes.get(node);
        if (dlc == null) {
            throw new NoServiceException("there is no " + node, new IOException(node));
        }
        return dlc;
    }

    @Override
    public void close() {
        nodes.values().forEach(NodeDlc::close);
    }

    private static InetAddress address(int rail, int guest) {
        return InetAddress.ofLiteral("127.99." + rail + "." + guest);
    }

    private record Guest(int number, int port, Settings settings, int partitions, String pattern)
            implements NodeEnvironment {
        @Override
        public LNetConfig.Builder lnet() {
            SockLndConfig config = SockLndConfig.builder()
                    .acceptPort(port)
                    .accept(AcceptPolicy.ALL)
                    .sourcePorts(SourcePorts.ANY)
                    .linkMonitor((device, address) -> DeviceLinkState.UP)
                    .build();
            return LNetConfig.builder()
                    .settings(settings)
                    .cpus(partitions, pattern)
                    .lnd(new Rails(new SockLndProvider(config), number));
        }

        @Override
        public List<Device> devices() {
            return List.of(
                    new Device("lo", true, true, List.of(InetAddress.ofLiteral("127.0.0.1"))),
                    new Device("eth0", true, false, List.of(address(0, number))),
                    new Device("eth1", true, false, List.of(address(1, number))));
        }

        @Override
        public List<String> labels() {
            return List.of("eth0:0");
        }

        @Override
        public HostFacts facts() {
            return new SystemFacts();
        }

        @Override
        public Map<String, String> parameters() {
            return Map.of();
        }

        @Override
        public byte @Nullable [] addressOf(String hostName) {
            return null;
        }

        @Override
        public Runnable callAfter(int seconds, Runnable task) {
            return () -> {};
        }
    }

    /** Sockets of loopback, with interfaces that do not exist. */
    private record Rails(LndProvider inner, int guest) implements LndProvider {
        @Override
        public NetType type() {
            return inner.type();
        }

        @Override
        public Lnd create(LndUpcalls stack, Host host) {
            return new RailLnd(inner.create(stack, host), guest);
        }
    }

    private record RailLnd(Lnd inner, int guest) implements Lnd {
        @Override
        public NetType type() {
            return inner.type();
        }

        @Override
        public NiBinding resolve(NiRequest request) {
            for (int rail = 0; rail < 2; rail++) {
                String name = "eth" + rail;
                Nid nid = Nid.of(request.net(), address(rail, guest).getAddress());
                if (name.equals(request.interfaceName()) || (request.nid() != null && nid.equals(request.nid()))) {
                    return new NiBinding(nid, name, -1);
                }
            }
            return inner.resolve(request);
        }

        @Override
        public void startup(LndNi ni) {
            inner.startup(ni);
        }

        @Override
        public void shutdown(LndNi ni) {
            inner.shutdown(ni);
        }

        @Override
        public int send(LndNi ni, LndMessage message) {
            return inner.send(ni, message);
        }

        @Override
        public int timeoutSeconds() {
            return inner.timeoutSeconds();
        }

        @Override
        public List<PeerConnections> connections(LndNi ni) {
            return inner.connections(ni);
        }

        @Override
        public Map<String, Integer> tunables(LndNi ni) {
            return inner.tunables(ni);
        }

        @Override
        public Map<String, Integer> wantedTunables(LndNi ni) {
            return inner.wantedTunables(ni);
        }

        @Override
        public void tune(LndNi ni, Map<String, Integer> changes) {
            inner.tune(ni, changes);
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
