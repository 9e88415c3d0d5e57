package org.railyard.cli.fabric;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.cli.text.JsonOption;
import org.railyard.cli.text.ResultFile;
import org.railyard.fabric.live.LiveSubnet;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.Routing;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code railyard fabric verify}: checks tables for credit loops. */
@Command(
        name = "verify",
        description = {
            "Check that forwarding tables are free of credit loops.",
            "Whoever made them: those of files, or of a running subnet."
        },
        exitCodeOnExecutionException = FabricCommand.FAILED,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:no credit loop, and every route arrives",
            "1:a credit loop; it is printed with flows that make it",
            "2:not checkable: files are missing or damaged, not all of the running subnet can be read, or routes do not"
                    + " arrive",
            FabricCommand.FAILED_TEXT
        })
final class VerifyCommand implements Callable<Integer> {
    private static final int LOOP = 1;
    private static final int NOT_CHECKABLE = 2;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @ArgGroup(exclusive = false)
    private RoutingFiles files = new RoutingFiles();

    @Mixin
    private SubnetOptions live = new SubnetOptions();

    @Option(names = "--switch-ports", description = "Also check traffic to and from port 0 of switches.")
    private boolean switchPorts;

    @Option(names = "--no-multicast", description = "Check unicast only.")
    private boolean noMulticast;

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description =
                    "If there is no loop, write the proof: a number per channel; packets wait for larger ones only.")
    private @Nullable Path certificate;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        Fabric fabric;
        Routing routing;
        List<String> remarks = new ArrayList<>();
        boolean isLive = live.isWanted();
        if (!isLive && files.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "DIR, --topology or --live is missing");
        }
        try {
            if (isLive) {
                LiveSubnet subnet = live.read();
                SubnetReport.warn(subnet, spec.commandLine().getErr());
                fabric = subnet.fabric();
                routing = files.routing(subnet);
            } else {
                fabric = files.fabric(spec.commandLine().getErr()::println);
                routing = files.routing(fabric);
                files.strayRoutes(fabric, routing.forwarding()).ifPresent(remarks::add);
            }
            files.slRemark(fabric, routing.sls()).ifPresent(remarks::add);
            remarks.addAll(files.scope(
                    fabric, routing.sls(), switchPorts, noMulticast ? MulticastTables.NONE : routing.multicast()));
        } catch (FabricInputException e) {
            new FabricInputException("not checkable: " + e.getMessage(), e)
                    .print(spec.commandLine().getErr());
            return NOT_CHECKABLE;
        }
        CheckOptions options = CheckOptions.DEFAULT.withSwitchPorts(switchPorts).withMulticast(!noMulticast);
        CheckReport report = CreditLoopCheck.check(fabric, routing, options);
        json.print(
                spec.commandLine().getOut(),
                () -> Stream.concat(remarks.stream(), CheckText.lines(fabric, report).stream())
                        .toList(),
                () -> CheckText.document(fabric, report, remarks));
        Path file = certificate;
        if (file != null && report.certificate().isPresent()) {
            ResultFile.write(
                    file, CheckText.certificate(fabric, report.certificate().orElseThrow()));
        }
        return switch (report.verdict()) {
            case CLEAN -> 0;
            case LOOP -> LOOP;
            case NOT_CHECKABLE -> NOT_CHECKABLE;
        };
    }
}
