package org.railyard.node.o2ib;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.Errno;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.o2iblnd.bond.Finding;
import org.railyard.o2iblnd.bond.TargetFile;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsProvider;
import org.railyard.verbs.VerbsService;

/** The cards of a daemon, by start-up parameters: {@code verbs}, its options {@code verbs.…}, tunables {@code o2iblnd.…}, {@code o2ibs_conf}. Thread-safe. */
public final class Cards implements AutoCloseable {
    private static final String VERBS = "verbs";
    private static final String VERBS_OPTION = "verbs.";
    private static final String TUNABLE = "o2iblnd.";
    private static final String FILE = "o2ibs_conf";
    private static final String NONE = "none";

    private final @Nullable VerbsProvider provider;
    private final @Nullable O2ibTransport transport;
    private final LndProvider lnd;

    /**
     * Opens the cards that the parameters ask for.
     *
     * @param parameters start-up parameters by name
     * @param services kinds of cards that there are
     * @param prefixes length of the IP subnet of a local address, 0 if it is not known
     * @throws LNetException EINVAL if there is no such kind or tunable, ENODEV if the cards can not be opened
     */
    public Cards(Map<String, String> parameters, List<VerbsService> services, IntUnaryOperator prefixes) {
        String wanted = parameters.getOrDefault(VERBS, NONE).strip();
        Tunables tunables = tunables(parameters);
        List<String> names = services.stream().map(VerbsService::name).toList();
        if (wanted.equals(NONE)) {
            provider = null;
            transport = null;
            lnd = new NoCards("there are no RDMA devices, because the daemon was started with --verbs none; "
                    + (names.isEmpty()
                            ? "this build has no other kind"
                            : "start it with --verbs and one of " + String.join(", ", names)));
            return;
        }
        VerbsProvider opened = open(wanted, names, services, parameters);
        Path file = Path.of(parameters.getOrDefault(FILE, TargetFile.DEFAULT_PATH));
        provider = opened;
        transport = new O2ibTransport(opened, tunables, () -> read(file), prefixes);
        lnd = transport;
    }

    /** Tells whether a start-up parameter is about cards and their transport. */
    public static boolean takes(String parameter) {
        return parameter.equals(VERBS)
                || parameter.equals(FILE)
                || parameter.startsWith(VERBS_OPTION)
                || parameter.startsWith(TUNABLE);
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

    private static VerbsProvider open(
            String wanted, List<String> names, List<VerbsService> services, Map<String, String> parameters) {
        VerbsService service = services.stream()
                .filter(each -> each.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new LNetException(
                        Errno.EINVAL,
                        "--verbs is '" + wanted + "'; expected '" + NONE + "'"
                                + (names.isEmpty()
                                        ? ": this build has no RDMA devices"
                                        : " or one of " + String.join(", ", names))));
        Map<String, String> options = new LinkedHashMap<>();
        parameters.forEach((name, value) -> {
            if (name.startsWith(VERBS_OPTION)) {
                options.put(name.substring(VERBS_OPTION.length()), value);
            }
        });
        try {
            return service.open(options);
        } catch (VerbsException e) {
            throw new LNetException(
                    e.code() == VerbsException.Code.EINVAL ? Errno.EINVAL : Errno.ENODEV,
                    "--verbs " + wanted + ": " + e.getMessage(),
                    e);
        }
    }

    /** Reads the target file; none is as good as an empty one (spec 21 cb-026). */
    static TargetFile.Content read(Path file) {
        try {
            if (!Files.exists(file)) {
                return TargetFile.Content.NONE;
            }
            if (Files.size(file) > TargetFile.MAX_BYTES) {
                throw new IOException("it is longer than " + TargetFile.MAX_BYTES + " bytes");
            }
            return TargetFile.parse(file.toString(), Files.readString(file));
        } catch (IOException e) {
            return new TargetFile.Content(
                    List.of(), List.of(Finding.error("cb-120", file.toString(), "can not be read: " + e.getMessage())));
        }
    }

    /** Returns the transport, which refuses everything if there are no cards. */
    public LndProvider lnd() {
        return lnd;
    }

    /** Returns what there is of channel bonding; null without cards. */
    public @Nullable O2ibTransport transport() {
        return transport;
    }

    @Override
    public void close() {
        if (provider != null) {
            provider.close();
        }
    }
}
