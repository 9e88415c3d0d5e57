package org.railyard.cli.lnetctl;

/**
 * An option of a command.
 *
 * @param name its long name, without dashes
 * @param letter its letter, 0 for none
 * @param value what its value is called; empty if it has none
 * @param kind what its value is
 * @param optional whether the value may be left away
 * @param help what it does
 */
record Opt(String name, char letter, String value, Kind kind, boolean optional, String help) {
    /** What an option takes. */
    enum Kind {
        /** Nothing. */
        FLAG,
        /** Any text. */
        TEXT,
        /** A whole number of 32 bits with a sign: decimal, hexadecimal or octal. */
        NUMBER,
        /** A whole number, written in the same way, of 64 bits. */
        LONG
    }

    static Opt flag(String name, char letter, String help) {
        return new Opt(name, letter, "", Kind.FLAG, false, help);
    }

    static Opt value(String name, char letter, String value, String help) {
        return new Opt(name, letter, value, Kind.TEXT, false, help);
    }

    static Opt number(String name, char letter, String value, String help) {
        return new Opt(name, letter, value, Kind.NUMBER, false, help);
    }

    /** What is no level counts as 1, as it always has. */
    static Opt verbose() {
        return new Opt("verbose", 'v', "LEVEL", Kind.TEXT, true, "show more; levels 1 to 4, without a number 1");
    }

    boolean hasValue() {
        return kind != Kind.FLAG;
    }

    /** Returns how it is written: {@code --net, -n NET}. */
    String shown() {
        String text = "--" + name + (letter == 0 ? "" : ", -" + letter);
        return text + (!hasValue() ? "" : optional ? " [" + value + "]" : " " + value);
    }
}
