package org.railyard.campaign.plan;

import java.util.ArrayList;
import java.util.List;

/** Lines of CSV. A cell has no line end and no control character, so that a row is always one line. */
public final class Csv {
    /** Longest cell, characters; what is behind is cut off. */
    public static final int MAX_CELL = 300;

    private Csv() {}

    /** Returns a row, without a line end. */
    public static String line(List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String cell = clean(cells.get(i));
            boolean plain = cell.indexOf(',') < 0 && cell.indexOf('"') < 0;
            line.append(i == 0 ? "" : ",").append(plain ? cell : '"' + cell.replace("\"", "\"\"") + '"');
        }
        return line.toString();
    }

    private static String clean(String text) {
        StringBuilder cell = new StringBuilder();
        int length = Math.min(text.length(), MAX_CELL);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            boolean half = Character.isSurrogate(c);
            cell.append(Character.isISOControl(c) || half || c == '\u2028' || c == '\u2029' ? ' ' : c);
        }
        return text.length() > MAX_CELL ? cell + "…" : cell.toString();
    }

    /** Returns the cells of a row that {@link #line} made. */
    public static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quoted && c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                cell.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
