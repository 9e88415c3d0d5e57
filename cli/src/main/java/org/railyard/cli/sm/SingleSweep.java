package org.railyard.cli.sm;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.railyard.cli.fabric.SmFabric;
import org.railyard.host.RealHost;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.umad.UmadTransport;
import org.railyard.sm.SmSettings;
import org.railyard.sm.SubnetManager;
import org.railyard.sm.TextStore;

/** Sweeps that are made one by one, of a simulated subnet or of one at a port of this machine. */
final class SingleSweep {
    private final SmOptions options;
    private final SmConfiguration configuration;
    private final TextStore store;
    private final TextStore keyStore;
    private final Optional<Simulation> simulation;

    private record Simulation(SmFabric topology, SimulatedSubnet subnet) {}

    /**
     * Reads files and options.
     *
     * @throws org.railyard.cli.fabric.FabricInputException if a file can not be used
     * @throws picocli.CommandLine.ParameterException if options do not go together
     */
    SingleSweep(SmOptions options) {
        this.options = options;
        boolean simulated = options.isSimulated();
        // As a manager that stays: what that would refuse, or warn of, is no plan either.
        configuration = options.configuration();
        options.requireSeparateFiles(Optional.empty());
        store = options.store();
        keyStore = options.keyStore();
        if (simulated) {
            SmFabric topology = options.topology();
            simulation = Optional.of(new Simulation(topology, options.subnet(topology)));
        } else {
            simulation = Optional.empty();
        }
    }

    /**
     * Makes one.
     *
     * @param printer tells when it has ended
     * @param begin begins it, in the loop
     */
    void run(SmPrinter printer, Consumer<SubnetManager> begin) throws InterruptedException {
        if (simulation.isPresent()) {
            simulate(simulation.get(), printer, begin);
            return;
        }
        TracedSweeps traced = TracedSweeps.recorded(printer);
        try (UmadTransport transport = UmadTransport.open(options.umad(), new RealHost().clock())) {
            CountDownLatch ended = new CountDownLatch(1);
            printer.then(ended::countDown);
            printer.atFailure(ended::countDown);
            SmSettings own = configuration.at(transport.port().portGuid()).sm();
            SubnetManager manager = new SubnetManager(transport, own, store, traced, (mad, from) -> {});
            manager.keepKeys(keyStore);
            transport.loop().execute(() -> begin.accept(manager));
            ended.await();
        }
    }

    private void simulate(Simulation simulated, SmPrinter printer, Consumer<SubnetManager> begin) {
        SmFabric topology = simulated.topology();
        SmSettings own =
                configuration.at(topology.fabric().portGuid(topology.smPort())).sm();
        SimulatedSubnet subnet = simulated.subnet();
        try (SimulatedPort port = subnet.attach(topology.smPort())) {
            SubnetManager manager = new SubnetManager(port, own, store, printer, (mad, from) -> {});
            manager.keepKeys(keyStore);
            subnet.loop().execute(() -> begin.accept(manager));
            subnet.loop().runUntil(() -> printer.last().isPresent(), SmCommand.PATIENCE);
        }
    }
}
