package org.railyard.o2iblnd.tune;

/**
 * Something to know about a set of tunables.
 *
 * @param severity how bad it is
 * @param row number of the dependency in the {@link TunableDependencies}; 0 if it is not about one
 * @param subject the tunable or figure
 * @param text what was given, what becomes of it, and by which rule
 */
public record Remark(Severity severity, int row, String subject, String text) {
    /** How bad it is. */
    public enum Severity {
        /** Good to know. */
        NOTICE,
        /** Works, but not as one might think. */
        WARNING,
        /** Does not work. */
        ERROR
    }

    /** Makes a remark on a value that is replaced by another one. */
    static Remark clamped(int row, String subject, long given, long effective, String rule) {
        return new Remark(Severity.WARNING, row, subject, "given " + given + ", effective " + effective + ": " + rule);
    }

    static Remark notice(int row, String subject, String text) {
        return new Remark(Severity.NOTICE, row, subject, text);
    }

    static Remark warning(int row, String subject, String text) {
        return new Remark(Severity.WARNING, row, subject, text);
    }

    static Remark error(int row, String subject, String text) {
        return new Remark(Severity.ERROR, row, subject, text);
    }

    @Override
    public String toString() {
        return severity + " " + subject + ": " + text + (row == 0 ? "" : " (row " + row + ")");
    }
}
