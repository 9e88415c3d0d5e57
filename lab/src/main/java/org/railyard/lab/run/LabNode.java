package org.railyard.lab.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.config.Configuration;
import org.railyard.config.NiSpec;
import org.railyard.lab.engine.SimHost;
import org.railyard.lab.load.LoadTarget;
import org.railyard.lab.net.MachineCards;
import org.railyard.lab.net.SimDevice;
import org.railyard.lab.net.SimLnd;
import org.railyard.lab.net.SimMachine;
import org.railyard.lab.observe.JournalKind;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lab.observe.WatchedLnd;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.EventHandler;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.lnd.InterfaceNames;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.selftest.Selftest;

/** A node of a run: its machine, its configuration, and the life that it has at the moment, if any. */
final class LabNode {
    private static final long SECOND = 1_000_000_000L;

    /** A node that can not start, since a card is broken, tries again after this time. */
    private static final long RETRY_NANOS = SECOND;

    /** The simulated clocks start at this wall-clock time: 2026-01-01T00:00Z. */
    private static final long WALL_START = 1_767_225_600L * SECOND;

    private static final List<NetType> TYPES =
            List.of(NetType.TCP, NetType.O2IB, NetType.KFI, NetType.EFA, NetType.GNI);

    private final World world;
    private final SimMachine machine;
    private final String group;
    private final Configuration config;
    private final Settings settings;
    private final List<Nid> nids = new ArrayList<>();
    private @Nullable NodeRun life;
    private @Nullable Selftest selftest;
    private int lives;
    private int stops;

    LabNode(World world, SimMachine machine, String group, Configuration config) {
        this.world = world;
        this.machine = machine;
        this.group = group;
        this.config = config;
        settings = config.configure(LNetConfig.builder()).build().settings();
        for (NiSpec ni : config.nis()) {
            NiRequest request = ni.request();
            String name = request.interfaceName();
            SimDevice device = name == null
                    ? null
                    : machine.device(InterfaceNames.split(name).getFirst());
            if (device != null) {
                nids.add(Nid.of(request.net(), device.address()));
            }
        }
    }

    SimMachine machine() {
        return machine;
    }

    String group() {
        return group;
    }

    /** Returns the NIDs that it has whenever it lives. */
    List<Nid> nids() {
        return nids;
    }

    /** Tells whether a NID is on a net of this node, or on one that its configuration has a route to. */
    boolean reaches(Nid nid) {
        return nids.stream().anyMatch(nid::isOnNetOf)
                || config.rest().routes().stream().anyMatch(route -> route.net().equals(nid.net()));
    }

    /** Returns the life that it has now, or null. */
    @Nullable
    NodeRun life() {
        return life;
    }

    /** Returns the selftest of the life that it has now; null if there is none. */
    @Nullable
    Selftest selftest() {
        return selftest;
    }

    /** Starts it, unless it lives, or is still to be stopped for another reason. */
    void start() {
        if (life != null || stops > 0) {
            return;
        }
        RandomGenerator random = world.chance.of("clock " + lives, machine.number());
        SimHost host = new SimHost(
                world.queue,
                world.chance.of("host " + lives, machine.number()),
                random.nextLong(1_000_000 * SECOND),
                WALL_START + random.nextLong(SECOND));
        NodeRun born = new NodeRun(machine, lives++, settings, host);
        life = born;
        LNetConfig.Builder builder = config.configure(LNetConfig.builder().host(host));
        for (NetType type : TYPES) {
            builder.lnd(transport(born, type));
        }
        world.network.power(machine);
        LNet stack;
        try {
            stack = LNet.start(builder.build());
        } catch (ErrnoException e) {
            world.journal.note(machine, JournalKind.END, "can not start: " + e.getMessage());
            kill(true);
            world.queue.at(world.queue.now() + RETRY_NANOS, this::start);
            return;
        }
        born.born(stack);
        config.finish(stack);
        UnaryOperator<EventHandler> guard = world::guarded;
        LoadTarget.serve(born, world.content, world.watch, guard);
        selftest = world.selftest.map(run -> run.start(born)).orElse(null);
        world.journal.note(machine, JournalKind.START, "as " + born.nids());
        world.started(this, born);
    }

    private LndProvider transport(NodeRun born, NetType type) {
        MachineCards cards = machine.cards();
        LndProvider simulated = world.interposer.belowWatch(
                cards != null && cards.transport().type() == type
                        ? cards.transport()
                        : SimLnd.provider(world.network, machine, type));
        return world.interposer.aboveWatch(WatchedLnd.around(simulated, born, world.watch));
    }

    /** A fault that keeps it from running begins or ends. */
    void hold(boolean begins) {
        stops += begins ? 1 : -1;
    }

    /** Kills it. */
    void kill(boolean power) {
        NodeRun dying = life;
        if (dying == null) {
            return;
        }
        life = null;
        selftest = null;
        dying.end(NodeRun.End.KILLED);
        dying.host().die();
        world.network.kill(machine, power);
        world.journal.note(machine, JournalKind.END, power ? "killed" : "crashed");
        world.killed(dying);
    }

    /** Shuts it down in order. */
    void close() {
        NodeRun closing = life;
        if (closing == null) {
            return;
        }
        life = null;
        closing.end(NodeRun.End.CLOSING);
        world.journal.note(machine, JournalKind.END, "shut down");
        if (selftest != null) {
            selftest.close();
            selftest = null;
        }
        closing.lnet().close();
        world.network.kill(machine, true);
        closing.end(NodeRun.End.CLOSED);
        world.closed(closing);
    }
}
