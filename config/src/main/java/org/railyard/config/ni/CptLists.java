package org.railyard.config.ni;

import java.util.List;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/** Lists of CPU partitions as people write them. */
public final class CptLists {
    private CptLists() {}

    /**
     * Returns the partitions that a text such as {@code [0,2-3]} lists, in order.
     *
     * @throws ErrnoException EINVAL if it is no list
     */
    public static List<Integer> parse(String text) {
        List<Integer> cpts = CptList.parse(text.strip());
        if (cpts == null) {
            throw new ErrnoException(Errno.EINVAL, "'" + text + "' is no list of " + CptList.EXPECTED);
        }
        return cpts;
    }
}
