package org.railyard.cli.lnetctl;

/**
 * An option of a command.
 *
 * @param name its long name, without dashes
 * @param letter its letter, 0 for none
 * @param value what its value is called; empty if it has none
 * @param optional whether the value may be left away
 * @param help what it does
 */
record Opt(String name, char letter, String value, boolean optional, String help) {
    static Opt flag(String name, char letter, String help) {
        return new Opt(name, letter, "", false, help);
    }

    static Opt value(String name, char letter, String value, String help) {
        return new Opt(name, letter, value, false, help);
    }

    static Opt verbose() {
        return new Opt("verbose", 'v', "LEVEL", true, "show more; levels 1 to 4, without a number 1");
    }

    boolean hasValue() {
        return !value.isEmpty();
    }

    /** Returns how it is written: {@code --net, -n NET}. */
    String shown() {
        String text = "--" + name + (letter == 0 ? "" : ", -" + letter);
        return text + (!hasValue() ? "" : optional ? " [" + value + "]" : " " + value);
    }
}
