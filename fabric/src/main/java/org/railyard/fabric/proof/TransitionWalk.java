package org.railyard.fabric.proof;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/**
 * The flows to one LID while switches change from the old entry to the new one: whether packets can go round, and which
 * channels they hold one after the other. A packet meets the entries of each switch as it passes; so a path may be old
 * and new in turns, or, if switches are written nearest to the destination first, old at its beginning and new from
 * some switch on.
 *
 * <p>For one LID after the other; not thread safe.
 */
final class TransitionWalk {
    private static final int SLS = 16;
    private static final int WORDS = 4;
    private static final int LEVELS = 2;
    private static final Transition.Stranger[] NOBODY = {};

    /** What hears of a dependency. */
    interface Edges {
        /** A packet of the flow can hold one channel and wait for the other. */
        void add(int from, int to, int sourceLid, int destinationLid, int sl);
    }

    /** How the entries of a LID are changed. */
    enum Mode {
        /** Switches in any order. */
        ANY_ORDER,
        /** Nearest to the destination first, by the new tables. */
        NEAREST_FIRST,
        /** Only old entries are in use: those that change are being emptied. */
        OLD_ONLY,
        /** Only new entries are in use: the others were emptied before. */
        NEW_ONLY
    }

    private final Fabric fabric;
    private final Routing before;
    private final Routing after;
    private final TransitionEntries entries;
    private final boolean vlsChange;
    private final boolean slsChange;
    private final int switches;
    private final Sender[][] senders;

    /** By switch. */
    private final Transition.Stranger[][] strangers;

    /** By layer and switch. */
    private final int[] waiting;

    private final int[] order;
    private int ordered;
    private final boolean[] meets;
    private final long[] pairs;
    private final char[] pairSource;

    /**
     * An end port that packets come from, and all at its switch that can not be told apart from it.
     *
     * @param input port of the switch by which its packets come
     * @param endPort port index
     * @param lid base LID
     * @param otherLid base LID of another one, 0 if there is none
     * @param oldClass SL class in the old tables
     * @param newClass SL class in the new ones
     */
    private record Sender(int input, int endPort, int lid, int otherLid, int oldClass, int newClass) {
        int lidTo(int destinationPort) {
            return destinationPort == endPort ? otherLid : lid;
        }
    }

    /**
     * Prepares walks.
     *
     * @param vlsChange whether SL to VL tables in use differ
     * @param slsChange whether SLs of paths between ports that stay differ
     * @param strangers who sends as well, though not in the fabric
     */
    TransitionWalk(
            Fabric fabric,
            Routing before,
            Routing after,
            TransitionEntries entries,
            boolean vlsChange,
            boolean slsChange,
            CheckOptions options,
            List<Transition.Stranger> strangers) {
        this.fabric = fabric;
        this.before = before;
        this.after = after;
        this.entries = entries;
        this.vlsChange = vlsChange;
        this.slsChange = slsChange;
        switches = fabric.switchCount();
        senders = senders(options);
        this.strangers = bySwitch(strangers);
        waiting = new int[2 * switches];
        order = new int[2 * switches];
        meets = new boolean[2 * switches];
        pairs = new long[2 * switches * WORDS];
        pairSource = new char[2 * switches << 8];
    }

    private Sender[][] senders(CheckOptions options) {
        List<List<Sender>> groups = new ArrayList<>();
        for (int sw = 0; sw < switches; sw++) {
            groups.add(new ArrayList<>());
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            if (SourceGroups.isSource(fabric, port, options)) {
                int lid = fabric.lid(port);
                int sw = fabric.switchOf(port);
                int oldClass = before.sls().classOf(lid);
                int newClass = after.sls().classOf(lid);
                Sender one = new Sender(fabric.switchPortOf(port), port, lid, 0, oldClass, newClass);
                addSender(groups.get(sw), one, sw);
            }
        }
        return groups.stream().map(list -> list.toArray(Sender[]::new)).toArray(Sender[][]::new);
    }

    private Transition.Stranger[][] bySwitch(List<Transition.Stranger> all) {
        Transition.Stranger[][] at = new Transition.Stranger[switches][];
        Arrays.fill(at, NOBODY);
        for (Transition.Stranger each : all) {
            int sw = fabric.nodeOf(each.port());
            int count = at[sw].length;
            at[sw] = Arrays.copyOf(at[sw], count + 1);
            at[sw][count] = each;
        }
        return at;
    }

    private void addSender(List<Sender> groups, Sender one, int sw) {
        for (int i = 0; i < groups.size(); i++) {
            Sender other = groups.get(i);
            if (other.oldClass == one.oldClass && other.newClass == one.newClass && sameVls(sw, one, other)) {
                groups.set(i, new Sender(other.input, other.endPort, other.lid, one.lid, one.oldClass, one.newClass));
                return;
            }
        }
        groups.add(one);
    }

    private boolean sameVls(int sw, Sender one, Sender other) {
        for (int out = 0; out <= fabric.ports(sw); out++) {
            boolean sameNow =
                    after.slToVl().table(sw, one.input, out) == after.slToVl().table(sw, other.input, out);
            boolean sameThen = !vlsChange
                    || before.slToVl().table(sw, one.input, out)
                            == before.slToVl().table(sw, other.input, out);
            if (!sameNow || !sameThen) {
                return false;
            }
        }
        return true;
    }

    /**
     * Puts the switches that matter for the LID at hand, which were asked for before, twice each, in the order in which
     * packets can pass them; false if they can go round.
     */
    boolean isOrderable(Mode mode) {
        int active = entries.activeCount();
        for (int i = 0; i < active; i++) {
            waiting[entries.active(i)] = 0;
            waiting[switches + entries.active(i)] = 0;
        }
        for (int layer = 0; layer < 2; layer++) {
            for (int i = 0; i < active && uses(mode, layer); i++) {
                int to = entries.next(layer, entries.active(i));
                for (int other = 0; other < 2 && to >= 0; other++) {
                    waiting[other * switches + to] += follows(mode, layer, other) ? 1 : 0;
                }
            }
        }
        int tail = 0;
        for (int layer = 0; layer < 2; layer++) {
            for (int i = 0; i < active; i++) {
                int at = layer * switches + entries.active(i);
                if (waiting[at] == 0) {
                    order[tail++] = at;
                }
            }
        }
        for (int head = 0; head < tail; head++) {
            int layer = order[head] / switches;
            int to = uses(mode, layer) ? entries.next(layer, order[head] % switches) : TransitionEntries.NONE;
            for (int other = 0; other < 2 && to >= 0; other++) {
                int at = other * switches + to;
                if (follows(mode, layer, other) && --waiting[at] == 0) {
                    order[tail++] = at;
                }
            }
        }
        ordered = tail;
        return tail == 2 * active;
    }

    private static boolean uses(Mode mode, int layer) {
        return switch (mode) {
            case ANY_ORDER, NEAREST_FIRST -> true;
            case OLD_ONLY -> layer == 0;
            case NEW_ONLY -> layer == 1;
        };
    }

    /** Whether a packet that was sent on by one layer may meet the other at the next switch. */
    private static boolean follows(Mode mode, int layer, int other) {
        return switch (mode) {
            case ANY_ORDER -> true;
            case NEAREST_FIRST -> layer == 0 || other == 1;
            case OLD_ONLY, NEW_ONLY -> layer == other && uses(mode, layer);
        };
    }

    /**
     * Tells the dependencies of flows to the LID at hand: of all that start at switches that matter and, unless all
     * were asked for, may meet an entry that changes; {@link #isOrderable} has said yes for the mode just before.
     *
     * <p>Packets have the SLs of old paths as well as those of new ones: whoever asked for a path goes on with it.
     */
    void walk(int lid, Mode mode, Edges edges) {
        for (int i = 0; i < entries.activeCount(); i++) {
            for (int layer = 0; layer < 2; layer++) {
                int at = layer * switches + entries.active(i);
                meets[at] = i < entries.meeting();
                for (int word = at * WORDS; word < (at + 1) * WORDS; word++) {
                    pairs[word] = 0;
                }
            }
        }
        int port = fabric.portOfLid(lid);
        int oldClass = before.sls().classOf(lid);
        int newClass = after.sls().classOf(lid);
        // Paths to ports that are gone are in the old tables only.
        boolean bySlsOfOld = before.sls() != after.sls() && (slsChange || port == Fabric.NONE);
        for (int i = 0; i < ordered; i++) {
            int at = order[i];
            int layer = at / switches;
            int sw = at % switches;
            if (uses(mode, layer) && entries.next(layer, sw) >= 0) {
                int out = entries.output(layer, sw);
                for (int s = 0; s < senders[sw].length && meets[at]; s++) {
                    Sender sender = senders[sw][s];
                    int from = sender.lidTo(port);
                    if (from != 0) {
                        start(after.sls(), sender.newClass, newClass, sender, from, sw, at, out);
                        if (bySlsOfOld) {
                            start(before.sls(), sender.oldClass, oldClass, sender, from, sw, at, out);
                        }
                    }
                }
                for (int s = 0; s < strangers[sw].length && meets[at]; s++) {
                    start(strangers[sw][s], lid, sw, at, out);
                }
                pass(lid, mode, layer, sw, at, edges);
            }
        }
    }

    private void start(Transition.Stranger stranger, int lid, int sw, int at, int out) {
        for (int level = 0; level < Math.min(LEVELS, stranger.sls().levels()); level++) {
            int sl = stranger.sls().sl(stranger.lid(), lid, level << 3);
            if (sl != PathSls.NO_SL) {
                put(at, sw, fabric.portNumber(stranger.port()), out, sl, stranger.lid());
            }
        }
    }

    private void start(PathSls sls, int sourceClass, int ownClass, Sender sender, int from, int sw, int at, int out) {
        if (sourceClass < 0 || ownClass < 0) {
            return;
        }
        for (int level = 0; level < Math.min(LEVELS, sls.levels()); level++) {
            int sl = sls.classSl(sourceClass, ownClass, level);
            if (sl != PathSls.NO_SL) {
                put(at, sw, sender.input, out, sl, from);
            }
        }
    }

    /** Adds what leaves by a port for what comes in by another: by the old VL, the new one, or both. */
    private void put(int at, int sw, int in, int out, int sl, int sourceLid) {
        int now = SlToVl.vl(after.slToVl().table(sw, in, out), sl);
        put(at, now, sl, sourceLid);
        if (vlsChange) {
            int was = SlToVl.vl(before.slToVl().table(sw, in, out), sl);
            put(at, was, sl, sourceLid);
        }
    }

    private void put(int at, int vl, int sl, int sourceLid) {
        if (vl != SlToVl.DROP) {
            int pair = vl * SLS + sl;
            pairs[at * WORDS + (pair >> 6)] |= 1L << pair;
            pairSource[at << 8 | pair] = (char) sourceLid;
        }
    }

    private void pass(int lid, Mode mode, int layer, int sw, int at, Edges edges) {
        int channelPort = entries.outputIndex(layer, sw);
        int to = entries.next(layer, sw);
        int in = entries.arrivesBy(channelPort);
        for (int word = 0; word < WORDS; word++) {
            for (long rest = pairs[at * WORDS + word]; rest != 0; rest &= rest - 1) {
                int pair = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
                int from = Channel.number(channelPort, pair / SLS);
                int sl = pair % SLS;
                int source = pairSource[at << 8 | pair];
                for (int other = 0; other < 2; other++) {
                    if (follows(mode, layer, other) && entries.next(other, to) >= 0) {
                        onward(lid, other, to, in, from, sl, source, edges);
                    }
                }
            }
        }
    }

    private void onward(int lid, int layer, int sw, int in, int from, int sl, int source, Edges edges) {
        int out = entries.output(layer, sw);
        int index = entries.outputIndex(layer, sw);
        int at = layer * switches + sw;
        int now = SlToVl.vl(after.slToVl().table(sw, in, out), sl);
        put(at, now, sl, source);
        if (now != SlToVl.DROP) {
            edges.add(from, Channel.number(index, now), source, lid, sl);
        }
        int was = vlsChange ? SlToVl.vl(before.slToVl().table(sw, in, out), sl) : now;
        if (was != now) {
            put(at, was, sl, source);
            if (was != SlToVl.DROP) {
                edges.add(from, Channel.number(index, was), source, lid, sl);
            }
        }
    }
}
