package org.railyard.o2iblnd.bond;

import java.util.Locale;

/**
 * Something that a check of the configuration found (spec 21 §9).
 *
 * @param id of the check, for example {@code cb-123}
 * @param severity how bad it is
 * @param subject what it is about
 * @param text what was found and what to do
 */
public record BondFinding(String id, Severity severity, String subject, String text) {
    /** How bad it is. */
    public enum Severity {
        /** Good to know. */
        INFO,
        /** Works, but not as one might think. */
        WARNING,
        /** Does not work. */
        ERROR;

        /** Returns the word for people and documents. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static BondFinding info(String id, String subject, String text) {
        return new BondFinding(id, Severity.INFO, subject, text);
    }

    static BondFinding warning(String id, String subject, String text) {
        return new BondFinding(id, Severity.WARNING, subject, text);
    }

    /** Makes an error. */
    public static BondFinding error(String id, String subject, String text) {
        return new BondFinding(id, Severity.ERROR, subject, text);
    }

    /** Tells whether it is one that does not work. */
    public boolean isError() {
        return severity == Severity.ERROR;
    }

    @Override
    public String toString() {
        return severity.text() + " " + id + " " + subject + ": " + text;
    }
}
