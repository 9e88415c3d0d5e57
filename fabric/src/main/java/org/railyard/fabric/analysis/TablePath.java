package org.railyard.fabric.analysis;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/**
 * The way that packets take through given tables. Immutable.
 *
 * @param source port index of the sender
 * @param destinationLid unicast LID
 * @param sl service level
 * @param hops from the sender's cable on; empty if it sends to itself
 * @param end how it ends
 */
public record TablePath(int source, int destinationLid, int sl, List<Hop> hops, End end) {
    /** Takes a copy. */
    public TablePath {
        hops = List.copyOf(hops);
    }

    /**
     * One cable.
     *
     * @param port port index of the sending port
     * @param vl VL that the packets travel on
     */
    public record Hop(int port, int vl) {}

    /** How a way ends. */
    public enum End {
        /** At the destination. */
        ARRIVED("arrives"),
        /** At a switch without an entry for the LID, or one whose entry leads nowhere. */
        NO_ROUTE("ends: the last switch has no route to this LID"),
        /** At a port that the LID does not belong to. */
        WRONG_END("ends at a port that the LID does not belong to"),
        /** Never: packets come back to a switch where they were. */
        GOES_ROUND("goes round for ever"),
        /** At a switch that maps the SL to VL 15. */
        DROPPED("is dropped: the last switch maps the SL to VL 15");

        private final String text;

        End(String text) {
            this.text = text;
        }

        /** Returns what to say of the packets. */
        public String text() {
            return text;
        }
    }

    /**
     * Follows the tables.
     *
     * @param source port index of an end port that a switch serves
     * @param destinationLid unicast LID of some end port
     * @param sl 0–15
     */
    public static TablePath follow(Fabric fabric, Routing routing, int source, int destinationLid, int sl) {
        List<Hop> hops = new ArrayList<>();
        int target = fabric.portOfLid(destinationLid);
        int sw = fabric.switchOf(source);
        int input = fabric.switchPortOf(source);
        if (source == target) {
            return new TablePath(source, destinationLid, sl, hops, End.ARRIVED);
        }
        if (sw == Fabric.NONE) {
            return new TablePath(source, destinationLid, sl, hops, End.NO_ROUTE);
        }
        if (input != 0) {
            hops.add(new Hop(source, SlToVl.vl(routing.slToVl().endTable(source), sl)));
        }
        for (int visited = 0; visited <= fabric.switchCount(); visited++) {
            int output = routing.forwarding().port(sw, destinationLid);
            if (output == 0 || output > fabric.ports(sw)) {
                boolean own = output == 0 && target == fabric.portIndex(sw, 0);
                return new TablePath(source, destinationLid, sl, hops, own ? End.ARRIVED : End.NO_ROUTE);
            }
            int port = fabric.portIndex(sw, output);
            int peer = fabric.peer(port);
            if (peer == Fabric.NONE) {
                return new TablePath(source, destinationLid, sl, hops, End.NO_ROUTE);
            }
            int vl = SlToVl.vl(routing.slToVl().table(sw, input, output), sl);
            if (vl == SlToVl.DROP) {
                return new TablePath(source, destinationLid, sl, hops, End.DROPPED);
            }
            hops.add(new Hop(port, vl));
            if (!fabric.isSwitch(fabric.nodeOf(peer))) {
                return new TablePath(source, destinationLid, sl, hops, peer == target ? End.ARRIVED : End.WRONG_END);
            }
            sw = fabric.nodeOf(peer);
            input = fabric.portNumber(peer);
        }
        return new TablePath(source, destinationLid, sl, hops, End.GOES_ROUND);
    }
}
