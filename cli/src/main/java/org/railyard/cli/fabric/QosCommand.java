package org.railyard.cli.fabric;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.Doc;
import org.railyard.cli.text.JsonOption;
import org.railyard.fabric.format.OpenSmConf;
import org.railyard.fabric.torus.qos.QosSetup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code railyard fabric qos}: what OpenSM must be told besides the torus. */
@Command(
        name = "qos",
        description = {
            "Print or check the settings of OpenSM that go with torus-2QoS.",
            "Options, partitions and QoS policy."
        },
        exitCodeOnExecutionException = FabricCommand.FAILED,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:printed; with --check, nothing is wrong",
            "1:with --check: there are warnings",
            "2:the file cannot be read, or the command line is wrong",
            FabricCommand.FAILED_TEXT
        })
final class QosCommand implements Callable<Integer> {
    private static final int WARNINGS = 1;
    private static final int UNUSABLE = 2;
    private static final int LARGEST_PKEY = 0x7FFE;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--check", paramLabel = "FILE", description = "OpenSM's configuration file, to be checked.")
    private @Nullable Path check;

    @Option(
            names = "--conf",
            paramLabel = "FILE",
            defaultValue = "/etc/opensm/torus-2QoS.conf",
            description = "Where the torus-2QoS.conf is. Default: ${DEFAULT-VALUE}.")
    private String conf = "";

    @Option(
            names = "--pkey",
            paramLabel = "KEY",
            defaultValue = "0x0010",
            description = "P_Key of the partition that gets level 1. Default: ${DEFAULT-VALUE}.")
    private String pkey = "";

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Path file = check;
        if (file == null) {
            int key = pkey();
            Map<String, Object> files = new Doc()
                    .put("opensm.conf", QosSetup.openSmConf(conf))
                    .put("partitions.conf", QosSetup.partitions(key))
                    .put("qos-policy.conf", QosSetup.policy(key))
                    .map();
            if (json.isWanted()) {
                json.print(out, List::of, () -> files);
            } else {
                out.print(files.entrySet().stream()
                        .map(each -> "# " + each.getKey() + "\n" + each.getValue())
                        .collect(Collectors.joining("\n")));
                out.flush();
            }
            return 0;
        }
        try {
            List<String> warnings = TextFile.parse(
                    file,
                    "OpenSM's configuration: a name and a value a line",
                    text -> QosSetup.warnings(OpenSmConf.parse(text)));
            json.print(
                    out,
                    () -> Stream.concat(
                                    warnings.stream(),
                                    Stream.of(
                                            warnings.isEmpty()
                                                    ? "nothing is wrong with torus-2QoS in mind"
                                                    : warnings.size() + " warnings"))
                            .toList(),
                    () -> new Doc().put("warnings", warnings).map());
            return warnings.isEmpty() ? 0 : WARNINGS;
        } catch (FabricInputException e) {
            e.print(spec.commandLine().getErr());
            return UNUSABLE;
        }
    }

    private int pkey() {
        try {
            int key = Integer.decode(pkey);
            if (key >= 1 && key <= LARGEST_PKEY) {
                return key;
            }
        } catch (NumberFormatException e) {
            throw new ParameterException(spec.commandLine(), "--pkey " + pkey + ": expected a number", e);
        }
        throw new ParameterException(spec.commandLine(), "--pkey " + pkey + ": expected 1 to 0x7ffe");
    }
}
