package org.railyard.mad.transport;

import org.railyard.mad.layout.Gid;
import org.railyard.mad.wire.MgmtClass;

/**
 * Where a MAD goes, or came from. A directed-route SMP has its path in itself.
 *
 * @param lid destination or source LID; {@value #PERMISSIVE} for directed routes
 * @param qpn queue pair: 0 for SMPs, 1 for the SA and other classes
 * @param qKey key of the queue pair: 0 for SMPs, {@value #GMP_Q_KEY} for others
 * @param sl service level, 0 … 15
 * @param pathBits low bits of the own LID
 * @param pKeyIndex which key of the own port's table
 * @param gid the other end's GID, if the packet has a global route header; else {@link Gid#ZERO}
 */
public record MadAddress(int lid, int qpn, int qKey, int sl, int pathBits, int pKeyIndex, Gid gid) {
    /** The LID of directed routes. */
    public static final int PERMISSIVE = 0xFFFF;

    /** The key of queue pair 1 (spec 40 §4). */
    public static final int GMP_Q_KEY = 0x80010000;

    /** For directed-route SMPs. */
    public static final MadAddress DIRECTED = new MadAddress(PERMISSIVE, 0, 0, 0, 0, 0, Gid.ZERO);

    /** Returns that of the agents of SMPs at a LID. */
    public static MadAddress smp(int lid) {
        return new MadAddress(lid, 0, 0, 0, 0, 0, Gid.ZERO);
    }

    /** Returns that of the agents of other classes, such as the SA, at a LID. */
    public static MadAddress gmp(int lid, int sl) {
        return new MadAddress(lid, 1, GMP_Q_KEY, sl, 0, 0, Gid.ZERO);
    }

    /** Returns where an answer to what came from here goes: the same, with the key of the class. */
    public MadAddress forAnswer(int mgmtClass) {
        int key = MgmtClass.isSmp(mgmtClass) ? 0 : GMP_Q_KEY;
        return key == qKey ? this : new MadAddress(lid, qpn, key, sl, pathBits, pKeyIndex, gid);
    }

    /** Returns LID and queue pair. */
    @Override
    public String toString() {
        return lid == PERMISSIVE ? "directed route" : "LID " + lid + (qpn == 0 ? "" : " QP " + qpn);
    }
}
