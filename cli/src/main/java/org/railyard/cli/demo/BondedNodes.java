package org.railyard.cli.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.engine.SimHost;
import org.railyard.lab.fabric.RailFabric;
import org.railyard.lab.fabric.TorusSettings;
import org.railyard.lab.net.NetListener;
import org.railyard.lab.net.Rail;
import org.railyard.lab.net.RailSettings;
import org.railyard.lab.net.SimDevice;
import org.railyard.lab.net.SimMachine;
import org.railyard.lab.net.SimNetwork;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.InterfaceNames;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;
import org.railyard.o2iblnd.O2ibLnd;
import org.railyard.o2iblnd.bond.RouteView;

/**
 * Two nodes on a simulated InfiniBand fabric, in virtual time. The cards of each are one NI, a channel-bonding group.
 * For one thread.
 */
final class BondedNodes implements AutoCloseable {
    static final int CARDS = 3;

    private static final List<String> INTERFACES = List.of("ib0", "ib1", "ib2");
    /** 10.1.1.2, as in the design of channel bonding. */
    private static final int FIRST_ADDRESS = 10 << 24 | 1 << 16 | 1 << 8 | 2;

    /** What was on a port that goes down ends as a time-out after so many seconds. */
    private static final int TRANSACTION_TIMEOUT = 2;

    private static final long SWEEP_NANOS = 200_000_000L;
    private static final long WALL_START = 1_767_225_600_000_000_000L;
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private final EventQueue queue = new EventQueue();
    private final SplittableRandom random = new SplittableRandom(1);
    private final SimNetwork network = new SimNetwork(queue, random.split(), new NetListener() {}, new ArrayList<>());
    private final Rail rail = network.addRail("ib", RailSettings.DEFAULT, true);
    private final RailFabric fabric;
    private final Node left;
    private final Node right;

    /** A node with what can be seen of it. */
    private record Node(SimMachine machine, LNet lnet, O2ibLnd transport) {}

    /**
     * Starts the nodes.
     *
     * @param journal hears of the subnet manager
     */
    BondedNodes(Consumer<String> journal) {
        TorusSettings torus =
                new TorusSettings(List.of(CARDS, CARDS, 1), 1, TorusSettings.Engine.TORUS_2QOS, SWEEP_NANOS);
        fabric = new RailFabric(queue, random.split(), torus, network, journal);
        left = start("left", 0);
        right = start("right", 1);
    }

    private Node start(String name, int number) {
        SimMachine machine = network.addMachine(name);
        for (int card = 0; card < CARDS; card++) {
            int address = FIRST_ADDRESS + number * CARDS + card;
            fabric.attach(machine, network.addDevice(machine, INTERFACES.get(card), rail, address));
        }
        network.power(machine);
        List<O2ibLnd> made = new ArrayList<>();
        LNet lnet = LNet.start(LNetConfig.builder()
                .settings(Settings.DEFAULT
                        .with(Tunable.RETRY_COUNT, 1)
                        .with(Tunable.TRANSACTION_TIMEOUT, TRANSACTION_TIMEOUT))
                .host(new SimHost(queue, random.split(), 0, WALL_START + number))
                .lnd(keeping(Objects.requireNonNull(machine.cards()).transport(), made))
                .ni(NiRequest.ofInterface(Net.parse("o2ib"), InterfaceNames.join(INTERFACES)))
                .build());
        return new Node(machine, lnet, made.getFirst());
    }

    /** Returns what makes the same transports and keeps them. */
    private static LndProvider keeping(LndProvider inner, List<O2ibLnd> made) {
        return new LndProvider() {
            @Override
            public NetType type() {
                return inner.type();
            }

            @Override
            public Lnd create(LndUpcalls stack, Host host) {
                Lnd lnd = inner.create(stack, host);
                if (lnd instanceof O2ibLnd o2ib) {
                    made.add(o2ib);
                }
                return lnd;
            }
        };
    }

    EventQueue queue() {
        return queue;
    }

    LNet left() {
        return left.lnet;
    }

    LNet right() {
        return right.lnet;
    }

    /** Returns the cards of the left node. */
    List<SimDevice> cards() {
        return left.machine.devices();
    }

    /** Lets the link of a card go on with one lane, or with all. */
    void degrade(SimDevice card, boolean begins) {
        Objects.requireNonNull(card.cards()).degrade(card, begins);
    }

    /** Returns the routes from the left node to the right one. */
    List<RouteView> routes() {
        return left.transport.routes().stream()
                .filter(set -> set.peer().equals(right.lnet.nids().getFirst()))
                .flatMap(set -> set.routes().stream())
                .toList();
    }

    /**
     * Lets time pass until there is a result.
     *
     * @throws ErrnoException ETIMEDOUT if there is none in {@value #PATIENCE_NANOS} ns
     */
    <T> T await(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        long end = queue.now() + PATIENCE_NANOS;
        while (!future.isDone() && queue.runNext(end)) {
            // The next event.
        }
        if (!future.isDone()) {
            throw new ErrnoException(Errno.ETIMEDOUT, "the nodes do not hear each other");
        }
        return future.join();
    }

    /** Lets time pass. */
    void run(long nanos) {
        long end = queue.now() + nanos;
        while (queue.runNext(end)) {
            // The next event.
        }
    }

    @Override
    public void close() {
        left.lnet.close();
        right.lnet.close();
    }
}
