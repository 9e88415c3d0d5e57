package org.railyard.base.tune;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/**
 * A tunable: messages, help, manual pages and the tables of the docs are made from it. Immutable; made with {@link
 * #number}, {@link #onOff} or {@link #choice}, and copies that differ.
 *
 * @param name its name in configuration
 * @param parameter the name of its module parameter on real nodes; mostly the same
 * @param help what it means, in one line that begins with a small letter
 * @param defaultValue its default
 * @param profiles its defaults in those profiles that have another one
 * @param min the least it may be
 * @param max the most it may be
 * @param unit unit of its values, such as {@code s}; empty if they have none
 * @param choices names of its values, counted from 0; empty if it is a number
 * @param flags what else is to be known
 */
public record TunableSpec(
        String name,
        String parameter,
        String help,
        int defaultValue,
        Map<Enum<?>, Integer> profiles,
        int min,
        int max,
        String unit,
        List<String> choices,
        Set<Flag> flags) {
    /** What else is to be known of a tunable. */
    public enum Flag {
        /** Can only be given when a node starts, as a module parameter. */
        MODULE_PARAMETER("module parameter only"),
        /** Nets and NIs may have their own value. */
        PER_NI("per NI"),
        /** Values out of range are accepted and brought into it. */
        ADJUSTED("adjusted"),
        /** Accepted, and changes nothing. */
        WITHOUT_EFFECT("without effect"),
        /** Kernel nodes do not have it. */
        RAILYARD_ONLY("Railyard only");

        private final String text;

        Flag(String text) {
            this.text = text;
        }

        /** Returns it in words. */
        public String text() {
            return text;
        }
    }

    /** Copies the collections. */
    public TunableSpec {
        profiles = Map.copyOf(profiles);
        choices = List.copyOf(choices);
        flags = Set.copyOf(flags);
    }

    /** Returns a whole number of any size from 0 on. */
    public static TunableSpec number(String name, int defaultValue, String help) {
        return new TunableSpec(name, name, help, defaultValue, Map.of(), 0, Integer.MAX_VALUE, "", List.of(), Set.of());
    }

    /** Returns a switch, 0 or 1. */
    public static TunableSpec onOff(String name, int defaultValue, String help) {
        return number(name, defaultValue, help).range(0, 1);
    }

    /** Returns one with named values. */
    public static TunableSpec choice(String name, String defaultChoice, String help, String... choices) {
        List<String> all = List.of(choices);
        int usual = all.indexOf(defaultChoice);
        return new TunableSpec(name, name, help, usual, Map.of(), 0, all.size() - 1, "", all, Set.of());
    }

    /** Returns a copy with another range. */
    public TunableSpec range(int least, int most) {
        return new TunableSpec(name, parameter, help, defaultValue, profiles, least, most, unit, choices, flags);
    }

    /** Returns a copy with a unit. */
    public TunableSpec in(String ofValues) {
        return new TunableSpec(name, parameter, help, defaultValue, profiles, min, max, ofValues, choices, flags);
    }

    /** Returns a copy with another default in a profile. */
    public TunableSpec in(Enum<?> profile, int value) {
        Map<Enum<?>, Integer> more = new LinkedHashMap<>(profiles);
        more.put(profile, value);
        return new TunableSpec(name, parameter, help, defaultValue, more, min, max, unit, choices, flags);
    }

    /** Returns a copy whose module parameter has another name. */
    public TunableSpec parameter(String ofModule) {
        return new TunableSpec(name, ofModule, help, defaultValue, profiles, min, max, unit, choices, flags);
    }

    /** Returns a copy with flags. */
    public TunableSpec with(Flag... more) {
        Set<Flag> all = EnumSet.copyOf(List.of(more));
        all.addAll(flags);
        return new TunableSpec(name, parameter, help, defaultValue, profiles, min, max, unit, choices, all);
    }

    /** Tells whether it has a flag. */
    public boolean is(Flag flag) {
        return flags.contains(flag);
    }

    /** Returns its default in a profile. */
    public int defaultIn(Enum<?> profile) {
        return profiles.getOrDefault(profile, defaultValue);
    }

    /** Tells whether it is a switch: without names for its values, 0 or 1. */
    public boolean isSwitch() {
        return choices.isEmpty() && min == 0 && max == 1;
    }

    /** Tells whether a value is in its range. */
    public boolean allows(int value) {
        return value >= min && value <= max;
    }

    /** Returns what a value is called: its name, or the number. */
    public String describe(int value) {
        return choices.isEmpty() || !allows(value) ? Integer.toString(value) : choices.get(value);
    }

    /** Returns the value with a name, or the number: decimal, hexadecimal or octal. It may be out of range. */
    public Optional<Integer> parse(String text) {
        String value = text.strip();
        if (choices.contains(value)) {
            return Optional.of(choices.indexOf(value));
        }
        try {
            return Optional.of(Integer.decode(value));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the value with a name, or the number, as {@link #parse}.
     *
     * @throws ErrnoException EINVAL if it can not be read or is out of range; tells the range, the unit and the default
     */
    public int read(String text) {
        return parse(text).filter(this::allows).orElseThrow(() -> refusal("'" + text + "'"));
    }

    /**
     * Returns the value with a name, or the number, as {@link #parse}, in range or not.
     *
     * @throws ErrnoException EINVAL if it can not be read; tells the range, the unit and the default
     */
    public int readAny(String text) {
        return parse(text).orElseThrow(() -> refusal("'" + text + "'"));
    }

    /**
     * Returns a value if it is in range.
     *
     * @throws ErrnoException EINVAL if not; tells the range, the unit and the default
     */
    public int check(int value) {
        if (!allows(value)) {
            throw refusal(Integer.toString(value));
        }
        return value;
    }

    private ErrnoException refusal(String value) {
        return new ErrnoException(Errno.EINVAL, name + " is " + value + "; expected " + expected());
    }

    /** Returns its range, for people: {@code 1…86400}, {@code 0 or 1}, {@code documents or lustre}. */
    public String range() {
        if (!choices.isEmpty()) {
            return String.join(
                    " or ", choices.stream().map(TunableSpec::visible).toList());
        }
        return max - (long) min == 1 ? min + " or " + max : min + "…" + max;
    }

    /** Returns its range with the unit. */
    public String allowed() {
        return range() + (unit.isEmpty() ? "" : " " + unit);
    }

    /** Returns its default as it is written. */
    public String defaultText() {
        return visible(describe(defaultValue));
    }

    /** Returns what is expected of a value, for people: {@code 1…86400 s, the default is 150}. */
    public String expected() {
        return allowed() + ", the default is " + defaultText();
    }

    /** Returns it in one line of plain text: what it means, what is expected, its flags. */
    public String summary() {
        return help.replace("`", "") + "; " + expected() + notes();
    }

    /** Returns its flags in brackets, behind a blank; nothing if it has none. */
    public String notes() {
        return flags.isEmpty()
                ? ""
                : flags.stream().sorted().map(Flag::text).collect(Collectors.joining("; ", " (", ")"));
    }

    private static String visible(String value) {
        return value.isEmpty() ? "''" : value;
    }
}
