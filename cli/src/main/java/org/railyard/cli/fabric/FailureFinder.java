package org.railyard.cli.fabric;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.whatif.FailureSet;

/** Finds what may fail in one fabric. */
final class FailureFinder {
    private static final Pattern POSITION = Pattern.compile("(\\d{1,5}),(\\d{1,5})(?:,(\\d{1,5}))?");

    private final Fabric fabric;
    private final Optional<TorusLayout> layout;

    FailureFinder(Fabric fabric, Optional<TorusLayout> layout) {
        this.fabric = fabric;
        this.layout = layout;
    }

    /**
     * Returns everything named, as one failure: switches, A:B for the cables between two switches, A/N for one
     * cable; A may be a description, a GUID, or X,Y,Z on a torus.
     */
    FailureSet allOf(List<String> names) {
        BitSet ports = new BitSet();
        names.forEach(name -> ports.or(named(name)));
        return new FailureSet(String.join(" and ", new LinkedHashSet<>(names)), ports);
    }

    private BitSet named(String name) {
        int colon = colonBetween(name);
        int slash = name.lastIndexOf('/');
        BitSet ports = new BitSet();
        if (isSwitch(name)) {
            ports.or(FailureSet.ofSwitch(fabric, switchNamed(name)).ports());
        } else if (slash > 0 && name.substring(slash + 1).matches("\\d{1,3}") && isSwitch(name.substring(0, slash))) {
            ports.set(cable(name, slash));
        } else if (colon > 0) {
            int a = switchNamed(name.substring(0, colon));
            int b = switchNamed(name.substring(colon + 1));
            for (int port : FailureSet.cablesOf(fabric, a)) {
                if (fabric.nodeOf(fabric.peer(port)) == b) {
                    ports.set(port);
                }
            }
            if (ports.isEmpty()) {
                throw new FabricInputException("--fail " + name + ": no cable joins these switches");
            }
        } else if (slash > 0 && name.substring(slash + 1).matches("\\d{1,3}")) {
            ports.set(cable(name, slash));
        } else {
            ports.or(FailureSet.ofSwitch(fabric, switchNamed(name)).ports());
        }
        return ports;
    }

    /**
     * Names of switches may have colons themselves: returns the one with a switch on either side, else the first,
     * −1 if there is none.
     */
    private int colonBetween(String name) {
        int first = name.indexOf(':');
        for (int colon = first; colon > 0; colon = name.indexOf(':', colon + 1)) {
            if (isSwitch(name.substring(0, colon)) && isSwitch(name.substring(colon + 1))) {
                return colon;
            }
        }
        return first;
    }

    /** Tells whether a name is that of a switch, or a position on a torus. */
    boolean isSwitch(String name) {
        return POSITION.matcher(name).matches() && layout.isPresent() || new EndPortFinder(fabric).isSwitch(name);
    }

    private int cable(String name, int slash) {
        int sw = switchNamed(name.substring(0, slash));
        int number = Integer.parseInt(name.substring(slash + 1));
        if (number < 1 || number > fabric.ports(sw) || fabric.peer(fabric.portIndex(sw, number)) == Fabric.NONE) {
            throw new FabricInputException("--fail " + name + ": no cable is in this port");
        }
        return fabric.portIndex(sw, number);
    }

    private int switchNamed(String name) {
        Matcher position = POSITION.matcher(name);
        if (position.matches() && layout.isPresent()) {
            TorusLayout torus = layout.get();
            int[] at = new int[3];
            for (int d = 0; d < at.length; d++) {
                String text = position.group(d + 1);
                at[d] = text == null ? 0 : Integer.parseInt(text);
                if (at[d] >= torus.shape().radix(d)) {
                    throw new FabricInputException("--fail " + name + ": no place of a " + torus.shape() + " torus");
                }
            }
            int sw = torus.switchAt(torus.shape().position(at[0], at[1], at[2]));
            if (sw == TorusLayout.NONE) {
                throw new FabricInputException("--fail " + name + ": there is no switch already");
            }
            return sw;
        }
        try {
            return new EndPortFinder(fabric).findSwitch(name);
        } catch (FabricInputException e) {
            throw new FabricInputException("--fail " + e.getMessage(), e);
        }
    }

    /** Returns all pairs of switches, each made when it is asked for. */
    Stream<FailureSet> allPairs() {
        List<FailureSet> single = FailureSet.eachSwitch(fabric);
        return IntStream.range(0, single.size())
                .boxed()
                .flatMap(one -> IntStream.range(one + 1, single.size())
                        .mapToObj(two -> FailureSet.together(List.of(single.get(one), single.get(two)))));
    }

    /**
     * Returns random sets of different switches and cables, each made when it is asked for.
     *
     * @param size how many fail together
     */
    Stream<FailureSet> random(int count, int size, RandomGenerator random) {
        List<FailureSet> single = new ArrayList<>(FailureSet.eachSwitch(fabric));
        single.addAll(FailureSet.eachCable(fabric));
        return single.size() < size
                ? Stream.empty()
                : Stream.generate(() -> FailureSet.together(random.ints(0, single.size())
                                .distinct()
                                .limit(size)
                                .mapToObj(single::get)
                                .toList()))
                        .limit(count);
    }
}
