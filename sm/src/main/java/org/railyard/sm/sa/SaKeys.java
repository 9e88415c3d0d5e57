package org.railyard.sm.sa;

/** P_Keys of ports: who may talk to whom. Each table is an array of keys without empty entries. */
final class SaKeys {
    private static final int FULL_MEMBER = 0x8000;
    private static final int PARTITION = 0x7FFF;

    /** No key. */
    static final int NONE = 0;

    private SaKeys() {}

    /**
     * Returns the first key of a table with which its port can talk to a port with another table, {@link #NONE} if
     * there is none: one of the two has to be a full member.
     */
    static int common(int[] table, int[] other) {
        for (int key : table) {
            if (agrees(key, other)) {
                return key;
            }
        }
        return NONE;
    }

    /** Returns the key of a table that two ports share for a partition, {@link #NONE} if they do not. */
    static int common(int[] table, int[] other, int asked) {
        for (int key : table) {
            if ((key & PARTITION) == (asked & PARTITION) && agrees(key, other)) {
                return key;
            }
        }
        return NONE;
    }

    /** Tells whether a port is a member of a partition, full or limited. */
    static boolean has(int[] table, int asked) {
        for (int key : table) {
            if ((key & PARTITION) == (asked & PARTITION)) {
                return true;
            }
        }
        return false;
    }

    private static boolean agrees(int key, int[] other) {
        for (int one : other) {
            if ((one & PARTITION) == (key & PARTITION) && ((one | key) & FULL_MEMBER) != 0) {
                return true;
            }
        }
        return false;
    }
}
