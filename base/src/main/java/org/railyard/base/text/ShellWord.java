package org.railyard.base.text;

import java.util.regex.Pattern;

/** Words of a command line, for people to copy into a shell. */
public final class ShellWord {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:,=+@%-]+");

    private ShellWord() {}

    /** Returns a word so that a POSIX shell takes it as it is: in quotes if it has anything but plain characters. */
    public static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
