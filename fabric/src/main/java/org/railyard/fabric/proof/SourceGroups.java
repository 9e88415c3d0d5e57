package org.railyard.fabric.proof;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.SlToVl;

/**
 * The senders of each switch, one for all that can not be told apart: same SL class, same SL to VL from their port to
 * every output.
 */
final class SourceGroups {
    private final Source[][] bySwitch;
    private final Fabric fabric;
    private final PathSls sls;
    private final SlToVl slToVl;

    /**
     * One sender that stands for its group.
     *
     * @param endPort port index of the end port
     * @param input port of the switch by which its packets come, 0 for the switch's own
     * @param lid base LID
     * @param slClass its SL class, −1 = none
     * @param count how many senders it stands for
     * @param otherLid base LID of another of them, 0 if there is none
     */
    record Source(int endPort, int input, int lid, int slClass, int count, int otherLid) {
        /** Returns the LID of a sender in this group to an end port: another one's for the representative itself. */
        int lidTo(int destinationPort) {
            return destinationPort == endPort ? otherLid : lid;
        }
    }

    SourceGroups(Fabric fabric, PathSls sls, SlToVl slToVl, CheckOptions options) {
        this.fabric = fabric;
        this.sls = sls;
        this.slToVl = slToVl;
        List<List<Source>> groups = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            groups.add(new ArrayList<>());
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            if (!isSource(fabric, port, options)) {
                continue;
            }
            int sw = fabric.switchOf(port);
            int lid = fabric.lid(port);
            Source one = new Source(port, fabric.switchPortOf(port), lid, sls.classOf(lid), 1, 0);
            List<Source> known = groups.get(sw);
            int same = options.hostChannels() ? -1 : find(known, one, fabric, slToVl, sw);
            if (same < 0) {
                known.add(one);
            } else {
                Source old = known.get(same);
                known.set(same, new Source(old.endPort, old.input, old.lid, old.slClass, old.count + 1, lid));
            }
        }
        bySwitch = groups.stream().map(list -> list.toArray(Source[]::new)).toArray(Source[][]::new);
    }

    static boolean isSource(Fabric fabric, int port, CheckOptions options) {
        return fabric.lid(port) != 0
                && fabric.isEndPort(port)
                && fabric.switchOf(port) != Fabric.NONE
                && (options.switchPorts() || !fabric.isSwitch(fabric.nodeOf(port)));
    }

    private static int find(List<Source> known, Source one, Fabric fabric, SlToVl slToVl, int sw) {
        for (int i = 0; i < known.size(); i++) {
            Source other = known.get(i);
            boolean same = other.slClass == one.slClass;
            for (int out = 0; same && out <= fabric.ports(sw); out++) {
                same = slToVl.table(sw, other.input, out) == slToVl.table(sw, one.input, out);
            }
            if (same) {
                return i;
            }
        }
        return -1;
    }

    /** Tells whether a port of this switch is the sender, or one of those that it stands for. */
    boolean contains(Source group, int sw, int port) {
        if (fabric.switchOf(port) != sw || group.count == 1) {
            return group.endPort == port;
        }
        int lid = fabric.lid(port);
        Source one = new Source(port, fabric.switchPortOf(port), lid, sls.classOf(lid), 1, 0);
        return find(List.of(group), one, fabric, slToVl, sw) == 0;
    }

    Source[] of(int sw) {
        return bySwitch[sw];
    }
}
