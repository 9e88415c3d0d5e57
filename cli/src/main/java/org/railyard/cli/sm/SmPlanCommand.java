package org.railyard.cli.sm;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.railyard.cli.fabric.FabricInputException;
import org.railyard.cli.fabric.SmFabric;
import org.railyard.host.RealHost;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.text.MadText;
import org.railyard.mad.umad.UmadSettings;
import org.railyard.mad.umad.UmadTransport;
import org.railyard.sm.SmSettings;
import org.railyard.sm.SubnetManager;
import org.railyard.sm.lid.LidStore;
import org.railyard.sm.program.Update;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code railyard sm plan}: what the first sweep would write. */
@Command(
        name = "plan",
        description = "Discover the subnet, route and prove, and tell what would be written, in which order and why."
                + " Nothing is written, not the table of LIDs either.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the plan was made",
            "1:not for the whole subnet: something did not answer, or the own port has no link",
            "2:a file can not be read, or the command line is wrong",
            "3:the engine or the proof refuses the subnet"
        })
final class SmPlanCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private SmOptions options = new SmOptions();

    @Option(names = "--each", description = "Tell every Set: node and attribute.")
    private boolean each;

    @Option(names = "--json", description = "One line of JSON.")
    private boolean json;

    SmPlanCommand() {}

    private void tell(Update update) {
        if (each && !json) {
            spec.commandLine().getOut().println(update.node().name() + ": " + MadText.summary(update.mad()));
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        SmPrinter printer = new SmPrinter(out, spec.commandLine().getErr(), json, "would write");
        try {
            boolean simulated = options.isSimulated();
            SmSettings settings = options.settings();
            LidStore store = options.store();
            if (simulated) {
                SmFabric topology = options.topology();
                SmSettings own =
                        settings.withKeys(options.keys(topology.fabric().portGuid(topology.smPort())));
                SimulatedSubnet subnet = options.subnet(topology);
                try (SimulatedPort port = subnet.attach(topology.smPort())) {
                    SubnetManager manager = new SubnetManager(port, own, store, printer, (mad, from) -> {});
                    subnet.loop().execute(() -> manager.plan(this::tell));
                    subnet.loop().runUntil(() -> printer.last().isPresent(), SmCommand.PATIENCE);
                }
            } else {
                UmadSettings umad = options.umad();
                try (UmadTransport transport = UmadTransport.open(umad, new RealHost().clock())) {
                    CountDownLatch ended = new CountDownLatch(1);
                    printer.then(ended::countDown);
                    printer.atFailure(ended::countDown);
                    SmSettings own =
                            settings.withKeys(options.keys(transport.port().portGuid()));
                    SubnetManager manager = new SubnetManager(transport, own, store, printer, (mad, from) -> {});
                    transport.loop().execute(() -> manager.plan(this::tell));
                    ended.await();
                }
            }
        } catch (FabricInputException e) {
            e.print(spec.commandLine().getErr());
            return SmCommand.UNUSABLE;
        }
        return SmCommand.exitCode(printer);
    }
}
