package org.railyard.fabric.sim.traffic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.torus.grid.TorusShape;

/**
 * The hosts of a fabric, and whom each sends to. A host is a port of a CA that has a LID and that a switch serves.
 * Where coordinates of switches are not known, they count as a ring, in the order of their numbers. Immutable.
 */
public final class Destinations {
    /** The host sends nothing. */
    public static final int NOBODY = -1;

    /** The host sends to the multicast group. */
    public static final int GROUP = -2;

    private final TrafficPattern pattern;
    private final double share;
    private final List<Integer> ports = new ArrayList<>();

    /** Whom a host sends to in turn, if that is no chance; empty if to each other one. */
    private final int[][] turns;

    /**
     * Finds the hosts.
     *
     * @param fabric with LIDs
     * @param layout coordinates of its switches, if they are known
     * @param share with {@link TrafficPattern#HOT_SPOT}, what goes to the first host, with {@link
     *     TrafficPattern#MULTICAST} to the group, 0…1
     * @throws IllegalArgumentException if there can be no such pattern on this fabric, or the share is none; says why
     */
    public Destinations(Fabric fabric, Optional<TorusLayout> layout, TrafficPattern pattern, double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("a share of " + share + ": expected 0 to 1");
        }
        this.pattern = pattern;
        this.share = share;
        List<List<Integer>> ofSwitch = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            ofSwitch.add(new ArrayList<>());
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            if (!fabric.isSwitch(fabric.nodeOf(port))
                    && fabric.lid(port) != 0
                    && fabric.peer(port) != Fabric.NONE
                    && fabric.switchOf(port) != Fabric.NONE) {
                ofSwitch.get(fabric.switchOf(port)).add(ports.size());
                ports.add(port);
            }
        }
        turns = new int[ports.size()][0];
        switch (pattern) {
            case SHUFFLE, BIT_REVERSE -> byNumber();
            case TORNADO, BIT_COMPLEMENT, NEIGHBOUR, TRANSPOSE, HALO -> {
                Places places = new Places(pattern, layout, fabric.switchCount());
                for (int sw = 0; sw < ofSwitch.size(); sw++) {
                    bySwitch(sw, places.from(sw), ofSwitch);
                }
            }
            default -> {
                // By chance, or each in turn.
            }
        }
    }

    private void byNumber() {
        int hosts = ports.size();
        int bits = Integer.numberOfTrailingZeros(hosts);
        if (Integer.bitCount(hosts) != 1 || bits == 0) {
            throw new IllegalArgumentException(
                    "%s needs a power of two of hosts, there are %d".formatted(pattern.text(), hosts));
        }
        for (int host = 0; host < hosts; host++) {
            int other = pattern == TrafficPattern.SHUFFLE
                    ? (host << 1 | host >>> bits - 1) & hosts - 1
                    : Integer.reverse(host) >>> Integer.SIZE - bits;
            turns[host] = new int[] {other == host ? NOBODY : other};
        }
    }

    /** Hosts of a switch send to the hosts of the same rank at other switches. */
    private void bySwitch(int sw, int[] others, List<List<Integer>> ofSwitch) {
        List<Integer> here = ofSwitch.get(sw);
        for (int i = 0; i < here.size(); i++) {
            int[] to = new int[others.length];
            for (int turn = 0; turn < others.length; turn++) {
                List<Integer> there = others[turn] < 0 || others[turn] == sw ? List.of() : ofSwitch.get(others[turn]);
                to[turn] = there.isEmpty() ? NOBODY : there.get(i % there.size());
            }
            turns[here.get(i)] = to;
        }
    }

    /** Where a pattern leads from switch to switch. */
    private static final class Places {
        private final TrafficPattern pattern;
        private final Optional<TorusLayout> layout;
        private final int switches;

        Places(TrafficPattern pattern, Optional<TorusLayout> layout, int switches) {
            this.pattern = pattern;
            this.layout = layout;
            this.switches = switches;
            if (pattern == TrafficPattern.TRANSPOSE) {
                TorusShape shape = layout.map(TorusLayout::shape)
                        .orElseThrow(() ->
                                new IllegalArgumentException("transpose needs the coordinates of switches on a torus"));
                long radices =
                        dimensions(shape).stream().map(shape::radix).distinct().count();
                if (radices != 1) {
                    throw new IllegalArgumentException(
                            "transpose needs the same radix in each dimension, this is a " + shape + " torus");
                }
            }
        }

        private static List<Integer> dimensions(TorusShape shape) {
            List<Integer> all = new ArrayList<>();
            for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
                if (shape.radix(d) > 1) {
                    all.add(d);
                }
            }
            return all;
        }

        /** Returns the switches to go to in turn; below 0 where there is none. */
        int[] from(int sw) {
            if (layout.isEmpty()) {
                return pattern == TrafficPattern.HALO
                        ? new int[] {(sw + 1) % switches, (sw + switches - 1) % switches}
                        : new int[] {along(sw, switches)};
            }
            TorusLayout torus = layout.get();
            TorusShape shape = torus.shape();
            int position = torus.positionOf(sw);
            if (position == TorusLayout.NONE) {
                return new int[] {NOBODY};
            }
            List<Integer> dimensions = dimensions(shape);
            int[] at = new int[TorusShape.DIMENSIONS];
            for (int d = 0; d < at.length; d++) {
                at[d] = shape.coordinate(position, d);
            }
            if (pattern == TrafficPattern.HALO) {
                return halo(torus, dimensions, at);
            }
            int[] to = at.clone();
            for (int i = 0; i < dimensions.size(); i++) {
                int d = dimensions.get(i);
                if (pattern == TrafficPattern.TRANSPOSE) {
                    to[d] = at[dimensions.get(dimensions.size() - 1 - i)];
                } else if (pattern != TrafficPattern.NEIGHBOUR || i == 0) {
                    to[d] = along(at[d], shape.radix(d));
                }
            }
            return new int[] {torus.switchAt(shape.position(to[0], to[1], to[2]))};
        }

        private static int[] halo(TorusLayout torus, List<Integer> dimensions, int[] at) {
            TorusShape shape = torus.shape();
            int[] all = new int[2 * dimensions.size()];
            for (int i = 0; i < all.length; i++) {
                int d = dimensions.get(i / 2);
                int[] to = at.clone();
                to[d] = (at[d] + (i % 2 == 0 ? 1 : shape.radix(d) - 1)) % shape.radix(d);
                all[i] = torus.switchAt(shape.position(to[0], to[1], to[2]));
            }
            return all;
        }

        private int along(int coordinate, int radix) {
            return switch (pattern) {
                case TORNADO -> (coordinate + (radix + 1) / 2 - 1) % radix;
                case BIT_COMPLEMENT -> radix - 1 - coordinate;
                case NEIGHBOUR -> (coordinate + 1) % radix;
                default -> coordinate;
            };
        }
    }

    /** Returns how many hosts there are. */
    public int hosts() {
        return ports.size();
    }

    /** Returns the port of a host, by its index in the fabric. */
    public int port(int host) {
        return ports.get(host);
    }

    /**
     * Returns whom a host sends to in turn, without {@link #NOBODY}; nobody if that is chance, or each other one.
     */
    public int[] turns(int host) {
        return Arrays.stream(turns[host]).filter(other -> other != NOBODY).toArray();
    }

    /** Tells whether a host ever sends anything. */
    public boolean sends(int host) {
        int[] to = turns[host];
        if (to.length == 0) {
            return hosts() > 1;
        }
        for (int other : to) {
            if (other != NOBODY) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whom a host sends a packet to.
     *
     * @param number how many it sent before
     * @return a host; {@link #GROUP}; {@link #NOBODY} if it leaves this one out
     */
    public int next(int host, long number, RandomGenerator dice) {
        int[] to = turns[host];
        if (to.length > 0) {
            return to[(int) (number % to.length)];
        }
        if (hosts() < 2) {
            return NOBODY;
        }
        if (pattern == TrafficPattern.ALL_TO_ALL) {
            return (int) ((host + 1 + number % (hosts() - 1)) % hosts());
        }
        if (pattern == TrafficPattern.MULTICAST && dice.nextDouble() < share) {
            return GROUP;
        }
        if (pattern == TrafficPattern.HOT_SPOT && host != 0 && dice.nextDouble() < share) {
            return 0;
        }
        int other = dice.nextInt(hosts() - 1);
        return other < host ? other : other + 1;
    }

    /** Returns which part of what one host sends goes to another one, in the long run; multicast counts for nobody. */
    public double share(int from, int to) {
        if (from == to || hosts() < 2) {
            return 0;
        }
        int[] turn = turns[from];
        if (turn.length > 0) {
            int times = 0;
            for (int other : turn) {
                times += other == to ? 1 : 0;
            }
            return (double) times / turn.length;
        }
        double others = 1.0 / (hosts() - 1);
        return switch (pattern) {
            case HOT_SPOT -> from == 0 ? others : (to == 0 ? share : 0) + (1 - share) * others;
            case MULTICAST -> (1 - share) * others;
            default -> others;
        };
    }
}
