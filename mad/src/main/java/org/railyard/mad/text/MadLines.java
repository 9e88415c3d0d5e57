package org.railyard.mad.text;

import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.railyard.base.wire.WireFormatException;
import org.railyard.mad.wire.Mad;

/**
 * Reads MADs in hexadecimal, one to a line: the last word of the line, without zeros at its end; words before it are
 * ignored but {@code len=N}, which tells how many bytes of it were received. So logs with a column of hexadecimal can
 * be read as they are.
 */
public final class MadLines {
    /** Longest line, characters. */
    public static final int MAX_LINE = 1 << 20;

    private static final Pattern WRONG_LENGTH = Pattern.compile("(?<!\\S)len=");
    private static final Pattern LENGTH = Pattern.compile("(?<!\\S)len=(\\d{1,7})(?!\\S)");
    private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]+");

    /** Shorter words may be anything. */
    private static final int MIN_DIGITS = 2 * 16;

    private MadLines() {}

    /**
     * Reads one line.
     *
     * @return empty if the line has no MAD: it is blank, begins with {@code #}, or its last word is no hexadecimal of
     *     32 digits or more
     * @throws WireFormatException if it has one that can not be: an odd number of digits, more bytes than a MAD, a
     *     length that does not fit; or if the only word of a line is no hexadecimal
     */
    public static Optional<Mad> read(String line) throws WireFormatException {
        if (line.length() > MAX_LINE) {
            throw new WireFormatException("a line of " + line.length() + " characters; at most " + MAX_LINE);
        }
        String text = line.strip();
        if (text.isEmpty() || text.startsWith("#")) {
            return Optional.empty();
        }
        String word = text.substring(lastBlank(text) + 1);
        boolean hex = HEX.matcher(word).matches();
        if (word.length() == text.length() && !hex) {
            throw new WireFormatException("column " + (line.indexOf(word) + badDigit(word) + 1)
                    + ": no hexadecimal digit; expected a MAD in hexadecimal");
        }
        if (!hex || word.length() < MIN_DIGITS && word.length() != text.length()) {
            return Optional.empty();
        }
        return Optional.of(mad(text, word));
    }

    private static Mad mad(String text, String word) throws WireFormatException {
        if (word.length() % 2 != 0) {
            throw new WireFormatException(word.length() + " hexadecimal digits; an even number expected");
        }
        int given = word.length() / 2;
        if (given > Mad.MAX_MESSAGE || given < MIN_DIGITS / 2) {
            throw new WireFormatException("a MAD of " + given + " bytes; " + MIN_DIGITS / 2 + " or more expected");
        }
        Matcher found = LENGTH.matcher(text);
        boolean isLength = found.find();
        if (!isLength && WRONG_LENGTH.matcher(text).find()) {
            throw new WireFormatException("found len= without a number of bytes behind it");
        }
        int length = isLength ? Integer.parseInt(found.group(1)) : Math.max(given, Mad.SIZE);
        if (length < Mad.HEADER || length < given && length < Mad.SIZE && hasMore(word, length)) {
            throw new WireFormatException("len=" + length + ", but there are " + given + " bytes");
        }
        byte[] bytes = new byte[Math.max(Math.max(given, length), Mad.SIZE)];
        System.arraycopy(HexFormat.of().parseHex(word), 0, bytes, 0, given);
        return Mad.over(bytes, length);
    }

    /** Tells whether bytes behind a length are more than zeros. */
    private static boolean hasMore(String word, int length) {
        return !word.substring(2 * length).matches("0*");
    }

    private static int lastBlank(String text) {
        int at = text.length() - 1;
        while (at >= 0 && !Character.isWhitespace(text.charAt(at))) {
            at--;
        }
        return at;
    }

    private static int badDigit(String word) {
        int at = 0;
        while (at < word.length() && Character.digit(word.charAt(at), 16) >= 0) {
            at++;
        }
        return at;
    }
}
