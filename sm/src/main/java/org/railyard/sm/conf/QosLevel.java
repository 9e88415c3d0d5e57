package org.railyard.sm.conf;

/**
 * What a QoS policy gives to paths.
 *
 * @param name as rules name it
 * @param sl service level that is wished for, 0 to 15; a routing engine that needs SLs for itself takes of it what it
 *     can
 * @param mtu code of the largest MTU, 0 for no limit
 * @param rate code of the highest rate, 0 for no limit
 * @param packetLife longest packet life, 4.096 µs · 2^n, −1 for no limit
 * @param pKey P_Key that paths have to use, 0 for any
 * @param line where the SL is told, from 1
 * @param column where in that line, from 1
 */
public record QosLevel(String name, int sl, int mtu, int rate, int packetLife, int pKey, int line, int column) {
    /** Name of the level of what no rule matches. */
    public static final String DEFAULT = "DEFAULT";

    /** Returns a level that has an SL and no limits. */
    static QosLevel ofSl(String name, int sl, QosLines.Line line) {
        return new QosLevel(name, sl, 0, 0, -1, 0, line.number(), line.column());
    }
}
