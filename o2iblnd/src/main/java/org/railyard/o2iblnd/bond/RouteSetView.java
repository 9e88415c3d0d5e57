package org.railyard.o2iblnd.bond;

import java.util.List;
import org.railyard.lnet.nid.Nid;

/**
 * The routes from an NI to a peer as they are now.
 *
 * @param ni NID of the NI
 * @param peer NID of the peer
 * @param origin where the addresses come from that routes lead to
 * @param learned addresses that the peer told of itself; empty if it did not
 * @param routes in the order in which messages take turns on them, those that are none last
 */
public record RouteSetView(Nid ni, Nid peer, Origin origin, List<Integer> learned, List<RouteView> routes) {
    /** Where addresses of a peer come from. */
    public enum Origin {
        /** Nothing is known but the NID. */
        NID("nid"),
        /** A target is configured. */
        TARGET("target"),
        /** The peer has told them. */
        LEARNED("learned");

        private final String text;

        Origin(String text) {
            this.text = text;
        }

        /** Returns its name in documents. */
        public String text() {
            return text;
        }
    }

    /** Copies the lists. */
    public RouteSetView {
        learned = List.copyOf(learned);
        routes = List.copyOf(routes);
    }
}
