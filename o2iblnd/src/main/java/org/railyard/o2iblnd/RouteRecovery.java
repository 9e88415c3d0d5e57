package org.railyard.o2iblnd;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Routes that are to be connected again, each once, in the order in which they were met (spec 21 cb-063, cb-064).
 * Belongs to the loop.
 */
final class RouteRecovery {
    /** Most routes whose connection is begun at a time; the others follow a second later. */
    static final int MAX_AT_ONCE = 100;

    private final IbNi ni;
    private final Set<IbPeer> list = new LinkedHashSet<>();
    private boolean scheduled;

    RouteRecovery(IbNi ni) {
        this.ni = ni;
    }

    void add(IbPeer route) {
        list.add(route);
        if (!scheduled) {
            scheduled = true;
            ni.loop().execute(this::run);
        }
    }

    boolean contains(IbPeer route) {
        return list.contains(route);
    }

    void forget(IbPeer route) {
        list.remove(route);
    }

    /** Begins with some of them. */
    void run() {
        scheduled = false;
        for (int i = 0; i < MAX_AT_ONCE && !list.isEmpty() && !ni.isStopped(); i++) {
            Iterator<IbPeer> first = list.iterator();
            IbPeer route = first.next();
            first.remove();
            route.reconnect();
        }
    }
}
