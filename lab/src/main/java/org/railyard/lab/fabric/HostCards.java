package org.railyard.lab.fabric;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.railyard.lab.net.MachineCards;
import org.railyard.lab.net.SimDevice;
import org.railyard.lab.net.SimMachine;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.O2ibLndProvider;
import org.railyard.o2iblnd.bond.Target;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.SoftNode;
import org.railyard.softverbs.card.SoftPort;

/** The InfiniBand cards of a machine. Without power their links are down. */
final class HostCards implements MachineCards {
    /** The net on which groups know each other's addresses. */
    private static final Net GROUP_NET = Net.parse("o2ib");

    private final RailFabric fabric;
    private final SoftNode node;
    private final Map<SimDevice, SoftPort> ports = new LinkedHashMap<>();
    private boolean powered = true;

    HostCards(RailFabric fabric, SoftNode node) {
        this.fabric = fabric;
        this.node = node;
    }

    SoftNode node() {
        return node;
    }

    void add(SimDevice device, SoftPort port) {
        ports.put(device, port);
    }

    @Override
    public LndProvider transport() {
        return new O2ibLndProvider(_ -> node, Tunables.DEFAULT, fabric.targets());
    }

    /** Returns all addresses of the machine, under the NID that a group of all its cards has. */
    Target target() {
        List<Integer> addresses =
                ports.keySet().stream().map(SimDevice::address).toList();
        return new Target(Nid.of(GROUP_NET, addresses.getFirst()), addresses);
    }

    @Override
    public void link(SimDevice device, boolean up) {
        fabric.link(port(device), up);
    }

    @Override
    public void work(SimDevice device, boolean works) {
        if (works) {
            port(device).device().repair();
        } else {
            port(device).device().fail();
        }
    }

    @Override
    public void degrade(SimDevice device, boolean begins) {
        fabric.setLanes(port(device), begins);
    }

    private SoftPort port(SimDevice device) {
        return Objects.requireNonNull(ports.get(device), () -> device + " is no card of " + node);
    }

    @Override
    public void slow(long nanos) {
        ports.values().forEach(port -> port.device().delayCompletions(nanos));
    }

    @Override
    public void reset(SimDevice own, SimDevice other) {
        if (other.cards() instanceof HostCards theirs && theirs.fabric == fabric) {
            fabric.breakConnections(port(own), theirs.port(other));
        }
    }

    @Override
    public void power(SimMachine.Power power) {
        switch (power) {
            case ON, REFUSING -> setPowered(true);
            case OFF -> {
                node.close();
                setPowered(false);
            }
        }
        if (power == SimMachine.Power.REFUSING) {
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
