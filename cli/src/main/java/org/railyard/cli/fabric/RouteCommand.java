package org.railyard.cli.fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.railyard.fabric.format.SubnetList;
import org.railyard.fabric.format.TorusDump;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CertificateVerifier;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.torus.Placement;
import org.railyard.fabric.torus.TorusPlan;
import org.railyard.fabric.torus.TorusShape;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard fabric route}: routes a fabric, proves the tables, writes them as OpenSM and ibdmchk read them. */
@Command(
        name = "route",
        description = "Route a fabric, prove that the tables are free of credit loops, and write them.",
        exitCodeOnExecutionException = FabricCommand.FAILED,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:routed and proved; the directory was written. Routes that do not arrive are told as a warning",
            "2:a file cannot be read, or the command line is wrong",
            "3:refused, by the engine or by the proof; nothing was written",
            FabricCommand.FAILED_TEXT
        })
final class RouteCommand implements Callable<Integer> {
    private static final int UNUSABLE = 2;
    private static final int REFUSED = 3;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "TOPOLOGY", description = Topology.FORMS + "; - for standard input.")
    private Path topology = Path.of("");

    @Mixin
    private EngineChoice engine = new EngineChoice();

    @Mixin
    private GroupOptions groups = new GroupOptions();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            required = true,
            description = "New or empty directory for the tables.")
    private Path out = Path.of("");

    @Option(names = "--gzip", description = "Pack each file; verify and the other commands read them so, too.")
    private boolean packed;

    @Override
    public Integer call() throws IOException {
        try {
            RoutedDirectory.requireFree(out);
            SubnetList subnet = engine.subnet(topology);
            Fabric fabric = subnet.fabric();
            EngineChoice.Routed routed = engine.route(fabric, groups.of(fabric));
            return switch (routed.result()) {
                case Refusal refusal -> refuse(refusal);
                case Routing routing -> finish(subnet, routing, routed.plan().map(RouteCommand::places));
            };
        } catch (FabricInputException e) {
            e.print(spec.commandLine().getErr());
            return UNUSABLE;
        }
    }

    private int refuse(Refusal refusal) {
        CheckText.print(refusal, spec.commandLine().getErr());
        return REFUSED;
    }

    private int finish(SubnetList subnet, Routing routing, Optional<TorusDump> places) throws IOException {
        Fabric fabric = subnet.fabric();
        CheckReport report = CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT);
        PrintWriter output = spec.commandLine().getOut();
        routing.notes().forEach(note -> output.println("note: " + note));
        CheckText.lines(fabric, report).forEach(output::println);
        if (report.certificate().isEmpty()) {
            spec.commandLine()
                    .getErr()
                    .println("railyard: the tables of " + routing.engine() + " are not proved; nothing was written");
            return REFUSED;
        }
        CertificateVerifier verifier =
                new CertificateVerifier(fabric, routing, report.certificate().orElseThrow());
        boolean partly = report.verdict() == CheckReport.Verdict.NOT_CHECKABLE;
        (partly ? verifier.firstViolationOfWhatIsRouted(false) : verifier.firstViolation(false))
                .ifPresent(violation -> {
                    throw new IllegalStateException("the proof does not hold: " + violation);
                });
        if (partly) {
            PrintWriter err = spec.commandLine().getErr();
            err.printf(
                    "railyard: warning: %d routes do not arrive; what arrives closes no credit loop%n",
                    report.faultCount());
            err.flush();
        }
        RoutedDirectory directory = new RoutedDirectory(subnet, routing, places, packed);
        directory.withoutPathSls().ifPresent(why -> output.println("note: " + why));
        directory.write(out);
        output.println("written: " + out);
        output.flush();
        return 0;
    }

    private static TorusDump places(TorusPlan plan) {
        Placement placement = plan.placement();
        TorusShape shape = placement.grid().shape();
        Fabric fabric = plan.fabric();
        return new TorusDump(placement
                .grid()
                .present()
                .mapToObj(position -> {
                    int node = placement.switchAt(position);
                    return new TorusDump.Place(
                            shape.coordinate(position, 0),
                            shape.coordinate(position, 1),
                            shape.coordinate(position, 2),
                            fabric.guid(node),
                            fabric.description(node));
                })
                .toList());
    }
}
