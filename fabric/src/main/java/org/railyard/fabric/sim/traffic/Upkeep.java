package org.railyard.fabric.sim.traffic;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.analysis.RoutingDiff;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingResult;
import org.railyard.fabric.sim.FabricSim;

/**
 * What happens to a fabric while packets run, and what a subnet manager does about it (spec 33 §3(9)): some time after
 * a failure or a repair it routes what is left, and gives the new tables to one switch after the other. Meanwhile old
 * and new tables mix; whether the mixture can close a credit loop is checked. For one run and one thread.
 */
public final class Upkeep {
    private static final double MICRO = 1e3;
    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;

    /** Times from here on, ns, are told in milliseconds. */
    private static final long FIRST_IN_MILLIS = 10_000_000;

    /** Times from here on, ns, are told in seconds. */
    private static final long FIRST_IN_SECONDS = 1_000_000_000;

    private final Fabric fabric;
    private final Optional<Function<Fabric, RoutingResult>> engine;
    private final long delay;
    private final long spread;
    private final List<Incident> incidents;
    private final List<String> log = new ArrayList<>();

    /** By cable, named by its smaller port: how many incidents keep it down. */
    private final int[] down;

    private int happened;
    private Routing current;

    /** The fabric for which the current tables were made. */
    private Fabric routed;

    private @Nullable Fabric routedNext;
    private @Nullable Routing coming;

    /** All tables that some switch may have: the current ones, and what came since and was not given to all. */
    private final List<Routing> mixing = new ArrayList<>();

    private long sweepAt = FabricSim.NEVER;
    private int nextSwitch;
    private long nextTables = FabricSim.NEVER;
    private boolean refused;

    /**
     * Prepares it.
     *
     * @param fabric as it is in the beginning
     * @param routing its tables then
     * @param incidents in any order
     * @param engine routes what is left; nothing if tables stay as they are
     * @param delayNanos from an incident to new tables, ns
     * @param spreadNanos from one switch that gets them to the next, ns
     */
    public Upkeep(
            Fabric fabric,
            Routing routing,
            List<Incident> incidents,
            Optional<Function<Fabric, RoutingResult>> engine,
            long delayNanos,
            long spreadNanos) {
        if (delayNanos < 0 || delayNanos > Incident.MAX_NANOS || spreadNanos < 0 || spreadNanos > Incident.MAX_NANOS) {
            throw new IllegalArgumentException(
                    "new tables after %,d ns, %,d ns from switch to switch: expected 0 to %,d"
                            .formatted(delayNanos, spreadNanos, Incident.MAX_NANOS));
        }
        this.fabric = fabric;
        this.current = routing;
        this.routed = fabric;
        mixing.add(routing);
        this.engine = engine;
        this.delay = delayNanos;
        this.spread = spreadNanos;
        this.incidents = incidents.stream()
                .sorted(Comparator.comparingLong(Incident::nanos))
                .toList();
        down = new int[fabric.portCount()];
    }

    /** Returns one to which nothing happens. */
    public static Upkeep none(Fabric fabric, Routing routing) {
        return new Upkeep(fabric, routing, List.of(), Optional.empty(), 0, 0);
    }

    /** Returns when something happens next, ns; {@link FabricSim#NEVER} if nothing does. */
    public long nextNanos() {
        long incident = happened < incidents.size() ? incidents.get(happened).nanos() : FabricSim.NEVER;
        return Math.min(incident, Math.min(sweepAt, nextTables));
    }

    /** Returns the tables that senders go by: the newest that all switches have. */
    public Routing current() {
        return current;
    }

    /** Tells whether the engine refused what was left, at some time. */
    public boolean wasRefused() {
        return refused;
    }

    /** Returns what happened, in order, one line each. */
    public List<String> log() {
        return List.copyOf(log);
    }

    /** Lets happen what is next; the simulation is at its time. */
    public void act(FabricSim sim) {
        if (happened < incidents.size() && incidents.get(happened).nanos() <= sim.now()) {
            begin(incidents.get(happened++), sim);
        } else if (sweepAt <= sim.now()) {
            sweepAt = FabricSim.NEVER;
            sweep(sim);
        } else if (nextTables <= sim.now()) {
            giveTables(sim);
        }
    }

    private void tell(long nanos, String what) {
        log.add(time(nanos) + ": " + what);
    }

    /** Returns a time, ns, in the unit that suits it: us, ms or s, to a microsecond at least. */
    public static String time(long nanos) {
        if (nanos < FIRST_IN_MILLIS) {
            return String.format(Locale.ROOT, "%.2f us", nanos / MICRO);
        }
        return nanos < FIRST_IN_SECONDS
                ? String.format(Locale.ROOT, "%.3f ms", nanos / MILLI)
                : String.format(Locale.ROOT, "%.6f s", nanos / SECOND);
    }

    private void begin(Incident incident, FabricSim sim) {
        tell(incident.nanos(), incident.text());
        switch (incident) {
            case Incident.Sink(long _, String _, int port, double share) -> {
                sim.setStopped(port, share == 0);
                if (share > 0) {
                    sim.setSink(port, share);
                }
            }
            case Incident.Links(long nanos, String _, BitSet ports, boolean up) -> {
                cables(fabric, ports).stream().forEach(port -> {
                    down[port] = Math.max(0, down[port] + (up ? -1 : 1));
                    sim.setLink(port, down[port] == 0);
                });
                if (engine.isEmpty()) {
                    tell(nanos, "no engine is there to route the rest: tables stay as they are");
                } else if (sweepAt == FabricSim.NEVER) {
                    sweepAt = nanos + delay;
                }
            }
        }
    }

    /**
     * Returns the cables that ports are in, each by its smaller port.
     *
     * @param ports port indices of the fabric
     */
    public static BitSet cables(Fabric fabric, BitSet ports) {
        BitSet cables = new BitSet();
        for (int port = ports.nextSetBit(0); port >= 0; port = ports.nextSetBit(port + 1)) {
            if (fabric.cable(port) != Fabric.NONE) {
                cables.set(Math.min(port, fabric.cable(port)));
            }
        }
        return cables;
    }

    private void sweep(FabricSim sim) {
        BitSet missing = new BitSet();
        for (int port = 0; port < down.length; port++) {
            missing.set(port, down[port] > 0);
        }
        Fabric left = fabric.withLinksDown(missing);
        switch (engine.orElseThrow().apply(left)) {
            case Refusal refusal -> {
                refused = true;
                tell(sim.now(), refusal.engine() + " refuses what is left: tables stay as they are");
                refusal.reasons().forEach(reason -> log.add("  " + reason.code() + ": " + reason.text()));
            }
            case Routing fresh -> {
                if (mixing.stream().noneMatch(known -> known.equals(fresh))) {
                    mixing.add(fresh);
                }
                CheckReport both = CreditLoopCheck.checkTogether(left, List.copyOf(mixing), CheckOptions.DEFAULT);
                RoutingDiff.Part sls =
                        RoutingDiff.between(routed, current, left, fresh).sls();
                tell(
                        sim.now(),
                        "%s has new tables; %,d of %,d pairs of end ports get another SL"
                                .formatted(fresh.engine(), sls.changed(), sls.compared()));
                tell(sim.now(), "until all switches have them, " + mixture(both));
                coming = fresh;
                routedNext = left;
                nextSwitch = 0;
                nextTables = sim.now();
            }
        }
    }

    private static String mixture(CheckReport both) {
        return both.loops().isEmpty()
                ? "old and new tables together close no credit loop"
                : "both together can close %d credit loops, the first of %d channels"
                        .formatted(
                                both.components(),
                                both.loops().getFirst().waits().size());
    }

    private void giveTables(FabricSim sim) {
        Routing fresh = coming;
        Fabric left = routedNext;
        if (fresh == null || left == null) {
            return;
        }
        do {
            sim.setRouting(nextSwitch++, fresh);
        } while (spread == 0 && nextSwitch < fabric.switchCount());
        if (nextSwitch < fabric.switchCount()) {
            nextTables = sim.now() + spread;
        } else {
            sim.setEndRouting(fresh);
            current = fresh;
            routed = left;
            coming = null;
            mixing.clear();
            mixing.add(fresh);
            nextTables = FabricSim.NEVER;
            tell(sim.now(), "all switches have the new tables");
        }
    }
}
