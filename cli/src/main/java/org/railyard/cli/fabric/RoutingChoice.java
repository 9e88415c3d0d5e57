package org.railyard.cli.fabric;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.engine.Root;
import org.railyard.fabric.format.NodeList;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.conf.TorusConfException;
import org.railyard.fabric.torus.conf.TorusConfParser;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The engine that a command routes with: options that several commands have. */
public class RoutingChoice {
    private static final int MAX_OP_VLS = 5;
    private static final int MAX_LEVELS = 2;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            completionCandidates = EngineNames.class,
            defaultValue = "torus-2qos",
            description = "torus-2qos; ftree: fat trees; nue: any fabric, free of credit loops on the VLs that there"
                    + " are; layered: shortest paths on any fabric with VLs enough; up-down, min-hop, dor; or"
                    + " opensm-torus: as OpenSM's torus-2QoS would, also where that can deadlock. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String engine = "";

    @Option(names = "--conf", paramLabel = "FILE", description = "torus-2QoS.conf; the torus engines need it.")
    private @Nullable Path conf;

    @Option(names = "--strict", description = "torus-2qos: refuse what OpenSM would refuse, too.")
    private boolean strict;

    @Option(
            names = "--roots",
            paramLabel = "FILE",
            description = "up-down: node GUIDs of root switches, best first, as for opensm -a; ftree: those of the top"
                    + " level, where hosts are not on the bottom level alone.")
    private @Nullable Path roots;

    @Option(
            names = "--qos-levels",
            paramLabel = "N",
            defaultValue = "2",
            description = "QoS levels, 1 or 2; with 1 and 8 data VLs multicast has VLs of its own. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int qosLevels;

    @Option(
            names = "--max-op-vls",
            paramLabel = "CODE",
            defaultValue = "5",
            description = "Cap on VLs as in opensm.conf: 1 = 1, 2 = 2, 3 = 4, 4 = 8 data VLs, 5 = no cap. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int maxOpVls;

    /** For picocli. */
    public RoutingChoice() {}

    /** Returns the command that has these options. */
    CommandSpec spec() {
        return spec;
    }

    /** Tells whether there is all that the engine needs: those for tori need a configuration. */
    boolean canRoute() {
        return conf != null || !name().needsConf();
    }

    private EngineName name() {
        return EngineName.of(engine)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "--engine %s: expected %s"
                                .formatted(
                                        engine,
                                        Stream.of(EngineName.values())
                                                .map(EngineName::text)
                                                .collect(Collectors.joining(", "))
                                                .replaceFirst(", (?=[^,]*$)", " or "))));
    }

    /** Returns what routes by these options: LIDs are those that a fabric has. */
    ProvenRouting routing() {
        return new ProvenRouting(settings(text -> spec.commandLine().getErr().println("railyard: warning: " + text)));
    }

    /**
     * Returns the settings that these options make.
     *
     * @param warned hears what in a file does not count
     * @throws ParameterException if they do not go together
     * @throws FabricInputException if a file can not be used
     */
    public RoutingSettings settings(Consumer<String> warned) {
        EngineName name = name();
        if (!canRoute()) {
            throw new ParameterException(
                    spec.commandLine(),
                    engine
                            + " needs --conf FILE, its torus-2QoS.conf; without one, take another --engine, such as"
                            + " nue");
        }
        InputErrors errors = new InputErrors();
        Optional<TorusConf> torus =
                errors.tried(this::torusConf).flatMap(read -> read).filter(_ -> name.needsConf());
        Optional<List<Root>> named = errors.tried(() -> name.takesRoots() ? roots(warned) : List.of());
        errors.requireNone();
        warnOfUnused(name, warned);
        return RoutingSettings.of(name.engine(torus.orElse(null), strict, named.orElseThrow()))
                .withOptions(options());
    }

    private void warnOfUnused(EngineName name, Consumer<String> warned) {
        if (roots != null && !name.takesRoots()) {
            warned.accept("--roots %s has no effect: %s takes no root switches".formatted(roots, name.text()));
        }
    }

    private EngineOptions options() {
        require("--max-op-vls", maxOpVls, MAX_OP_VLS);
        require("--qos-levels", qosLevels, MAX_LEVELS);
        return new EngineOptions(maxOpVls, qosLevels, List.of());
    }

    private void require(String option, int value, int max) {
        if (value < 1 || value > max) {
            throw new ParameterException(spec.commandLine(), "%s %d: expected 1 to %d".formatted(option, value, max));
        }
    }

    /** Returns the name of the engine as {@code --engine} has it. */
    String engineName() {
        return name().text();
    }

    private List<Root> roots(Consumer<String> warned) {
        Path file = roots;
        if (file == null) {
            return List.of();
        }
        Map<Long, NodeList.Entry> known = new LinkedHashMap<>();
        for (NodeList.Entry entry : TextFile.parseLines(file, "a node GUID a line, best root first", NodeList::parse)
                .entries()) {
            NodeList.Entry before = known.putIfAbsent(entry.guid(), entry);
            if (before != null) {
                warned.accept("%s: node GUID 0x%016x is in line %d already; ignored"
                        .formatted(place(file, entry), entry.guid(), before.line()));
            }
        }
        return known.values().stream()
                .map(entry -> new Root(entry.guid(), place(file, entry)))
                .toList();
    }

    private static String place(Path file, NodeList.Entry entry) {
        return file + ":" + entry.line() + ":1";
    }

    /** Returns what hears of odd parts of files. */
    Consumer<String> warnings() {
        return spec.commandLine().getErr()::println;
    }

    /** Returns the file of {@code --conf}, or null. */
    @Nullable
    Path confFile() {
        return conf;
    }

    /** Returns the files that are read for the engine. */
    public List<Path> files() {
        return Stream.of(Optional.ofNullable(conf), Optional.ofNullable(roots).filter(_ -> name().takesRoots()))
                .flatMap(Optional::stream)
                .toList();
    }

    /** Returns the torus-2QoS.conf, if one was named. */
    Optional<TorusConf> torusConf() {
        return Optional.ofNullable(conf).map(EngineChoice::readConf);
    }

    /**
     * Reads a torus-2QoS.conf; of what is wrong with it the first errors are told at once.
     *
     * @throws FabricInputException if it can not be used; the message names the file
     */
    static TorusConf readConf(Path file) {
        return ofConf(file, TorusConfParser::parse);
    }

    /**
     * Returns the text of a torus-2QoS.conf with which nothing is wrong; reads the file once.
     *
     * @throws FabricInputException as {@link #readConf}
     */
    public static String confText(Path file) {
        return ofConf(file, text -> {
            TorusConfParser.parse(text);
            return text;
        });
    }

    private static <T> T ofConf(Path file, Function<String, T> parser) {
        try {
            return TextFile.parse(file, "torus-2QoS.conf: a torus or mesh statement and a seed", parser);
        } catch (TorusConfException e) {
            List<String> errors = e.problems().stream()
                    .map(problem -> problem.at(file.toString()))
                    .toList();
            FabricInputException told =
                    FabricInputException.of(file, errors, errors.size() < TorusConfParser.MAX_PROBLEMS);
            told.initCause(e);
            throw told;
        }
    }
}
