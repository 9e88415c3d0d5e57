package org.railyard.cli.fabric;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.Doc;
import org.railyard.cli.text.JsonOption;
import org.railyard.cli.text.ResultFile;
import org.railyard.fabric.format.DiscoverWriter;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where and in which form a made fabric is written: options that all shapes have. */
public final class GeneratedFile {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--format",
            paramLabel = "FORM",
            defaultValue = "ibsim",
            description = "ibsim: a net file; ibnetdiscover: as this program prints it, with LIDs. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String format = "";

    @Option(names = "--out", paramLabel = "FILE", description = "Write here. Default, and for -: standard output.")
    private @Nullable Path out;

    @Mixin
    private JsonOption json = new JsonOption();

    private int switches;
    private int endNodes;

    /** For picocli. */
    public GeneratedFile() {}

    /**
     * Returns the text of a fabric.
     *
     * @throws ParameterException if there is no such form
     * @throws org.railyard.fabric.model.FabricException if the form has LIDs, and there are more end ports than LIDs
     */
    String text(Fabric fabric) {
        if (json.isWanted() && ResultFile.isStandardOutput(out)) {
            throw new ParameterException(
                    spec.commandLine(), "--json needs --out: on standard output is the fabric otherwise");
        }
        switches = fabric.switchCount();
        endNodes = fabric.nodeCount() - switches;
        return switch (format) {
            case "ibsim" -> NetFile.of(fabric).text();
            case "ibnetdiscover" -> DiscoverWriter.text(FreshLids.assign(fabric, Fabric.NONE));
            default ->
                throw new ParameterException(
                        spec.commandLine(), "--format " + format + ": expected ibsim or ibnetdiscover");
        };
    }

    /** Returns the file that is written, null for standard output. */
    @Nullable
    Path out() {
        return ResultFile.isStandardOutput(out) ? null : out;
    }

    /**
     * Writes a text.
     *
     * @throws IOException if it cannot be written; the message names the file and why
     */
    void write(String text) throws IOException {
        ResultFile.writeOrPrint(spec, out, text);
        if (json.isWanted()) {
            json.print(
                    spec.commandLine().getOut(),
                    List::of,
                    () -> new Doc()
                            .put("written", String.valueOf(out))
                            .put("format", format)
                            .put("switches", switches)
                            .put("end_nodes", endNodes)
                            .map());
        }
    }
}
