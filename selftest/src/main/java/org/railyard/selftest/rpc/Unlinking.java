package org.railyard.selftest.rpc;

import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.Md;

/** How descriptors are given up that may go by themselves at the same moment. */
final class Unlinking {
    private Unlinking() {}

    /** Unlinks a descriptor; no effect if it is gone. */
    static void unlink(Md md) {
        if (!md.isUnlinked()) {
            try {
                md.unlink();
            } catch (ErrnoException e) {
                // It was faster.
                assert e.errno() == Errno.ENOENT : e;
            }
        }
    }
}
