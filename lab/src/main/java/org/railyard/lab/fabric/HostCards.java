package org.railyard.lab.fabric;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.railyard.lab.net.Cards;
import org.railyard.lab.net.Device;
import org.railyard.lab.net.Machine;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.o2iblnd.O2ibLndProvider;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.SoftNode;
import org.railyard.softverbs.SoftPort;

/** The InfiniBand cards of a machine. Without power their links are down. */
final class HostCards implements Cards {
    private final RailFabric fabric;
    private final SoftNode node;
    private final Map<Device, SoftPort> ports = new LinkedHashMap<>();
    private boolean powered = true;

    HostCards(RailFabric fabric, SoftNode node) {
        this.fabric = fabric;
        this.node = node;
    }

    SoftNode node() {
        return node;
    }

    void add(Device device, SoftPort port) {
        ports.put(device, port);
    }

    @Override
    public LndProvider transport() {
        return new O2ibLndProvider(_ -> node, Tunables.DEFAULT);
    }

    @Override
    public void link(Device device, boolean up) {
        fabric.link(port(device), up);
    }

    @Override
    public void fail(Device device) {
        port(device).device().fail();
    }

    @Override
    public void repair(Device device) {
        port(device).device().repair();
    }

    @Override
    public void degrade(Device device, boolean begins) {
        fabric.setLanes(port(device), begins);
    }

    private SoftPort port(Device device) {
        return Objects.requireNonNull(ports.get(device), () -> device + " is no card of " + node);
    }

    @Override
    public void slow(long nanos) {
        ports.values().forEach(port -> port.device().delayCompletions(nanos));
    }

    @Override
    public void reset(Device own, Device other) {
        if (other.cards() instanceof HostCards theirs && theirs.fabric == fabric) {
            fabric.breakConnections(port(own), theirs.port(other));
        }
    }

    @Override
    public void power(Machine.Power power) {
        switch (power) {
            case ON, REFUSING -> setPowered(true);
            case OFF -> {
                node.close();
                setPowered(false);
            }
        }
        if (power == Machine.Power.REFUSING) {
            node.exit();
        }
    }

    private void setPowered(boolean on) {
        if (powered != on) {
            powered = on;
            ports.values().forEach(port -> fabric.link(port, on));
        }
    }
}
