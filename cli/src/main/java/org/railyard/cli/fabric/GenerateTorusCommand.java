package org.railyard.cli.fabric;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.railyard.cli.text.ResultFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.sample.Position;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.sample.SampleTorus.Gap;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.fabric.torus.grid.TorusShape;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard fabric generate torus}: writes a torus or mesh as ibsim net file or as ibnetdiscover prints it. */
@Command(
        name = "torus",
        description = "Write a torus as a file for ibsim, OpenSM and the fabric commands.",
        exitCodeOnExecutionException = FabricCommand.FAILED,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:the file was written", "2:the command line is wrong", FabricCommand.FAILED_TEXT})
final class GenerateTorusCommand implements Callable<Integer> {
    private static final Pattern RADICES = Pattern.compile("(\\d{1,3})x(\\d{1,3})(?:x(\\d{1,3}))?");
    private static final Pattern POSITION = Pattern.compile("(\\d{1,3}),(\\d{1,3})(?:,(\\d{1,3}))?");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "XxYxZ", description = "Switches in each dimension; 1 = the dimension is absent.")
    private String shape = "";

    @Option(names = "--hosts", paramLabel = "N", description = "Hosts per switch. Default: 1.")
    private int hosts = 1;

    @Option(names = "--cables", paramLabel = "N", description = "Cables between neighbours. Default: 1.")
    private int cables = 1;

    @Option(names = "--open", paramLabel = "DIMS", description = "Dimensions that do not close, such as xy: a mesh.")
    private String open = "";

    @Option(names = "--without", paramLabel = "X,Y,Z", description = "Leave out this switch; may be repeated.")
    private List<String> without = new ArrayList<>();

    @Option(
            names = "--cut",
            paramLabel = "X,Y,Z:X,Y,Z",
            description = "Leave out the cables between these neighbours; may be repeated.")
    private List<String> cuts = new ArrayList<>();

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Seeds in the torus-2QoS.conf, no two with a switch in common; with two, no failed switch stops"
                            + " routing. Default:"
                            + " ${DEFAULT-VALUE}.")
    private int seeds;

    @Mixin
    private GeneratedFile file = new GeneratedFile();

    @Option(names = "--conf", paramLabel = "FILE", description = "Write a torus-2QoS.conf for it, too.")
    private @Nullable Path conf;

    @Override
    public Integer call() throws IOException {
        String net;
        String confText;
        try {
            SampleTorus plan = plan();
            net = file.text(plan.fabric());
            confText = conf == null ? "" : plan.conf(seeds);
        } catch (FabricException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        new ResultFile.Names().add(spec, "--out", file.out()).add(spec, "--conf", conf);
        Path confFile = conf;
        if (confFile == null) {
            file.write(net);
        } else {
            ResultFile.write(confFile, confText, () -> file.write(net));
        }
        warnOfOneDimension();
        return 0;
    }

    /** Such a torus is of use, but not with torus-2QoS. */
    private void warnOfOneDimension() {
        Matcher radices = RADICES.matcher(shape);
        if (radices.matches()
                && TorusShape.torus(number(radices, 1), number(radices, 2), number(radices, 3))
                        .isOneLine()) {
            spec.commandLine()
                    .getErr()
                    .println("railyard: warning: " + shape + " has one dimension only, in which torus-2QoS, here and in"
                            + " OpenSM, finds no places but those of the seed; route it with --engine layered or nue");
        }
    }

    private SampleTorus plan() {
        require("--seeds", seeds, 1, TorusConfParser.MAX_SEEDS);
        require("--hosts", hosts, 0, Fabric.MAX_PORTS);
        require("--cables", cables, 1, Fabric.MAX_PORTS);
        Matcher radices = RADICES.matcher(shape);
        if (!radices.matches()) {
            throw new ParameterException(spec.commandLine(), shape + ": expected a shape such as 4x4x4 or 5x6");
        }
        Set<Integer> openDimensions = new LinkedHashSet<>();
        for (int i = 0; i < open.length(); i++) {
            int dimension = "xyz".indexOf(open.charAt(i));
            if (dimension < 0) {
                throw new ParameterException(spec.commandLine(), "--open " + open + ": expected letters of xyz");
            }
            openDimensions.add(dimension);
        }
        Set<Position> missing = new LinkedHashSet<>();
        without.forEach(text -> missing.add(position("--without", text, radices)));
        Set<Gap> gaps = new LinkedHashSet<>();
        for (String text : cuts) {
            String[] ends = text.split(":", -1);
            if (ends.length != 2) {
                throw new ParameterException(spec.commandLine(), "--cut " + text + ": expected X,Y,Z:X,Y,Z");
            }
            gaps.add(new Gap(position("--cut", ends[0], radices), position("--cut", ends[1], radices)));
        }
        return new SampleTorus(
                List.of(number(radices, 1), number(radices, 2), number(radices, 3)),
                openDimensions,
                hosts,
                cables,
                missing,
                gaps);
    }

    private void require(String option, int value, int min, int max) {
        if (value < min || value > max) {
            throw new ParameterException(
                    spec.commandLine(), "%s %d: expected %d to %d".formatted(option, value, min, max));
        }
    }

    private static int number(Matcher radices, int group) {
        return radices.group(group) == null ? 1 : Integer.parseInt(radices.group(group));
    }

    private Position position(String option, String text, Matcher radices) {
        Matcher found = POSITION.matcher(text);
        if (found.matches()) {
            int z = found.group(3) == null ? 0 : Integer.parseInt(found.group(3));
            Position at = new Position(Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2)), z);
            if (at.x() < number(radices, 1) && at.y() < number(radices, 2) && at.z() < number(radices, 3)) {
                return at;
            }
        }
        throw new ParameterException(
                spec.commandLine(), "%s %s: expected the position of a switch of %s".formatted(option, text, shape));
    }
}
