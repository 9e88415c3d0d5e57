package org.railyard.o2iblnd.peer;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.o2iblnd.cm.PathLookup;
import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.verbs.PathRecord;

/**
 * Looks up again which paths lead to peers, after the subnet manager said that they may be others (spec 24 §6.1). A few
 * at a time: all nodes of a subnet ask at once. Belongs to the loop.
 */
public final class PathReview {
    /** A route whose path can be looked up. */
    interface Route {
        /** Returns the address of the interface, first octet in the highest bits. */
        int localIp();

        /** Returns the address of the peer, first octet in the highest bits. */
        int ip();

        /** The path was looked up. */
        void pathIs(PathRecord found);
    }

    /** Most lookups under way. */
    static final int MAX_AT_ONCE = 16;

    private final NiContext ni;
    private final Set<Route> waiting = new LinkedHashSet<>();
    private final List<PathLookup> asked = new ArrayList<>();

    /** Makes the review of the paths of an NI. */
    public PathReview(NiContext ni) {
        this.ni = ni;
    }

    void add(Route route) {
        waiting.add(route);
        ask();
    }

    private void ask() {
        while (asked.size() < MAX_AT_ONCE && !waiting.isEmpty()) {
            Iterator<Route> first = waiting.iterator();
            Route route = first.next();
            first.remove();
            PathLookup lookup = new PathLookup(ni, (which, path) -> answered(which, route, path));
            asked.add(lookup);
            lookup.begin(route.localIp(), route.ip());
        }
    }

    private void answered(PathLookup lookup, Route route, @Nullable PathRecord path) {
        asked.remove(lookup);
        if (path != null) {
            route.pathIs(path);
        }
        ni.loop().execute(this::askIfWanted);
    }

    private void askIfWanted() {
        if (!ni.isStopped()) {
            ask();
        }
    }

    /** Ends all lookups. */
    public void stop() {
        waiting.clear();
        asked.forEach(PathLookup::close);
        asked.clear();
    }
}
