package org.railyard.cli.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What is wrong with several files, so that all of it is told at once. Each file has a bounded number of lines, by who
 * reads it. Not thread-safe.
 */
public final class InputErrors {
    private final List<String> lines = new ArrayList<>();

    /** Makes one that has none yet. */
    public InputErrors() {}

    /** Returns what is read, nothing if it can not be: {@link #requireNone} then tells why. */
    public <T> Optional<T> tried(Supplier<T> reader) {
        try {
            return Optional.of(reader.get());
        } catch (FabricInputException e) {
            lines.addAll(e.lines());
            return Optional.empty();
        }
    }

    /** Does what reads a file and has no result. */
    public void check(Runnable reader) {
        tried(() -> {
            reader.run();
            return true;
        });
    }

    /**
     * Ends the reading.
     *
     * @throws FabricInputException if something could not be read; it has the lines of all
     */
    public void requireNone() {
        if (!lines.isEmpty()) {
            throw new FabricInputException(lines);
        }
    }
}
