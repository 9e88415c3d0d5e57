package org.railyard.lab.scenario;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.config.Configuration;
import org.railyard.lab.fabric.TorusSettings;
import org.railyard.lab.net.RailSettings;
import org.railyard.lab.observe.CallKind;

/**
 * What a run is to be. Immutable and checked.
 *
 * @param name its name
 * @param about one sentence
 * @param rails the rails
 * @param groups the nodes
 * @param loads what applications do
 * @param selftest what selftest does, if anything
 * @param faults what breaks
 * @param expect what must hold beyond what always must
 * @param settleNanos longest time after the last load and repair for things to become well, ns
 */
public record Scenario(
        String name,
        String about,
        List<Rail> rails,
        List<Group> groups,
        List<Load> loads,
        Optional<SelftestPlan> selftest,
        List<Fault> faults,
        Expect expect,
        long settleNanos) {
    /** Copies the lists. */
    public Scenario {
        rails = List.copyOf(rails);
        groups = List.copyOf(groups);
        loads = List.copyOf(loads);
        faults = List.copyOf(faults);
    }

    /** Returns the same scenario with messages or packets on all its fabrics. */
    public Scenario withFidelity(TorusSettings.Fidelity fidelity) {
        List<Rail> changed = rails.stream()
                .map(rail -> rail.torus() == null
                        ? rail
                        : rail.withTorus(rail.torus().withFidelity(fidelity)))
                .toList();
        return new Scenario(name, about, changed, groups, loads, selftest, faults, expect, settleNanos);
    }

    /**
     * A rail.
     *
     * @param name its name
     * @param settings what it does to frames
     * @param isolated whether no other rail is reached from it
     * @param subnet the address before that of its first device
     * @param torus the InfiniBand fabric that it is; null for a simple network
     */
    public record Rail(
            String name,
            RailSettings settings,
            boolean isolated,
            int subnet,
            @Nullable TorusSettings torus) {
        private Rail withTorus(TorusSettings other) {
            return new Rail(name, settings, isolated, subnet, other);
        }
    }

    /**
     * Nodes that are alike.
     *
     * @param name the name of the group; its nodes are called {@code name-1} and so on
     * @param count how many
     * @param devices rail by name of device
     * @param config configuration of LNet
     */
    public record Group(String name, int count, Map<String, String> devices, Configuration config) {}

    /**
     * What applications on some nodes ask of others.
     *
     * @param from who asks
     * @param to who is asked
     * @param kinds what, each as often as the others
     * @param sizes lengths, bytes, each as often as the others
     * @param concurrency calls of one node at a time
     * @param perSecond calls of one node in a second, as far as concurrency lets it; 0 for as many as possible
     * @param start when it begins, ns
     * @param duration how long it goes on, ns
     */
    public record Load(
            Selector from,
            Selector to,
            List<CallKind> kinds,
            List<Span> sizes,
            int concurrency,
            int perSecond,
            Span start,
            Span duration) {
        /** Copies the lists. */
        public Load {
            kinds = List.copyOf(kinds);
            sizes = List.copyOf(sizes);
        }
    }

    /**
     * Something that breaks and is repaired.
     *
     * @param at when, ns
     * @param duration until it is repaired, ns; null if it never is
     * @param times how often
     * @param every from one time to the next, ns
     * @param action what
     */
    public record Fault(Span at, @Nullable Span duration, int times, Span every, FaultAction action) {}

    /**
     * What must hold beyond what always must.
     *
     * @param allowFailures whether calls may fail to be sent
     * @param allowTimeouts whether calls may end without an answer
     * @param healthRestored whether all NIs must be well in the end
     * @param ownNisWell whether all NIs of all nodes must stay well all the time, because only others break
     * @param minOk least number of calls that end well
     */
    public record Expect(
            boolean allowFailures, boolean allowTimeouts, boolean healthRestored, boolean ownNisWell, long minOk) {
        /** What holds for a scenario that says nothing. */
        public static final Expect DEFAULT = new Expect(true, true, true, false, 1);
    }
}
