package org.railyard.sm.program;

/**
 * The M_Key that nodes are given: without it an agent refuses changes, and tells less (spec 40 §7, spec 41 §9).
 *
 * @param key 0 for none
 * @param protect what those are told who do not have it, 0 to {@value #MAX_PROTECT}: 0 all, 1 all but the key, 2 and
 *     3 nothing
 * @param leaseSeconds how long after an attempt with a wrong key the key is void unless somebody with the right one
 *     comes, 0 to {@value #MAX_LEASE}; 0 for never
 */
public record ManagementKey(long key, int protect, int leaseSeconds) {
    /** No key. */
    public static final ManagementKey NONE = new ManagementKey(0, 0, 0);

    /** Largest protection level. */
    public static final int MAX_PROTECT = 3;

    /** Longest lease, s. */
    public static final int MAX_LEASE = 65_535;

    /** Checks the ranges. */
    public ManagementKey {
        if (protect < 0 || protect > MAX_PROTECT || leaseSeconds < 0 || leaseSeconds > MAX_LEASE) {
            throw new IllegalArgumentException(
                    "protection level %d and lease %d s of the M_Key: 0 to %d and 0 to %d expected"
                            .formatted(protect, leaseSeconds, MAX_PROTECT, MAX_LEASE));
        }
    }

    /** Returns whether it becomes void where nobody shows it. */
    public boolean isLeased() {
        return key != 0 && leaseSeconds > 0;
    }

    @Override
    public String toString() {
        return key == 0 ? "no M_Key" : "an M_Key, protection level " + protect + ", lease " + leaseSeconds + " s";
    }
}
