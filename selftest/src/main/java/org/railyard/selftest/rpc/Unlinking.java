package org.railyard.selftest.rpc;

import org.railyard.lnet.Errno;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.Md;

/** How descriptors are given up that may go by themselves at the same moment. */
final class Unlinking {
    private Unlinking() {}

    /** Unlinks a descriptor; no effect if it is gone. */
    static void unlink(Md md) {
        if (!md.isUnlinked()) {
            try {
                md.unlink();
            } catch (LNetException e) {
                // It was faster.
                assert e.errno() == Errno.ENOENT : e;
            }
        }
    }
}
