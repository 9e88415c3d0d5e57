package org.railyard.sm;

import java.util.ArrayList;
import java.util.List;
import org.railyard.sm.program.Executor;

/**
 * What a heavy sweep did.
 *
 * @param number from 1
 * @param reason why it was made
 * @param result how it ended
 * @param nanos how long it took, ns of the loop's clock
 * @param requests MADs that it sent, repeated ones too
 * @param switches switches that were found
 * @param ends other nodes that were found
 * @param links cables that carry data at its end
 * @param linksDown cables found up that do not carry data at its end
 * @param phases what was written
 * @param notes what an operator should know, one line each; of more than {@link #MAX_NOTES} the first, and how many
 *     there are
 */
public record SweepReport(
        long number,
        String reason,
        Result result,
        long nanos,
        long requests,
        int switches,
        int ends,
        int links,
        int linksDown,
        List<Executor.Figures> phases,
        List<String> notes) {
    /** Most notes of a sweep: half a subnet that gives no answer has one for each node. */
    public static final int MAX_NOTES = 1000;

    /** Copies the lists. */
    public SweepReport {
        phases = List.copyOf(phases);
        notes = bounded(notes);
    }

    /** How a sweep ended. */
    public enum Result {
        /** The subnet is as it shall be. */
        DONE,
        /** Something did not answer or refused, or the programming had to stop; another sweep follows. */
        INCOMPLETE,
        /** No routes, or none that are proved: tables and links were left as they were. */
        UNROUTABLE,
        /** The new routes would change the SL of paths in use: tables and links were left as they were. */
        SL_CHANGE,
        /** The own port has no link, or does not answer. */
        NO_LINK,
        /** Another subnet manager is master: nothing was written. */
        STANDBY
    }

    private static List<String> bounded(List<String> notes) {
        if (notes.size() <= MAX_NOTES) {
            return List.copyOf(notes);
        }
        List<String> some = new ArrayList<>(notes.subList(0, MAX_NOTES - 1));
        some.add("these are the first of " + notes.size() + " notes");
        return List.copyOf(some);
    }
}
