package org.railyard.fabric.proof;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CreditLoop.Wait;
import org.railyard.fabric.proof.DestinationClasses.Destination;
import org.railyard.fabric.route.Routing;

/**
 * Looks for credit loops in tables of any origin: unicast and multicast in one graph of channels (directed link, VL),
 * Tarjan's components, a shortest cycle of each (spec 32). A function of its arguments: same tables, same report.
 */
public final class CreditLoopCheck {
    private final Fabric fabric;
    private final List<Routing> routings;
    private final CheckOptions options;
    private final SlClaims claims;
    private final DependencyGraph graph = new DependencyGraph();
    private final FaultLog faults = new FaultLog();
    private final List<FlowSearch> senders = new ArrayList<>();

    private CreditLoopCheck(Fabric fabric, List<Routing> routings, CheckOptions options, SlClaims claims) {
        this.fabric = fabric;
        this.routings = routings;
        this.options = options;
        this.claims = claims;
    }

    /**
     * Checks tables.
     *
     * @param fabric the fabric, with LIDs
     * @param routing its tables
     * @throws IllegalArgumentException if the tables are of another fabric
     */
    public static CheckReport check(Fabric fabric, Routing routing, CheckOptions options) {
        return checkTogether(fabric, List.of(routing), options);
    }

    /**
     * Checks tables, and lets a verifier hear of each destination while its tables are at hand.
     *
     * @param claims hears of each destination at least once; the certificate has to be shown to it afterwards
     * @throws IllegalArgumentException if the tables are of another fabric
     */
    public static CheckReport check(Fabric fabric, Routing routing, CheckOptions options, SlClaims claims) {
        return check(fabric, List.of(routing), options, claims);
    }

    /**
     * Checks what may be in use at the same time, as while switches get new tables one after the other: the
     * dependencies of all of them in one graph (spec 32 §1). A loop that none of them has by itself is a risk for as
     * long as they mix.
     *
     * @param fabric the fabric, with LIDs, as it is meanwhile: what an older table says of a link that is down counts
     *     as not arriving
     * @param routings the tables, at least one
     * @throws IllegalArgumentException if tables are of another fabric
     */
    public static CheckReport checkTogether(Fabric fabric, List<Routing> routings, CheckOptions options) {
        return check(fabric, routings, options, SlClaims.NOBODY);
    }

    private static CheckReport check(Fabric fabric, List<Routing> routings, CheckOptions options, SlClaims claims) {
        for (Routing routing : routings) {
            if (routing.forwarding().switches() != fabric.switchCount()) {
                throw new IllegalArgumentException("tables of %d switches, fabric of %d"
                        .formatted(routing.forwarding().switches(), fabric.switchCount()));
            }
        }
        // What is told of faults and loops does not depend on what goes quickest.
        CheckReport quick = new CreditLoopCheck(fabric, List.copyOf(routings), options, claims).run(true);
        return quick.verdict() == CheckReport.Verdict.CLEAN
                ? quick
                : new CreditLoopCheck(fabric, List.copyOf(routings), options, SlClaims.NOBODY).run(false);
    }

    /**
     * Runs.
     *
     * @param likeFirst whether destinations that are reached by like ways come one after the other, not by their LIDs
     */
    private CheckReport run(boolean likeFirst) {
        for (Routing routing : routings) {
            addDependencies(routing, likeFirst);
        }
        Dependencies dependencies = new Dependencies(graph.sortedEdges(), options);
        AdjacencyList channels = new AdjacencyList(dependencies.edges());
        Components components = new Components(channels);
        int[][] cyclic = components.cyclic();
        return new CheckReport(
                channels.size(),
                dependencies.count(),
                cyclic.length,
                loops(channels, components, cyclic),
                faults.kept(),
                faults.count(),
                cyclic.length > 0 ? Optional.empty() : Optional.of(Certificate.of(channels, components)),
                dependencies);
    }

    private void addDependencies(Routing routing, boolean likeFirst) {
        SourceGroups sources = addUnicast(routing, likeFirst);
        if (options.multicast()) {
            new MulticastWalk(fabric, List.of(routing.slToVl()), sources, options, graph, faults)
                    .addAll(routing.multicast());
        }
    }

    private SourceGroups addUnicast(Routing routing, boolean likeFirst) {
        SourceGroups sources = new SourceGroups(fabric, routing.sls(), routing.slToVl(), options);
        UnicastWalk unicast = new UnicastWalk(fabric, routing, sources, options, graph, faults, claims);
        List<Destination> destinations = new DestinationClasses(fabric, routing, options).all();
        unicast.addAll(likeFirst ? LikeDestinations.sorted(fabric, routing, destinations) : destinations);
        senders.add(unicast.flowSearch());
        return sources;
    }

    private List<CreditLoop> loops(AdjacencyList channels, Components components, int[][] cyclic) {
        List<CreditLoop> loops = new ArrayList<>();
        ShortestCycle search = new ShortestCycle(channels, components);
        for (int i = 0; i < Math.min(cyclic.length, CheckReport.MAX_LOOPS); i++) {
            int[] cycle = search.find(cyclic[i]);
            List<Wait> waits = new ArrayList<>();
            for (int at = 0; at < cycle.length; at++) {
                int from = channels.channel(cycle[at]);
                int to = channels.channel(cycle[(at + 1) % cycle.length]);
                waits.add(new Wait(Channel.of(from), witness(from, to)));
            }
            loops.add(new CreditLoop(waits, cyclic[i].length));
        }
        return loops;
    }

    private Flow witness(int from, int to) {
        Flow made = graph.witness(from, to);
        if (made.sourceLid() != DependencyGraph.SENDER_NOT_KEPT) {
            return made;
        }
        return senders.stream()
                .flatMap(each -> each.through(from, to, made.destinationLid(), made.sl()).stream())
                .findFirst()
                .orElseThrow();
    }
}
