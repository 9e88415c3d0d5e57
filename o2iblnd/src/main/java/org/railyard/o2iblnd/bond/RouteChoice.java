package org.railyard.o2iblnd.bond;

/** Which route carries the next message (spec 21 cb-046, cb-063, cb-065): a pure function. */
public final class RouteChoice {
    /** No route: the message can not go. */
    public static final int NONE = -1;

    private RouteChoice() {}

    /** What there is to know of the routes of a set, by their index. */
    public interface Routes {
        /** Returns how many there are. */
        int count();

        /** Returns the state of one. */
        RouteState state(int route);

        /** Tells whether its interface may carry traffic. */
        boolean isUsable(int route);

        /**
         * A route that was disconnected was met, and its interface may carry traffic: it is to be connected again, if
         * it is time.
         */
        void recover(int route);
    }

    /**
     * Picks a route: the first from the cursor on that carries messages or was never tried. Those that are met on the
     * way and were disconnected are handed over to be connected again. If all were, one that is being connected.
     *
     * @param cursor where to begin
     * @return the index of the route, or {@link #NONE}
     */
    public static int pick(int cursor, Routes routes) {
        int count = routes.count();
        for (int i = 0; i < count; i++) {
            int route = (cursor + i) % count;
            if (!routes.isUsable(route)) {
                continue;
            }
            switch (routes.state(route)) {
                case NEW, CONNECTING, CONNECTED -> {
                    return route;
                }
                case DISCONNECTED -> routes.recover(route);
                case RECONNECTING -> {
                    // Another one, if there is one.
                }
            }
        }
        for (int i = 0; i < count; i++) {
            int route = (cursor + i) % count;
            if (routes.isUsable(route) && routes.state(route) == RouteState.RECONNECTING) {
                return route;
            }
        }
        return NONE;
    }
}
