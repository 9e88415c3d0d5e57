package org.railyard.fabric.format;

/** Frees node descriptions of what would break a format: control characters, quotes, braces. */
final class Sanitiser {
    /** Longest description that is written; InfiniBand's NodeDescription has 64 bytes. */
    static final int MAX_DESCRIPTION = 64;

    private Sanitiser() {}

    static String clean(String description) {
        StringBuilder clean = new StringBuilder(description);
        clean.setLength(Math.min(clean.length(), MAX_DESCRIPTION));
        for (int i = 0; i < clean.length(); i++) {
            char c = clean.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\'' || c == '{' || c == '}') {
                clean.setCharAt(i, '_');
            }
        }
        return clean.toString();
    }
}
