package org.railyard.lnet.nid;

/**
 * A process on a node: NID and process id (spec 01 §1.3, §2). Immutable.
 *
 * @param nid the NID, {@link Nid#ANY} as a wildcard
 * @param pid the process id, {@link #ANY_PID} as a wildcard
 */
public record ProcessId(Nid nid, int pid) {
    /** The process id of every kernel node, and of ours. */
    public static final int LUSTRE_PID = 12345;

    /** Matches every process id. */
    public static final int ANY_PID = -1;

    /** Reserved bits. */
    public static final int RESERVED_BITS = 0xf0000000;

    /** Set by a receiver on peers that come from unprivileged ports. */
    public static final int USER_FLAG = 0x80000000;

    private static final String ANY_PID_TEXT = "LNET_PID_ANY";

    /** Matches every process of every node. */
    public static final ProcessId ANY = new ProcessId(Nid.ANY, ANY_PID);

    /** Returns the LNet process of the node with the given NID. */
    public static ProcessId of(Nid nid) {
        return new ProcessId(nid, LUSTRE_PID);
    }

    /**
     * Reads {@code pid-nid}, or a bare NID, which means process id 12345.
     *
     * @throws NidFormatException if the text is neither
     */
    public static ProcessId parse(String text) {
        int dash = text.indexOf('-');
        if (dash < 0) {
            return of(Nid.parse(text));
        }
        String pidText = text.substring(0, dash);
        Nid nid;
        try {
            nid = Nid.parse(text.substring(dash + 1));
        } catch (NidFormatException e) {
            throw new NidFormatException(text, dash + 1 + e.column(), "a NID behind '-'");
        }
        return new ProcessId(nid, parsePid(text, pidText));
    }

    private static int parsePid(String text, String pidText) {
        if (pidText.equals(ANY_PID_TEXT)) {
            return ANY_PID;
        }
        String expected = "a process id, decimal, with U in front for a user process";
        TextCursor in = TextCursor.over(text).until(pidText.length());
        boolean user = in.accept('U');
        int pid = (int) in.decimal(user ? Integer.MAX_VALUE : 0xffffffffL, expected);
        in.expectEnd("'-' behind the process id");
        return user ? pid | USER_FLAG : pid;
    }

    @Override
    public String toString() {
        String text;
        if (pid == ANY_PID) {
            text = ANY_PID_TEXT;
        } else if ((pid & USER_FLAG) != 0) {
            text = "U" + (pid & ~USER_FLAG);
        } else {
            text = Integer.toUnsignedString(pid);
        }
        return text + "-" + nid;
    }
}
