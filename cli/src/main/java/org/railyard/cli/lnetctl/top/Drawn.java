package org.railyard.cli.lnetctl.top;

/**
 * A line of the screen.
 *
 * @param text what it says, no longer than the screen is wide
 * @param style how it looks
 */
record Drawn(String text, Style style) {
    /** How a line looks. */
    enum Style {
        /** As text does. */
        PLAIN,
        /** The head of a table. */
        HEAD,
        /** Something is not as it should be. */
        BAD,
        /** Less important. */
        FAINT
    }

    static Drawn plain(String text) {
        return new Drawn(text, Style.PLAIN);
    }
}
