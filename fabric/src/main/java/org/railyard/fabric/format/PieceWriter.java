package org.railyard.fabric.format;

/**
 * Makes lines, and hands them on in pieces. Does not allocate for a line: a dump may have more than a hundred million.
 */
final class PieceWriter {
    /** Characters after which a piece is handed on, at the end of a line. */
    private static final int PIECE = 1 << 15;

    private static final String LOWER = "0123456789abcdef";
    private static final String UPPER = "0123456789ABCDEF";

    private final TextSink sink;
    private final StringBuilder piece = new StringBuilder(PIECE + LineScanner.MAX_LINE);

    PieceWriter(TextSink sink) {
        this.sink = sink;
    }

    PieceWriter text(String text) {
        piece.append(text);
        return this;
    }

    /** Writes a number of 16 bits as 0x and four digits. */
    PieceWriter hex4(int value) {
        return hex4(value, LOWER);
    }

    /** Writes a number of 16 bits as 0x and four digits, letters in upper case. */
    PieceWriter upperHex4(int value) {
        return hex4(value, UPPER);
    }

    private PieceWriter hex4(int value, String digits) {
        piece.append("0x");
        for (int shift = 12; shift >= 0; shift -= 4) {
            piece.append(digits.charAt(value >>> shift & 0xF));
        }
        return this;
    }

    /** Writes a number that is not negative in decimal, with zeros in front up to a width of at most 3. */
    PieceWriter decimal(int value, int width) {
        if (width > 2 && value < 100) {
            piece.append('0');
        }
        if (width > 1 && value < 10) {
            piece.append('0');
        }
        piece.append(value);
        return this;
    }

    /** Ends a line. */
    void endLine() {
        piece.append('\n');
        if (piece.length() >= PIECE) {
            flush();
        }
    }

    /** Hands on what is left. */
    void flush() {
        sink.write(piece);
        piece.setLength(0);
    }
}
