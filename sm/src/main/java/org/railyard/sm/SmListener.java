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

    /** A trap came in; repeated ones of a noisy source are not told. */
    void trapped(Notice notice, int fromLid);

    /** The transport has failed: the subnet manager has ended, and another one has to be made. */
    void failed(ErrnoException why);

    /** The role among other subnet managers is another one. */
    void role(SmRole role, String why);
}
