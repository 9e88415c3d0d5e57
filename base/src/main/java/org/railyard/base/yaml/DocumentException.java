package org.railyard.base.yaml;

import java.util.List;
import java.util.stream.Collectors;

/** A document that can not be used; tells everything that is wrong with it. */
public final class DocumentException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    DocumentException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining(System.lineSeparator())));
        this.problems = List.copyOf(problems);
    }

    /** Returns what is wrong, in the order of the file. */
    public List<Problem> problems() {
        return problems;
    }
}
