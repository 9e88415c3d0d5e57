package org.railyard.fabric.proof;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;

/** The senders of each switch as a verifier sees them: one for all that can not be told apart. Immutable. */
final class VerifierSenders {
    private final Fabric fabric;
    private final boolean switchPorts;
    private final List<Sender> all;
    /** By switch: where its senders begin; one entry more than switches. */
    private final int[] first;

    /**
     * A sender that stands for all of its switch that can not be told apart; {@code otherLid} is that of another port
     * among them, 0 if there is none. Its packets come by {@code input}, a port of the switch.
     */
    record Sender(int sw, int input, int port, int lid, int otherLid, int slClass) {
        /** Returns the LID that sends to an end port; 0 if nobody but that port itself would. */
        int lidTo(int destinationPort) {
            return port == destinationPort ? otherLid : lid;
        }
    }

    /**
     * Finds them.
     *
     * @param switchPorts whether port 0 of switches counts as end port
     */
    VerifierSenders(Fabric fabric, PathSls sls, SeenWaits waits, boolean switchPorts) {
        this.fabric = fabric;
        this.switchPorts = switchPorts;
        List<List<Sender>> bySwitch = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            bySwitch.add(new ArrayList<>());
        }
        for (int lid = 1; lid <= fabric.maxLid(); lid++) {
            int port = fabric.portOfLid(lid);
            if (isEnd(port)) {
                int sw = fabric.switchOf(port);
                Sender one = new Sender(sw, fabric.switchPortOf(port), port, lid, 0, sls.classOf(lid));
                add(bySwitch.get(sw), one, waits);
            }
        }
        all = bySwitch.stream().flatMap(List::stream).toList();
        first = new int[fabric.switchCount() + 1];
        all.forEach(sender -> first[sender.sw + 1]++);
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            first[sw + 1] += first[sw];
        }
    }

    private static void add(List<Sender> known, Sender one, SeenWaits waits) {
        int same = 0;
        while (same < known.size() && !sendsAlike(one, known.get(same), waits)) {
            same++;
        }
        if (same == known.size()) {
            known.add(one);
        } else if (known.get(same).port != one.port) {
            Sender old = known.get(same);
            known.set(same, new Sender(old.sw, old.input, old.port, old.lid, one.lid, old.slClass));
        }
    }

    private static boolean sendsAlike(Sender a, Sender b, SeenWaits waits) {
        int first = waits.firstPort[a.sw];
        return a.slClass == b.slClass && waits.slToVl[first + a.input] == waits.slToVl[first + b.input];
    }

    /** Returns whether packets are sent to a port, and by it; {@link Fabric#NONE} is none. */
    boolean isEnd(int port) {
        return port != Fabric.NONE
                && fabric.switchOf(port) != Fabric.NONE
                && (switchPorts || !fabric.isSwitch(fabric.nodeOf(port)));
    }

    /** Returns whether there is one end port only, to which nobody sends. */
    boolean isOnePort() {
        return all.size() == 1 && all.getFirst().otherLid == 0;
    }

    /** Returns all, switch by switch. */
    List<Sender> all() {
        return all;
    }

    /** Returns where those of a switch begin in {@link #all}, and those of the switch before it end. */
    int first(int sw) {
        return first[sw];
    }
}
