package org.railyard.campaign.work;

/**
 * A column of the results.
 *
 * @param name its name in the first line of the file
 * @param role what it is for
 * @param meaning what it says, with its unit
 */
public record RowColumn(String name, Role role, String meaning) {
    /** What summaries and reports take a column for. */
    public enum Role {
        /** The number of the case; always the first column. */
        CASE,
        /** How it ended; always the second column. */
        VERDICT,
        /** What it is counted with. */
        GROUP,
        /** Why it did not end well, a short word; empty if it did. */
        REASON,
        /** Positions on a torus that it is about, as {@code x.y.z} with blanks between. */
        PLACES,
        /** A number whose distribution is told; empty if there is none. */
        FIGURE,
        /** What is only kept. */
        OTHER
    }

    static RowColumn column(String name, Role role, String meaning) {
        return new RowColumn(name, role, meaning);
    }

    static RowColumn ofCase() {
        return column("case", Role.CASE, "number of the case, from 0");
    }
}
