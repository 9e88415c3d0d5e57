package org.railyard.cli.fabric;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.sample.SampleNetwork;
import org.railyard.fabric.sample.SampleNetwork.Gap;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What is left out of a made fabric, and where it goes: options of the shapes whose switches have names. */
public final class GeneratedNetwork {
    private static final Pattern SHAPE = Pattern.compile("\\d{1,9}(x\\d{1,9})*");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--without", paramLabel = "SWITCH", description = "Leave out this switch; may be repeated.")
    private List<String> without = new ArrayList<>();

    @Option(
            names = "--cut",
            paramLabel = "SWITCH:SWITCH",
            description = "Leave out the cables between these neighbours; may be repeated.")
    private List<String> cuts = new ArrayList<>();

    @Mixin
    private GeneratedFile file = new GeneratedFile();

    /** For picocli. */
    public GeneratedNetwork() {}

    /**
     * Makes a fabric and writes it.
     *
     * @return 0, the exit status
     * @throws ParameterException if there can be no such fabric
     * @throws IOException if it cannot be written
     */
    int write(Supplier<SampleNetwork> plan) throws IOException {
        String text;
        try {
            text = file.text(plan.get().fabric(new LinkedHashSet<>(without), gaps()));
        } catch (FabricException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        file.write(text);
        return 0;
    }

    private Set<Gap> gaps() {
        Set<Gap> gaps = new LinkedHashSet<>();
        for (String text : cuts) {
            String[] ends = text.split(":", -1);
            if (ends.length != 2) {
                throw new ParameterException(spec.commandLine(), "--cut " + text + ": expected SWITCH:SWITCH");
            }
            gaps.add(new Gap(ends[0], ends[1]));
        }
        return gaps;
    }

    /**
     * Returns the numbers of a shape such as 4x4x8.
     *
     * @param what the parameter or option, for the message
     */
    List<Integer> numbers(String what, String text) {
        if (!SHAPE.matcher(text).matches()) {
            throw new ParameterException(
                    spec.commandLine(), "%s %s: expected numbers such as 4x4x8".formatted(what, text));
        }
        return Stream.of(text.split("x", -1)).map(Integer::valueOf).toList();
    }
}
