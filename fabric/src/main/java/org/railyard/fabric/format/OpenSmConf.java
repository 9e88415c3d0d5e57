package org.railyard.fabric.format;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * OpenSM's configuration file (spec 31 §7): name and value in each line, the last of a name counts. As OpenSM 3.3.23
 * reads it, # begins a comment wherever it is, and a value may stand in quotes, single or double.
 *
 * @param settings by name
 */
public record OpenSmConf(SortedMap<String, Setting> settings) {
    /** Takes a copy. */
    public OpenSmConf {
        settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    }

    /**
     * One setting.
     *
     * @param line number of the line, from 1
     * @param column where its value begins, from 1
     * @param value what is behind the name, without blanks or quotes around; often several words
     */
    public record Setting(int line, int column, String value) {}

    /**
     * Reads the file. Which names there are is OpenSM's affair.
     *
     * @throws FormatException if a line has a name and nothing else, or is too long
     */
    public static OpenSmConf parse(CharSequence text) {
        SortedMap<String, Setting> settings = new TreeMap<>();
        LineScanner in = new LineScanner(text);
        while (in.nextLine()) {
            if (in.onlyBlanksLeft() || in.restStartsWith("#")) {
                continue;
            }
            String name = in.word("the name of a setting");
            if (in.onlyBlanksLeft() || in.restStartsWith("#")) {
                throw in.fail("a value for " + FormatException.clean(name));
            }
            int column = in.position() + 1;
            settings.put(name, new Setting(in.line(), column, value(in.rest())));
        }
        return new OpenSmConf(settings);
    }

    private static String value(String rest) {
        int comment = rest.indexOf('#');
        String value = (comment < 0 ? rest : rest.substring(0, comment)).strip();
        int last = value.length() - 1;
        boolean quoted = last > 0
                && value.charAt(0) == value.charAt(last)
                && (value.charAt(0) == '"' || value.charAt(0) == '\'');
        return quoted ? value.substring(1, last) : value;
    }

    /** Returns a setting, nothing if it is not there or {@code (null)}. */
    public Optional<Setting> find(String name) {
        return Optional.ofNullable(settings.get(name)).filter(setting -> !setting.value.equals("(null)"));
    }
}
