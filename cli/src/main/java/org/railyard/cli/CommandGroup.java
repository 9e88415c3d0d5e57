package org.railyard.cli;

/** The headings under which {@code railyard --help} lists commands, in this order. */
public enum CommandGroup {
    /** Commands that talk to nodes. */
    NETWORK("Talk to a network"),
    /** Commands that explain what was seen. */
    ANALYSIS("Look closer"),
    /** Commands that show or measure. */
    MEASUREMENT("Show and measure"),
    /** Commands about the program itself. */
    SHELL("This program");

    private final String heading;

    CommandGroup(String heading) {
        this.heading = heading;
    }

    /** Returns the heading. */
    public String heading() {
        return heading;
    }
}
