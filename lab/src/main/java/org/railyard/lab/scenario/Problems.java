package org.railyard.lab.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;

/** What is wrong with a file: collected, so that all of it can be told at once. */
final class Problems {
    /** Most problems that are told. */
    static final int MAX_TOLD = 20;

    private final String file;
    private final List<String> found = new ArrayList<>();

    Problems(String file) {
        this.file = file;
    }

    void add(Optional<Mark> mark, String found, String expected) {
        if (this.found.size() < MAX_TOLD) {
            String place = mark.map(m -> (m.getLine() + 1) + ":" + (m.getColumn() + 1) + ": ")
                    .orElse("");
            this.found.add(file + ":" + place + "found " + found + ", expected " + expected);
        }
    }

    /** Notes a problem that says itself where it is. */
    void add(String problem) {
        if (found.size() < MAX_TOLD && !found.contains(problem)) {
            found.add(problem);
        }
    }

    /** Returns the name of the file. */
    String file() {
        return file;
    }

    void throwIfAny() throws ScenarioException {
        if (!found.isEmpty()) {
            throw new ScenarioException(found);
        }
    }
}
