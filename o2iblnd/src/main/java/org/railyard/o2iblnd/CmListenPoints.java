package org.railyard.o2iblnd;

import java.util.LinkedHashMap;
import java.util.Map;
import org.railyard.verbs.CmAddress;

/** The entrances of a transport, by their addresses. Belongs to the loop. */
final class CmListenPoints {
    private final O2ibLnd lnd;
    private final Map<CmAddress, CmListenPoint> open = new LinkedHashMap<>();

    CmListenPoints(O2ibLnd lnd) {
        this.lnd = lnd;
    }

    /**
     * Lets an interface take requests at an address.
     *
     * @throws org.railyard.verbs.VerbsException EADDRINUSE if somebody outside this transport listens there
     */
    CmListenPoint enter(Member member, CmAddress address) {
        CmListenPoint entrance = open.get(address);
        if (entrance == null) {
            entrance = new CmListenPoint(lnd, address);
            open.put(address, entrance);
        }
        entrance.add(member);
        return entrance;
    }

    /** Ends what {@link #enter} began. */
    void leave(CmListenPoint entrance, Member member) {
        entrance.remove(member);
        if (entrance.isEmpty()) {
            open.remove(entrance.address());
            entrance.close();
        }
    }
}
