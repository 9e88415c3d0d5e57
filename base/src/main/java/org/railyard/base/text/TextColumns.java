package org.railyard.base.text;

import java.util.ArrayList;
import java.util.List;

/** Rows of cells, padded to columns; numbers to the right. */
public final class TextColumns {
    private final List<List<String>> rows = new ArrayList<>();

    /** Begins with a row of heads. */
    public TextColumns(String... heads) {
        rows.add(List.of(heads));
    }

    /** Appends a row of as many cells as there are heads. */
    public void add(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell.toString());
        }
        rows.add(row);
    }

    /** Returns the lines, heads first, without blanks at their ends. */
    public List<String> lines() {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        boolean[] numbers = new boolean[columns];
        for (int column = 0; column < columns; column++) {
            numbers[column] = rows.size() > 1;
            for (int row = 0; row < rows.size(); row++) {
                String cell = rows.get(row).get(column);
                widths[column] = Math.max(widths[column], cell.length());
                numbers[column] &= row == 0 || cell.matches("[-+0-9.%]*");
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < columns; column++) {
                String cell = row.get(column);
                String blanks = " ".repeat(widths[column] - cell.length());
                line.append(column == 0 ? "" : "  ").append(numbers[column] ? blanks + cell : cell + blanks);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
