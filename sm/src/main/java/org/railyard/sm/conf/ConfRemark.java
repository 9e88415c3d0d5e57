package org.railyard.sm.conf;

/**
 * Something in a file that does not stop it from being used, but is not used as it is written.
 *
 * @param line line from 1
 * @param column column from 1
 * @param text what was found and what is done instead
 */
public record ConfRemark(int line, int column, String text) {
    /** Returns the remark as compilers write it, with the name of the file before. */
    public String at(String file) {
        return file + ":" + line + ":" + column + ": " + text;
    }
}
