package org.railyard.lnet.forward;

import java.util.List;
import org.railyard.lnet.model.LocalNet;

/**
 * Which of its own nets a router has heard nodes on of late: those that use it ping it regularly. On a net that is
 * silent its NIs are announced as down, so that others look for another way there (spec 11 §6.7). Guarded by the
 * stack's lock.
 */
public final class NetWatch {
    private NetWatch() {}

    /** A node on a net pinged us; returns whether the net was silent until now. */
    public static boolean heard(LocalNet net, long now) {
        boolean wasSilent = net.silent;
        net.heard = true;
        net.lastHeard = now;
        net.silent = false;
        return wasSilent;
    }

    /**
     * Looks for nets that have become silent.
     *
     * @param window how long a net may be silent, ns
     * @return whether there is one
     */
    public static boolean look(List<LocalNet> nets, long now, long window) {
        boolean changed = false;
        for (int i = 0; i < nets.size(); i++) {
            LocalNet net = nets.get(i);
            boolean silent = !net.heard || now - net.lastHeard >= window;
            changed |= silent && !net.silent;
            net.silent = silent;
        }
        return changed;
    }

    /** Nobody cares any more; returns whether a net was silent. */
    public static boolean end(List<LocalNet> nets) {
        boolean changed = false;
        for (int i = 0; i < nets.size(); i++) {
            changed |= nets.get(i).silent;
            nets.get(i).silent = false;
        }
        return changed;
    }
}
