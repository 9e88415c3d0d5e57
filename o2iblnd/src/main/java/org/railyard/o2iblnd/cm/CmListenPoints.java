package org.railyard.o2iblnd.cm;

import java.util.LinkedHashMap;
import java.util.Map;
import org.railyard.o2iblnd.ni.O2ibContext;
import org.railyard.verbs.CmAddress;

/** Where a transport listens, by their addresses. Belongs to the loop. */
public final class CmListenPoints {
    private final O2ibContext context;
    private final Map<CmAddress, CmListenPoint> open = new LinkedHashMap<>();

    /** Makes an empty table. */
    public CmListenPoints(O2ibContext context) {
        this.context = context;
    }

    /**
     * Lets an interface take requests at an address.
     *
     * @throws org.railyard.verbs.VerbsException EADDRINUSE if another program listens there
     */
    public CmListenPoint enter(ListeningInterface member, CmAddress address) {
        CmListenPoint point = open.get(address);
        if (point == null) {
            point = new CmListenPoint(context, address);
            open.put(address, point);
        }
        point.add(member);
        return point;
    }

    /** Ends what {@link #enter} began. */
    public void leave(CmListenPoint point, ListeningInterface member) {
        point.remove(member);
        if (point.isEmpty()) {
            open.remove(point.address());
            point.close();
        }
    }
}
