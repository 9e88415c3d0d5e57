package org.railyard.bench.compare;

import java.util.ArrayList;
import java.util.List;

/** A table as text: the first column to the left, the others to the right, two spaces between. */
final class TextTable {
    private static final String GAP = "  ";

    /** A row; with a single cell behind the first that may be as long as it likes if it spans. */
    private record Row(List<String> cells, boolean spans) {}

    private final List<Row> rows = new ArrayList<>();

    void add(List<String> cells) {
        rows.add(new Row(List.copyOf(cells), false));
    }

    /** Adds a row whose text is not held to the columns. */
    void addSpanning(String first, String text) {
        rows.add(new Row(List.of(first, text), true));
    }

    /** Returns the lines, each ended by a line feed and without blanks at its end. */
    String render() {
        int columns = rows.stream().mapToInt(r -> r.cells().size()).max().orElse(0);
        int[] widths = new int[columns];
        for (Row row : rows) {
            int bound = row.spans() ? 1 : row.cells().size();
            for (int i = 0; i < bound; i++) {
                widths[i] = Math.max(widths[i], row.cells().get(i).length());
            }
        }
        StringBuilder out = new StringBuilder();
        for (Row row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.cells().size(); i++) {
                String cell = row.cells().get(i);
                String blanks = " ".repeat(Math.max(0, widths[i] - cell.length()));
                if (i == 0) {
                    line.append(cell).append(blanks);
                } else if (row.spans()) {
                    line.append(GAP).append(cell);
                } else {
                    line.append(GAP).append(blanks).append(cell);
                }
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }
}
