package org.railyard.cli.o2ib;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.YamlText;
import org.railyard.cli.text.JsonOption;
import org.railyard.o2iblnd.tune.Calculation;
import org.railyard.o2iblnd.tune.Calculator;
import org.railyard.o2iblnd.tune.Difference;
import org.railyard.o2iblnd.tune.Figure;
import org.railyard.o2iblnd.tune.LiveNi;
import org.railyard.o2iblnd.tune.ReferencePage;
import org.railyard.o2iblnd.tune.Scene;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code railyard o2ib tunables}: the calculator. */
@Command(
        name = "tunables",
        description = {
            "Tell what tunables lead to: queues, memory, messages in flight.",
            "For a connection, a peer, a node, a cluster."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:nodes like these start and connect",
            "1:they do not, or a setting is wrong; the output says why",
            "2:the command line is wrong"
        })
final class TunablesCommand implements Callable<Integer> {
    private static final int DOES_NOT_WORK = 1;

    /** How to write. */
    enum Format {
        TEXT,
        YAML,
        CSV
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private SceneOptions options = new SceneOptions();

    @Mixin
    private LiveOptions running = new LiveOptions();

    @Option(
            names = "--diff",
            paramLabel = "NAME=NUMBER",
            arity = "1..*",
            description = "Show only what these change, and through which dependencies.")
    private List<String> changes = new ArrayList<>();

    @Option(
            names = "--sweep",
            paramLabel = "NAME=FIRST..LAST",
            description = "Let one tunable go through values; writes CSV, one line for each.")
    private @Nullable String sweep;

    @Option(
            names = "--reference",
            description = "Write the reference of tunables and dependencies, in Markdown, and nothing else.")
    private boolean reference;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "TEXT, YAML or CSV. Default: TEXT, and CSV for a sweep.")
    private @Nullable Format format;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (json.isWanted() && (format != null || sweep != null || reference)) {
            throw new ParameterException(spec.commandLine(), "--json goes without --format, --sweep and --reference");
        }
        if (reference) {
            out.print(ReferencePage.markdown());
            out.flush();
            return 0;
        }
        LiveNi live = running.find(spec.commandLine());
        Scene scene = options.scene(live);
        boolean works;
        if (sweep != null) {
            if (!changes.isEmpty() || format != null && format != Format.CSV) {
                throw new ParameterException(spec.commandLine(), "--sweep writes CSV, and goes without --diff");
            }
            works = sweep(Sweep.parse(sweep), scene, live, out);
        } else if (changes.isEmpty()) {
            works = one(Calculator.calculate(scene), live, out);
        } else {
            works = difference(scene, live, out);
        }
        out.flush();
        return works ? 0 : DOES_NOT_WORK;
    }

    private boolean one(Calculation calculation, @Nullable LiveNi live, PrintWriter out) {
        LiveReport found =
                live == null ? null : new LiveReport(live, calculation.scene().tunables());
        switch (format()) {
            case TEXT -> {
                if (found != null) {
                    found.head(out);
                }
                TunablesReport.text(calculation, figures(calculation, live), out);
                if (found != null) {
                    found.connections(out);
                }
            }
            case YAML -> print(TunablesReport.document(calculation, found), out);
            case CSV -> {
                out.println("figure,value");
                figures(calculation, live).forEach(figure -> out.println(figure.fullName() + "," + figure.text()));
            }
        }
        return calculation.works();
    }

    /** JSON is the document of YAML. */
    private Format format() {
        return json.isWanted() ? Format.YAML : format == null ? Format.TEXT : format;
    }

    private void print(Map<String, Object> document, PrintWriter out) {
        if (json.isWanted()) {
            json.print(out, List::of, () -> document);
        } else {
            out.print(YamlText.of(document, YamlText.Layout.NARROW));
        }
    }

    private static List<Figure> figures(Calculation calculation, @Nullable LiveNi live) {
        List<Figure> figures = new ArrayList<>(calculation.figures());
        if (live != null) {
            figures.addAll(live.figures());
        }
        return figures;
    }

    private boolean difference(Scene scene, @Nullable LiveNi live, PrintWriter out) {
        Calculation after = Calculator.calculate(options.changed(scene, live, changes));
        LiveReport found =
                live == null ? null : new LiveReport(live, after.scene().tunables());
        Difference difference = Difference.between(Calculator.calculate(scene), after);
        switch (format()) {
            case TEXT -> {
                if (found != null) {
                    found.head(out);
                }
                TunablesReport.text(difference, out);
                if (found != null) {
                    found.connections(out);
                }
            }
            case YAML -> print(TunablesReport.document(difference, found), out);
            case CSV -> throw new ParameterException(spec.commandLine(), "--diff writes TEXT or YAML");
        }
        return after.works();
    }

    private boolean sweep(Sweep over, Scene scene, @Nullable LiveNi live, PrintWriter out) {
        boolean works = true;
        List<String> names = List.of();
        for (int value = over.first(); value <= over.last(); value++) {
            Calculation calculation = Calculator.calculate(
                    options.changed(scene, live, List.of(over.tunable().text() + "=" + value)));
            if (names.isEmpty()) {
                names = calculation.figures().stream().map(Figure::fullName).toList();
                out.println(over.tunable().text() + "," + String.join(",", names) + ",works");
            }
            List<String> known = names;
            out.println(value + ","
                    + known.stream().map(name -> cell(calculation, name)).collect(Collectors.joining(",")) + ","
                    + (calculation.works() ? "yes" : "no"));
            works &= calculation.works();
        }
        return works;
    }

    /** Without a connection there are figures that do not exist. */
    private static String cell(Calculation calculation, String name) {
        return calculation.figures().stream()
                .filter(figure -> figure.fullName().equals(name))
                .findFirst()
                .map(Figure::text)
                .orElse("");
    }
}
