package org.railyard.fabric.format;

/** A text that is not in its format: where, what was found, and what was expected. */
public final class FormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Characters of what was found that a message shows. */
    private static final int MAX_FOUND = 60;

    private final int line;
    private final int column;
    private final String found;
    private final String expected;

    /**
     * Makes the error.
     *
     * @param line line from 1
     * @param column column from 1
     * @param found what is there; shortened and freed of control characters
     * @param expected what was expected there
     */
    public FormatException(int line, int column, String found, String expected) {
        this(line, column, clean(found), expected, true);
    }

    private FormatException(int line, int column, String found, String expected, boolean cleaned) {
        super("line %d, column %d: %s".formatted(line, column, text(cleaned ? found : "", expected)));
        this.line = line;
        this.column = column;
        this.found = found;
        this.expected = expected;
    }

    /** Returns a text as messages show it: shortened and freed of control characters. */
    static String clean(String text) {
        String shortened = text.length() > MAX_FOUND ? text.substring(0, MAX_FOUND) + "..." : text;
        return shortened.replaceAll("[^\\x20-\\x7e]", "?");
    }

    private static String text(String found, String expected) {
        return "found %s, expected %s".formatted(found.isEmpty() ? "end of line" : "\"" + found + "\"", expected);
    }

    /** Returns the error as compilers write it, with the name of the file before. */
    public String at(String file) {
        return "%s:%d:%d: %s".formatted(file, line, column, text(found, expected));
    }

    /** Returns the line, from 1. */
    public int line() {
        return line;
    }

    /** Returns the column, from 1. */
    public int column() {
        return column;
    }

    /** Returns what is there, empty at the end of a line. */
    public String found() {
        return found;
    }

    /** Returns what was expected there. */
    public String expected() {
        return expected;
    }
}
