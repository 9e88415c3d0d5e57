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

/** Sweeps that are made one by one, of a simulated subnet or of one at a port of this machine. */
final class SingleSweep {
    private final SmOptions options;
    private final SmInput input;
    private final Optional<Simulation> simulation;

    private record Simulation(SmFabric topology, SimulatedSubnet subnet) {}

    /**
     * Reads files and options.
     *
     * @param keeps whether tables are written, not only read
     * @throws org.railyard.cli.fabric.FabricInputException if a file can not be used
     * @throws picocli.CommandLine.ParameterException if options do not go together
     */
    SingleSweep(SmOptions options, boolean keeps) {
        this.options = options;
        // Refuses options that do not go together, before files are read.
        options.isSimulated();
        options.requireSeparateFiles(Optional.empty());
        // As a manager that stays: what that would refuse, or warn of, is no plan either.
        input = options.read(Optional.empty(), keeps);
        simulation = input.topology().map(topology -> new Simulation(topology, options.subnet(topology)));
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
            SmSettings own =
                    input.configuration().at(transport.port().portGuid()).sm();
            SubnetManager manager = new SubnetManager(transport, own, input.lids(), traced, (mad, from) -> {});
            manager.keepKeys(input.keys());
            transport.loop().execute(() -> begin.accept(manager));
            ended.await();
        }
    }

    private void simulate(Simulation simulated, SmPrinter printer, Consumer<SubnetManager> begin) {
        SmFabric topology = simulated.topology();
        SmSettings own = input.configuration()
                .at(topology.fabric().portGuid(topology.smPort()))
                .sm();
        SimulatedSubnet subnet = simulated.subnet();
        try (SimulatedPort port = subnet.attach(topology.smPort())) {
            SubnetManager manager = new SubnetManager(port, own, input.lids(), printer, (mad, from) -> {});
            manager.keepKeys(input.keys());
            subnet.loop().execute(() -> begin.accept(manager));
            subnet.loop().runUntil(() -> printer.last().isPresent(), SmCommand.PATIENCE);
        }
    }
}
