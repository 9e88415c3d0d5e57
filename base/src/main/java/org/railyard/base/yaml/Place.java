package org.railyard.base.yaml;

/**
 * A place in a file.
 *
 * @param file its name
 * @param line from 1, 0 for the file as a whole
 * @param column from 1, 0 for the file as a whole
 */
public record Place(String file, int line, int column) {
    /** Returns {@code line:column}. */
    public String at() {
        return line + ":" + column;
    }

    /** Returns it as {@code file:line:column}. */
    @Override
    public String toString() {
        return line == 0 ? file : file + ":" + line + ":" + column;
    }
}
