package org.railyard.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Spelling;
import org.railyard.base.tune.TunableSpec;
import org.railyard.base.yaml.Fields;
import org.railyard.base.yaml.Findings;
import org.railyard.base.yaml.Item;
import org.railyard.base.yaml.Place;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;

/** The sections {@code global}, {@code numa} and {@code java} (spec 12 §2.5, §5.2; 10 §21): node-wide tunables. */
final class SettingsSection {
    /** Keys of {@code global} that are tunables here too, by their names there. */
    private static final Map<String, Tunable> GLOBAL = global();

    /** Keys of {@code global} that change nothing: derived, or given up. */
    private static final Set<String> WITHOUT_EFFECT = Set.of("lnd_timeout", "recovery_interval");

    private static final Map<String, Tunable> BUFFERS =
            Map.of("tiny", Tunable.TINY_BUFFERS, "small", Tunable.SMALL_BUFFERS, "large", Tunable.LARGE_BUFFERS);
    private static final String PROFILE = "compat_profile";
    private static final String PARTITIONS = "cpu_npartitions";
    private static final String PATTERN = "cpu_pattern";
    private static final int MAX_PARTITIONS = 4096;

    private final Findings findings;
    private final Map<Tunable, SettingSpec> settings = new LinkedHashMap<>();
    private @Nullable CompatProfile profile;
    private int cpuPartitions;
    private String cpuPattern = LNetConfig.DEFAULT_CPU_PATTERN;

    SettingsSection(Findings findings) {
        this.findings = findings;
    }

    private static Map<String, Tunable> global() {
        Map<String, Tunable> keys = new LinkedHashMap<>();
        for (Tunable tunable : List.of(
                Tunable.NUMA_RANGE,
                Tunable.MAX_INTERFACES,
                Tunable.DISCOVERY,
                Tunable.RETRY_COUNT,
                Tunable.TRANSACTION_TIMEOUT,
                Tunable.HEALTH_SENSITIVITY,
                Tunable.RESPONSE_TRACKING,
                Tunable.RECOVERY_LIMIT,
                Tunable.MAX_RECOVERY_PING_INTERVAL)) {
            keys.put(tunable.text(), tunable);
        }
        keys.put("max_intf", Tunable.MAX_INTERFACES);
        keys.put("drop_asym_route", Tunable.DROP_ASYM_ROUTE);
        keys.put("router_sensitivity", Tunable.ROUTER_SENSITIVITY_PERCENTAGE);
        return keys;
    }

    List<SettingSpec> settings() {
        return List.copyOf(settings.values());
    }

    @Nullable
    CompatProfile profile() {
        return profile;
    }

    int cpuPartitions() {
        return cpuPartitions;
    }

    String cpuPattern() {
        return cpuPattern;
    }

    void readGlobal(Item section) {
        List<String> known = new ArrayList<>(GLOBAL.keySet());
        known.addAll(WITHOUT_EFFECT);
        section.entries().forEach((name, entry) -> {
            Tunable tunable = GLOBAL.get(name);
            if (tunable != null) {
                set(tunable, entry.value());
            } else if (WITHOUT_EFFECT.contains(name)) {
                entry.value().number(Integer.MIN_VALUE, Integer.MAX_VALUE);
            } else {
                String where = Tunable.find(name).isPresent() || name.equals(PROFILE)
                        ? "it in the section 'java'"
                        : "one of " + Fields.oneOf(name, known);
                entry.key().unknownKey(where);
            }
        });
    }

    /** Reads the numbers of router buffers. */
    void readBuffers(Item section) {
        section.entries().forEach((name, entry) -> {
            Tunable tunable = BUFFERS.get(name);
            if (tunable == null) {
                entry.key().unknownKey("one of " + Fields.oneOf(name, BUFFERS.keySet()));
            } else {
                set(tunable, entry.value());
            }
        });
    }

    void readNuma(Item section) {
        for (Item each : section.items()) {
            Item range = Fields.of(each, "range").get("range");
            if (range != null) {
                set(Tunable.NUMA_RANGE, range);
            }
        }
    }

    void readJava(Item section) {
        List<String> known = new ArrayList<>(
                Arrays.stream(Tunable.values()).map(Tunable::text).toList());
        known.addAll(List.of(PROFILE, PARTITIONS, PATTERN));
        section.entries().forEach((name, entry) -> {
            Optional<Tunable> tunable = Tunable.find(name);
            if (tunable.isPresent()) {
                set(tunable.get(), entry.value());
                return;
            }
            switch (name) {
                case PROFILE -> profile = profile(entry.value());
                case PARTITIONS ->
                    cpuPartitions =
                            (int) entry.value().number(0, MAX_PARTITIONS).orElse(0);
                case PATTERN -> cpuPattern = entry.value().text();
                default -> entry.key().unknownKey("the name of a tunable" + hint(name, known));
            }
        });
    }

    private static String hint(String name, List<String> known) {
        return name.equals("profile") ? " (did you mean '" + PROFILE + "'?)" : Spelling.hint(name, known);
    }

    private static @Nullable CompatProfile profile(Item item) {
        for (CompatProfile each : CompatProfile.values()) {
            if (each.text().equals(item.text())) {
                return each;
            }
        }
        item.expected(
                Arrays.stream(CompatProfile.values()).map(CompatProfile::text).collect(Collectors.joining(" or ")));
        return null;
    }

    private void set(Tunable tunable, Item item) {
        Optional<Integer> value = value(tunable.spec(), item);
        if (value.isEmpty()) {
            return;
        }
        SettingSpec before = settings.put(tunable, new SettingSpec(tunable, value.get(), item.place()));
        if (before != null && before.value() != value.get()) {
            item.warn(
                    tunable.text() + " again with another value",
                    "it once; it is at " + before.place().at());
        }
    }

    /** Reads a value; a switch may be true or false, too. */
    private static Optional<Integer> value(TunableSpec spec, Item item) {
        String text = item.text();
        Optional<Integer> value = (spec.isSwitch() ? truth(text) : Optional.<Integer>empty())
                .or(() -> spec.parse(text).filter(spec::allows));
        if (value.isEmpty() && !item.isMapping() && !item.isList()) {
            item.expected(spec.expected() + Spelling.hint(text, spec.choices()));
        }
        return value;
    }

    private static Optional<Integer> truth(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "false" -> Optional.of(0);
            case "true" -> Optional.of(1);
            default -> Optional.empty();
        };
    }

    /** Checks that all of it goes together, on top of the profile's defaults. */
    void check() {
        try {
            SettingsOrder.apply(settings(), profile, Settings.DEFAULT);
        } catch (ErrnoException e) {
            Place place = settings.values().stream()
                    .filter(each ->
                            each.tunable() == Tunable.RETRY_COUNT || each.tunable() == Tunable.TRANSACTION_TIMEOUT)
                    .findFirst()
                    .or(() -> settings.values().stream().findFirst())
                    .map(SettingSpec::place)
                    .orElse(findings.place(Optional.empty()));
            findings.refusal(place, Findings.text(e), "tunables that go together");
        }
    }
}
