package org.railyard.lnet.lnd;

/**
 * The tunables that every net has (spec 10 §7, 12 §2.2).
 *
 * @param peerTimeout window of a router's peer aliveness, s
 * @param peerCredits sends in progress to one peer NI, at least 1
 * @param peerBufferCredits router credits per peer NI; 0 means as many as peer credits
 * @param credits sends in progress per NI, at least 1
 */
public record NetTunables(int peerTimeout, int peerCredits, int peerBufferCredits, int credits) {
    /** 180 s, 8, 0, 256. */
    public static final NetTunables DEFAULT = new NetTunables(180, 8, 0, 256);

    /** Checks ranges and caps peer credits at credits. */
    public NetTunables {
        if (peerTimeout < 0 || peerCredits < 1 || peerBufferCredits < 0 || credits < 1) {
            throw new IllegalArgumentException(
                    "net tunables out of range: peer_timeout " + peerTimeout + ", peer_credits " + peerCredits
                            + ", peer_buffer_credits " + peerBufferCredits + ", credits " + credits);
        }
        peerCredits = Math.min(peerCredits, credits);
    }
}
