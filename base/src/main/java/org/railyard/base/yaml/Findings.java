package org.railyard.base.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.railyard.base.ErrnoException;
import org.snakeyaml.engine.v2.exceptions.Mark;

/** Collects what is wrong with a file, and what is only odd, so that all of it can be told at once. */
public final class Findings {
    /** Most problems, and most warnings, that are told. */
    public static final int MAX_TOLD = 50;

    private static final Comparator<Problem> BY_PLACE = Comparator.comparingInt(
                    (Problem problem) -> problem.place().line())
            .thenComparingInt(problem -> problem.place().column());

    private final String file;
    private final List<Problem> errors = new ArrayList<>();
    private final List<Problem> warnings = new ArrayList<>();

    /** Begins to collect for a file, named in messages. */
    public Findings(String file) {
        this.file = file;
    }

    /** Returns the place of a mark, or the file as a whole. */
    public Place place(Optional<Mark> mark) {
        return mark.map(m -> new Place(file, m.getLine() + 1, m.getColumn() + 1))
                .orElse(new Place(file, 0, 0));
    }

    /** Returns the place of a character, counted in code points from 0, of the file's text. */
    Place placeIn(String text, int codePoint) {
        int end = text.offsetByCodePoints(0, Math.clamp(codePoint, 0, text.codePointCount(0, text.length())));
        String before = text.substring(0, end);
        int lineStart = before.lastIndexOf('\n') + 1;
        int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
        return new Place(file, line, before.codePointCount(lineStart, end) + 1);
    }

    /** Notes something that can not be used. */
    public void error(Place place, String found, String expected) {
        add(errors, new Problem(place, found, expected));
    }

    /** Notes what was found wrong by a reader of a part of the file. */
    public void error(Problem problem) {
        add(errors, problem);
    }

    /** A node-wide setting is understood, and refused. */
    public void refusal(Place place, String found, String expected) {
        add(errors, new Problem(place, found, expected, Problem.Kind.REFUSED));
    }

    /** A key, or its value, is wrong: what is said of it comes first, in words that scripts look for. */
    void key(Place place, String said, String expected) {
        add(errors, new Problem(place, said, expected, Problem.Kind.KEY));
    }

    /** This machine does not have an interface. */
    public void absent(Place place, String found, String expected) {
        add(errors, new Problem(place, found, expected, Problem.Kind.ABSENT));
    }

    /** Notes something that is odd and does no harm. */
    public void warning(Place place, String found, String expected) {
        add(warnings, new Problem(place, found, expected));
    }

    private static void add(List<Problem> to, Problem problem) {
        if (to.size() < MAX_TOLD) {
            to.add(problem);
        }
    }

    /** Returns how many errors there are so far, at most {@link #MAX_TOLD}. */
    public int errorCount() {
        return errors.size();
    }

    /** Returns what is only odd, in the order of the file. */
    public List<Problem> warnings() {
        return inOrder(warnings);
    }

    /** Each once: what an alias repeats is read where it is used, and told where it is written. */
    private static List<Problem> inOrder(List<Problem> problems) {
        return problems.stream().distinct().sorted(BY_PLACE).toList();
    }

    /** Returns what a failure says, without the name of its error. */
    public static String text(ErrnoException e) {
        return String.valueOf(e.getMessage()).substring(e.errno().name().length() + 2);
    }

    /**
     * Ends the reading of a document that can not be used.
     *
     * @throws DocumentException if there are errors; tells all of them in the order of the file
     */
    public void throwIfAny() throws DocumentException {
        if (!errors.isEmpty()) {
            throw new DocumentException(inOrder(errors));
        }
    }
}
