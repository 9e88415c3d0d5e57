package org.railyard.fabric.route;

import java.util.List;

/**
 * Everything a subnet manager needs to know to run a fabric.
 *
 * @param engine name of the engine, or where the tables come from
 * @param forwarding output ports by switch and LID
 * @param sls SLs of paths
 * @param slToVl VLs by switch, input port, output port and SL
 * @param multicast output ports by switch and multicast LID
 * @param notes remarks for people, one line each
 */
public record Routing(
        String engine,
        ForwardingTables forwarding,
        PathSls sls,
        SlToVl slToVl,
        MulticastTables multicast,
        List<String> notes)
        implements RoutingResult {
    /** Takes a copy of the notes. */
    public Routing {
        notes = List.copyOf(notes);
    }
}
