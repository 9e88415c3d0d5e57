package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.railyard.config.ni.Device;
import org.railyard.control.node.NodeDlc;
import org.railyard.control.node.NodeEnvironment;
import org.railyard.control.node.O2ibs;
import org.railyard.doctor.HostFacts;
import org.railyard.fabric.engine.MinHopEngine;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.node.facts.SystemFacts;
import org.railyard.node.o2ib.O2ibTransport;
import org.railyard.o2iblnd.bond.TargetFile;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.SoftFabric;
import org.railyard.softverbs.SoftNode;
import org.railyard.softverbs.card.SoftPort;
import org.railyard.softverbs.net.FabricTrace;
import org.railyard.softverbs.net.SoftSettings;
import org.railyard.softverbs.time.VirtualHost;
import org.railyard.softverbs.time.VirtualTime;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.card.memory.MemoryModel;

/**
 * A node with four interfaces, ib0 10.1.0.2 to ib3 10.1.3.2, on a simulated fabric. Time stands still unless it is told
 * to run.
 */
final class BondWorld implements NodeEnvironment, AutoCloseable {
    private static final int CARDS = 4;
    private static final int PREFIX = 24;
    private static final int FIRST_ADDRESS = 0x0A010002;

    private final VirtualTime time = new VirtualTime();
    private final SoftFabric fabric;
    private final SoftNode node;
    private final List<SoftPort> ports;
    private final O2ibTransport transport;
    private final Map<String, String> parameters;
    private final NodeDlc dlc;

    /**
     * Makes it.
     *
     * @param targets text of the target file
     * @param parameters module parameters
     */
    BondWorld(String targets, Map<String, String> parameters) {
        this.parameters = parameters;
        Fabric model = FreshLids.assign(SampleTorus.torus(2, 1, 1, CARDS).fabric(), Fabric.NONE);
        Routing routing = (Routing) new MinHopEngine().route(model, EngineOptions.DEFAULT);
        fabric = new SoftFabric(time, new SplittableRandom(1), model, routing, SoftSettings.DEFAULT, FabricTrace.NONE);
        node = fabric.addNode("node", MemoryModel.SCATTERED);
        ports = IntStream.range(0, CARDS)
                .mapToObj(card -> node.addDevice("mlx5_" + card, model.switchCount() + card, DeviceAttributes.MLX5)
                        .ports()
                        .getFirst())
                .toList();
        for (int card = 0; card < CARDS; card++) {
            node.addInterface("ib" + card, FIRST_ADDRESS + (card << 8), ports.get(card));
        }
        transport = new O2ibTransport(
                _ -> node,
                Tunables.DEFAULT,
                () -> TargetFile.parse("o2ibs.conf", targets),
                ip -> PREFIX,
                () -> Map.of("registered_bytes", 4096L));
        dlc = new NodeDlc(this);
    }

    /** Runs a command that has to be carried out; returns what it wrote. */
    String good(String line) {
        World.Result result = run(line);
        assertThat(result.exit()).as("%s: %s", line, result.err()).isZero();
        return result.out();
    }

    /** Runs the tool. */
    World.Result run(String line) {
        return run(line, "");
    }

    /** Runs the tool with something to read. */
    World.Result run(String line, String input) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Lnetctl.run(
                Words.of(line),
                new BufferedReader(new StringReader(input)),
                new PrintWriter(out),
                new PrintWriter(err),
                () -> "test",
                () -> dlc);
        return new World.Result(exit, out.toString(), err.toString());
    }

    void link(int card, boolean up) {
        fabric.setLink(ports.get(card).fabricPort(), up);
        time.run(1_000_000_000);
    }

    @Override
    public LNetConfig.Builder lnet() {
        return LNetConfig.builder()
                .host(new VirtualHost(time, new SplittableRandom(1), 1_000_000_000_000_000L))
                .lnd(transport);
    }

    @Override
    public List<Device> devices() {
        return IntStream.range(0, CARDS)
                .mapToObj(card ->
                        new Device("ib" + card, true, false, List.of(InetAddress.ofLiteral("10.1." + card + ".2"))))
                .toList();
    }

    @Override
    public HostFacts facts() {
        return new SystemFacts();
    }

    @Override
    public Map<String, String> parameters() {
        return parameters;
    }

    @Override
    public O2ibs o2ibs() {
        return transport;
    }

    @Override
    public byte @Nullable [] addressOf(String hostName) {
        return null;
    }

    @Override
    public Runnable callAfter(int seconds, Runnable task) {
        return () -> {};
    }

    @Override
    public void close() {
        dlc.close();
        node.close();
    }
}
