package org.railyard.cli;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.railyard.base.text.Spelling;
import org.railyard.cli.lnetctl.LnetctlCommand;
import org.railyard.cli.text.SomeSubcommands;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells in one line what is wrong with a command line, and what was probably meant. */
final class UsageErrors implements IParameterExceptionHandler {
    private static final Pattern NO_NUMBER = Pattern.compile("is not an? (int|long|short|byte|double|float)");

    /** What picocli says of an option at the end of the line, and of one before another. */
    private static final Pattern NO_VALUE = Pattern.compile(
            "(?:Missing required parameter|Expected parameter(?: \\d+ \\(of \\d+ mandatory parameters\\))?) for"
                    + " option (?<option>'[^']+')(?:.* but found (?<found>'.*'))?");

    private static final Pattern NO_PAIR = Pattern.compile(
            "Value for option option '([^']+)' \\(([^)]+)\\) should be in KEY=VALUE format but was (.*)");

    /** What picocli says where something of a group is given again, with all that the group may hold. */
    private static final Pattern GIVEN_AGAIN =
            Pattern.compile("Error: expected only one match but got .*=\\{(params\\[(\\d+)]|-[^= }]+)[^}]*}");

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        ParameterException first = first(e);
        CommandLine command = first.getCommandLine();
        command.getErr()
                .println("railyard: " + OneLine.of(message(first, command)) + "; see '"
                        + command.getCommandSpec().qualifiedName() + " --help'");
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /**
     * Returns what is wrong first: picocli looks for commands behind a word that it does not know, and complains of
     * what follows them.
     */
    private static ParameterException first(ParameterException e) {
        ParameterException first = e;
        for (CommandLine above = e.getCommandLine().getParent(); above != null; above = above.getParent()) {
            List<String> unknown = above.getParseResult().unmatched();
            if (!unknown.isEmpty()) {
                first = new UnmatchedArgumentException(above, unknown);
            }
        }
        return first;
    }

    private static String message(ParameterException e, CommandLine command) {
        if (!(e instanceof UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            return e.getMessage() == null ? "command line not understood" : plain(e, e.getMessage());
        }
        String word = unmatched.getUnmatched().getFirst();
        Set<String> left = subcommandsLeftOut(command);
        boolean isCommand =
                !unmatched.isUnknownOption() && !(command.getSubcommands().isEmpty() && left.isEmpty());
        if (isCommand && command.getParent() == null && LnetctlCommand.hasGroup(word)) {
            return "unknown command '" + word + "', did you mean '" + LnetctlCommand.NAME + " " + word + "'?";
        }
        String kind = isCommand ? "command" : unmatched.isUnknownOption() ? "option" : "argument";
        // Two letters in common are enough for picocli: 'nosuch' would be taken for 'add_batch'.
        Set<String> known = new LinkedHashSet<>(unmatched.getSuggestions());
        known.addAll(isCommand ? left : Set.of());
        List<String> near = Spelling.near(word, known, 1);
        return "unknown " + kind + " '" + word + "'"
                + (near.isEmpty() ? "" : ", did you mean '" + near.getFirst() + "'?");
    }

    private static Set<String> subcommandsLeftOut(CommandLine command) {
        return command.getCommandSpec().userObject() instanceof SomeSubcommands some ? some.allSubcommands() : Set.of();
    }

    /** Says what picocli says in the words of the other messages. */
    private static String plain(ParameterException e, String message) {
        Matcher bare = NO_VALUE.matcher(message);
        if (bare.lookingAt()
                && e instanceof MissingParameterException missing
                && missing.getMissing().getFirst() instanceof OptionSpec option) {
            String found = bare.group("found");
            return "option " + bare.group("option") + " needs " + option.paramLabel()
                    + (found == null ? "" : ", found " + found);
        }
        if (e instanceof MissingParameterException missing
                && !missing.getMissing().isEmpty()) {
            // picocli names a whole group, also what in it may be left out.
            boolean anyRequired = missing.getMissing().stream().anyMatch(ArgSpec::required);
            List<String> names = missing.getMissing().stream()
                    .filter(argument -> argument.required() || !anyRequired)
                    .map(UsageErrors::name)
                    .distinct()
                    .toList();
            // Of a group, which may be long, one is enough; the first ones are the usual ones.
            return message.contains("argument(s)")
                    ? String.join(" or ", names.subList(0, Math.min(2, names.size()))) + " is missing"
                    : String.join(", ", names) + (names.size() == 1 ? " is missing" : " are missing");
        }
        Matcher again = GIVEN_AGAIN.matcher(message);
        if (again.matches()) {
            return again(again, e.getCommandLine().getCommandSpec()) + " should be specified only once";
        }
        Matcher pair = NO_PAIR.matcher(message);
        if (pair.matches()) {
            return pair.group(1) + " " + pair.group(3) + ": expected " + pair.group(2);
        }
        return NO_NUMBER
                .matcher(message)
                .replaceAll(found ->
                        found.group(1).equals("double") || found.group(1).equals("float")
                                ? "is no number"
                                : "is no whole number, or too large");
    }

    /** Returns the name of what was given again. */
    private static String again(Matcher found, CommandSpec command) {
        if (found.group(2) == null) {
            return "option '" + found.group(1) + "'";
        }
        int index = Integer.parseInt(found.group(2));
        return command.positionalParameters().stream()
                .filter(each -> each.index().contains(index))
                .map(PositionalParamSpec::paramLabel)
                .findFirst()
                .orElse("an argument");
    }

    private static String name(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    }
}
