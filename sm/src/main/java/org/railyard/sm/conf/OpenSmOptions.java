package org.railyard.sm.conf;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.railyard.base.text.Spelling;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.format.OpenSmConf;

/**
 * The settings of an {@code opensm.conf}: each name is known or told, each value is checked before any is used, and
 * what nobody asked for can be told as well. Not thread-safe.
 */
public final class OpenSmOptions {
    /** Longest file, characters. */
    public static final int MAX_TEXT = 1 << 20;

    private static final String NOTHING = "(null)";
    private static final int HEX = 16;
    private static final String QOS = "qos_";

    /** So many lines are named in one remark. */
    private static final int MAX_LINES = 10;

    private final Map<String, OpenSmConf.Setting> settings;
    private final List<ConfRemark> unknown = new ArrayList<>();
    private final List<ConfRemark> wrong = new ArrayList<>();
    private final List<ConfRemark> other = new ArrayList<>();
    private final Set<String> used = new TreeSet<>();

    private OpenSmOptions(Map<String, OpenSmConf.Setting> settings) {
        this.settings = settings;
        settings.forEach(this::check);
        wrong.sort(Comparator.comparingInt(ConfRemark::line));
    }

    /**
     * Reads a file.
     *
     * @throws org.railyard.fabric.format.FormatException if a line is no name and value, or the file is too long
     */
    public static OpenSmOptions parse(String text) {
        if (text.length() > MAX_TEXT) {
            throw new FormatException(1, 1, text.length() + " characters", "at most " + MAX_TEXT + " characters");
        }
        return new OpenSmOptions(new TreeMap<>(OpenSmConf.parse(text).settings()));
    }

    private void check(String name, OpenSmConf.Setting setting) {
        OpenSmKeys.Key key = OpenSmKeys.ALL.get(name);
        if (key == null) {
            unknown.add(new ConfRemark(
                    setting.line(),
                    1,
                    "setting \"%s\" is not known and not used%s"
                            .formatted(clean(name), Spelling.hint(name, OpenSmKeys.ALL.keySet()))));
            return;
        }
        String expected = expected(key, setting.value());
        if (!expected.isEmpty()) {
            wrong.add(new ConfRemark(
                    setting.line(),
                    setting.column(),
                    "%s is \"%s\"; %s expected".formatted(name, clean(setting.value()), expected)));
        }
    }

    /** Returns what was expected instead of a value, nothing if it is good. */
    private static String expected(OpenSmKeys.Key key, String value) {
        if (key.isText() || value.equals(NOTHING) || value.equals(key.standard())) {
            return "";
        }
        if (key.isBool()) {
            return value.equalsIgnoreCase("TRUE") || value.equalsIgnoreCase("FALSE") ? "" : "TRUE or FALSE";
        }
        if (key.isChoice()) {
            List<String> names = List.of(key.kind().split("\\|"));
            return names.contains(value) ? "" : String.join(", ", names);
        }
        try {
            if (key.isWord()) {
                parseWord(value);
                return "";
            }
            long number = Long.decode(value);
            return number >= key.min() && number <= key.max() ? "" : key.min() + " to " + key.max();
        } catch (NumberFormatException _) {
            return key.isWord() ? "a number of 64 bits" : "a number from " + key.min() + " to " + key.max();
        }
    }

    private static long parseWord(String value) {
        String lower = value.toLowerCase(Locale.ROOT);
        return lower.startsWith("0x") ? Long.parseUnsignedLong(lower.substring(2), HEX) : Long.parseUnsignedLong(lower);
    }

    private static String clean(String text) {
        return text.replaceAll("[^\\x20-\\x7e]", "?");
    }

    private OpenSmKeys.Key key(String name) {
        OpenSmKeys.Key key = OpenSmKeys.ALL.get(name);
        if (key == null) {
            throw new IllegalArgumentException("OpenSM has no setting " + name);
        }
        used.add(name);
        return key;
    }

    /** Returns the value, or the default where there is none or a wrong one. */
    private String value(String name) {
        OpenSmKeys.Key key = key(name);
        OpenSmConf.Setting setting = settings.get(name);
        if (setting == null) {
            return key.standard();
        }
        boolean good = expected(key, setting.value()).isEmpty()
                && (key.isText() || !setting.value().equals(NOTHING));
        return good ? setting.value() : key.standard();
    }

    /** Returns whether a setting is TRUE. */
    public boolean isOn(String name) {
        return value(name).equalsIgnoreCase("TRUE");
    }

    /** Returns a number; −1 where OpenSM's default means that another setting counts. */
    public long number(String name) {
        return Long.decode(value(name));
    }

    /** Returns a number, or {@code most} if that is less, which is remarked. */
    public long number(String name, long most) {
        long number = number(name);
        if (number > most) {
            remark(name, "%s is %d, and counts as %d, the most that there can be here".formatted(name, number, most));
        }
        return Math.min(number, most);
    }

    /** Adds a remark about the value of a setting to {@link #ignored}; once, and if the file has it. */
    public void remark(String name, String text) {
        OpenSmConf.Setting setting = settings.get(name);
        if (setting != null) {
            ConfRemark remark = new ConfRemark(setting.line(), setting.column(), text);
            if (!other.contains(remark)) {
                other.add(remark);
            }
        }
    }

    /** Returns a number of 64 bits, unsigned. */
    public long word(String name) {
        return parseWord(value(name));
    }

    /** Returns a text, nothing where there is none. */
    public Optional<String> text(String name) {
        return Optional.of(value(name)).filter(text -> !text.equals(NOTHING));
    }

    /**
     * Returns whether a setting differs from OpenSM's default: files that OpenSM wrote itself have all settings, and
     * tell nothing with most of them.
     */
    public boolean isChanged(String name) {
        return !value(name).equals(key(name).standard());
    }

    /** Returns a setting that differs from OpenSM's default. */
    public Optional<OpenSmConf.Setting> changed(String name) {
        return isChanged(name) ? Optional.ofNullable(settings.get(name)) : Optional.empty();
    }

    /** Returns the values that cannot be used, by line: a configuration that has any should be refused. */
    public List<ConfRemark> wrong() {
        return List.copyOf(wrong);
    }

    /**
     * Returns a remark for each name that OpenSM does not have, and for each setting that differs from OpenSM's default
     * and was not asked for, or of which something was remarked; by line. Where QoS is off, all settings that need it
     * have one remark.
     */
    public List<ConfRemark> ignored() {
        List<ConfRemark> all = new ArrayList<>(unknown);
        all.addAll(other);
        List<Integer> qos = new ArrayList<>();
        OpenSmConf.Setting on = settings.get("qos");
        boolean hasQos = on != null && on.value().equalsIgnoreCase("TRUE");
        settings.forEach((name, setting) -> {
            OpenSmKeys.Key key = OpenSmKeys.ALL.get(name);
            if (key != null && !used.contains(name) && !setting.value().equals(key.standard())) {
                if (name.startsWith(QOS) && !hasQos) {
                    qos.add(setting.line());
                } else {
                    all.add(new ConfRemark(setting.line(), 1, "%s has no effect here".formatted(name)));
                }
            }
        });
        if (!qos.isEmpty()) {
            all.add(withoutQos(qos.stream().sorted().toList()));
        }
        all.sort((a, b) -> Integer.compare(a.line(), b.line()));
        return all;
    }

    private static ConfRemark withoutQos(List<Integer> lines) {
        String numbers = lines.stream().limit(MAX_LINES).map(String::valueOf).collect(Collectors.joining(", "));
        int more = lines.size() - MAX_LINES;
        return new ConfRemark(
                lines.getFirst(),
                1,
                "the qos_* settings of line%s %s%s have no effect, because qos is not TRUE"
                        .formatted(lines.size() == 1 ? "" : "s", numbers, more > 0 ? " and " + more + " more" : ""));
    }
}
