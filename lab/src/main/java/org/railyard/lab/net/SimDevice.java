package org.railyard.lab.net;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.nid.Nid;

/** A network card: one name, one address, one rail. Belongs to the thread of its run. */
public final class SimDevice {
    private final SimMachine machine;
    private final String name;
    private final Rail rail;
    private final int address;
    private final List<SimEndpoint> endpoints = new ArrayList<>();
    private @Nullable MachineCards cards;
    private int downs;
    private int unplugs;
    long egressFree;
    long ingressFree;

    SimDevice(SimMachine machine, String name, Rail rail, int address) {
        this.machine = machine;
        this.name = name;
        this.rail = rail;
        this.address = address;
    }

    /** Returns the machine. */
    public SimMachine machine() {
        return machine;
    }

    /** Returns its name, for example {@code eth0}. */
    public String name() {
        return name;
    }

    /** Returns its rail. */
    public Rail rail() {
        return rail;
    }

    /** Returns its IPv4 address. */
    public int address() {
        return address;
    }

    /** Makes it a card of a network that is simulated elsewhere. */
    public void attach(MachineCards to) {
        cards = to;
    }

    /** Returns the cards that it is one of, or null. */
    public @Nullable MachineCards cards() {
        return cards;
    }

    /** Tells whether its link is up, as far as the machine can see. */
    public boolean isUp() {
        return downs == 0;
    }

    /**
     * Takes the link down, or up again. Nested: it is up when every fault that took it down is over. Its NIs get a
     * device event, and their connections are broken.
     */
    public void link(boolean up) {
        boolean was = isUp();
        downs += up ? -1 : 1;
        if (was != isUp() && cards != null) {
            cards.link(this, isUp());
        } else if (was != isUp()) {
            for (SimEndpoint endpoint : List.copyOf(endpoints)) {
                endpoint.linkChanged(isUp() ? DeviceEvent.CLEAR : DeviceEvent.FATAL);
            }
        }
    }

    /** Pulls the cable at the far end, or plugs it in again: nothing passes, and nobody is told. Nested. */
    public void plug(boolean in) {
        unplugs += in ? -1 : 1;
    }

    /** Tells whether frames pass. */
    boolean passes() {
        return downs == 0 && unplugs == 0 && rail.passes();
    }

    void add(SimEndpoint endpoint) {
        endpoints.add(endpoint);
    }

    void remove(SimEndpoint endpoint) {
        endpoints.remove(endpoint);
    }

    List<SimEndpoint> endpoints() {
        return List.copyOf(endpoints);
    }

    @Nullable
    SimEndpoint endpoint(Nid nid) {
        for (SimEndpoint endpoint : endpoints) {
            if (endpoint.nid().equals(nid)) {
                return endpoint;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return machine.name() + ":" + name;
    }
}
