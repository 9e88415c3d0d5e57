package org.railyard.fabric.route;

import java.util.Arrays;
import org.railyard.fabric.model.Fabric;

/** SLs as they were read, one for each pair of end ports. One class per end port. Immutable. */
public final class PairSls implements PathSls {
    /** Most end ports: the table takes the square of it in bytes. */
    public static final int MAX_END_PORTS = 16_384;

    private static final byte NOT_TOLD = (byte) NO_SL;

    private final int[] classOfLid;
    private final byte[][] sls;

    private PairSls(int[] classOfLid, byte[][] sls) {
        this.classOfLid = classOfLid;
        this.sls = sls;
    }

    @Override
    public int levels() {
        return 1;
    }

    @Override
    public int classes() {
        return sls.length;
    }

    @Override
    public int classOf(int lid) {
        return lid >= 0 && lid < classOfLid.length ? classOfLid[lid] : -1;
    }

    @Override
    public int classSl(int sourceClass, int destinationClass, int level) {
        byte[] row = sls[sourceClass];
        return row.length == 0 ? NO_SL : row[destinationClass];
    }

    /** Returns how many end ports of a fabric have a LID. */
    public static int endPorts(Fabric fabric) {
        int count = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            count += fabric.lid(port) != 0 ? 1 : 0;
        }
        return count;
    }

    /** Collects SLs; to be used once, by one thread. */
    public static final class Builder {
        private final int[] classOfLid;
        private final byte[][] sls;

        /**
         * Makes one of a fabric.
         *
         * @throws IllegalArgumentException if it has more than {@link #MAX_END_PORTS} end ports with a LID
         */
        public Builder(Fabric fabric) {
            int classes = endPorts(fabric);
            if (classes > MAX_END_PORTS) {
                throw new IllegalArgumentException(
                        classes + " end ports; SLs are kept of at most " + MAX_END_PORTS + ", pair by pair");
            }
            sls = new byte[classes][0];
            classOfLid = new int[fabric.maxLid() + 1];
            Arrays.fill(classOfLid, -1);
            int next = 0;
            for (int port = 0; port < fabric.portCount(); port++) {
                if (fabric.lid(port) != 0) {
                    for (int offset = 0; offset < 1 << fabric.lmc(port); offset++) {
                        classOfLid[fabric.lid(port) + offset] = next;
                    }
                    next++;
                }
            }
        }

        /** Notes the SL, 0 to 15, from a LID of the fabric to another; LIDs of nobody are left out. */
        public void set(int sourceLid, int destinationLid, int sl) {
            int source = classOfLid[sourceLid];
            if (destinationLid >= classOfLid.length || classOfLid[destinationLid] < 0) {
                return;
            }
            if (sls[source].length == 0) {
                sls[source] = new byte[sls.length];
                Arrays.fill(sls[source], NOT_TOLD);
            }
            sls[source][classOfLid[destinationLid]] = (byte) sl;
        }

        /** Returns the SLs. */
        public PathSls build() {
            return new PairSls(classOfLid, sls);
        }
    }
}
