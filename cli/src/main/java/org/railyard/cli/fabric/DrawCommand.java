package org.railyard.cli.fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.railyard.cli.text.ResultFile;
import org.railyard.fabric.analysis.LinkLoad;
import org.railyard.fabric.analysis.TablePath;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.draw.FabricDrawing;
import org.railyard.fabric.draw.NetworkDrawing;
import org.railyard.fabric.draw.TorusDrawing;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Routing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code railyard fabric draw}: a picture of a fabric. */
@Command(
        name = "draw",
        description = {
            "Draw a fabric as SVG.",
            "With what is missing, and a path, a credit loop, a multicast tree or the load."
        },
        footer = {
            "",
            "Places on a torus come from DIR/opensm-torus.dump or from --conf. Without them trees are drawn level by"
                + " level, others in circles of switches that are all joined to each other. A fabric that the engine"
                + " refuses is drawn without tables; with --engine opensm-torus a loop can be shown.",
        },
        exitCodeOnExecutionException = FabricCommand.FAILED,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the picture was written",
            "1:there is no credit loop to show",
            "2:a file cannot be read, the fabric is too large for a picture, or the command line is wrong",
            "3:what is to be shown needs tables, and the engine refuses the fabric",
            FabricCommand.FAILED_TEXT
        })
final class DrawCommand implements Callable<Integer> {
    private static final int NOTHING_TO_SHOW = 1;
    private static final int UNUSABLE = 2;
    private static final int REFUSED = 3;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private FabricSource source = new FabricSource();

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "SVG file to write. Default, and for -: standard output.")
    private @Nullable Path out;

    @Option(names = "--from", paramLabel = "A", description = "Show the path from this end port …")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "B", description = "… to this one.")
    private @Nullable String to;

    @Option(names = "--loop", description = "Show the first credit loop.")
    private boolean loop;

    @Option(names = "--tree", paramLabel = "MLID", description = "Show the tree of a multicast group, such as 0xC000.")
    private @Nullable String tree;

    @Option(names = "--load", description = "Show the load of all cables, every host sending to every other.")
    private boolean load;

    @Option(names = "--title", paramLabel = "TEXT", description = "Title. Default: the shape, or how many switches.")
    private @Nullable String title;

    @Override
    public Integer call() throws IOException {
        try {
            FabricSource.Loaded loaded = source.load();
            Optional<TorusLayout> layout = loaded.layout();
            FabricDrawing drawing = layout.isPresent()
                    ? new TorusDrawing(loaded.fabric(), layout.orElseThrow())
                    : new NetworkDrawing(loaded.fabric());
            int status = switch (loaded.result()) {
                case Refusal refusal -> withoutTables(refusal);
                case Routing routing -> layOver(drawing, loaded.fabric(), routing);
            };
            if (status == 0) {
                String shape = layout.map(torus -> torus.shape() + " torus")
                        .orElseGet(() -> loaded.fabric().switchCount() + " switches");
                String name = title == null ? shape : title;
                ResultFile.writeOrPrint(spec, out, drawing.svg(Objects.requireNonNull(name)));
            }
            return status;
        } catch (FabricInputException e) {
            e.print(spec.commandLine().getErr());
        } catch (FabricException e) {
            spec.commandLine().getErr().println("railyard: " + e.getMessage());
        }
        return UNUSABLE;
    }

    private int withoutTables(Refusal refusal) {
        PrintWriter err = spec.commandLine().getErr();
        CheckText.print(refusal, err);
        if (loop || load || tree != null || from != null || to != null) {
            err.println("railyard: without tables there is no path, loop, tree or load to show");
            return REFUSED;
        }
        return 0;
    }

    private int layOver(FabricDrawing drawing, Fabric fabric, Routing routing) {
        if (load) {
            drawing.load(LinkLoad.of(fabric, routing.forwarding()));
        }
        String mlid = tree;
        if (mlid != null) {
            drawing.tree(mlidOf(mlid), treeOf(mlid, routing));
        }
        String a = from;
        String b = to;
        if (a != null && b != null) {
            EndPortFinder names = new EndPortFinder(fabric);
            drawing.path(path(fabric, routing, names.find(a), names.find(b)));
        } else if (a != null || b != null) {
            throw new FabricInputException("a path needs both, --from A and --to B");
        }
        if (loop) {
            CheckReport report = CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT);
            if (report.loops().isEmpty()) {
                spec.commandLine().getErr().println("railyard: there is no credit loop to show; nothing was written");
                return NOTHING_TO_SHOW;
            }
            drawing.loop(report.loops().getFirst());
        }
        return 0;
    }

    private static TablePath path(Fabric fabric, Routing routing, int source, int target) {
        int sl = routing.sls().sl(fabric.lid(source), fabric.lid(target), 0);
        if (sl == PathSls.NO_SL || source == target) {
            throw new FabricInputException(
                    "there is no path from %s to %s".formatted(fabric.portName(source), fabric.portName(target)));
        }
        return TablePath.follow(fabric, routing, source, fabric.lid(target), sl);
    }

    private static int mlidOf(String text) {
        try {
            int mlid = Integer.decode(text);
            if (Lids.isMulticast(mlid)) {
                return mlid;
            }
        } catch (NumberFormatException e) {
            throw new FabricInputException("--tree " + text + ": expected a multicast LID such as 0xC000", e);
        }
        throw new FabricInputException("--tree " + text + ": expected a multicast LID, 0xC000 to 0xFFFE");
    }

    private static MulticastTables.Tree treeOf(String mlid, Routing routing) {
        MulticastTables.Tree found = routing.multicast().tree(mlidOf(mlid));
        if (found == null) {
            throw new FabricInputException(
                    "--tree " + mlid + ": the tables have no such group; give --group " + mlid + "=all when routing");
        }
        return found;
    }
}
