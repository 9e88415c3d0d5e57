package org.railyard.fabric.route;

/**
 * The service level of a path, as path records tell it (spec 30 §5).
 *
 * <p>End ports that can not be told apart share an <em>SL class</em> (the switch on a torus; one class if the SL is
 * always the same), so that all pairs are covered by pairs of classes. SLs must not depend on anything
 * but the two classes and the level.
 *
 * <p>Implementations are immutable.
 */
public interface PathSls {
    /** There is no path. */
    int NO_SL = -1;

    /** In a set of SLs, above their bits: on some level there is no path. */
    int NO_SL_BIT = 1 << 16;

    /** Returns how many QoS levels are told apart: 1 or 2. Level 0 is a hint of SL 0–7, level 1 one of SL 8–15. */
    int levels();

    /** Returns how many SL classes there are. */
    int classes();

    /**
     * Returns the SL class of a unicast LID, 0 … {@link #classes()} − 1, or −1 if the LID can be neither source nor
     * destination of a path.
     */
    int classOf(int lid);

    /**
     * Returns the SL of paths between two classes, 0–15, or {@link #NO_SL}.
     *
     * @param level QoS level, 0 … {@link #levels()} − 1
     */
    int classSl(int sourceClass, int destinationClass, int level);

    /**
     * Returns whether the SL between any two classes is the same in both, as far as that can be told without asking for
     * each: false says nothing. LIDs may be of other classes.
     */
    default boolean isKnownToAgree(PathSls other) {
        return equals(other);
    }

    /**
     * Fills in which SLs the paths from all classes to one have, on all levels: bit <em>s</em> if {@link #classSl}
     * answers <em>s</em> on one of them, {@link #NO_SL_BIT} if there is none on one of them.
     *
     * @param sets by source class; as long as there are classes
     */
    default void slSetsTo(int destinationClass, int[] sets) {
        for (int source = 0; source < sets.length; source++) {
            int set = 0;
            for (int level = 0; level < levels(); level++) {
                int sl = classSl(source, destinationClass, level);
                set |= sl == NO_SL ? NO_SL_BIT : 1 << sl;
            }
            sets[source] = set;
        }
    }

    /**
     * Returns the SL of a path, 0–15, or {@link #NO_SL}.
     *
     * @param hint SL that policy, partition or the client asked for, 0–15
     */
    default int sl(int sourceLid, int destinationLid, int hint) {
        int source = classOf(sourceLid);
        int destination = classOf(destinationLid);
        if (source < 0 || destination < 0) {
            return NO_SL;
        }
        return classSl(source, destination, Math.min(hint >>> 3 & 1, levels() - 1));
    }

    /** Returns SLs that do not depend on the path: the same for every pair of LIDs. */
    static PathSls constant(int sl) {
        return new ConstantSls(sl);
    }
}
