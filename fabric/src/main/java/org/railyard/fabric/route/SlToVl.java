package org.railyard.fabric.route;

/**
 * SL to VL, for each pair of input and output port of each switch and for each end port (spec 30 §8).
 *
 * <p>A table of 16 VLs is one {@code long}: the VL of SL s in bits 4s … 4s + 3. Implementations are immutable.
 */
public interface SlToVl {
    /** Packets of this VL are dropped. */
    int DROP = 15;

    /** The table that maps every SL to VL 0. */
    long ALL_ZERO = 0L;

    /**
     * Returns the table of a switch.
     *
     * @param switchIndex index of the switch
     * @param in input port, from 0 on
     * @param out output port, from 0 on
     */
    long table(int switchIndex, int in, int out);

    /**
     * Returns the table by which an end port that is not on a switch sends; {@code endPort} is a port index of the
     * fabric.
     */
    long endTable(int endPort);

    /** Returns the VL of an SL in a table. */
    static int vl(long table, int sl) {
        return (int) (table >>> (sl << 2)) & 0xF;
    }

    /** Returns the table with these 16 VLs. */
    static long pack(int... vls) {
        if (vls.length != 16) {
            throw new IllegalArgumentException("16 VLs, not " + vls.length);
        }
        long table = 0;
        for (int sl = 0; sl < 16; sl++) {
            if (vls[sl] < 0 || vls[sl] > 15) {
                throw new IllegalArgumentException("VL " + vls[sl] + " is not 0 to 15");
            }
            table |= (long) vls[sl] << (sl << 2);
        }
        return table;
    }

    /** Returns the same table everywhere. */
    static SlToVl uniform(long table) {
        return new UniformSlToVl(table);
    }
}
