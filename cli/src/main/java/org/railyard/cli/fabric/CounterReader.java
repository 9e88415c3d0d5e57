package org.railyard.cli.fabric;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.perf.PortCounters;
import org.railyard.mad.perf.PortCountersExtended;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadStatus;

/**
 * Reads the counters of all ports in cables, by LID with SL 0. Only Get is sent. An agent is asked for one port first:
 * one that is silent costs the time-out of one request. For one thread.
 */
final class CounterReader {
    /** Agents that are asked at a time. */
    private static final int MANY = 64;

    private final OpenSubnet subnet;
    private final Fabric fabric;
    private final List<Agent> agents;
    private final Set<Integer> narrow = new HashSet<>();

    /** What counts for one or more ports: a switch, or a port of a host. */
    private record Agent(String name, int lid, List<Integer> ports) {}

    /**
     * What was read.
     *
     * @param ports readings by port index
     * @param silent what did not answer, a line each
     */
    record Counters(SortedMap<Integer, PortReading> ports, List<String> silent) {}

    CounterReader(OpenSubnet subnet, Fabric fabric) {
        this.subnet = subnet;
        this.fabric = fabric;
        this.agents = agents(fabric);
    }

    private static List<Agent> agents(Fabric fabric) {
        List<Agent> agents = new ArrayList<>();
        for (int node = 0; node < fabric.nodeCount(); node++) {
            int of = node;
            List<Integer> ports = IntStream.rangeClosed(1, fabric.ports(node))
                    .map(number -> fabric.portIndex(of, number))
                    .filter(port -> fabric.peer(port) != Fabric.NONE)
                    .boxed()
                    .toList();
            if (!fabric.isSwitch(node)) {
                ports.forEach(port -> agents.add(new Agent(fabric.portName(port), fabric.lid(port), List.of(port))));
            } else if (!ports.isEmpty()) {
                agents.add(new Agent(fabric.description(node), fabric.lid(fabric.portIndex(node, 0)), ports));
            }
        }
        return agents;
    }

    /**
     * Reads all counters once.
     *
     * @throws FabricInputException if the own port fails
     */
    Counters read() {
        return subnet.await((requests, ended) -> new Round(requests, ended).pump());
    }

    /** One reading; in the loop of the transport. */
    private final class Round {
        private final MadRequests requests;
        private final CompletableFuture<Counters> ended;
        private final Iterator<Agent> next = agents.iterator();
        private final SortedMap<Integer, PortReading> ports = new TreeMap<>();
        private final List<String> silent = new ArrayList<>();
        private int open;

        Round(MadRequests requests, CompletableFuture<Counters> ended) {
            this.requests = requests;
            this.ended = ended;
        }

        void pump() {
            while (open < MANY && next.hasNext()) {
                Agent agent = next.next();
                if (agent.lid == 0) {
                    silent.add(agent.name + ": it has no LID; is there a subnet manager?");
                } else {
                    open++;
                    new Questions(this, agent).first();
                }
            }
            if (open == 0) {
                ended.complete(new Counters(ports, silent));
            }
        }

        void ended(@Nullable String problem) {
            open--;
            if (problem != null) {
                silent.add(problem);
            }
            pump();
        }
    }

    /** What one agent is asked in one reading. */
    private final class Questions {
        private final Round round;
        private final Agent agent;
        private @Nullable String problem;
        private int left;

        Questions(Round round, Agent agent) {
            this.round = round;
            this.agent = agent;
        }

        void first() {
            ask(agent.ports.getFirst(), this::others);
        }

        private void others() {
            left = agent.ports.size() - 1;
            if (problem != null || left == 0) {
                round.ended(problem);
                return;
            }
            agent.ports.subList(1, agent.ports.size()).forEach(port -> ask(port, this::another));
        }

        private void another() {
            left--;
            if (left == 0) {
                round.ended(problem);
            }
        }

        private void ask(int port, Runnable done) {
            Mad mad = Mad.performance(PortCounters.TYPE);
            mad.data(PortCounters.TYPE).set(PortCounters.PORT_SELECT, fabric.portNumber(port));
            send(mad, outcome -> {
                PortCounters counters = outcome.good(PortCounters.TYPE);
                if (counters == null) {
                    note(outcome);
                    done.run();
                } else if (narrow.contains(agent.lid)) {
                    keep(port, counters, null);
                    done.run();
                } else {
                    extended(port, counters, done);
                }
            });
        }

        private void extended(int port, PortCounters counters, Runnable done) {
            Mad mad = Mad.performance(PortCountersExtended.TYPE);
            mad.data(PortCountersExtended.TYPE).set(PortCountersExtended.PORT_SELECT, fabric.portNumber(port));
            send(mad, outcome -> {
                PortCountersExtended wide = outcome.good(PortCountersExtended.TYPE);
                if (wide == null && outcome instanceof RequestOutcome.Answered) {
                    narrow.add(agent.lid);
                }
                if (wide == null && !(outcome instanceof RequestOutcome.Answered)) {
                    note(outcome);
                } else {
                    keep(port, counters, wide);
                }
                done.run();
            });
        }

        private void keep(int port, PortCounters counters, @Nullable PortCountersExtended wide) {
            round.ports.put(port, PortReading.of(System.nanoTime(), counters, wide));
        }

        private void send(Mad mad, Consumer<RequestOutcome> done) {
            try {
                round.requests.submit(mad, MadAddress.gmp(agent.lid, 0), done);
            } catch (ErrnoException e) {
                // The port has failed, and whoever waits for this reading hears that from it.
                round.ended.completeExceptionally(e);
            }
        }

        private void note(RequestOutcome outcome) {
            if (problem == null) {
                problem = agent.name + ": "
                        + switch (outcome) {
                            case RequestOutcome.Answered answered ->
                                "counters refused: "
                                        + MadStatus.text(answered.mad().status());
                            case RequestOutcome.Unanswered(int attempts) -> "no answer to " + attempts + " requests";
                            case RequestOutcome.Refused refused -> "not sent, " + refused.reason();
                            case RequestOutcome.Cancelled _ -> "the port failed before an answer came";
                        };
            }
        }
    }
}
