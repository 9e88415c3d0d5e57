package org.railyard.cli.sm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.railyard.cli.fabric.FabricInputException;
import org.railyard.cli.fabric.InputErrors;
import org.railyard.cli.fabric.LineErrors;
import org.railyard.cli.fabric.RoutingChoice;
import org.railyard.cli.fabric.SmFabric;
import org.railyard.cli.mad.DevicePort;
import org.railyard.cli.text.OutputFile;
import org.railyard.fabric.format.Guid2Mkey;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.umad.UmadSettings;
import org.railyard.sm.SmSettings;
import org.railyard.sm.TextStore;
import org.railyard.sm.lid.LidOrder;
import org.railyard.sm.lid.LidTable;
import org.railyard.sm.sa.SaSettings;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which subnet is managed, and how: options of {@code railyard sm} and of its dry run. */
final class SmOptions {
    static final String DEVICE = "--device";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--fabric",
            paramLabel = "FILE",
            description = "Manage a simulated subnet: all agents of this topology, after power-on, in virtual time."
                    + " The file is one of ibsim or ibnetdiscover, or an opensm-subnet.lst; - for standard input.")
    private Optional<Path> fabric = Optional.empty();

    @Option(
            names = DEVICE,
            paramLabel = "NAME[:PORT]",
            description = "Manage the subnet of a port of this machine, through libibumad, such as mlx5_0:1; any: the"
                    + " first active port.")
    private Optional<String> device = Optional.empty();

    @Option(names = "--port", paramLabel = "N", description = "With --device: its port; default: the first active one.")
    private Optional<Integer> port = Optional.empty();

    @Option(
            names = "--sm",
            paramLabel = "PORT",
            description = "With --fabric: end port of the subnet manager. Default: the one that the file names, else"
                    + " the first host.")
    private Optional<String> sm = Optional.empty();

    @Mixin
    private RoutingChoice routing = new RoutingChoice();

    @Option(
            names = "--lids",
            paramLabel = "FILE",
            description = "Table of LIDs, as OpenSM's guid2lid: read if it is there, written when it changes.")
    private Optional<Path> lids = Optional.empty();

    @Option(
            names = "--mkeys",
            paramLabel = "FILE",
            description = "M_Keys of ports, as OpenSM's guid2mkey: read if it is there, written when they change.")
    private Optional<Path> mKeys = Optional.empty();

    @Option(
            names = "--lmc",
            paramLabel = "N",
            defaultValue = "0",
            description = "2^N LIDs for each port of a CA or router. Default: ${DEFAULT-VALUE}.")
    private int lmc;

    @Option(names = "--opensm-lid-order", description = "New LIDs in OpenSM's order of ports, not by ascending GUID.")
    private boolean openSmLidOrder;

    @Option(
            names = "--reassign-lids",
            description = "Take no notice of the LIDs that ports have when the subnet manager starts.")
    private boolean reassign;

    @Option(
            names = "--allow-sl-change",
            description = "Program routes even if they change the SL of a path in use; else they are refused.")
    private boolean allowSlChange;

    @Option(
            names = "--restart-links",
            description = "Take links down that are up with other VLs or another MTU than both ends can have, such as"
                    + " those of another subnet manager, and bring them up again: packets on them are lost. Default:"
                    + " they keep what they have until they go down.")
    private boolean restartLinks;

    @Option(
            names = "--keep-turns-back",
            description = "Leave SL to VL tables for packets that go straight back to the switch they came from as the"
                    + " engine gives them, as OpenSM does. Default: switches drop such packets, so that fewer routes"
                    + " have to pause when they change.")
    private boolean keepTurnsBack;

    @Option(
            names = "--priority",
            paramLabel = "N",
            description = "Priority among the subnet managers of the subnet, 0 to 15: the highest is master, of equal"
                    + " ones that with the smaller port GUID. Default: that of opensm.conf, else 0.")
    private Optional<Integer> priority = Optional.empty();

    @Option(
            names = "--loss",
            paramLabel = "PERCENT",
            defaultValue = "0",
            description = "With --fabric: MADs that are lost, on each way, 0 to 90. Default: ${DEFAULT-VALUE}.")
    private int loss;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "With --fabric: seed of chance. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Mixin
    private SaOptions administration = new SaOptions();

    private static final int MOST_LOSS = 90;
    private static final double PERCENT = 100;

    SmOptions() {}

    /** Tells whether a simulated subnet is managed; checks that one of both is asked for. */
    boolean isSimulated() {
        if (fabric.isPresent() && device.isPresent()) {
            throw wrong("only one of --fabric and --device may be given: simulated agents, or a port of this machine");
        }
        if (fabric.isEmpty() && device.isEmpty()) {
            throw wrong("one of --fabric FILE (simulated agents) and --device NAME (a port of this machine) is needed");
        }
        if (port.isPresent() && device.isEmpty()) {
            throw wrong("--port needs --device");
        }
        if (sm.isPresent() && fabric.isEmpty()) {
            throw wrong("--sm needs --fabric: with --device the subnet manager is at that port");
        }
        for (String simulated : List.of("--loss", "--seed")) {
            if (fabric.isEmpty() && spec.commandLine().getParseResult().hasMatchedOption(simulated)) {
                throw wrong(simulated + " needs --fabric");
            }
        }
        if (loss < 0 || loss > MOST_LOSS) {
            throw wrong("--loss " + loss + ": expected 0 to " + MOST_LOSS);
        }
        device.ifPresent(this::devicePort);
        return fabric.isPresent();
    }

    private DevicePort devicePort(String text) {
        return DevicePort.of(spec.commandLine(), text, port);
    }

    ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Reads the topology of the simulated subnet. */
    private SmFabric topology(Path file) {
        return SmFabric.read(file, sm, spec.commandLine().getErr()::println);
    }

    /** Makes its agents. */
    SimulatedSubnet subnet(SmFabric topology) {
        SimulatedSubnet subnet =
                new SimulatedSubnet(topology.fabric(), SimulationSettings.DEFAULT, new SplittableRandom(seed));
        subnet.loss(loss / PERCENT);
        return subnet;
    }

    /** Returns the port of this machine that is used. */
    UmadSettings umad() {
        return devicePort(device.orElseThrow()).settings(true);
    }

    /** Returns the settings of the subnet manager, but for P_Keys. */
    private SmSettings settings(RoutingSettings engine) {
        try {
            LidOrder order = openSmLidOrder ? LidOrder.OPENSM : LidOrder.GUID;
            SmSettings settings = administration.manager(SmSettings.of(engine)
                    .withLids(order, lmc, !reassign)
                    .withSlChange(allowSlChange)
                    .withRestarts(restartLinks)
                    .withTurnsBack(keepTurnsBack));
            return priority.map(number -> settings.withRole(settings.role().withPriority(number)))
                    .orElse(settings);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * Reads all files, again if they were read before; P_Keys are for whoever knows the port.
     *
     * @throws FabricInputException if files can not be used; it tells what is wrong with all of them
     */
    SmConfiguration configuration() {
        administration.forgetWarnings();
        InputErrors errors = new InputErrors();
        Optional<RoutingSettings> engine = errors.tried(() -> routing.settings(administration::warn));
        errors.check(administration::readOpenSm);
        Optional<SmSettings> manager = engine.flatMap(known -> errors.tried(() -> settings(known)));
        errors.check(administration::readFiles);
        errors.requireNone();
        SmSettings read = manager.orElseThrow();
        SaSettings sa =
                administration.settings(SaSettings.groupSls(read.routing().engine()));
        SortedMap<Path, Long> files = new TreeMap<>();
        // What is no regular file can be read once only.
        Stream.concat(routing.files().stream(), administration.files().stream())
                .filter(Files::isRegularFile)
                .forEach(file -> files.put(file, SaOptions.checksum(file)));
        return new SmConfiguration(read, sa, files, administration.prefixPlace(), administration.warnings());
    }

    /**
     * Reads all files before anything is begun.
     *
     * @param state where groups and the like are kept
     * @param keeps whether tables and groups are kept there; if not, their files are only read
     * @throws FabricInputException if files can not be used; it tells what is wrong with all of them
     */
    SmInput read(Optional<Path> state, boolean keeps) {
        InputErrors errors = new InputErrors();
        Optional<SmConfiguration> configuration = errors.tried(this::configuration);
        int lmcOfPorts = configuration.map(known -> known.sm().lmc()).orElse(0);
        Optional<TextStore> lidStore = errors.tried(() -> lidStore(keeps, lmcOfPorts));
        Optional<TextStore> keyStore = errors.tried(() -> keyStore(keeps));
        Optional<SaFile> stateFile =
                state.flatMap(file -> errors.tried(() -> SaFile.open(file, InstantSource.system())));
        Optional<SmFabric> topology = fabric.flatMap(file -> errors.tried(() -> topology(file)));
        errors.requireNone();
        return new SmInput(
                configuration.orElseThrow(), lidStore.orElseThrow(), keyStore.orElseThrow(), stateFile, topology);
    }

    /**
     * Checks that what is kept goes to files of its own, before any of them is written.
     *
     * @param state where groups and the like are kept
     * @throws ParameterException if two of them are one
     */
    void requireSeparateFiles(Optional<Path> state) {
        Map<Path, String> known = new LinkedHashMap<>();
        Map<String, Optional<Path>> all = new LinkedHashMap<>();
        all.put("--lids", lids);
        all.put("--mkeys", mKeys);
        all.put("--sa-state", state);
        all.forEach((option, file) -> file.ifPresent(path -> {
            String other = known.putIfAbsent(place(path), option);
            if (other != null) {
                throw wrong(other + " and " + option + " name the same file, " + path + ": each needs one of its own");
            }
        }));
    }

    private static Path place(Path file) {
        try {
            // The file need not be there yet.
            Path target = OutputFile.target(file);
            Path folder = target.getParent();
            return folder == null ? target : folder.toRealPath().resolve(target.getFileName());
        } catch (IOException e) {
            return file.toAbsolutePath().normalize();
        }
    }

    private TextStore keyStore(boolean keeps) {
        return mKeys.isEmpty()
                ? TextStore.NONE
                : read(new KeptTable(mKeys.get(), true), mKeys.get(), keeps, Guid2Mkey::parse, read -> {});
    }

    /** Returns where LIDs are kept for ports with this LMC. */
    private TextStore lidStore(boolean keeps, int lmcOfPorts) {
        return lids.isEmpty()
                ? TextStore.NONE
                : read(
                        new KeptTable(lids.get(), false),
                        lids.get(),
                        keeps,
                        text -> LidTable.parse(text, lmcOfPorts),
                        read -> administration.warn(lids.get(), read.findings()));
    }

    /** Returns a table after a look at whether it can be read, and written if it is kept. */
    private <T> TextStore read(
            KeptTable table, Path file, boolean keeps, Function<String, T> parser, Consumer<T> reader) {
        try {
            String text = table.load();
            if (text.isEmpty() && Files.isRegularFile(file)) {
                administration.warn(file + ": it is empty, so nothing is known from before");
            }
            reader.accept(LineErrors.parse(file, text, parser));
            if (keeps) {
                table.requireWritable();
            }
            return table;
        } catch (UncheckedIOException e) {
            throw new FabricInputException(String.valueOf(e.getMessage()), e);
        }
    }
}
