package org.railyard.cli.lnetctl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.Spelling;

/**
 * Options and words of one command, read as {@code getopt_long} reads them: abbreviations, options behind words, {@code
 * --} ends them.
 */
final class ParsedLine {
    /** A line that can not be read. */
    static final class UsageException extends Exception {
        private static final long serialVersionUID = 1L;
        private final boolean unknownOption;

        UsageException(String message, boolean unknownOption) {
            super(message);
            this.unknownOption = unknownOption;
        }

        /** Tells whether an option is unknown, which the tool forgives. */
        boolean isUnknownOption() {
            return unknownOption;
        }
    }

    private static final int MAX_LEVEL = 4;

    private final Map<String, List<String>> options = new LinkedHashMap<>();
    private final List<String> words = new ArrayList<>();

    /** Reads the words behind the names of a command. */
    static ParsedLine parse(List<Opt> known, List<String> args) throws UsageException {
        ParsedLine line = new ParsedLine();
        int i = 0;
        boolean ended = false;
        while (i < args.size()) {
            String arg = args.get(i);
            String next = i + 1 < args.size() ? args.get(i + 1) : null;
            if (ended || arg.length() < 2 || arg.charAt(0) != '-' || isNumber(arg)) {
                line.words.add(arg);
                i++;
            } else if (arg.equals("--")) {
                ended = true;
                i++;
            } else if (arg.startsWith("--")) {
                i += line.takeLong(known, arg.substring(2), next);
            } else {
                i += line.takeLetters(known, arg.substring(1), next);
            }
        }
        return line;
    }

    private static boolean isNumber(String arg) {
        return arg.matches("-[0-9]+");
    }

    private int takeLong(List<Opt> known, String text, @Nullable String next) throws UsageException {
        int equals = text.indexOf('=');
        String name = equals < 0 ? text : text.substring(0, equals);
        Opt opt = find(known, name);
        if (equals >= 0) {
            if (!opt.hasValue()) {
                throw new UsageException("--" + opt.name() + " takes no value", false);
            }
            put(opt, text.substring(equals + 1));
            return 1;
        }
        return take(opt, next);
    }

    private static Opt find(List<Opt> known, String name) throws UsageException {
        List<Opt> found =
                known.stream().filter(opt -> opt.name().startsWith(name)).toList();
        for (Opt each : found) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        if (found.size() == 1) {
            return found.getFirst();
        }
        List<String> names = known.stream().map(Opt::name).toList();
        throw new UsageException(
                found.isEmpty()
                        ? "unknown option --" + name + Spelling.hint(name, names)
                        : "--" + name + " stands for several: "
                                + String.join(
                                        ", ",
                                        found.stream()
                                                .map(opt -> "--" + opt.name())
                                                .toList()),
                true);
    }

    private int takeLetters(List<Opt> known, String letters, @Nullable String next) throws UsageException {
        for (int i = 0; i < letters.length(); i++) {
            char letter = letters.charAt(i);
            Opt opt = known.stream()
                    .filter(each -> each.letter() == letter)
                    .findFirst()
                    .orElseThrow(() -> new UsageException("unknown option -" + letter, true));
            String rest = letters.substring(i + 1);
            if (!opt.hasValue()) {
                put(opt, "");
            } else if (!rest.isEmpty()) {
                put(opt, rest);
                return 1;
            } else {
                return take(opt, next);
            }
        }
        return 1;
    }

    /** Takes an option whose value, if any, is the next word. */
    private int take(Opt opt, @Nullable String next) throws UsageException {
        if (!opt.hasValue()) {
            put(opt, "");
            return 1;
        }
        if (opt.optional()) {
            if (next != null && next.matches("[0-9]+")) {
                put(opt, next);
                return 2;
            }
            put(opt, "");
            return 1;
        }
        if (next == null) {
            throw new UsageException("--" + opt.name() + " needs a value: " + opt.value(), false);
        }
        put(opt, next);
        return 2;
    }

    private void put(Opt opt, String value) {
        options.computeIfAbsent(opt.name(), name -> new ArrayList<>()).add(value);
    }

    boolean has(String name) {
        return options.containsKey(name);
    }

    /** Returns the last value of an option, null if it is not there. */
    @Nullable
    String get(String name) {
        List<String> values = options.get(name);
        return values == null ? null : values.getLast();
    }

    /** Returns all values of an option that may be repeated. */
    List<String> all(String name) {
        return options.getOrDefault(name, List.of());
    }

    /** Returns the values of an option that is a list with commas; those in brackets do not part. */
    List<String> list(String name) {
        String value = get(name);
        return value == null ? List.of() : parts(value);
    }

    static List<String> parts(String list) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        StringBuilder part = new StringBuilder();
        for (int i = 0; i < list.length(); i++) {
            char c = list.charAt(i);
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (c == ',' && depth == 0) {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString());
        return parts;
    }

    /** Returns the number of an option: decimal, hexadecimal or octal; null if it is not there or none. */
    @Nullable
    Integer number(String name) {
        Long value = longNumber(name);
        return value == null || value != (int) (long) value ? null : Integer.valueOf((int) (long) value);
    }

    /** Returns the number of an option; null if it is not there or none. */
    @Nullable
    Long longNumber(String name) {
        String value = get(name);
        try {
            return value == null ? null : Long.decode(value.strip());
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Returns those of some options whose value should be a number and is none. */
    List<Opt> notNumbers(List<Opt> known) {
        return known.stream()
                .filter(opt -> has(opt.name()))
                .filter(opt -> switch (opt.kind()) {
                    case NUMBER -> number(opt.name()) == null;
                    case LONG -> longNumber(opt.name()) == null;
                    case FLAG, TEXT -> false;
                })
                .toList();
    }

    /** Returns the verbosity, at most 4: 0 without the option, 1 without a number. */
    int level() {
        String value = get("verbose");
        if (value == null) {
            return 0;
        }
        Integer level = number("verbose");
        return level == null || level < 0 ? 1 : Math.min(level, MAX_LEVEL);
    }

    List<String> words() {
        return words;
    }
}
