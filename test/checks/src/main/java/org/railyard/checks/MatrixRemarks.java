package org.railyard.checks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is said, instead of shown by a test, about requirements that no test shows. */
final class MatrixRemarks {
    /** How a requirement without a test stands. */
    enum State {
        /** Railyard does it in another way, on purpose. */
        DIFFERS,
        /** It is not built, or not shown. */
        OPEN
    }

    /**
     * One remark.
     *
     * @param state how it stands
     * @param reason why
     */
    record Remark(State state, String reason) {}

    /** One requirement per line: id, tab, {@code differs} or {@code open}, tab, reason. */
    private static final String RESOURCE = "remarks.tsv";

    private static final int FIELDS = 3;

    private final Map<String, Remark> byId;

    private MatrixRemarks(Map<String, Remark> byId) {
        this.byId = Collections.unmodifiableMap(byId);
    }

    /**
     * Reads the remarks that belong to this module.
     *
     * @throws IOException if they can not be read or are malformed
     */
    static MatrixRemarks load() throws IOException {
        InputStream in = Objects.requireNonNull(MatrixRemarks.class.getResourceAsStream(RESOURCE), RESOURCE);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return read(lines);
        }
    }

    /**
     * Reads remarks.
     *
     * @throws IOException if a line is not an id, a state and a reason, or an id comes twice
     */
    static MatrixRemarks read(BufferedReader from) throws IOException {
        Map<String, Remark> byId = new TreeMap<>();
        int number = 0;
        for (String line = from.readLine(); line != null; line = from.readLine()) {
            number++;
            String[] fields = line.split("\t", -1);
            State state = fields.length == FIELDS ? stateOf(fields[1]) : null;
            if (state == null || fields[0].isEmpty() || fields[2].isBlank()) {
                throw new IOException(
                        "line " + number + ": expected id, tab, 'differs' or 'open', tab, reason; found: " + line);
            }
            if (byId.put(fields[0], new Remark(state, fields[2])) != null) {
                throw new IOException("line " + number + ": id " + fields[0] + " comes twice");
            }
        }
        return new MatrixRemarks(byId);
    }

    private static @Nullable State stateOf(String word) {
        return switch (word) {
            case "differs" -> State.DIFFERS;
            case "open" -> State.OPEN;
            default -> null;
        };
    }

    /** Returns the remarks by the ids of their requirements. */
    Map<String, Remark> byId() {
        return byId;
    }
}
