package org.railyard.sm.sa;

import org.railyard.fabric.model.Fabric;
import org.railyard.sm.conf.PrefixRoutes;

/** One end of the paths that a request is about. Filled again for each request. */
final class PathEnd {
    /** What was found out about an end. */
    enum Kind {
        /** Nothing was told about it. */
        ANY,
        /** It is a port. */
        PORT,
        /** There is no such port. */
        NOBODY
    }

    /** How multicast GIDs begin. */
    private static final int MULTICAST = 0xFF;

    private static final int MULTICAST_SHIFT = 56;

    private final SubnetView view;
    private final SaSettings settings;

    Kind kind = Kind.ANY;

    /** Port index. */
    int port;

    /** The only LID to be used, 0 for all of the port. */
    int lid;

    /** GID prefix to answer with. */
    long prefix;

    /** GUID to answer with: that of a port, or of one in another subnet. */
    long guid;

    /** It is in another subnet; the port is that of the router. */
    boolean isForeign;

    PathEnd(SubnetView view, SaSettings settings) {
        this.view = view;
        this.settings = settings;
    }

    void clear() {
        kind = Kind.ANY;
        lid = 0;
        isForeign = false;
        prefix = settings.subnetPrefix();
    }

    /** Makes a port the end. */
    void take(int newPort) {
        kind = Kind.PORT;
        port = newPort;
        guid = view.fabric().portGuid(newPort);
    }

    /** Takes a GID: of this subnet, or, where routers are allowed, of another one. */
    void gid(long askedPrefix, long askedGuid, boolean mayLeave) {
        boolean isHere = settings.isHere(askedPrefix);
        int found = isHere ? view.portOfGuid(askedGuid) : mayLeave ? router(askedPrefix) : Fabric.NONE;
        if (found == Fabric.NONE) {
            kind = Kind.NOBODY;
            return;
        }
        take(found);
        prefix = askedPrefix;
        guid = askedGuid;
        isForeign = !isHere;
    }

    private int router(long askedPrefix) {
        if (askedPrefix >>> MULTICAST_SHIFT == MULTICAST) {
            // No router is the end of paths to a group, whatever other subnets it leads to.
            return Fabric.NONE;
        }
        for (PrefixRoutes.Route route : settings.prefixRoutes().of(askedPrefix)) {
            int found = route.guid().isPresent() ? view.portOfGuid(route.guid().getAsLong()) : view.firstRouter();
            if (found != Fabric.NONE) {
                return found;
            }
        }
        return Fabric.NONE;
    }

    /** Takes a LID, which has to be one of the port that is known already. */
    void lid(int asked) {
        int found = view.fabric().portOfLid(asked);
        if (found == Fabric.NONE || kind == Kind.NOBODY || kind == Kind.PORT && found != port) {
            kind = Kind.NOBODY;
            return;
        }
        if (kind == Kind.ANY) {
            take(found);
        }
        lid = asked;
    }

    /** Returns how many LIDs there are to choose from. */
    int lids() {
        return lid != 0 ? 1 : 1 << view.fabric().lmc(port);
    }

    /** Returns one of the LIDs. */
    int lidAt(int offset) {
        return lid != 0 ? lid : view.fabric().lid(port) + offset;
    }
}
