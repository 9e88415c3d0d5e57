package org.railyard.control.node;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.base.text.Spelling;
import org.railyard.base.tune.TunableSpec;
import org.railyard.control.DlcException;
import org.railyard.control.GlobalOperation;
import org.railyard.control.LenientSetting;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;

/** Node-wide settings (spec 12 §2.5). */
final class GlobalControl {
    private static final int PARSER = -1;
    private static final String ROUTER_SENSITIVITY = "router_sensitivity";
    private static final String DROP_ASYM_ROUTE = "drop_asym_route";
    private static final String ROUTING = "routing";

    private static final TunableSpec FORWARDS = TunableSpec.onOff(ROUTING, 0, "forward messages of others");

    /** What a refusal of a number of router buffers is about. */
    private static final String BUFFERS = "buf";

    /** Settings that are refused with the library's general error. */
    private static final Set<String> GENERIC =
            Set.of("retry_count", "transaction_timeout", "health_sensitivity", ROUTER_SENSITIVITY);

    private GlobalControl() {}

    static Map<String, Object> execute(GlobalOperation operation, OperationContext context) {
        return switch (operation) {
            case GlobalOperation.Set set -> context.edit(edits -> set(set, edits));
            case GlobalOperation.Show show -> show(context.lnet(), show.java());
        };
    }

    private static void set(GlobalOperation.Set set, Edits edits) {
        String name = set.name();
        Tunable tunable = name.equals(ROUTER_SENSITIVITY)
                ? Tunable.ROUTER_SENSITIVITY_PERCENTAGE
                : Tunable.find(name).orElse(null);
        if (tunable == null && !name.equals(ROUTING)) {
            throw new DlcException(
                    set, Errno.EINVAL, "there is no setting '" + name + "'" + Spelling.hint(name, names()));
        }
        int value = value(set, tunable);
        try {
            change(tunable, value, edits);
        } catch (ErrnoException e) {
            if (isBuffers(tunable)) {
                throw new DlcException(set.verb(), BUFFERS, Errno.ERANGE.status(), DlcException.textOf(e));
            }
            int errno = GENERIC.contains(name) ? DlcException.GENERIC : Errno.EINVAL.status();
            boolean passed = e.errno() != Errno.EINVAL && e.errno() != Errno.ERANGE;
            String advice = passed ? "" : "; 'lnetctl set " + name + " --help' tells more";
            throw new DlcException(
                    set.verb(), set.entity(), passed ? e.errno().status() : errno, DlcException.textOf(e) + advice);
        }
    }

    private static boolean isBuffers(@Nullable Tunable tunable) {
        return tunable == Tunable.TINY_BUFFERS || tunable == Tunable.SMALL_BUFFERS || tunable == Tunable.LARGE_BUFFERS;
    }

    private static List<String> names() {
        return Stream.concat(Arrays.stream(Tunable.values()).map(Tunable::text), Stream.of(ROUTING, ROUTER_SENSITIVITY))
                .toList();
    }

    private static int value(GlobalOperation.Set set, @Nullable Tunable tunable) {
        TunableSpec spec = tunable == null ? FORWARDS : tunable.spec();
        return spec.parse(set.value())
                .orElseThrow(() -> new DlcException(
                        "parser", "set", PARSER, set.name() + " '" + set.value() + "'; expected " + spec.expected()));
    }

    /** Forwarding is no number: it takes its time to begin and to end. */
    private static void switchForwarding(int value, Edits edits) {
        if (!FORWARDS.allows(value)) {
            throw new DlcException(
                    "parser", "set", PARSER, ROUTING + " '" + value + "'; expected " + FORWARDS.expected());
        }
        edits.setForwarding(value == 1);
    }

    private static void change(@Nullable Tunable tunable, int value, Edits edits) {
        if (tunable == null) {
            switchForwarding(value, edits);
            return;
        }
        LenientSetting lenient = LenientSetting.of(tunable).orElse(null);
        if (lenient == null) {
            edits.set(tunable, value);
        } else if (!lenient.isIgnored()) {
            edits.set(tunable, lenient.taken(value));
        }
    }

    /** Shows the settings that all nodes have, and those of this one if wanted. */
    static Map<String, Object> show(LNet lnet, boolean java) {
        Settings settings = lnet.settings();
        Doc global = new Doc()
                .put("numa_range", settings.get(Tunable.NUMA_RANGE))
                .put("max_interfaces", settings.get(Tunable.MAX_INTERFACES))
                .put("discovery", settings.get(Tunable.DISCOVERY))
                .put(DROP_ASYM_ROUTE, settings.get(Tunable.DROP_ASYM_ROUTE))
                .put("retry_count", settings.get(Tunable.RETRY_COUNT))
                .put("transaction_timeout", settings.get(Tunable.TRANSACTION_TIMEOUT))
                .put("health_sensitivity", settings.get(Tunable.HEALTH_SENSITIVITY))
                .put("recovery_interval", 1)
                .put(ROUTER_SENSITIVITY, settings.get(Tunable.ROUTER_SENSITIVITY_PERCENTAGE))
                .put("lnd_timeout", lndTimeout(settings))
                .put("response_tracking", settings.get(Tunable.RESPONSE_TRACKING))
                .put("recovery_limit", settings.get(Tunable.RECOVERY_LIMIT))
                .put("max_recovery_ping_interval", settings.get(Tunable.MAX_RECOVERY_PING_INTERVAL));
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("global", global.map());
        if (java) {
            Doc own = new Doc();
            for (Tunable tunable : Tunable.values()) {
                if (!global.map().containsKey(tunable.text()) && !isOfRouters(tunable)) {
                    own.put(tunable.text(), shown(tunable, settings.get(tunable)));
                }
            }
            document.put("java", own.map());
        }
        return document;
    }

    /** Shown with {@code routing}, or under another name. */
    static boolean isOfRouters(Tunable tunable) {
        return switch (tunable) {
            case TINY_BUFFERS, SMALL_BUFFERS, LARGE_BUFFERS, ROUTER_SENSITIVITY_PERCENTAGE -> true;
            default -> false;
        };
    }

    static Object shown(Tunable tunable, int value) {
        return tunable.spec().choices().isEmpty()
                ? (Object) (long) value
                : tunable.spec().describe(value);
    }

    /** What the limit of a transport follows from (spec 12 §2.5); shown, never set here. */
    private static int lndTimeout(Settings settings) {
        return Math.max(1, (settings.get(Tunable.TRANSACTION_TIMEOUT) - 1) / (settings.get(Tunable.RETRY_COUNT) + 1));
    }
}
