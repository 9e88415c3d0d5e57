package org.railyard.softverbs.net;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sim.Deadlock;
import org.railyard.fabric.sim.DropReason;
import org.railyard.fabric.sim.FabricSim;
import org.railyard.fabric.sim.SimListener;
import org.railyard.softverbs.time.Timeline;
import org.railyard.verbs.LoopTimer;

/** Each packet by itself, on the packet-level simulator; its events are events of the time line. */
final class PacketTransmitter implements Transmitter, SimListener {
    private final Timeline time;
    private final Fabric fabric;
    private final FabricSim sim;
    private final long ownDelay;
    private final Consumer<Deadlock> onDeadlock;

    /** What is on its way, by the token that it has in the simulator. */
    private final List<@Nullable Transmission> underWay = new ArrayList<>();

    private final BitSet freeTokens = new BitSet();
    private final BitSet hasLeft = new BitSet();
    private @Nullable LoopTimer turn;
    private long turnAt;

    PacketTransmitter(
            Timeline time, Fabric fabric, Routing routing, SoftSettings settings, Consumer<Deadlock> onDeadlock) {
        this.time = time;
        this.fabric = fabric;
        this.ownDelay = settings.linkDelay();
        this.onDeadlock = onDeadlock;
        this.sim = new FabricSim(fabric, routing, settings.ofPackets(), this);
    }

    FabricSim sim() {
        return sim;
    }

    @Override
    public long send(Transmission sent) {
        PortPair route = sent.route();
        long leaves = Math.max(
                sent.floor(),
                Math.max(time.now(), sent.earliest()) + sent.verdict().delayNanos());
        if (sent.isLostAtOnce()) {
            sent.sender().leaves();
            sent.sender().isLost();
            return leaves;
        }
        for (int copy = 0; copy < sent.copies(); copy++) {
            if (route.from() == route.to()) {
                // A card does not ask a switch for what is for itself.
                sent.sender().leaves();
                time.at(leaves + ownDelay, sent.sender()::arrives);
            } else {
                inject(sent, leaves);
            }
        }
        return leaves;
    }

    private void inject(Transmission sent, long leaves) {
        PortPair route = sent.route();
        int token = freeTokens.nextSetBit(0);
        if (token < 0) {
            token = underWay.size();
            underWay.add(sent);
        } else {
            freeTokens.clear(token);
            underWay.set(token, sent);
        }
        int bytes = (int) sent.bytes();
        // Its clock stood still while nothing was under way: it would look for deadlocks all that time.
        sim.runUntil(time.now() - 1);
        if (!sim.injectAt(leaves, route.from().fabricPort(), route.to().lid(), route.sl(), bytes, token)) {
            lose(token);
        }
        plan();
    }

    private Transmission take(long token) {
        Transmission sent = underWay.set((int) token, null);
        if (sent == null) {
            throw new IllegalStateException("packet " + token + " ended twice");
        }
        freeTokens.set((int) token);
        hasLeft.clear((int) token);
        return sent;
    }

    /** Sees to it that the next event of the simulator happens at its time. */
    private void plan() {
        long next = sim.nextEventNanos();
        LoopTimer planned = turn;
        if (planned != null && turnAt <= next) {
            return;
        }
        if (planned != null) {
            planned.cancel();
        }
        turnAt = next;
        turn = next == FabricSim.NEVER ? null : time.at(next, this::turn);
    }

    private void turn() {
        // What is sent meanwhile is planned in the end.
        turnAt = Long.MIN_VALUE;
        sim.runUntil(time.now());
        turn = null;
        plan();
    }

    @Override
    public void leaves(long token) {
        hasLeft.set((int) token);
        Transmission sent = underWay.get((int) token);
        if (sent != null) {
            sent.sender().leaves();
        }
    }

    @Override
    public void delivered(long token, int port, long birthNanos, long sentNanos, int hops) {
        take(token).sender().arrives();
    }

    @Override
    public void dropped(long token, DropReason reason) {
        lose(token);
    }

    /** A port that is down sends into the void: for its card, what is lost there has left. */
    private void lose(long token) {
        boolean left = hasLeft.get((int) token);
        Transmission sent = take(token);
        if (!left) {
            sent.sender().leaves();
        }
        sent.sender().isLost();
    }

    @Override
    public void deadlocked(Deadlock deadlock) {
        onDeadlock.accept(deadlock);
    }

    @Override
    public void linksChanged(BitSet ports, boolean up) {
        for (int port = ports.nextSetBit(0); port >= 0; port = ports.nextSetBit(port + 1)) {
            if (fabric.cable(port) != Fabric.NONE) {
                sim.setLink(port, up);
            }
        }
        plan();
    }

    @Override
    public void rateChanged(int port, int lanes, LinkSpeed speed) {
        sim.setRate(port, lanes, speed);
    }

    @Override
    public void rerouted(Routing routing) {
        sim.setRouting(routing);
    }
}
