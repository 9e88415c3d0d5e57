package org.railyard.sm.sa;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.sa.LinkRateCode;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.sm.model.SubnetSnapshot;

/**
 * A snapshot made ready for queries: what paths need lies in arrays, so that a path is found without making objects.
 * Alias GUIDs are those of the moment; but for these it is immutable.
 */
final class SubnetView {
    /** There is no path. */
    static final int NO_PATH = -1;

    /** Most hops of a path. */
    private static final int MAX_HOPS = 64;

    private static final int MIN_MTU = 1;
    private static final int MAX_MTU = 5;
    private static final int STANDARD_MTU = 4;
    private static final int STANDARD_RATE = 100;
    private static final int MTU_BITS = 3;
    private static final int[] NO_KEYS = {};
    private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;

    private final SubnetSnapshot snapshot;
    private final Fabric fabric;
    private final @Nullable ForwardingTables forwarding;
    private final @Nullable PathSls sls;
    /** By port index: code of the MTU that the port, with its link, can do. */
    private final byte[] mtu;
    /** By port index: rate, units of 0.1 Gb/s; 0 where it is not told. */
    private final short[] rate;
    /** By port index: P_Keys, without empty entries. */
    private final int[][] keys;
    /** Port GUIDs in a table with open addressing, and the port index of each. */
    private final long[] guids;

    private final int[] portOfGuid;
    private final AliasGuids aliases;
    private final int multicastLids;
    private final int endPorts;

    /**
     * Makes one.
     *
     * @param before P_Keys that were not read, or not written for certain, count as they were in this one
     */
    SubnetView(SubnetSnapshot snapshot, AliasGuids aliases, @Nullable SubnetView before) {
        this.snapshot = snapshot;
        this.aliases = aliases;
        fabric = snapshot.fabric();
        Optional<Routing> routing = snapshot.routing();
        forwarding = routing.map(Routing::forwarding).orElse(null);
        sls = routing.map(Routing::sls).orElse(null);
        int ports = fabric.portCount();
        mtu = new byte[ports];
        rate = new short[ports];
        keys = new int[ports][];
        int count = 0;
        for (int port = 0; port < ports; port++) {
            Optional<PortInfo> info = snapshot.portInfo(port);
            boolean hasLink = fabric.portNumber(port) > 0;
            int able = info.map(said -> hasLink ? mtu(said) : said.getInt(PortInfo.MTU_CAP))
                    .orElse(STANDARD_MTU);
            mtu[port] = (byte) Math.clamp(able, MIN_MTU, MAX_MTU);
            rate[port] = info.map(SaRates::ofPort).orElse(0).shortValue();
            keys[port] = NO_KEYS;
            if (isEndPort(port)) {
                count++;
                keys[port] = keys(port, before);
            }
        }
        endPorts = count;
        int capacity = Integer.highestOneBit(Math.max(2, count)) << 2;
        guids = new long[capacity];
        portOfGuid = new int[capacity];
        Arrays.fill(portOfGuid, Fabric.NONE);
        for (int port = 0; port < ports; port++) {
            if (isEndPort(port)) {
                int at = slot(fabric.portGuid(port));
                if (portOfGuid[at] == Fabric.NONE) {
                    guids[at] = fabric.portGuid(port);
                    portOfGuid[at] = port;
                }
            }
        }
        multicastLids = multicastLids();
    }

    private int[] keys(int port, @Nullable SubnetView before) {
        List<Integer> known = snapshot.pKeys(port);
        int then = before == null || !known.isEmpty() ? Fabric.NONE : before.portOfOwnGuid(fabric.portGuid(port));
        return before == null || then == Fabric.NONE
                ? known.stream()
                        .mapToInt(Integer::intValue)
                        .filter(key -> key != 0)
                        .toArray()
                : before.keys(then);
    }

    /** Returns the fewest MFT entries of a switch: so many groups can have a LID of their own. */
    private int multicastLids() {
        int least = Integer.MAX_VALUE;
        for (int node = 0; node < fabric.switchCount(); node++) {
            Optional<SwitchInfo> info = snapshot.switchInfo(node);
            if (info.isPresent()) {
                least = Math.min(least, info.get().getInt(SwitchInfo.MULTICAST_CAP));
            }
        }
        return least;
    }

    int groupCapacity() {
        return multicastLids;
    }

    /** Returns how many end ports have a LID. */
    int endPorts() {
        return endPorts;
    }

    SubnetSnapshot snapshot() {
        return snapshot;
    }

    Fabric fabric() {
        return fabric;
    }

    /** Tells whether packets can start and end at a port: such a port has a LID. */
    boolean isEndPort(int port) {
        return fabric.isEndPort(port) && fabric.lid(port) != 0;
    }

    /** Returns the end port with a GUID, its own or an alias, or {@link Fabric#NONE}. */
    int portOfGuid(long guid) {
        int own = portOfOwnGuid(guid);
        return own == Fabric.NONE && aliases.count() > 0 ? portOfOwnGuid(aliases.ownerOf(guid)) : own;
    }

    /** Returns the end port whose own GUID it is, or {@link Fabric#NONE}. */
    int portOfOwnGuid(long guid) {
        return portOfGuid[slot(guid)];
    }

    /** A link that is up may have a smaller MTU than its port can: its ends drop what is larger. */
    private static int mtu(PortInfo said) {
        int able = said.getInt(PortInfo.MTU_CAP);
        int now = said.getInt(PortInfo.NEIGHBOR_MTU);
        return said.state().compareTo(PortState.INIT) > 0 && now != 0 ? Math.min(able, now) : able;
    }

    private int slot(long guid) {
        int mask = guids.length - 1;
        int at = (int) (guid * GOLDEN_RATIO >>> Integer.SIZE) & mask;
        // A quarter of the table is used at most, so there is an end.
        while (portOfGuid[at] != Fabric.NONE && guids[at] != guid) {
            at = at + 1 & mask;
        }
        return at;
    }

    int[] keys(int port) {
        return keys[port];
    }

    /** Tells whether two end ports can talk to each other. */
    boolean share(int port, int other) {
        return port == other || SaKeys.common(keys[port], keys[other]) != SaKeys.NONE;
    }

    /** Returns the components that do not count: of other nodes than switches a LID means one port. */
    long ignoredOf(int port, BitField number) {
        return fabric.isSwitch(fabric.nodeOf(port)) ? 0 : number.mask();
    }

    /** Returns the code of the largest MTU of a port. */
    int mtu(int port) {
        return mtu[port];
    }

    /** Returns the code of the rate of a port; that of 10 Gb/s where it is not told. */
    int rateCode(int port) {
        return LinkRateCode.ofTenths(rate[port] == 0 ? STANDARD_RATE : rate[port]);
    }

    /** Returns the first router's end port, or {@link Fabric#NONE}. */
    int firstRouter() {
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            for (int port = 1; fabric.type(node) == NodeType.ROUTER && port <= fabric.ports(node); port++) {
                int index = fabric.portIndex(node, port);
                if (isEndPort(index)) {
                    return index;
                }
            }
        }
        return Fabric.NONE;
    }

    /** Returns the SL of a path as the engine has it, {@link PathSls#NO_SL} if there is none. */
    int sl(int sourceLid, int destinationLid, int hint) {
        PathSls all = sls;
        return all == null ? PathSls.NO_SL : all.sl(sourceLid, destinationLid, hint);
    }

    /**
     * Follows the tables as they are programmed.
     *
     * @param source port index of an end port
     * @param lid LID of the destination
     * @return {@link #NO_PATH}, or what {@link #pathMtu} and {@link #pathRate} understand
     */
    int path(int source, int lid) {
        ForwardingTables tables = forwarding;
        int destination = fabric.portOfLid(lid);
        if (tables == null || destination == Fabric.NONE) {
            return NO_PATH;
        }
        int found = join(of(source), of(destination));
        if (source == destination) {
            return found;
        }
        int at = source;
        if (!fabric.isSwitch(fabric.nodeOf(source))) {
            at = fabric.peer(source);
            if (at == Fabric.NONE || at == destination) {
                return at == Fabric.NONE ? NO_PATH : found;
            }
            found = join(found, of(at));
        }
        for (int hop = 0; hop < MAX_HOPS; hop++) {
            int node = fabric.nodeOf(at);
            if (!fabric.isSwitch(node)) {
                return NO_PATH;
            }
            int out = tables.port(node, lid);
            if (out == 0) {
                return fabric.portIndex(node, 0) == destination ? found : NO_PATH;
            }
            if (out > fabric.ports(node)) {
                return NO_PATH;
            }
            int egress = fabric.portIndex(node, out);
            at = fabric.peer(egress);
            if (at == Fabric.NONE) {
                return NO_PATH;
            }
            found = join(found, join(of(egress), of(at)));
            if (at == destination) {
                return found;
            }
        }
        return NO_PATH;
    }

    private int of(int port) {
        int known = rate[port] == 0 ? Short.MAX_VALUE : rate[port];
        return known << MTU_BITS | mtu[port];
    }

    private static int join(int one, int other) {
        int lessMtu = Math.min(pathMtu(one), pathMtu(other));
        return Math.min(one >> MTU_BITS, other >> MTU_BITS) << MTU_BITS | lessMtu;
    }

    /** Returns the code of the largest MTU of a path. */
    static int pathMtu(int path) {
        return path & (1 << MTU_BITS) - 1;
    }

    /** Returns the code of the rate of a path. */
    static int pathRate(int path) {
        int tenths = path >> MTU_BITS;
        return LinkRateCode.ofTenths(tenths == Short.MAX_VALUE ? STANDARD_RATE : tenths);
    }
}
