package org.railyard.node.o2ib;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.control.DlcException;
import org.railyard.doctor.HostFacts.CardFault;
import org.railyard.host.WholeText;
import org.railyard.ibverbs.IbvTunable;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.o2iblnd.bond.BondFinding;
import org.railyard.o2iblnd.bond.TargetFile;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.roce.api.RoceTunable;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsProvider;

/**
 * The cards of a daemon, by module parameters: {@code verbs}, tunables {@code o2iblnd.…}, {@code o2ibs_conf}. Those
 * of the cards themselves, {@code ibv.…} and {@code roce.…}, are read by their {@link CardKind}.
 * Thread-safe.
 */
public final class DaemonCards implements AutoCloseable {
    private static final String VERBS = "verbs";
    private static final String TUNABLE = "o2iblnd.";
    private static final String FILE = "o2ibs_conf";
    private static final String NONE = "none";

    private final @Nullable CardKind kind;
    private final List<String> interfaces;
    private final LndProvider lnd;

    @GuardedBy("this")
    private @Nullable VerbsProvider opened;

    /**
     * Takes note of the cards that the parameters ask for; they are opened when they are needed.
     *
     * @param parameters module parameters by name
     * @param kinds kinds of cards that there are
     * @param prefixes length of the IP subnet of a local address, 0 if it is not known
     * @throws ErrnoException EINVAL if there is no such kind or tunable
     */
    public DaemonCards(Map<String, String> parameters, List<CardKind> kinds, IntUnaryOperator prefixes) {
        String[] wanted = parameters.getOrDefault(VERBS, NONE).strip().split(":", 2);
        Tunables tunables = tunables(parameters);
        String names = kinds.stream().map(CardKind::name).collect(Collectors.joining(", "));
        this.interfaces = wanted.length < 2 ? List.of() : List.of(wanted[1].split(",", -1));
        this.kind = wanted[0].equals(NONE)
                ? null
                : kinds.stream()
                        .filter(each -> each.name().equals(wanted[0]))
                        .findFirst()
                        .orElseThrow(() -> new ErrnoException(
                                Errno.EINVAL,
                                "--verbs is '" + wanted[0] + "'; expected '" + NONE + "' or one of " + names));
        if (interfaces.stream().anyMatch(String::isBlank)) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "--verbs is '" + parameters.get(VERBS) + "'; expected names behind '" + wanted[0]
                            + ":', separated by commas");
        }
        Path file = Path.of(parameters.getOrDefault(FILE, TargetFile.DEFAULT_PATH));
        this.lnd = kind == null
                ? new NoCards("there are no RDMA devices, because the daemon was started with --verbs none;"
                        + " start it with --verbs and one of " + names)
                : new O2ibTransport(this::open, tunables, () -> read(file), prefixes, this::memory);
    }

    private Map<String, Object> memory() {
        CardKind used = kind;
        VerbsProvider known = known();
        return used == null || known == null ? Map.of() : used.memory(known);
    }

    private synchronized @Nullable VerbsProvider known() {
        return opened;
    }

    private synchronized VerbsProvider open(Host host) {
        VerbsProvider known = opened;
        if (known != null) {
            return known;
        }
        CardKind wanted = Objects.requireNonNull(kind);
        try {
            VerbsProvider made = wanted.open(host, interfaces);
            opened = made;
            return made;
        } catch (VerbsException e) {
            throw new ErrnoException(Errno.ENODEV, "--verbs " + wanted.name() + ": " + e.getMessage(), e);
        } catch (ErrnoException e) {
            throw new ErrnoException(e.errno(), "--verbs " + wanted.name() + ": " + DlcException.textOf(e), e);
        }
    }

    /** Tells whether a module parameter is about cards and their transport. */
    public static boolean takes(String parameter) {
        return parameter.equals(VERBS)
                || parameter.equals(FILE)
                || parameter.startsWith(TUNABLE)
                || parameter.startsWith(IbvCards.PREFIX)
                || parameter.startsWith(RoceCards.PREFIX);
    }

    /** Returns the names of these parameters. */
    public static List<String> parameters() {
        return Stream.of(
                        Stream.of(VERBS, FILE),
                        Arrays.stream(O2ibTunable.values()).map(each -> TUNABLE + each.text()),
                        Arrays.stream(IbvTunable.values()).map(each -> IbvCards.PREFIX + each.text()),
                        Arrays.stream(RoceTunable.values()).map(each -> RoceCards.PREFIX + each.text()))
                .flatMap(each -> each)
                .toList();
    }

    private static Tunables tunables(Map<String, String> parameters) {
        Tunables tunables = Tunables.DEFAULT;
        for (Map.Entry<String, String> each : parameters.entrySet()) {
            if (each.getKey().startsWith(TUNABLE)) {
                tunables = tunables.with(each.getKey().substring(TUNABLE.length()) + "=" + each.getValue());
            }
        }
        return tunables;
    }

    /** Reads the target file; none is as good as an empty one (spec 21 cb-026). */
    static TargetFile.Content read(Path file) {
        try {
            if (!Files.exists(file)) {
                return TargetFile.Content.NONE;
            }
            String text = WholeText.read(file, TargetFile.MAX_BYTES, StandardCharsets.UTF_8);
            return TargetFile.parse(file.toString(), text);
        } catch (IOException e) {
            return new TargetFile.Content(
                    List.of(),
                    List.of(BondFinding.error("cb-120", file.toString(), "can not be read: " + e.getMessage())));
        }
    }

    /** Returns the transport, which refuses everything if there are no cards. */
    public LndProvider lnd() {
        return lnd;
    }

    /** Returns what there is of channel bonding; null without cards. */
    public @Nullable O2ibTransport transport() {
        return lnd instanceof O2ibTransport there ? there : null;
    }

    /** Returns what the transport and its devices have for those who watch. */
    public O2ibFigures figures() {
        O2ibTransport there = transport();
        CardKind used = kind;
        if (there == null || used == null) {
            return O2ibFigures.NONE;
        }
        VerbsProvider known = known();
        return there.figures(
                used.name(),
                known == null ? Map.of() : used.events(known),
                known == null ? Map.of() : used.state(known));
    }

    /** Returns what keeps LNet from using the cards that the daemon was told to use; nothing if it was told none. */
    public List<CardFault> faults() {
        return kind == null ? List.of() : kind.faults();
    }

    @Override
    public synchronized void close() {
        VerbsProvider known = opened;
        if (known != null) {
            known.close();
        }
    }
}
