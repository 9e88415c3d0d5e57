package org.railyard.cli.campaign;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.railyard.campaign.work.FailureWork;
import org.railyard.campaign.work.RoutedFabric;
import org.railyard.cli.fabric.EngineNames;
import org.railyard.cli.fabric.RoutingChoice;
import org.railyard.cli.fabric.TextFile;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.sample.SampleTorus;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Which fabric a campaign is about: options of several kinds. */
final class FabricChoice {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,2})(?:x([0-9]{1,2}))?(?:x([0-9]{1,2}))?");

    /** One more than can fail together. */
    private static final int MOST_SEEDS = FailureWork.MAX_TOGETHER + 1;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "TOPOLOGY",
            arity = "0..1",
            description = "ibsim net file, ibnetdiscover output or opensm-subnet.lst.")
    private Optional<Path> topology = Optional.empty();

    @Option(names = "--conf", paramLabel = "FILE", description = "Its torus-2QoS.conf; the torus engines need it.")
    private Optional<Path> conf = Optional.empty();

    @Option(
            names = "--torus",
            paramLabel = "X[xY[xZ]]",
            description = "Instead of a topology and its configuration: a torus as 'fabric generate torus'"
                    + " makes it, with up to four seeds.")
    private Optional<String> torus = Optional.empty();

    @Option(
            names = "--hosts",
            paramLabel = "N",
            defaultValue = "1",
            description = "With --torus: hosts on each switch. Default: ${DEFAULT-VALUE}.")
    private int hosts;

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            completionCandidates = EngineNames.class,
            defaultValue = "torus-2qos",
            description = "What routes it, as for 'fabric route'. Default: ${DEFAULT-VALUE}.")
    private String engine = "";

    FabricChoice() {}

    /**
     * Returns parameters and inputs of a plan.
     *
     * @throws org.railyard.cli.fabric.FabricInputException if a file can not be used
     */
    Map.Entry<SortedMap<String, String>, SortedMap<String, String>> describe() {
        if (topology.isPresent() && torus.isPresent()) {
            throw new ParameterException(spec.commandLine(), "only one of TOPOLOGY and --torus may be given");
        }
        if (topology.isEmpty() && torus.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "one of TOPOLOGY and --torus is needed");
        }
        if (torus.isPresent()) {
            if (conf.isPresent()) {
                throw new ParameterException(spec.commandLine(), "--conf: a --torus has its own");
            }
            return generated(torus.get());
        }
        return RoutedFabric.describe(
                TextFile.parse(topology.get(), "a topology", Function.identity()), conf.map(this::text), engine);
    }

    /** Returns what is in the configuration; where it counts it must be right: a plan has no names of files to tell. */
    private String text(Path file) {
        return EngineName.of(engine).filter(EngineName::needsConf).isPresent()
                ? RoutingChoice.confText(file)
                : TextFile.parse(file, "a torus-2QoS.conf", Function.identity());
    }

    private Map.Entry<SortedMap<String, String>, SortedMap<String, String>> generated(String size) {
        Matcher found = SIZE.matcher(size);
        if (!found.matches()) {
            throw new ParameterException(
                    spec.commandLine(), "--torus " + size + ": expected a size such as 4x4x4, 8x8 or 12");
        }
        try {
            SampleTorus made = SampleTorus.torus(radix(found, 1), radix(found, 2), radix(found, 3), hosts);
            return RoutedFabric.describe(NetFile.of(made.fabric()).text(), Optional.of(conf(made)), engine);
        } catch (FabricException e) {
            throw new ParameterException(spec.commandLine(), "--torus " + size + ": " + e.getMessage(), e);
        }
    }

    /** Has as many seeds as fit, so that a few failures leave one whole. */
    private static String conf(SampleTorus made) {
        for (int seeds = MOST_SEEDS; seeds > 1; seeds--) {
            try {
                return made.conf(seeds);
            } catch (FabricException e) {
                // One less may fit.
            }
        }
        return made.conf(1);
    }

    private static int radix(Matcher found, int dimension) {
        String text = found.group(dimension);
        return text == null ? 1 : Integer.parseInt(text);
    }
}
