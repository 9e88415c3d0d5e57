package org.railyard.fabric.analysis;

import java.util.Arrays;
import java.util.List;
import org.railyard.fabric.format.TorusDump;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.placement.Placement;

/** Coordinates of switches on a torus. Immutable. */
public final class TorusLayout {
    /** No switch, no position. */
    public static final int NONE = -1;

    private final TorusShape shape;
    private final int[] switchAt;
    private final int[] positionOf;

    private TorusLayout(TorusShape shape, int[] switchAt, int switches) {
        this.shape = shape;
        this.switchAt = switchAt;
        positionOf = new int[switches];
        Arrays.fill(positionOf, NONE);
        for (int position = 0; position < switchAt.length; position++) {
            if (switchAt[position] != NONE) {
                positionOf[switchAt[position]] = position;
            }
        }
    }

    /** Takes what the torus engine found. */
    public static TorusLayout of(Fabric fabric, Placement placement) {
        TorusShape shape = placement.grid().shape();
        int[] switchAt = new int[shape.positions()];
        Arrays.setAll(switchAt, position -> placement.grid().isPresent(position) ? placement.switchAt(position) : NONE);
        return new TorusLayout(shape, switchAt, fabric.switchCount());
    }

    /**
     * Takes what OpenSM wrote. The radices are one more than the largest coordinates; a dimension is closed if some
     * cable closes it.
     *
     * @throws FabricException if two switches have one place, or a switch of the file is not in the fabric
     */
    public static TorusLayout of(Fabric fabric, TorusDump dump) {
        int[] radix = {1, 1, 1};
        for (TorusDump.Place place : dump.places()) {
            int[] at = coordinates(place);
            for (int d = 0; d < radix.length; d++) {
                radix[d] = Math.max(radix[d], at[d] + 1);
            }
        }
        if ((long) radix[0] * radix[1] * radix[2] > TorusShape.MAX_POSITIONS) {
            throw new FabricException("coordinates of a torus %d x %d x %d: more than %d places"
                    .formatted(radix[0], radix[1], radix[2], TorusShape.MAX_POSITIONS));
        }
        TorusLayout closed = place(fabric, dump.places(), TorusShape.of(radix, new boolean[radix.length]));
        boolean[] open = new boolean[radix.length];
        for (int d = 0; d < radix.length; d++) {
            open[d] = !closed.isClosed(fabric, d);
        }
        return place(fabric, dump.places(), TorusShape.of(radix, open));
    }

    private static int[] coordinates(TorusDump.Place place) {
        return new int[] {place.x(), place.y(), place.z()};
    }

    private static TorusLayout place(Fabric fabric, List<TorusDump.Place> places, TorusShape shape) {
        int[] switchAt = new int[shape.positions()];
        Arrays.fill(switchAt, NONE);
        for (TorusDump.Place place : places) {
            int sw = fabric.nodeOfGuid(place.guid());
            int position = shape.position(place.x(), place.y(), place.z());
            if (sw == Fabric.NONE || !fabric.isSwitch(sw)) {
                throw new FabricException("0x%x at %s is no switch of this fabric: coordinates of another one?"
                        .formatted(place.guid(), shape.name(position)));
            }
            if (switchAt[position] != NONE) {
                throw new FabricException("two switches at " + shape.name(position) + ": "
                        + fabric.description(switchAt[position]) + " and " + place.description());
            }
            switchAt[position] = sw;
        }
        return new TorusLayout(shape, switchAt, fabric.switchCount());
    }

    private boolean isClosed(Fabric fabric, int dimension) {
        for (int position = 0; position < switchAt.length; position++) {
            int next = shape.step(position, TorusGroup.plus(dimension));
            if (shape.coordinate(position, dimension) == shape.radix(dimension) - 1
                    && next >= 0
                    && cables(fabric, position, next) > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the first switch that has other coordinates in another layout of the same fabric, or none there; {@link
     * #NONE} if there is none. Radices do not count.
     */
    public int firstElsewhere(TorusLayout other) {
        for (int sw = 0; sw < positionOf.length; sw++) {
            if (positionOf[sw] != NONE
                    && (other.positionOf[sw] == NONE
                            || !shape.name(positionOf[sw]).equals(other.shape.name(other.positionOf[sw])))) {
                return sw;
            }
        }
        return NONE;
    }

    /** Returns size and arithmetic of the places. */
    public TorusShape shape() {
        return shape;
    }

    /** Returns the switch at a position, or {@link #NONE}. */
    public int switchAt(int position) {
        return switchAt[position];
    }

    /** Returns the position of a switch, or {@link #NONE}. */
    public int positionOf(int switchIndex) {
        return positionOf[switchIndex];
    }

    /** Returns the number of cables between the switches of two positions; 0 if one is missing. */
    public int cables(Fabric fabric, int from, int to) {
        int count = 0;
        int sw = switchAt[from];
        for (int number = 1; sw != NONE && switchAt[to] != NONE && number <= fabric.ports(sw); number++) {
            int peer = fabric.peer(fabric.portIndex(sw, number));
            count += peer != Fabric.NONE && fabric.nodeOf(peer) == switchAt[to] ? 1 : 0;
        }
        return count;
    }

    /**
     * Returns the direction in which a switch port leads, or {@link TorusGroup#NONE} if it does not lead to a neighbour
     * on the torus.
     */
    public int groupOf(Fabric fabric, int port) {
        int peer = fabric.peer(port);
        if (peer == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(port)) || !fabric.isSwitch(fabric.nodeOf(peer))) {
            return TorusGroup.NONE;
        }
        int from = positionOf[fabric.nodeOf(port)];
        int to = positionOf[fabric.nodeOf(peer)];
        return from == NONE || to == NONE ? TorusGroup.NONE : shape.groupBetween(from, to);
    }
}
