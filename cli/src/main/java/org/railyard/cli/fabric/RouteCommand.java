package org.railyard.cli.fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.railyard.base.text.Doc;
import org.railyard.cli.text.JsonOption;
import org.railyard.fabric.format.DumpFiles;
import org.railyard.fabric.format.SubnetList;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proven.CreditLoops;
import org.railyard.fabric.proven.Proven;
import org.railyard.fabric.proven.Refused;
import org.railyard.fabric.proven.Tables;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.torus.TorusPlan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard fabric route}: routes a fabric, proves the tables, writes them as OpenSM and ibdmchk read them. */
@Command(
        name = "route",
        description = "Route a fabric, and prove that the tables are free of credit loops.",
        exitCodeOnExecutionException = FabricCommand.FAILED,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:routed and proved; with --out the directory was written. Routes that do not arrive are told as a"
                    + " warning",
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

    @Mixin
    private RoutedDirectory out = new RoutedDirectory();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        try {
            out.requireFree();
            SubnetList subnet = engine.subnet(topology);
            Fabric fabric = subnet.fabric();
            return switch (engine.routing().run(fabric, groups.of(fabric))) {
                case Refused refused -> refuse(refused.refusal());
                case CreditLoops(Tables tables, CheckReport report) -> notProved(tables, report);
                case Proven proven -> proved(subnet, proven);
            };
        } catch (FabricInputException e) {
            e.print(spec.commandLine().getErr());
            return UNUSABLE;
        }
    }

    private int refuse(Refusal refusal) {
        CheckText.print(refusal, spec.commandLine().getErr());
        if (json.isWanted()) {
            json.print(spec.commandLine().getOut(), List::of, () -> CheckText.document(refusal));
        }
        return REFUSED;
    }

    private void tell(Tables tables, CheckReport report) {
        if (json.isWanted()) {
            return;
        }
        PrintWriter output = spec.commandLine().getOut();
        tables.routing().notes().forEach(note -> output.println("note: " + note));
        CheckText.lines(tables.fabric(), report).forEach(output::println);
        output.flush();
    }

    private Doc document(Tables tables, CheckReport report, List<String> notes) {
        return new Doc().put("engine", engine.engineName()).putAll(CheckText.document(tables.fabric(), report, notes));
    }

    private int notProved(Tables tables, CheckReport report) {
        tell(tables, report);
        if (json.isWanted()) {
            json.print(
                    spec.commandLine().getOut(),
                    List::of,
                    () -> document(tables, report, tables.routing().notes()).map());
        }
        spec.commandLine()
                .getErr()
                .printf(
                        "railyard: the tables of --engine %s are not proved; nothing was written%n",
                        engine.engineName());
        return REFUSED;
    }

    private int proved(SubnetList subnet, Proven proven) throws IOException {
        Tables tables = proven.tables();
        tell(tables, proven.report());
        PrintWriter err = spec.commandLine().getErr();
        proven.findings().forEach(finding -> err.println("railyard: warning: " + finding));
        err.flush();
        if (out.isWanted()) {
            write(subnet, proven);
        } else {
            json.print(
                    spec.commandLine().getOut(),
                    List::of,
                    () -> document(tables, proven.report(), tables.routing().notes())
                            .put("warnings", proven.findings())
                            .map());
        }
        return 0;
    }

    private void write(SubnetList subnet, Proven proven) throws IOException {
        Tables tables = proven.tables();
        PrintWriter output = spec.commandLine().getOut();
        List<String> later = DumpFiles.withoutPathSls(tables.fabric()).stream().toList();
        if (!json.isWanted()) {
            later.forEach(why -> output.println("note: " + why));
        }
        Path to = out.write(DumpFiles.of(subnet, tables.routing(), tables.plan().map(TorusPlan::places)));
        json.print(
                output,
                () -> List.of("written: " + to),
                () -> document(
                                tables,
                                proven.report(),
                                Stream.concat(tables.routing().notes().stream(), later.stream())
                                        .toList())
                        .put("warnings", proven.findings())
                        .put("written", to.toString())
                        .map());
    }
}
