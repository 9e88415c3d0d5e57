package org.railyard.lnet.model;

import java.util.ArrayList;
import java.util.List;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.nid.Net;

/** A local net with its NIs, in the order of configuration. */
public final class LocalNet {
    /** Priority, as unsigned, of what no selection rule speaks of: the worst. */
    public static final int NO_PRIORITY = -1;

    private final Net net;
    private final NetTunables tunables;
    private final int routerCredits;

    /** Its NIs. */
    public final List<LocalNi> nis = new ArrayList<>();

    /** Priority by the selection policy, unsigned: 0 is best, {@link #NO_PRIORITY} if no rule speaks of it. */
    public int priority = NO_PRIORITY;

    /** Stamp of the last choice; lower was used longer ago. */
    public long seq;

    /** For a router: when a node on it pinged us last, monotonic ns; meaningful if {@link #heard}. */
    public long lastHeard;

    /** Whether a node on it ever pinged us while we were a router. */
    public boolean heard;

    /** Whether its NIs are announced as down because nobody on it pings us any more. */
    public boolean silent;

    /**
     * Makes a net without NIs.
     *
     * @param peerBufferCredits router credits of its peer NIs if its tunables do not say; 0 for as many as they have
     *     send credits
     */
    public LocalNet(Net net, NetTunables tunables, int peerBufferCredits) {
        this.net = net;
        this.tunables = tunables;
        int own = tunables.peerBufferCredits();
        this.routerCredits = own > 0 ? own : peerBufferCredits > 0 ? peerBufferCredits : tunables.peerCredits();
    }

    /** Makes a net without NIs, whose peer NIs have as many router credits as its tunables say. */
    public LocalNet(Net net, NetTunables tunables) {
        this(net, tunables, 0);
    }

    /** Returns how many router buffers each of its peer NIs may fill at a time. */
    public int routerCredits() {
        return routerCredits;
    }

    /** Returns its id. */
    public Net net() {
        return net;
    }

    /** Returns its tunables. */
    public NetTunables tunables() {
        return tunables;
    }

    /** Returns the best health among NIs that can carry traffic; −1 if none can. */
    public int health() {
        int best = -1;
        for (int i = 0; i < nis.size(); i++) {
            LocalNi ni = nis.get(i);
            if (ni.isUsable()) {
                best = Math.max(best, ni.health);
            }
        }
        return best;
    }
}
