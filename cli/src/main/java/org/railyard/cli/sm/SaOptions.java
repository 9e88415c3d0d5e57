package org.railyard.cli.sm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.railyard.cli.fabric.FabricInputException;
import org.railyard.cli.fabric.InputErrors;
import org.railyard.cli.fabric.LineErrors;
import org.railyard.cli.text.FileReason;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.format.OpenSmConf;
import org.railyard.host.WholeText;
import org.railyard.sm.SmSettings;
import org.railyard.sm.conf.ConfRemark;
import org.railyard.sm.conf.OpenSmOptions;
import org.railyard.sm.conf.Partition;
import org.railyard.sm.conf.PartitionGroup;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.conf.PrefixRoutes;
import org.railyard.sm.conf.QosLevel;
import org.railyard.sm.conf.QosPolicy;
import org.railyard.sm.conf.QosRule;
import org.railyard.sm.master.OpenSmSettings;
import org.railyard.sm.sa.SaSettings;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Partitions, and how subnet administration answers: options of {@code railyard sm} and of its dry run. */
final class SaOptions {
    private static final int HEX = 16;

    /** Most groups of a partition that are warned of one by one. */
    private static final int MAX_GROUPS = 10;

    /** Longest file that is read, bytes. */
    private static final int MAX_BYTES = 1 << 28;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--opensm-conf",
            paramLabel = "FILE",
            description = "OpenSM's opensm.conf: what differs from OpenSM's defaults counts, unless an option here says"
                    + " otherwise; what has no effect is told.")
    private Optional<Path> openSmFile = Optional.empty();

    @Option(
            names = "--partitions",
            paramLabel = "FILE",
            description = "OpenSM's partitions.conf. Default: all are full members of the default partition.")
    private Optional<Path> partitionFile = Optional.empty();

    @Option(
            names = "--prefix-routes",
            paramLabel = "FILE",
            description = "OpenSM's prefix-routes.conf: which routers lead to other subnets. Default: none.")
    private Optional<Path> prefixRoutes = Optional.empty();

    @Option(
            names = "--sa-key",
            paramLabel = "HEX",
            description = "Key of requests to the subnet administration that makes a requester trusted; 0: nobody is."
                    + " Default: 1, as OpenSM's.")
    private Optional<String> saKey = Optional.empty();

    @Option(
            names = "--qos-policy",
            paramLabel = "FILE",
            description = "OpenSM's qos-policy.conf: service levels and limits of paths that are asked for. Default:"
                    + " the SL is that of the partition.")
    private Optional<Path> qosFile = Optional.empty();

    private @Nullable OpenSmSettings openSm;
    private PartitionsConf partitions = PartitionsConf.none();
    private PrefixRoutes routes = PrefixRoutes.NONE;
    private QosPolicy policy = QosPolicy.NONE;
    /** The files of the options, else those that opensm.conf names. */
    private Optional<Named> usedPartitions = Optional.empty();

    private Optional<Named> usedPrefixes = Optional.empty();
    private Optional<Named> usedQos = Optional.empty();

    /** What was warned of since all files were to be read again. */
    private final List<String> warnings = new ArrayList<>();

    /**
     * A file, and where its name is from.
     *
     * @param origin place and key in opensm.conf, for messages about a file that can not be read; empty for an option
     */
    private record Named(Path file, String origin) {}

    SaOptions() {}

    /**
     * Reads the opensm.conf.
     *
     * @throws FabricInputException if it can not be used
     */
    void readOpenSm() {
        openSm = null;
        usedPartitions = named(partitionFile);
        usedPrefixes = named(prefixRoutes);
        usedQos = named(qosFile);
        if (openSmFile.isEmpty()) {
            return;
        }
        Path file = openSmFile.get();
        OpenSmOptions options = parse(file, OpenSmOptions::parse);
        if (!options.wrong().isEmpty()) {
            List<String> errors = options.wrong().stream()
                    .map(remark -> remark.at(file.toString()))
                    .toList();
            throw FabricInputException.of(file, errors, true);
        }
        OpenSmSettings settings = new OpenSmSettings(options);
        openSm = settings;
        usedPartitions = usedPartitions.or(() -> named("partition_config_file", settings.partitionFile()));
        usedPrefixes = usedPrefixes.or(() -> named("prefix_routes_file", settings.prefixRoutesFile()));
        usedQos = usedQos.or(() -> named("qos_policy_file", settings.qosPolicyFile()));
    }

    /**
     * Returns settings of a subnet manager with those of the opensm.conf; what of that has no effect is printed as
     * warnings. To be called behind {@link #readOpenSm}.
     *
     * @throws FabricInputException if a value can not be used
     */
    SmSettings manager(SmSettings base) {
        OpenSmSettings settings = openSm;
        if (settings == null) {
            return base;
        }
        Path file = openSmFile.orElseThrow();
        boolean hasLmc = spec.commandLine().getParseResult().hasMatchedOption("--lmc");
        SmSettings changed;
        try {
            changed = settings.manager(base, hasLmc);
        } catch (FormatException e) {
            throw new FabricInputException(e.at(file.toString()), e);
        } catch (IllegalArgumentException e) {
            throw new FabricInputException(file + ": " + e.getMessage(), e);
        }
        settings.administration(SaSettings.DEFAULT);
        warn(file, settings.ignored());
        return changed;
    }

    /**
     * Reads partitions, prefix routes and the QoS policy; what in them is not used is printed as warnings. To be called
     * behind {@link #manager}.
     *
     * @throws FabricInputException if files can not be used; it tells what is wrong with all of them
     */
    void readFiles() {
        InputErrors errors = new InputErrors();
        Optional<PartitionsConf> read =
                errors.tried(() -> parsed(usedPartitions, PartitionsConf::parse).orElseGet(PartitionsConf::none));
        read.ifPresent(known -> usedPartitions.ifPresent(named -> warn(named.file, known.remarks())));
        partitions = read.orElseGet(PartitionsConf::none);
        routes = errors.tried(() -> usedPrefixes.map(SaOptions::prefixRoutes).orElse(PrefixRoutes.NONE))
                .orElse(PrefixRoutes.NONE);
        // Names of partitions can be looked up only where these could be read.
        Function<String, QosPolicy> parser =
                text -> read.isPresent() ? QosPolicy.parse(text, partitions) : QosPolicy.parseWithoutPartitions(text);
        policy = errors.tried(() -> parsed(usedQos, parser).orElse(QosPolicy.NONE))
                .orElse(QosPolicy.NONE);
        errors.requireNone();
    }

    private static <T> Optional<T> parsed(Optional<Named> file, Function<String, T> parser) {
        return file.map(named -> parse(named.file, named.origin, parser));
    }

    private static PrefixRoutes prefixRoutes(Named named) {
        return parse(named.file, named.origin, text -> LineErrors.parse(named.file, text, PrefixRoutes::parse));
    }

    private static Optional<Named> named(Optional<Path> option) {
        return option.map(file -> new Named(file, ""));
    }

    /**
     * Returns the file that a setting of opensm.conf names.
     *
     * @throws FabricInputException if no file can have such a name
     */
    private Optional<Named> named(String key, Optional<OpenSmConf.Setting> setting) {
        return setting.map(told -> {
            String origin = place(told) + ": " + key + ": ";
            try {
                return new Named(Path.of(told.value()), origin);
            } catch (InvalidPathException e) {
                throw new FabricInputException(origin + "no file has such a name: " + e.getReason(), e);
            }
        });
    }

    private String place(OpenSmConf.Setting setting) {
        return openSmFile.orElseThrow() + ":" + setting.line() + ":" + setting.column();
    }

    /** Returns where the subnet prefix is told; the opensm.conf if it is not, empty if there is none. */
    String prefixPlace() {
        OpenSmSettings told = openSm;
        return told == null
                ? ""
                : told.subnetPrefix()
                        .map(this::place)
                        .orElse(openSmFile.orElseThrow().toString());
    }

    /**
     * Returns the settings of the subnet administration; to be called behind {@link #readFiles}.
     *
     * @param groupSls SLs that multicast groups may have, a bit each
     */
    SaSettings settings(int groupSls) {
        SaSettings standard = SaSettings.DEFAULT;
        OpenSmSettings told = openSm;
        SaSettings base = told == null ? standard : told.administration(standard);
        boolean hasLevels = groupSls == SaSettings.TORUS_GROUP_SLS;
        if (hasLevels) {
            usedPartitions.ifPresent(named -> warnOfLevels(named.file));
        }
        usedQos.ifPresent(named -> {
            warn(named.file, policy.remarks());
            if (hasLevels) {
                warnOfPolicyLevels(named.file);
            }
        });
        return new SaSettings(
                saKey.map(this::key).orElse(base.saKey()),
                base.subnetPrefix(),
                base.packetLife(),
                groupSls,
                partitions,
                routes,
                policy,
                base.limits());
    }

    /** Warns of levels of the QoS policy whose SL means another one. */
    private void warnOfPolicyLevels(Path file) {
        List<ConfRemark> remarks = Stream.concat(
                        policy.rules().stream().map(QosRule::level), policy.standard().stream())
                .filter(level -> isMoreThanALevel(level.sl()))
                .distinct()
                .map(SaOptions::onlyALevel)
                .toList();
        warn(file, remarks);
    }

    private static ConfRemark onlyALevel(QosLevel level) {
        return new ConfRemark(
                level.line(), level.column(), "level \"%s\": ".formatted(level.name()) + onlyALevel(level.sl()));
    }

    /** Warns of partitions whose SL means another one, and of groups with such an SL of their own. */
    private void warnOfLevels(Path file) {
        for (Partition partition : partitions.partitions()) {
            String where = "%s: partition \"%s\" (0x%04x): ".formatted(file, partition.name(), partition.key());
            if (isMoreThanALevel(partition.sl())) {
                warn(where + onlyALevel(partition.sl()));
            }
            List<PartitionGroup> own = partition.groups().stream()
                    .filter(group -> group.sl() != partition.sl() && isMoreThanALevel(group.sl()))
                    .toList();
            own.stream()
                    .limit(MAX_GROUPS)
                    .forEach(group -> warn(where + "group " + group.mgid() + ": " + onlyALevel(group.sl())));
            if (own.size() > MAX_GROUPS) {
                warn(where + (own.size() - MAX_GROUPS) + " more groups have such an SL");
            }
        }
    }

    private static boolean isMoreThanALevel(int sl) {
        return (sl & ~SaSettings.LEVEL_BIT) != 0;
    }

    private static String onlyALevel(int sl) {
        return "SL %d only means QoS level %d, torus-2QoS needs the other bits of the SL for itself"
                .formatted(sl, sl < SaSettings.LEVEL_BIT ? 0 : 1);
    }

    /** Forgets what was warned of: all files are read again. */
    void forgetWarnings() {
        warnings.clear();
    }

    /** Returns the files that were read. */
    List<Path> files() {
        return Stream.concat(
                        openSmFile.stream(),
                        Stream.of(usedPartitions, usedPrefixes, usedQos)
                                .flatMap(Optional::stream)
                                .map(Named::file))
                .toList();
    }

    /**
     * Returns the checksum of a file.
     *
     * @throws FabricInputException if it can not be read
     */
    static long checksum(Path file) {
        CRC32C sum = new CRC32C();
        try {
            sum.update(WholeText.bytes(file, MAX_BYTES));
        } catch (IOException e) {
            throw new FabricInputException(file + ": cannot be read: " + FileReason.ofReading(e), e);
        }
        return sum.getValue();
    }

    private long key(String text) {
        String digits = text.startsWith("0x") ? text.substring(2) : text;
        try {
            return Long.parseUnsignedLong(digits, HEX);
        } catch (NumberFormatException e) {
            throw new ParameterException(
                    spec.commandLine(), "--sa-key " + text + ": expected 1 to 16 hexadecimal digits", e);
        }
    }

    /** Prints what in a file does not count as it is written. */
    void warn(Path file, List<ConfRemark> remarks) {
        remarks.forEach(remark -> warn(remark.at(file.toString())));
    }

    /** Prints a warning. */
    void warn(String text) {
        warnings.add(text);
        spec.commandLine().getErr().println("railyard: warning: " + text);
    }

    /** Returns what was warned of since {@link #forgetWarnings}. */
    List<String> warnings() {
        return List.copyOf(warnings);
    }

    /**
     * Reads a file.
     *
     * @throws FabricInputException if it can not be read, or the parser refuses it
     */
    static <T> T parse(Path file, Function<String, T> parser) {
        return parse(file, "", parser);
    }

    private static <T> T parse(Path file, String origin, Function<String, T> parser) {
        try {
            return parser.apply(WholeText.read(file, MAX_BYTES, StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException e) {
            throw new FabricInputException(origin + file + ": no such file", e);
        } catch (IOException e) {
            throw new FabricInputException(origin + file + ": cannot be read: " + FileReason.ofReading(e), e);
        } catch (FormatException e) {
            throw new FabricInputException(e.at(file.toString()), e);
        }
    }
}
