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

    /** Its NIs. */
    public final List<LocalNi> nis = new ArrayList<>();

    /** Priority by the selection policy, unsigned: 0 is best, {@link #NO_PRIORITY} if no rule speaks of it. */
    public int priority = NO_PRIORITY;

    /** Stamp of the last choice; lower was used longer ago. */
    public long seq;

    /** Makes a net without NIs. */
    public LocalNet(Net net, NetTunables tunables) {
        this.net = net;
        this.tunables = tunables;
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
