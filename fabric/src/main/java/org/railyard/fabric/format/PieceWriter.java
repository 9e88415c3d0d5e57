package org.railyard.fabric.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Makes lines, and hands them on in pieces. Does not allocate for a line: a dump may have more than a hundred million.
 * What many lines have in common is made once, by {@link #of}, and copied.
 */
final class PieceWriter {
    /** Characters after which a piece is handed on, at the end of a line. */
    private static final int PIECE = 1 << 16;

    private static final byte[] LOWER = of("0123456789abcdef");
    private static final byte[] UPPER = of("0123456789ABCDEF");
    /** Digits of 0x and a number of 16 bits. */
    private static final int HEX4 = 6;

    private final TextSink sink;
    private byte[] piece = new byte[PIECE + LineScanner.MAX_LINE];
    private int length;

    PieceWriter(TextSink sink) {
        this.sink = sink;
    }

    /** Returns the characters of a text, for {@link #bytes}. */
    static byte[] of(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    PieceWriter text(String text) {
        return bytes(of(text));
    }

    /** Writes characters. */
    PieceWriter bytes(byte[] characters) {
        room(characters.length);
        System.arraycopy(characters, 0, piece, length, characters.length);
        length += characters.length;
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

    private PieceWriter hex4(int value, byte[] digits) {
        room(HEX4);
        byte[] to = piece;
        int at = length;
        to[at] = '0';
        to[at + 1] = 'x';
        to[at + 2] = digits[value >>> 12 & 0xF];
        to[at + 3] = digits[value >>> 8 & 0xF];
        to[at + 4] = digits[value >>> 4 & 0xF];
        to[at + 5] = digits[value & 0xF];
        length = at + HEX4;
        return this;
    }

    /** Writes a number that is not negative in decimal, with zeros in front up to a width of at most 3. */
    PieceWriter decimal(int value, int width) {
        int digits = Math.max(width, digits(value));
        room(digits);
        int rest = value;
        for (int at = length + digits - 1; at >= length; at--) {
            piece[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
        return this;
    }

    private static int digits(int value) {
        int digits = 1;
        for (int rest = value; rest >= 10; rest /= 10) {
            digits++;
        }
        return digits;
    }

    private void room(int count) {
        if (length + count > piece.length) {
            piece = Arrays.copyOf(piece, Math.max(length + count, 2 * piece.length));
        }
    }

    /** Ends a line. */
    void endLine() {
        room(1);
        piece[length++] = '\n';
        if (length >= PIECE) {
            flush();
        }
    }

    /** Hands on what is left. */
    void flush() {
        sink.write(piece, length);
        length = 0;
    }
}
