package org.railyard.lab.scenario;

import java.util.List;

/** A scenario that can not be run; tells every problem with its place. */
public final class ScenarioException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    ScenarioException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns the problems, each with file, line and column. */
    public List<String> problems() {
        return problems;
    }
}
