package org.railyard.lnet.lnd;

/**
 * The tunables that every net has (spec 10 §7, 12 §2.2).
 *
 * @param peerTimeout window of a router's peer aliveness, s, at least 0
 * @param peerCredits sends in progress to one peer NI, at least 1
 * @param peerBufferCredits router credits per peer NI, at least 0; 0 means as many as peer credits
 * @param credits sends in progress per NI, at least 1
 */
public record NetTunables(int peerTimeout, int peerCredits, int peerBufferCredits, int credits) {
    /** 180 s, 8, 0, 256. */
    public static final NetTunables DEFAULT = new NetTunables(180, 8, 0, 256);

    /**
     * Checks ranges and caps peer credits at credits.
     *
     * @throws IllegalArgumentException if one is out of range; names it, its value and the range
     */
    public NetTunables {
        check("peer_timeout", peerTimeout, 0);
        check("peer_credits", peerCredits, 1);
        check("peer_buffer_credits", peerBufferCredits, 0);
        check("credits", credits, 1);
        peerCredits = Math.min(peerCredits, credits);
    }

    private static void check(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " " + value + "; expected " + least + " or more");
        }
    }
}
