package org.railyard.cli;

/** Text that may hold anything, made fit for one line of a terminal or a log. */
final class OneLine {
    /** Longest line, characters; what is behind is cut off. */
    static final int MAX_CHARS = 2_000;

    private OneLine() {}

    /**
     * Returns the text with line ends and other control characters shown as escapes, so that text from a peer or a file
     * can neither start a new line nor steer a terminal, and cut at {@link #MAX_CHARS}.
     */
    static String of(String text) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), MAX_CHARS) + 16);
        for (int i = 0; i < text.length(); i++) {
            if (line.length() >= MAX_CHARS) {
                return line.append(" … (")
                        .append(text.length() - i)
                        .append(" more)")
                        .toString();
            }
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append(' ');
                default -> {
                    if (Character.isISOControl(c)) {
                        line.append(String.format("\\u%04x", (int) c));
                    } else {
                        line.append(c);
                    }
                }
            }
        }
        return line.toString();
    }
}
