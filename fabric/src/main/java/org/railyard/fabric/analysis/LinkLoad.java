package org.railyard.fabric.analysis;

import java.util.Arrays;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.route.ForwardingTables;

/**
 * How many of the ways from every CA or router port to every other one use each cable, in each direction. Immutable.
 *
 * <p>Of a port with several LIDs the base LID counts. Takes time with end ports · switches.
 */
public final class LinkLoad {
    private final Fabric fabric;
    private final long[] ways;
    private final boolean[] between;
    private long pairs;
    private long lost;
    private long hops;
    private int longest;

    private LinkLoad(Fabric fabric) {
        this.fabric = fabric;
        ways = new long[fabric.portCount()];
        between = new boolean[fabric.portCount()];
        for (int port = 0; port < between.length; port++) {
            int peer = fabric.peer(port);
            between[port] =
                    peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(peer));
        }
    }

    /** Counts. */
    public static LinkLoad of(Fabric fabric, ForwardingTables tables) {
        LinkLoad load = new LinkLoad(fabric);
        load.count(tables);
        return load;
    }

    private void count(ForwardingTables tables) {
        int switches = fabric.switchCount();
        int[] senders = new int[switches];
        int all = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            if (isEnd(port)) {
                senders[fabric.switchOf(port)]++;
                all++;
            }
        }
        Tree tree = new Tree(switches);
        for (int lid = Lids.MIN_UNICAST; lid <= fabric.maxLid(); lid++) {
            int port = fabric.portOfLid(lid);
            if (port != Fabric.NONE && fabric.lid(port) == lid && isEnd(port)) {
                pairs += all - 1L;
                to(tables, lid, fabric.switchOf(port), senders, tree);
            }
        }
    }

    private boolean isEnd(int port) {
        return fabric.lid(port) != 0
                && fabric.isEndPort(port)
                && !fabric.isSwitch(fabric.nodeOf(port))
                && fabric.switchOf(port) != Fabric.NONE;
    }

    /** The ways to one LID, which join on their way: working arrays by switch. */
    private static final class Tree {
        final int[] port;
        final int[] next;
        final int[] waitingFor;
        final int[] order;
        final int[] passing;
        final int[] distance;

        Tree(int switches) {
            port = new int[switches];
            next = new int[switches];
            waitingFor = new int[switches];
            order = new int[switches];
            passing = new int[switches];
            distance = new int[switches];
        }
    }

    private void to(ForwardingTables tables, int lid, int last, int[] senders, Tree tree) {
        Arrays.fill(tree.waitingFor, 0);
        for (int sw = 0; sw < senders.length; sw++) {
            int number = tables.port(sw, lid);
            int port = number == 0 || number > fabric.ports(sw) ? Fabric.NONE : fabric.portIndex(sw, number);
            tree.next[sw] = Fabric.NONE;
            if (sw != last && port != Fabric.NONE && between[port]) {
                tree.port[sw] = port;
                tree.next[sw] = fabric.nodeOf(fabric.peer(port));
                tree.waitingFor[tree.next[sw]]++;
            }
        }
        int tail = 0;
        for (int sw = 0; sw < senders.length; sw++) {
            tree.passing[sw] = senders[sw];
            if (tree.waitingFor[sw] == 0) {
                tree.order[tail++] = sw;
            }
        }
        for (int head = 0; head < tail; head++) {
            int sw = tree.order[head];
            int to = tree.next[sw];
            if (to != Fabric.NONE) {
                tree.passing[to] += tree.passing[sw];
                if (--tree.waitingFor[to] == 0) {
                    tree.order[tail++] = to;
                }
            }
        }
        int arrived = -1;
        Arrays.fill(tree.distance, -1);
        for (int i = tail - 1; i >= 0; i--) {
            int sw = tree.order[i];
            int to = tree.next[sw];
            if (sw == last) {
                tree.distance[sw] = 0;
            } else if (to != Fabric.NONE && tree.distance[to] >= 0) {
                tree.distance[sw] = tree.distance[to] + 1;
                ways[tree.port[sw]] += tree.passing[sw];
                hops += (long) senders[sw] * tree.distance[sw];
                longest = Math.max(longest, senders[sw] == 0 ? 0 : tree.distance[sw]);
            }
            arrived += tree.distance[sw] >= 0 ? senders[sw] : 0;
        }
        lost += Arrays.stream(senders).sum() - 1L - arrived;
    }

    /** Returns the ways that leave by a switch port towards another switch; 0 for all other ports. */
    public long of(int port) {
        return ways[port];
    }

    /** Returns whether the port is one of those counted: a switch port towards another switch. */
    public boolean isBetweenSwitches(int port) {
        return between[port];
    }

    /** Returns the most hops between switches that a way takes. */
    public int longest() {
        return longest;
    }

    /** Returns the mean number of hops between switches of the ways that arrive. */
    public double meanHops() {
        return pairs == lost ? 0 : (double) hops / (pairs - lost);
    }

    /** Returns the ways of the most used cable. */
    public long most() {
        return Arrays.stream(ways).max().orElse(0);
    }

    /** Returns the sending port of the most used cable, the first of equals, or {@link Fabric#NONE}. */
    public int busiest() {
        int best = Fabric.NONE;
        for (int port = 0; port < ways.length; port++) {
            if (between[port] && (best == Fabric.NONE || ways[port] > ways[best])) {
                best = port;
            }
        }
        return best;
    }

    /** Returns the mean over all directions of all cables between switches. */
    public double mean() {
        long sum = 0;
        long count = 0;
        for (int port = 0; port < ways.length; port++) {
            sum += ways[port];
            count += between[port] ? 1 : 0;
        }
        return count == 0 ? 0 : (double) sum / count;
    }
}
