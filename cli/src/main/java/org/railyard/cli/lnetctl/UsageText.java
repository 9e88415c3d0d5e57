package org.railyard.cli.lnetctl;

/** Lines of a usage: a name, and what it means in a column beside it, within the width of a terminal. */
final class UsageText {
    /** Columns that lines have at most; a word that is longer stays whole. */
    static final int WIDTH = 100;

    /** Columns that a name and the space before it have at most beside the text; below a longer one the text begins. */
    private static final int MOST_OF_NAMES = 40;

    private UsageText() {}

    /** Returns the lines of a text that stands alone, indented by two columns. */
    static String paragraph(String text) {
        return lines("  ", 2, text);
    }

    /**
     * Returns the lines of a name and what it means.
     *
     * @param name indented by two columns
     * @param width of the longest name beside it
     */
    static String entry(String name, int width, String text) {
        return lines("  " + name, Math.min(width + 4, MOST_OF_NAMES), text);
    }

    private static String lines(String start, int column, String text) {
        StringBuilder lines = new StringBuilder(start);
        int at = start.length();
        if (at > column) {
            lines.append('\n');
            at = 0;
        }
        lines.repeat(' ', column - at);
        at = column;
        boolean first = true;
        for (String word : text.split(" ")) {
            if (!first && at + 1 + word.length() > WIDTH) {
                lines.append('\n').repeat(' ', column);
                at = column;
                first = true;
            }
            lines.append(first ? "" : " ").append(word);
            at += word.length() + (first ? 0 : 1);
            first = false;
        }
        return lines.append('\n').toString();
    }
}
