package org.railyard.fabric.route;

import java.util.Arrays;
import org.railyard.fabric.model.Fabric;

/**
 * SLs as they were read, one for each pair of end ports, or of an end port and a LID. One class per end port, or
 * several if its LIDs are reached by different SLs. Immutable.
 */
public final class PairSls implements PathSls {
    /** Most end ports: the table takes the square of it in bytes. */
    public static final int MAX_END_PORTS = 16_384;

    private static final byte NOT_TOLD = (byte) NO_SL;

    private final int[] classOfLid;

    /** By class: the row of SLs from it. */
    private final int[] row;

    /** By class: where SLs to it are in each row. */
    private final int[] column;

    /** By row and column; empty where nothing was told of a row. */
    private final byte[][] sls;

    private PairSls(int[] classOfLid, int[] row, int[] column, byte[][] sls) {
        this.classOfLid = classOfLid;
        this.row = row;
        this.column = column;
        this.sls = sls;
    }

    @Override
    public int levels() {
        return 1;
    }

    @Override
    public int classes() {
        return row.length;
    }

    @Override
    public int classOf(int lid) {
        return lid >= 0 && lid < classOfLid.length ? classOfLid[lid] : -1;
    }

    @Override
    public int classSl(int sourceClass, int destinationClass, int level) {
        byte[] from = sls[row[sourceClass]];
        return from.length == 0 ? NO_SL : from[column[destinationClass]];
    }

    /** Returns how many end ports of a fabric have a LID. */
    public static int endPorts(Fabric fabric) {
        int count = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            count += fabric.lid(port) != 0 ? 1 : 0;
        }
        return count;
    }

    /** Returns how many LIDs the end ports of a fabric have. */
    public static long lids(Fabric fabric) {
        long lids = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            lids += fabric.lid(port) != 0 ? 1 << fabric.lmc(port) : 0;
        }
        return lids;
    }

    /** Returns whether a table with an SL for each end port and each LID has at most the size that it may have. */
    public static boolean canTellLids(Fabric fabric) {
        return endPorts(fabric) * lids(fabric) <= (long) MAX_END_PORTS * MAX_END_PORTS;
    }

    /** Collects SLs; to be used once, by one thread. */
    public static final class Builder {
        private final int[] rowOfLid;
        private final int[] columnOfLid;
        private final int columns;
        private final byte[][] sls;

        /**
         * Makes one of a fabric, whose ports are reached by the same SL with each of their LIDs.
         *
         * @throws IllegalArgumentException if it has more than {@link #MAX_END_PORTS} end ports with a LID
         */
        public Builder(Fabric fabric) {
            this(fabric, false);
        }

        private Builder(Fabric fabric, boolean eachLid) {
            int rows = endPorts(fabric);
            if (eachLid ? !canTellLids(fabric) : rows > MAX_END_PORTS) {
                throw new IllegalArgumentException(
                        rows + " end ports; SLs are kept of at most " + MAX_END_PORTS + ", pair by pair");
            }
            sls = new byte[rows][0];
            rowOfLid = new int[fabric.maxLid() + 1];
            columnOfLid = new int[rowOfLid.length];
            Arrays.fill(rowOfLid, -1);
            int next = 0;
            int nextColumn = 0;
            for (int port = 0; port < fabric.portCount(); port++) {
                if (fabric.lid(port) != 0) {
                    int count = 1 << fabric.lmc(port);
                    for (int offset = 0; offset < count; offset++) {
                        rowOfLid[fabric.lid(port) + offset] = next;
                        columnOfLid[fabric.lid(port) + offset] = nextColumn + (eachLid ? offset : 0);
                    }
                    next++;
                    nextColumn += eachLid ? count : 1;
                }
            }
            columns = nextColumn;
        }

        /**
         * Makes one of a fabric, whose ports may be reached by another SL with each of their LIDs.
         *
         * @throws IllegalArgumentException if not {@link #canTellLids}
         */
        public static Builder ofLids(Fabric fabric) {
            return new Builder(fabric, true);
        }

        /** Notes the SL, 0 to 15, from a LID of the fabric to another; LIDs of nobody are left out. */
        public void set(int sourceLid, int destinationLid, int sl) {
            int source = rowOfLid[sourceLid];
            if (destinationLid >= rowOfLid.length || rowOfLid[destinationLid] < 0) {
                return;
            }
            if (sls[source].length == 0) {
                sls[source] = new byte[columns];
                Arrays.fill(sls[source], NOT_TOLD);
            }
            sls[source][columnOfLid[destinationLid]] = (byte) sl;
        }

        /** Returns the SLs. LIDs of a port that all are sent to by the same SLs are of one class. */
        public PathSls build() {
            int[] classOfLid = new int[rowOfLid.length];
            int[] row = new int[columns];
            int[] column = new int[columns];
            int classes = 0;
            for (int lid = 0; lid < classOfLid.length; lid++) {
                classOfLid[lid] = rowOfLid[lid];
                if (rowOfLid[lid] >= 0) {
                    int known = lid - 1;
                    while (known > 0 && rowOfLid[known] == rowOfLid[lid] && !alike(known, lid)) {
                        known--;
                    }
                    if (known > 0 && rowOfLid[known] == rowOfLid[lid]) {
                        classOfLid[lid] = classOfLid[known];
                    } else {
                        row[classes] = rowOfLid[lid];
                        column[classes] = columnOfLid[lid];
                        classOfLid[lid] = classes++;
                    }
                }
            }
            return new PairSls(classOfLid, Arrays.copyOf(row, classes), Arrays.copyOf(column, classes), sls);
        }

        private boolean alike(int lid, int other) {
            int at = columnOfLid[lid];
            int otherAt = columnOfLid[other];
            return at == otherAt || Arrays.stream(sls).allMatch(from -> from.length == 0 || from[at] == from[otherAt]);
        }
    }
}
