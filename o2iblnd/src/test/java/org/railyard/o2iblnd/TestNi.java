package org.railyard.o2iblnd;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/** The NI of a rail, with default tunables. */
record TestNi(Nid nid, Net net, String interfaceName, NetTunables tunables, Map<String, Integer> lndTunables)
        implements LndNi {
    static TestNi of(int machine, int rail) {
        Nid nid = IbWorld.nid(machine, rail);
        return new TestNi(nid, nid.net(), "ib" + rail, NetTunables.DEFAULT, Map.of());
    }

    /** The NI of a group of the first so many interfaces. */
    static TestNi group(int machine, int members, Map<String, Integer> tunables) {
        Nid nid = IbWorld.nid(machine, 0);
        String names = IntStream.range(0, members).mapToObj(i -> "ib" + i).collect(Collectors.joining(","));
        return new TestNi(nid, nid.net(), names, NetTunables.DEFAULT, tunables);
    }
}
