package org.railyard.selftest.api;

import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/**
 * The module parameters of selftest.
 *
 * @param sessionTimeout after so long without a word from the console a node leaves a session, s; 0 for never
 * @param rpcTimeout how long a call of a test may take, s
 */
public record SelftestSettings(int sessionTimeout, int rpcTimeout) {
    /** Those of kernel nodes. */
    public static final SelftestSettings DEFAULT = new SelftestSettings(100, 64);

    /**
     * Checks the ranges.
     *
     * @throws ErrnoException EINVAL if one is out of range
     */
    public SelftestSettings {
        if (sessionTimeout < 0 || rpcTimeout < 1) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "session_timeout " + sessionTimeout + ", rpc_timeout " + rpcTimeout
                            + "; expected 0 or more, and 1 or more");
        }
    }
}
