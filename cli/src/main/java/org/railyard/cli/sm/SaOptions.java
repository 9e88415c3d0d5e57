package org.railyard.cli.sm;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.railyard.cli.fabric.FabricInputException;
import org.railyard.cli.text.FileReason;
import org.railyard.fabric.format.FormatException;
import org.railyard.host.WholeText;
import org.railyard.sm.SmSettings;
import org.railyard.sm.conf.ConfRemark;
import org.railyard.sm.conf.OpenSmOptions;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.conf.PrefixRoutes;
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
    /** Longest file that is read, bytes. */
    private static final int MAX_BYTES = 1 << 28;

    /** First SL of the second QoS level of torus-2QoS. */
    private static final int LEVEL_1 = 8;

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

    private @Nullable PartitionsConf partitions;
    private @Nullable OpenSmSettings openSm;
    /** The files of the options, else those that opensm.conf names. */
    private Optional<Path> usedPartitions = Optional.empty();

    private Optional<Path> usedPrefixes = Optional.empty();
    private Optional<Path> usedQos = Optional.empty();

    SaOptions() {}

    /**
     * Returns settings of a subnet manager with those of the opensm.conf; what of that has no effect is printed as
     * warnings.
     *
     * @throws FabricInputException if the file can not be used
     */
    SmSettings manager(SmSettings base) {
        usedPartitions = partitionFile;
        usedPrefixes = prefixRoutes;
        usedQos = qosFile;
        if (openSmFile.isEmpty()) {
            return base;
        }
        Path file = openSmFile.get();
        OpenSmOptions options = parse(file, OpenSmOptions::parse);
        if (!options.wrong().isEmpty()) {
            throw new FabricInputException(options.wrong().stream()
                    .map(remark -> remark.at(file.toString()))
                    .toList());
        }
        OpenSmSettings settings = new OpenSmSettings(options);
        openSm = settings;
        boolean hasLmc = spec.commandLine().getParseResult().hasMatchedOption("--lmc");
        SmSettings changed;
        try {
            changed = settings.manager(base, hasLmc);
        } catch (FormatException | IllegalArgumentException e) {
            throw new FabricInputException(file + ": " + e.getMessage(), e);
        }
        settings.administration(SaSettings.DEFAULT);
        usedPartitions = partitionFile.or(() -> settings.partitionFile().map(Path::of));
        usedPrefixes = prefixRoutes.or(() -> settings.prefixRoutesFile().map(Path::of));
        usedQos = qosFile.or(() -> settings.qosPolicyFile().map(Path::of));
        warn(file, options.ignored());
        return changed;
    }

    /**
     * Returns the partitions; what in the file is not used is printed as warnings, once.
     *
     * @throws FabricInputException if the file can not be used
     */
    PartitionsConf partitions() {
        PartitionsConf known = partitions;
        if (known == null) {
            known = usedPartitions
                    .map(file -> parse(file, PartitionsConf::parse))
                    .orElseGet(PartitionsConf::none);
            partitions = known;
            List<ConfRemark> remarks = known.remarks();
            usedPartitions.ifPresent(file -> warn(file, remarks));
        }
        return known;
    }

    /**
     * Returns the settings of the subnet administration; to be called behind {@link #manager}.
     *
     * @param groupSls SLs that multicast groups may have, a bit each
     * @throws FabricInputException if a file can not be used
     */
    SaSettings settings(int groupSls) {
        SaSettings standard = SaSettings.DEFAULT;
        OpenSmSettings told = openSm;
        SaSettings base = told == null ? standard : told.administration(standard);
        return new SaSettings(
                saKey.map(this::key).orElse(base.saKey()),
                base.subnetPrefix(),
                base.packetLife(),
                groupSls,
                partitions(),
                usedPrefixes.map(file -> parse(file, PrefixRoutes::parse)).orElse(PrefixRoutes.NONE),
                usedQos.map(file -> policy(file, groupSls)).orElse(QosPolicy.NONE),
                base.limits());
    }

    /** Reads a QoS policy; what of it is not used, or means another SL, is printed as warnings. */
    private QosPolicy policy(Path file, int groupSls) {
        PartitionsConf known = partitions();
        QosPolicy policy = parse(file, text -> QosPolicy.parse(text, known));
        warn(file, policy.remarks());
        if (groupSls == SaSettings.TORUS_GROUP_SLS) {
            Stream.concat(policy.rules().stream().map(QosRule::level), policy.standard().stream())
                    .filter(level -> level.sl() != 0 && level.sl() != LEVEL_1)
                    .distinct()
                    .forEach(level -> spec.commandLine()
                            .getErr()
                            .println("railyard: warning: %s: level \"%s\": SL %d only means QoS level %d, torus-2QoS"
                                            .formatted(file, level.name(), level.sl(), level.sl() < LEVEL_1 ? 0 : 1)
                                    + " needs the other bits of the SL for itself"));
        }
        return policy;
    }

    /** Makes the next calls read all files again. */
    void forget() {
        partitions = null;
        openSm = null;
    }

    /** Returns the files that were read. */
    List<Path> files() {
        return Stream.of(openSmFile, usedPartitions, usedPrefixes, usedQos)
                .flatMap(Optional::stream)
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

    private void warn(Path file, List<ConfRemark> remarks) {
        PrintWriter err = spec.commandLine().getErr();
        remarks.forEach(remark -> err.println("railyard: warning: " + remark.at(file.toString())));
    }

    /**
     * Reads a file.
     *
     * @throws FabricInputException if it can not be read, or the parser refuses it
     */
    static <T> T parse(Path file, Function<String, T> parser) {
        try {
            return parser.apply(WholeText.read(file, MAX_BYTES, StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException e) {
            throw new FabricInputException(file + ": no such file", e);
        } catch (IOException e) {
            throw new FabricInputException(file + ": cannot be read: " + FileReason.ofReading(e), e);
        } catch (FormatException e) {
            throw new FabricInputException(file + ": " + e.getMessage(), e);
        }
    }
}
