package org.railyard.lnet.nid;

/**
 * A net, NID, range or process id that could not be read; the message says what was found, where and what was expected.
 */
public final class NidFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** Longest piece of the text that a message repeats, characters. */
    private static final int MAX_SHOWN = 120;

    private final int column;

    /**
     * Makes an exception.
     *
     * @param text the whole text that was read
     * @param column 1-based column of the first character that does not fit
     * @param expected what was expected there
     */
    public NidFormatException(String text, int column, String expected) {
        super("'" + shown(text) + "', column " + column + ": expected " + expected);
        this.column = column;
    }

    private static String shown(String text) {
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…";
    }

    /** Returns the 1-based column of the first character that does not fit. */
    public int column() {
        return column;
    }
}
