package org.railyard.fabric.live;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.SlToVlTables;

/**
 * A running subnet as it was read. Of what is empty nothing was read. Immutable.
 *
 * @param fabric nodes, cables that carry something, and LIDs as ports have them
 * @param ownPort port index of the end port that it was read from, or {@link Fabric#NONE}
 * @param forwarding output ports by switch and LID
 * @param slToVl SL to VL of switches and end ports, which knows what was told
 * @param multicast output ports by switch and multicast LID; SLs of groups are in no table, 0 stands for all
 * @param arbitration VL arbitration by port index
 * @param sls SLs of paths, as the subnet administration tells them
 * @param unread what was asked for and not told, one line each: the rest is not the whole subnet
 * @param remarks what is odd in what was told, one line each
 */
public record LiveSubnet(
        Fabric fabric,
        int ownPort,
        Optional<ForwardingTables> forwarding,
        Optional<SlToVlTables> slToVl,
        Optional<MulticastTables> multicast,
        SortedMap<Integer, PortArbitration> arbitration,
        Optional<PathSls> sls,
        List<String> unread,
        List<String> remarks) {
    /** Takes copies. */
    public LiveSubnet {
        arbitration = Collections.unmodifiableSortedMap(new TreeMap<>(arbitration));
        unread = List.copyOf(unread);
        remarks = List.copyOf(remarks);
    }
}
