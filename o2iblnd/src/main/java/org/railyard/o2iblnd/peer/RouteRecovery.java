package org.railyard.o2iblnd.peer;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.railyard.o2iblnd.ni.NiContext;

/**
 * Routes that are to be connected again, each once, in the order in which they were met (spec 21 cb-063, cb-064).
 * Belongs to the loop.
 */
public final class RouteRecovery {
    /** A route that can be connected again. */
    interface Route {
        /** Connects it again; it is no more on the list of those to be recovered. */
        void reconnect();
    }

    /** Most routes whose connection is begun at a time; the others follow a second later. */
    static final int MAX_AT_ONCE = 100;

    private final NiContext ni;
    private final Set<Route> list = new LinkedHashSet<>();
    private boolean scheduled;

    /** Makes the recovery of the routes of an NI. */
    public RouteRecovery(NiContext ni) {
        this.ni = ni;
    }

    void add(Route route) {
        list.add(route);
        if (!scheduled) {
            scheduled = true;
            ni.loop().execute(this::run);
        }
    }

    boolean contains(Route route) {
        return list.contains(route);
    }

    void forget(Route route) {
        list.remove(route);
    }

    /** Begins with some of them. */
    public void run() {
        scheduled = false;
        for (int i = 0; i < MAX_AT_ONCE && !list.isEmpty() && !ni.isStopped(); i++) {
            Iterator<Route> first = list.iterator();
            Route route = first.next();
            first.remove();
            route.reconnect();
        }
    }
}
