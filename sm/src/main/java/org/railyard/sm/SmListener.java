package org.railyard.sm;

import org.railyard.base.ErrnoException;
import org.railyard.mad.smp.Notice;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.role.SmRole;

/** Hears what a subnet manager does. Called in the loop; must not block it. */
public interface SmListener {
    /** A heavy sweep has ended. */
    void swept(SweepReport report);

    /** There is a new snapshot. */
    void published(SubnetSnapshot snapshot);

    /**
     * A trap came in; those of a noisy source that are ignored are not told.
     *
     * @param text what it says, in one line that is safe to print
     */
    void trapped(Notice notice, int fromLid, String text);

    /**
     * Traps of a source begin to be ignored, or count again. Told once each; most have nothing to do then.
     *
     * @param isIgnored whether it begins
     * @param text which source, in one line that is safe to print
     */
    default void noisy(int fromLid, boolean isIgnored, String text) {}

    /** The transport has failed: the subnet manager has ended, and another one has to be made. */
    void failed(ErrnoException why);

    /**
     * Another subnet manager is asked to take over, which it may refuse: what it is to find has to be written now. Most
     * have nothing to do then.
     */
    default void handingOver() {}

    /** The role among other subnet managers is another one. */
    void role(SmRole role, String why);
}
