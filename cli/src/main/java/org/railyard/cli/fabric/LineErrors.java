package org.railyard.cli.fabric;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.format.FormatException;

/** Reads texts in which each line stands for itself, so that what is wrong in several lines is told at once. */
public final class LineErrors {
    private LineErrors() {}

    /**
     * Gives a text to a parser, which ends at the first error; the lines behind are looked at, too.
     *
     * @param file where the text is from
     * @param parser without effects: it is asked again
     * @throws FabricInputException if the parser does not take it; it tells the first errors
     */
    public static <T> T parse(Path file, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (FormatException e) {
            throw of(file, text, parser, e);
        }
    }

    private static FabricInputException of(Path file, String text, Function<String, ?> parser, FormatException first) {
        List<String> errors = new ArrayList<>();
        String rest = text;
        FormatException error = first;
        while (error != null && errors.size() <= FabricInputException.MAX_OF_A_FILE) {
            errors.add(error.at(file.toString()));
            rest = withoutLine(rest, error.line());
            FormatException next = error(rest, parser);
            // What is wrong with the whole is so without the line, too.
            error = next == null || next.line() <= error.line() ? null : next;
        }
        FabricInputException told = FabricInputException.of(file, errors, error == null);
        told.initCause(first);
        return told;
    }

    private static @Nullable FormatException error(String text, Function<String, ?> parser) {
        try {
            Objects.requireNonNull(parser.apply(text));
            return null;
        } catch (FormatException e) {
            return e;
        }
    }

    /** Returns a text with an empty line in place of one, so that the others keep their numbers. */
    private static String withoutLine(String text, int line) {
        int start = 0;
        for (int i = 1; i < line; i++) {
            start = text.indexOf('\n', start) + 1;
        }
        int end = text.indexOf('\n', start);
        return text.substring(0, start) + (end < 0 ? "" : text.substring(end));
    }
}
