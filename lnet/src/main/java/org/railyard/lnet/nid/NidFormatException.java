package org.railyard.lnet.nid;

/** A net, NID, range or process id that could not be read; the message says what was found, where and what was expected. */
public final class NidFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final int column;

    /**
     * Makes an exception.
     *
     * @param text the whole text that was read
     * @param column 1-based column of the first character that does not fit
     * @param expected what was expected there
     */
    public NidFormatException(String text, int column, String expected) {
        super("'" + text + "', column " + column + ": expected " + expected);
        this.column = column;
    }

    /** Returns the 1-based column of the first character that does not fit. */
    public int column() {
        return column;
    }
}
