package org.railyard.control.node;

import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/** How much is shown of nets, peers and routes (spec 12 §3). */
final class Levels {
    private static final int MAX = 4;

    private Levels() {}

    /**
     * Returns a level if there is such a one.
     *
     * @throws ErrnoException EINVAL if not
     */
    static int check(int level) {
        if (level < 0 || level > MAX) {
            throw new ErrnoException(Errno.EINVAL, "level " + level + "; expected 0…" + MAX);
        }
        return level;
    }
}
