package org.railyard.cli.fabric;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingResult;
import org.railyard.fabric.sim.FabricSim;
import org.railyard.fabric.sim.traffic.Incident;
import org.railyard.fabric.sim.traffic.Upkeep;
import picocli.CommandLine.Option;

/** What is to happen to a fabric under traffic: options of {@code fabric sim}. */
final class SimIncidents {
    /** Most incidents of a run. */
    static final int MAX_INCIDENTS = 10_000;

    @Option(
            names = "--fail",
            paramLabel = "WHAT@TIME",
            description =
                    "What goes down at a time, such as \"switch 4,2 @ 20us\": a switch; A:B, all cables between two"
                            + " switches; A/N, the cable in port N. Switches by description, GUID, or X,Y,Z on a torus."
                            + " May be repeated.")
    private List<String> fail = new ArrayList<>();

    @Option(names = "--repair", paramLabel = "WHAT@TIME", description = "What comes up again, named as for --fail.")
    private List<String> repair = new ArrayList<>();

    @Option(
            names = "--sink",
            paramLabel = "HOST=SHARE[@TIME]",
            description =
                    "A host, or all, that takes packets at a share of the rate of its link only; 0: it takes none,"
                            + " from a time on. May be repeated.")
    private List<String> sinks = new ArrayList<>();

    @Option(
            names = "--sweep-delay",
            paramLabel = "TIME",
            defaultValue = "50us",
            description = "From a failure to new tables. Default: ${DEFAULT-VALUE}.")
    private String delay = "";

    @Option(
            names = "--sweep-spread",
            paramLabel = "TIME",
            defaultValue = "1us",
            description = "From one switch that gets new tables to the next. Default: ${DEFAULT-VALUE}.")
    private String spread = "";

    private final List<Incident> found = new ArrayList<>();

    /** Makes what happens in one run, for each run anew. */
    @FunctionalInterface
    interface Plan {
        /** Returns it. */
        Upkeep upkeep();
    }

    /**
     * Checks the times by themselves.
     *
     * @throws FabricInputException if one is none
     */
    void requireTimes() {
        SimTime.nanos("--sweep-delay", delay);
        SimTime.nanos("--sweep-spread", spread);
    }

    /**
     * Finds what is named.
     *
     * @param engine routes what is left; the same rest is routed once
     * @throws FabricInputException if something is not there, or a time is none
     */
    Plan of(
            Fabric fabric,
            Routing routing,
            Optional<TorusLayout> layout,
            Optional<Function<Fabric, RoutingResult>> engine) {
        List<Incident> incidents = new ArrayList<>();
        FailureFinder finder = new FailureFinder(fabric, layout);
        fail.forEach(text -> incidents.add(links("--fail", text, finder, false)));
        repair.forEach(text -> incidents.add(links("--repair", text, finder, true)));
        requireDown(fabric, incidents);
        EndPortFinder names = new EndPortFinder(fabric);
        sinks.forEach(text -> addSinks(text, fabric, names, incidents));
        if (incidents.size() > MAX_INCIDENTS) {
            throw new FabricInputException("%d incidents, more than %d".formatted(incidents.size(), MAX_INCIDENTS));
        }
        found.clear();
        found.addAll(incidents);
        long delayNanos = SimTime.nanos("--sweep-delay", delay);
        long spreadNanos = SimTime.nanos("--sweep-spread", spread);
        Map<BitSet, RoutingResult> known = new ConcurrentHashMap<>();
        Optional<Function<Fabric, RoutingResult>> once =
                engine.map(route -> left -> known.computeIfAbsent(present(left), _ -> route.apply(left)));
        return () -> new Upkeep(fabric, routing, incidents, once, delayNanos, spreadNanos);
    }

    /**
     * Returns the cables, each by its smaller port, that go down and do not come up again. To be called behind {@link
     * #of}.
     */
    BitSet gone(Fabric fabric) {
        BitSet gone = new BitSet();
        List<Incident> inOrder =
                found.stream().sorted(Comparator.comparingLong(Incident::nanos)).toList();
        for (Incident incident : inOrder) {
            if (incident instanceof Incident.Links(long _, String _, BitSet ports, boolean up)) {
                BitSet cables = Upkeep.cables(fabric, ports);
                if (up) {
                    gone.andNot(cables);
                } else {
                    gone.or(cables);
                }
            }
        }
        return gone;
    }

    /** Refuses a repair of what is up: nothing would happen, and be told as if something did. */
    private static void requireDown(Fabric fabric, List<Incident> incidents) {
        int[] down = new int[fabric.portCount()];
        List<Incident> inOrder = incidents.stream()
                .sorted(Comparator.comparingLong(Incident::nanos))
                .toList();
        for (Incident incident : inOrder) {
            if (incident instanceof Incident.Links(long _, String text, BitSet ports, boolean up)) {
                BitSet cables = Upkeep.cables(fabric, ports);
                if (up && cables.stream().allMatch(port -> down[port] == 0 && fabric.peer(port) != Fabric.NONE)) {
                    throw new FabricInputException(
                            "--repair: \"%s\", but nothing of it is down then; expected a --fail of it before"
                                    .formatted(text));
                }
                cables.stream().forEach(port -> down[port] = Math.max(0, down[port] + (up ? -1 : 1)));
            }
        }
    }

    /** The ports that have somebody at the other end, which tells what is left of one fabric from what else is. */
    private static BitSet present(Fabric left) {
        BitSet ports = new BitSet();
        for (int port = 0; port < left.portCount(); port++) {
            ports.set(port, left.peer(port) != Fabric.NONE);
        }
        return ports;
    }

    private static Incident links(String option, String text, FailureFinder finder, boolean up) {
        int at = text.lastIndexOf('@');
        if (at < 0) {
            throw new FabricInputException(
                    "%s: found \"%s\", expected what and when, such as \"switch 4,2 @ 20us\"".formatted(option, text));
        }
        long nanos = SimTime.nanos(option, text.substring(at + 1));
        String what = text.substring(0, at).strip();
        String name = what.replaceFirst("^(?:switch|cable|link)\\s+", "");
        if (!name.equals(what) && what.startsWith("switch") != finder.isSwitch(name)) {
            throw new FabricInputException("%s: found \"%s\", expected %s"
                    .formatted(
                            option,
                            what,
                            what.startsWith("switch")
                                    ? "a switch behind 'switch': its description, GUID, or X,Y,Z on a torus"
                                    : "A:B, two switches, or A/N, a port of one"));
        }
        BitSet ports = finder.allOf(List.of(name)).ports();
        return new Incident.Links(nanos, what + (up ? " comes up" : " goes down"), ports, up);
    }

    private static void addSinks(String text, Fabric fabric, EndPortFinder names, List<Incident> incidents) {
        int equals = text.lastIndexOf('=');
        int at = text.indexOf('@', equals + 1);
        String number = text.substring(equals + 1, at < 0 ? text.length() : at).strip();
        double share = number.matches("[0-9]{0,3}\\.?[0-9]{1,9}") ? Double.parseDouble(number) : -1;
        if (equals < 1 || share > 1 || share < 0 || share > 0 && share < FabricSim.SLOWEST) {
            throw new FabricInputException(
                    "--sink: found \"%s\", expected HOST=SHARE with a share of 0, or %s to 1, such as H-0.0.0.0=0.25"
                            .formatted(
                                    text,
                                    BigDecimal.valueOf(FabricSim.SLOWEST)
                                            .stripTrailingZeros()
                                            .toPlainString()));
        }
        long nanos = at < 0 ? 0 : SimTime.nanos("--sink", text.substring(at + 1));
        String name = text.substring(0, equals).strip();
        for (int port : name.equals("all") ? names.hosts() : List.of(names.find(name))) {
            if (fabric.isSwitch(fabric.nodeOf(port))) {
                throw new FabricInputException("--sink: %s is a switch, expected a host".formatted(name));
            }
            incidents.add(new Incident.Sink(nanos, says(fabric.portName(port), share), port, share));
        }
    }

    private static String says(String port, double share) {
        return port + (share == 0 ? " takes no packets" : " takes packets at %s of its link".formatted(share));
    }
}
