package org.railyard.cli.lnetctl;

import java.util.Arrays;
import java.util.List;

/**
 * Commands with the same first word.
 *
 * @param name the word
 * @param summary what they are about, in one short line
 * @param commands the commands, in the order in which they are listed
 */
record LnetctlGroup(String name, String summary, List<Command> commands) {
    /** More actions than that are not listed in a line. */
    private static final int MOST_IN_A_LINE = 12;

    LnetctlGroup(String name, String summary, Command... commands) {
        this(name, summary, Arrays.asList(commands));
    }

    /** Returns the group of a command whose first word is its only one. */
    static LnetctlGroup of(Command command) {
        return new LnetctlGroup(command.group(), command.summary(), command);
    }

    /** Copies the list. */
    LnetctlGroup {
        commands = List.copyOf(commands);
    }

    /** Tells whether its actions are too many for one line: names, with a value each. */
    boolean isLong() {
        return commands.size() > MOST_IN_A_LINE;
    }

    /** Returns how its commands are written, in one line. */
    String synopsis() {
        List<String> actions = commands.stream()
                .map(Command::action)
                .filter(action -> !action.isEmpty())
                .toList();
        if (actions.isEmpty()) {
            return commands.getFirst().synopsis();
        }
        return name + (isLong() ? " NAME VALUE" : " {" + String.join("|", actions) + "}");
    }
}
