package org.railyard.cli.lnetctl;

import java.util.List;

/**
 * A command: what it is called, what it takes, what it does.
 *
 * @param group the first word
 * @param action the second word; empty if there is none
 * @param words what the words behind are called; empty if there are none
 * @param summary what it does, in one line
 * @param options its options
 * @param helpExit exit code when asked for help
 * @param overlooksNumbers whether a number that can not be read has always been overlooked, instead of refused
 * @param overlooksOptions whether unknown options have always been overlooked, instead of answered with the usage
 * @param body what is done
 */
record Command(
        String group,
        String action,
        String words,
        String summary,
        List<Opt> options,
        int helpExit,
        boolean overlooksNumbers,
        boolean overlooksOptions,
        Body body) {
    /** What a command does. */
    @FunctionalInterface
    interface Body {
        /** Does it; returns the exit code. */
        int run(ParsedLine line, Session session);
    }

    Command(String group, String action, String words, String summary, List<Opt> options, Body body) {
        this(group, action, words, summary, options, Exit.HELP, false, false, body);
    }

    /** Copies the list. */
    Command {
        options = List.copyOf(options);
    }

    /** Returns the same command, which takes help for a success. */
    Command withHelpExit(int code) {
        return new Command(group, action, words, summary, options, code, overlooksNumbers, overlooksOptions, body);
    }

    /** Returns the same command, which overlooks numbers that can not be read. */
    Command overlookingNumbers() {
        return new Command(group, action, words, summary, options, helpExit, true, overlooksOptions, body);
    }

    /** Returns the same command, which overlooks options that it does not know. */
    Command overlookingOptions() {
        return new Command(group, action, words, summary, options, helpExit, overlooksNumbers, true, body);
    }

    /** Returns how many words it takes at most. */
    int mostWords() {
        if (words.contains("…")) {
            return Integer.MAX_VALUE;
        }
        return words.isEmpty() ? 0 : words.split(" ").length;
    }

    /** Returns its names. */
    String name() {
        return action.isEmpty() ? group : group + " " + action;
    }

    /** Returns its names with what it takes, in one line. */
    String synopsis() {
        return name() + (options.isEmpty() ? "" : " [OPTION …]") + (words.isEmpty() ? "" : " " + words);
    }

    /** Returns how it is used. */
    String usage() {
        StringBuilder text = new StringBuilder("usage: lnetctl " + synopsis() + "\n");
        text.append(UsageText.paragraph(summary));
        int width = options.stream().mapToInt(opt -> opt.shown().length()).max().orElse(0);
        for (Opt opt : options) {
            text.append(UsageText.entry(opt.shown(), width, opt.help()));
        }
        return text.toString();
    }
}
