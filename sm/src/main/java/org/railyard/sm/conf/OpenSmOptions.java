package org.railyard.sm.conf;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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

    private final Map<String, OpenSmConf.Setting> settings;
    private final List<ConfRemark> unknown = new ArrayList<>();
    private final List<ConfRemark> wrong = new ArrayList<>();
    private final Set<String> used = new TreeSet<>();

    private OpenSmOptions(Map<String, OpenSmConf.Setting> settings) {
        this.settings = settings;
        settings.forEach(this::check);
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
            return number >= 0 && number <= key.max() ? "" : "0 to " + key.max();
        } catch (NumberFormatException _) {
            return key.isWord() ? "a number of 64 bits" : "a number from 0 to " + key.max();
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

    /** Returns the settings whose names begin with a prefix, as far as they differ from OpenSM's defaults. */
    public OpenSmConf changed(String prefix) {
        TreeMap<String, OpenSmConf.Setting> some = new TreeMap<>();
        settings.forEach((name, setting) -> {
            if (name.startsWith(prefix) && OpenSmKeys.ALL.containsKey(name) && isChanged(name)) {
                some.put(name, setting);
            }
        });
        return new OpenSmConf(some);
    }

    /** Returns the values that cannot be used: a configuration that has any should be refused. */
    public List<ConfRemark> wrong() {
        return List.copyOf(wrong);
    }

    /**
     * Returns a remark for each name that OpenSM does not have, and for each setting that differs from OpenSM's default
     * and was not asked for; by line.
     */
    public List<ConfRemark> ignored() {
        List<ConfRemark> all = new ArrayList<>(unknown);
        settings.forEach((name, setting) -> {
            OpenSmKeys.Key key = OpenSmKeys.ALL.get(name);
            if (key != null && !used.contains(name) && !setting.value().equals(key.standard())) {
                all.add(new ConfRemark(setting.line(), 1, "%s has no effect here".formatted(name)));
            }
        });
        all.sort((a, b) -> Integer.compare(a.line(), b.line()));
        return all;
    }
}
