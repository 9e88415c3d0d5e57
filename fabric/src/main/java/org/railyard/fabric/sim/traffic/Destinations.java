package org.railyard.fabric.sim.traffic;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.torus.TorusShape;

/**
 * The hosts of a fabric, and whom each sends to. A host is a port of a CA that has a LID and that a switch serves. Where it is not known how switches stand, they count as
 * a ring, in the order of their numbers.
 */
public final class Destinations {
    /** The host sends nothing. */
    public static final int NOBODY = -1;

    private final Pattern pattern;
    private final double hotShare;
    private final List<Integer> ports = new ArrayList<>();

    /** Where a pattern without chance leads, by host. */
    private final int[] fixed;

    /**
     * Finds the hosts.
     *
     * @param fabric with LIDs
     * @param layout where its switches stand, if that is known
     * @param hotShare with {@link Pattern#HOT_SPOT}, what goes to the first host, 0…1
     */
    public Destinations(Fabric fabric, Optional<TorusLayout> layout, Pattern pattern, double hotShare) {
        this.pattern = pattern;
        this.hotShare = hotShare;
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
        fixed = new int[ports.size()];
        for (int sw = 0; sw < ofSwitch.size(); sw++) {
            int far = isByChance() ? sw : layout.isPresent() ? onTorus(layout.get(), sw) : onRing(sw, ofSwitch.size());
            List<Integer> here = ofSwitch.get(sw);
            List<Integer> there = far == TorusLayout.NONE ? List.of() : ofSwitch.get(far);
            for (int i = 0; i < here.size(); i++) {
                fixed[here.get(i)] = there.isEmpty() || far == sw ? NOBODY : there.get(i % there.size());
            }
        }
    }

    private boolean isByChance() {
        return pattern == Pattern.UNIFORM || pattern == Pattern.HOT_SPOT;
    }

    private int onTorus(TorusLayout layout, int sw) {
        int position = layout.positionOf(sw);
        if (position == TorusLayout.NONE) {
            return TorusLayout.NONE;
        }
        TorusShape shape = layout.shape();
        int[] at = new int[TorusShape.DIMENSIONS];
        boolean moved = false;
        for (int d = 0; d < at.length; d++) {
            at[d] = shape.coordinate(position, d);
            if (!(moved && pattern == Pattern.NEIGHBOUR)) {
                at[d] = along(at[d], shape.radix(d));
            }
            moved |= shape.radix(d) > 1;
        }
        return layout.switchAt(shape.position(at[0], at[1], at[2]));
    }

    private int onRing(int sw, int switches) {
        return along(sw, switches);
    }

    private int along(int coordinate, int radix) {
        return switch (pattern) {
            case TORNADO -> (coordinate + (radix + 1) / 2 - 1) % radix;
            case BIT_COMPLEMENT -> radix - 1 - coordinate;
            case NEIGHBOUR -> (coordinate + 1) % radix;
            case UNIFORM, HOT_SPOT -> coordinate;
        };
    }

    /** Returns how many hosts there are. */
    public int hosts() {
        return ports.size();
    }

    /** Returns the port of a host, by its index in the fabric. */
    public int port(int host) {
        return ports.get(host);
    }

    /** Returns whom a host sends the next packet to; {@link #NOBODY} if it sends none. */
    public int next(int host, RandomGenerator dice) {
        if (!isByChance()) {
            return fixed[host];
        }
        if (hosts() < 2) {
            return NOBODY;
        }
        if (pattern == Pattern.HOT_SPOT && host != 0 && dice.nextDouble() < hotShare) {
            return 0;
        }
        int other = dice.nextInt(hosts() - 1);
        return other < host ? other : other + 1;
    }
}
