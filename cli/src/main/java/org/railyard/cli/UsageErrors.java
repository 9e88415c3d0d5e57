package org.railyard.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells in one line what is wrong with a command line, and what was probably meant. */
final class UsageErrors implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        command.getErr()
                .println("railyard: " + OneLine.of(message(e, command)) + "; see '"
                        + command.getCommandSpec().qualifiedName() + " --help'");
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String message(ParameterException e, CommandLine command) {
        if (!(e instanceof UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            return e.getMessage() == null ? "command line not understood" : e.getMessage();
        }
        String word = unmatched.getUnmatched().getFirst();
        boolean isCommand =
                !unmatched.isUnknownOption() && !command.getSubcommands().isEmpty();
        String kind = isCommand ? "command" : unmatched.isUnknownOption() ? "option" : "argument";
        List<String> near = unmatched.getSuggestions();
        return "unknown " + kind + " '" + word + "'"
                + (near.isEmpty() ? "" : ", did you mean '" + near.getFirst() + "'?");
    }
}
