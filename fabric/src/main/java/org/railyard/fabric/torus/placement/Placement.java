package org.railyard.fabric.torus.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/**
 * The switches of a fabric at their positions, and their ports in groups (spec 30 §3.3). Immutable; any thread.
 */
public final class Placement {
    /** No switch, no position. */
    public static final int NONE = -1;

    private static final int[] NO_PORTS = {};

    private final TorusGrid grid;
    private final int seed;
    private final int[] switchAt;
    private final int[] positionOf;
    /** By position and group: ports of that switch, in the order both ends agree on. */
    private final int[][] groupPorts;
    /** By switch and port: class for SL to VL. */
    private final byte[][] portClass;

    private final int strayCables;

    private Placement(
            TorusGrid grid,
            int seed,
            int[] switchAt,
            int[] positionOf,
            int[][] groupPorts,
            byte[][] portClass,
            int strayCables) {
        this.grid = grid;
        this.seed = seed;
        this.switchAt = switchAt;
        this.positionOf = positionOf;
        this.groupPorts = groupPorts;
        this.portClass = portClass;
        this.strayCables = strayCables;
    }

    /**
     * Groups the ports of switches whose positions are known.
     *
     * @param switchAt by position, the switch index, or {@link #NONE}
     * @param positionOf the same the other way round
     */
    static Placement of(
            Fabric fabric, SwitchGraph graph, TorusShape shape, int[] switchAt, int[] positionOf, int seed) {
        int[][] groupPorts = new int[shape.positions() * TorusGroup.COUNT][];
        Arrays.fill(groupPorts, NO_PORTS);
        TorusGrid.Builder grid = TorusGrid.empty(shape);
        for (int position = 0; position < shape.positions(); position++) {
            if (switchAt[position] == NONE) {
                continue;
            }
            grid.addSwitch(position);
            for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
                int next = shape.step(position, TorusGroup.plus(d));
                int[] ports =
                        next < 0 || switchAt[next] == NONE ? NO_PORTS : graph.ports(switchAt[position], switchAt[next]);
                if (ports.length > 0) {
                    grid.addGroup(position, TorusGroup.plus(d));
                    groupPorts[position * TorusGroup.COUNT + TorusGroup.plus(d)] = ports;
                    groupPorts[next * TorusGroup.COUNT + TorusGroup.minus(d)] =
                            farEnds(fabric, switchAt[position], ports);
                }
            }
        }
        byte[][] portClass = new byte[fabric.switchCount()][];
        int stray = 0;
        for (int at = 0; at < fabric.switchCount(); at++) {
            portClass[at] = classes(fabric, at, positionOf[at], groupPorts);
            for (int neighbour : graph.neighbours(at)) {
                boolean inTorus = positionOf[at] != NONE
                        && positionOf[neighbour] != NONE
                        && shape.groupBetween(positionOf[at], positionOf[neighbour]) != TorusGroup.NONE;
                stray += inTorus || neighbour < at ? 0 : graph.ports(at, neighbour).length;
            }
        }
        return new Placement(grid.build(), seed, switchAt, positionOf, groupPorts, portClass, stray);
    }

    private static int[] farEnds(Fabric fabric, int at, int[] ports) {
        int[] far = new int[ports.length];
        for (int i = 0; i < ports.length; i++) {
            far[i] = fabric.portNumber(fabric.peer(fabric.portIndex(at, ports[i])));
        }
        return far;
    }

    private static byte[] classes(Fabric fabric, int at, int position, int[][] groupPorts) {
        byte[] classes = new byte[fabric.ports(at) + 1];
        Arrays.fill(classes, (byte) SlToVlRule.END);
        for (int group = 0; position != NONE && group < TorusGroup.COUNT; group++) {
            for (int port : groupPorts[position * TorusGroup.COUNT + group]) {
                classes[port] = (byte) TorusGroup.dimension(group);
            }
        }
        return classes;
    }

    /** Returns what of the torus is there. */
    public TorusGrid grid() {
        return grid;
    }

    /** Returns the index of the seed that was used in the configuration: 0 is the default, others are backups. */
    public int seed() {
        return seed;
    }

    /** Returns the switch index at {@code position}, or {@link #NONE}. */
    public int switchAt(int position) {
        return switchAt[position];
    }

    /** Returns the position of a switch, or {@link #NONE} if it is not part of the torus. */
    public int positionOf(int switchIndex) {
        return positionOf[switchIndex];
    }

    /** Returns the number of parallel cables from {@code position} in {@code group}. */
    public int cables(int position, int group) {
        return groupPorts[position * TorusGroup.COUNT + group].length;
    }

    /**
     * Returns the port of one of the parallel cables; both ends number them alike, from 0, by the lower end's ports.
     */
    public int port(int position, int group, int cable) {
        return groupPorts[position * TorusGroup.COUNT + group][cable];
    }

    /** Returns the class of a port for SL to VL: 0 to 2 = x to z, {@link SlToVlRule#END} for all others. */
    public int portClass(int switchIndex, int port) {
        return portClass[switchIndex][port];
    }

    /** Returns the number of cables between switches that are not part of the torus. */
    public int strayCables() {
        return strayCables;
    }

    /** Returns the switches that are not part of the torus, ascending. */
    public List<Integer> strangers() {
        List<Integer> strangers = new ArrayList<>();
        for (int at = 0; at < positionOf.length; at++) {
            if (positionOf[at] == NONE) {
                strangers.add(at);
            }
        }
        return strangers;
    }
}
