package org.railyard.host;

import java.net.BindException;
import org.railyard.base.Errno;

/** Why no socket could be made at an address: Java has one exception for all reasons. */
public final class BindFailure {
    private BindFailure() {}

    /** Returns the errno of a failure; of one whose text is not known, EADDRINUSE. */
    public static Errno errno(BindException failure) {
        String text = String.valueOf(failure.getMessage());
        if (text.contains("Permission denied")) {
            return Errno.EPERM;
        }
        return text.contains("Cannot assign requested address") ? Errno.EADDRNOTAVAIL : Errno.EADDRINUSE;
    }
}
