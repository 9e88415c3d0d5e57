package org.railyard.fabric.format;

import java.util.Arrays;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;

/** SLs as read from a file, one for each pair of end ports. One class per end port. */
final class SlTable implements PathSls {
    /** Most end ports of a file with an SL for every pair: the table takes the square of it in bytes. */
    static final int MAX_END_PORTS = 16_384;

    private static final byte NOT_TOLD = (byte) NO_SL;

    private final int[] classOfLid;
    private final byte[][] sls;

    private SlTable(int[] classOfLid, byte[][] sls) {
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

    /** Collects SLs; to be used once. */
    static final class Builder {
        private final int[] classOfLid;
        private final byte[][] sls;

        /** Makes a builder for a fabric, or says no if it has more than {@link #MAX_END_PORTS}. */
        Builder(Fabric fabric, LineScanner in) {
            classOfLid = new int[fabric.maxLid() + 1];
            Arrays.fill(classOfLid, -1);
            int classes = 0;
            for (int port = 0; port < fabric.portCount(); port++) {
                if (fabric.lid(port) != 0) {
                    for (int offset = 0; offset < 1 << fabric.lmc(port); offset++) {
                        classOfLid[fabric.lid(port) + offset] = classes;
                    }
                    classes++;
                }
            }
            if (classes > MAX_END_PORTS) {
                throw in.fail("a fabric of at most %d end ports".formatted(MAX_END_PORTS));
            }
            sls = new byte[classes][0];
        }

        void set(int sourceLid, int destinationLid, int sl) {
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

        PathSls build() {
            return new SlTable(classOfLid, sls);
        }
    }
}
