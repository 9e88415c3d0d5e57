package org.railyard.cli.fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.engine.DorEngine;
import org.railyard.fabric.engine.MinHopEngine;
import org.railyard.fabric.engine.UpDownEngine;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.format.TorusDump;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.proof.CertificateVerifier;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.route.RoutingResult;
import org.railyard.fabric.torus.Placement;
import org.railyard.fabric.torus.TorusConf;
import org.railyard.fabric.torus.TorusConfException;
import org.railyard.fabric.torus.TorusConfParser;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.TorusPlan;
import org.railyard.fabric.torus.TorusShape;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard fabric route}: routes a fabric, proves the tables, writes them as OpenSM and ibdmchk read them. */
@Command(
        name = "route",
        description = "Route a fabric, prove that the tables are free of credit loops, and write them.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:routed and proved; the directory was written",
            "2:a file cannot be read, or the command line is wrong",
            "3:refused, by the engine or by the proof; nothing was written"
        })
final class RouteCommand implements Callable<Integer> {
    private static final int UNUSABLE = 2;
    private static final int REFUSED = 3;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "TOPOLOGY", description = "ibsim net file, ibnetdiscover output or opensm-subnet.lst.")
    private Path topology = Path.of("");

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            defaultValue = "torus-2qos",
            description = "torus-2qos, min-hop, dor or up-down. Default: ${DEFAULT-VALUE}.")
    private String engine = "";

    @Option(names = "--conf", paramLabel = "FILE", description = "torus-2QoS.conf; torus-2qos needs it.")
    private @Nullable Path conf;

    @Option(
            names = "--guid2lid",
            paramLabel = "FILE",
            description = "LIDs to use. Default: those of the topology, else those of a fabric that was never seen.")
    private @Nullable Path guid2lid;

    @Option(names = "--strict", description = "Refuse what OpenSM would refuse, too.")
    private boolean strict;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            required = true,
            description = "New or empty directory for the tables.")
    private Path out = Path.of("");

    /** What an engine made, and where the switches of a torus are. */
    private record Routed(RoutingResult result, Optional<TorusDump> places) {}

    @Override
    public Integer call() throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        try {
            RoutedDirectory.requireFree(out);
            Fabric fabric = fabric();
            Routed routed = route(fabric);
            return switch (routed.result()) {
                case Refusal refusal -> refuse(refusal);
                case Routing routing -> finish(fabric, routing, routed.places());
            };
        } catch (FabricInputException e) {
            err.println("railyard: " + e.getMessage());
        } catch (TorusConfException e) {
            for (FormatException problem : e.problems()) {
                err.println("railyard: " + conf + ": " + problem.getMessage());
            }
        }
        return UNUSABLE;
    }

    private int refuse(Refusal refusal) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("railyard: " + refusal.engine() + " refuses this fabric:");
        refusal.reasons().forEach(reason -> err.println("  " + reason.code() + ": " + reason.text()));
        return REFUSED;
    }

    private int finish(Fabric fabric, Routing routing, Optional<TorusDump> places) throws IOException {
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
        new CertificateVerifier(fabric, routing, report.certificate().orElseThrow())
                .firstViolation(false)
                .ifPresent(violation -> {
                    throw new IllegalStateException("the proof does not hold: " + violation);
                });
        RoutedDirectory.write(out, fabric, routing, places);
        output.println("written: " + out);
        output.flush();
        return 0;
    }

    private Fabric fabric() {
        Fabric fabric = Topology.read(topology);
        Path lids = guid2lid;
        if (lids != null) {
            return Topology.withLids(fabric, lids);
        }
        try {
            return fabric.maxLid() == 0 ? FreshLids.assign(fabric, Fabric.NONE) : fabric;
        } catch (FabricException e) {
            throw new FabricInputException(topology + ": " + e.getMessage(), e);
        }
    }

    private Routed route(Fabric fabric) {
        return switch (engine) {
            case "torus-2qos", "torus-2QoS" -> torus(fabric);
            case "min-hop" -> baseline(new MinHopEngine(), fabric);
            case "dor" -> baseline(new DorEngine(), fabric);
            case "up-down" -> baseline(new UpDownEngine(List.of()), fabric);
            default ->
                throw new ParameterException(
                        spec.commandLine(), "--engine " + engine + ": expected torus-2qos, min-hop, dor or up-down");
        };
    }

    private static Routed baseline(RoutingEngine engine, Fabric fabric) {
        return new Routed(engine.route(fabric, EngineOptions.DEFAULT), Optional.empty());
    }

    private Routed torus(Fabric fabric) {
        Path file = conf;
        if (file == null) {
            throw new ParameterException(spec.commandLine(), "torus-2qos needs --conf FILE, its torus-2QoS.conf");
        }
        TorusConf read = TextFile.parse(file, TorusConfParser::parse);
        TorusEngine torus = new TorusEngine(read, strict ? TorusOptions.STRICT : TorusOptions.DEFAULT);
        return switch (torus.plan(fabric, EngineOptions.DEFAULT)) {
            case TorusEngine.Refused(Refusal refusal) -> new Routed(refusal, Optional.empty());
            case TorusEngine.Accepted(TorusPlan plan) -> new Routed(plan.routing(List.of()), Optional.of(places(plan)));
        };
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
