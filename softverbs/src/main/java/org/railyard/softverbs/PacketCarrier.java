package org.railyard.softverbs;

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

/** Each packet by itself, on the packet-level simulator; its events are happenings of the time line. */
final class PacketCarrier implements Carrier, SimListener {
    private final Timeline time;
    private final Fabric fabric;
    private final FabricSim sim;
    private final long ownDelay;
    private final Consumer<Deadlock> onDeadlock;

    /** What is on its way, by the token that it has in the simulator. */
    private final List<@Nullable Shipment> underWay = new ArrayList<>();

    private final BitSet freeTokens = new BitSet();
    private final BitSet hasLeft = new BitSet();
    private Timeline.@Nullable Cancel turn;
    private long turnAt;

    PacketCarrier(Timeline time, Fabric fabric, Routing routing, SoftSettings settings, Consumer<Deadlock> onDeadlock) {
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
    public long carry(Shipment shipment) {
        PortPair way = shipment.way();
        long leaves = Math.max(
                shipment.floor(),
                Math.max(time.now(), shipment.earliest()) + shipment.verdict().delayNanos());
        if (shipment.isLostAtOnce()) {
            shipment.departure().run();
            shipment.loss().run();
            return leaves;
        }
        for (int copy = 0; copy < shipment.copies(); copy++) {
            if (way.from() == way.to()) {
                // A card does not ask a switch for what is for itself.
                shipment.departure().run();
                time.at(leaves + ownDelay, shipment.arrival());
            } else {
                send(shipment, leaves);
            }
        }
        return leaves;
    }

    private void send(Shipment shipment, long leaves) {
        PortPair way = shipment.way();
        int token = freeTokens.nextSetBit(0);
        if (token < 0) {
            token = underWay.size();
            underWay.add(shipment);
        } else {
            freeTokens.clear(token);
            underWay.set(token, shipment);
        }
        int bytes = (int) shipment.bytes();
        if (!sim.injectAt(leaves, way.from().fabricPort(), way.to().lid(), way.sl(), bytes, token)) {
            lose(token);
        }
        plan();
    }

    private Shipment take(long token) {
        Shipment shipment = underWay.set((int) token, null);
        if (shipment == null) {
            throw new IllegalStateException("packet " + token + " ended twice");
        }
        freeTokens.set((int) token);
        hasLeft.clear((int) token);
        return shipment;
    }

    /** Sees to it that the next event of the simulator happens at its time. */
    private void plan() {
        long next = sim.nextEventNanos();
        Timeline.Cancel planned = turn;
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
        Shipment shipment = underWay.get((int) token);
        if (shipment != null) {
            shipment.departure().run();
        }
    }

    @Override
    public void delivered(long token, int port, long birthNanos, long sentNanos, int hops) {
        take(token).arrival().run();
    }

    @Override
    public void dropped(long token, DropReason reason) {
        lose(token);
    }

    /** A port that is down sends into the void: for its card, what is lost there has left. */
    private void lose(long token) {
        boolean left = hasLeft.get((int) token);
        Shipment shipment = take(token);
        if (!left) {
            shipment.departure().run();
        }
        shipment.loss().run();
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
