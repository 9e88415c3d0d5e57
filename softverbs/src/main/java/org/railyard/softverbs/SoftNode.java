package org.railyard.softverbs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.verbs.CmId;
import org.railyard.verbs.CmListener;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.VerbsClock;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsInterface;
import org.railyard.verbs.VerbsProvider;
import org.railyard.verbs.card.MemoryModel;

/** A machine with simulated cards. */
public final class SoftNode implements VerbsProvider {
    private final SoftFabric fabric;
    private final String name;
    private final MemoryModel memory;
    private final List<SoftDevice> devices = new ArrayList<>();
    private final Map<Integer, SoftInterface> interfaces = new LinkedHashMap<>();
    private final List<SoftLoop> loops = new ArrayList<>();
    private final SoftManager manager;
    private boolean frozen;

    SoftNode(SoftFabric fabric, String name, MemoryModel memory) {
        this.fabric = fabric;
        this.name = name;
        this.memory = memory;
        this.manager = new SoftManager(this);
    }

    /**
     * Puts a card into the machine.
     *
     * @param deviceName for example {@code mlx5_0}
     * @param fabricNode index of the node in the fabric that the card is
     * @param attributes what it is able to do
     */
    public SoftDevice addDevice(String deviceName, int fabricNode, DeviceAttributes attributes) {
        Fabric model = fabric.subnet().present();
        if (model.isSwitch(fabricNode) || model.ports(fabricNode) < attributes.ports()) {
            throw new IllegalArgumentException(
                    model.description(fabricNode) + " is no card with " + attributes.ports() + " ports");
        }
        SoftDevice device = new SoftDevice(this, deviceName, fabricNode, attributes);
        devices.add(device);
        fabric.register(device);
        return device;
    }

    /**
     * Gives a port an IP address.
     *
     * @param interfaceName for example {@code ib0}
     * @param ip first octet in the highest bits
     */
    public SoftInterface addInterface(String interfaceName, int ip, SoftPort port) {
        SoftInterface added = new SoftInterface(interfaceName, ip, port);
        fabric.register(added);
        interfaces.put(ip, added);
        return added;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public VerbsClock clock() {
        return fabric.time()::now;
    }

    @Override
    public List<VerbsDevice> devices() {
        List<VerbsDevice> present = new ArrayList<>();
        for (SoftDevice device : devices) {
            if (!device.isRemoved()) {
                present.add(device);
            }
        }
        return present;
    }

    @Override
    public List<VerbsInterface> interfaces() {
        List<VerbsInterface> present = new ArrayList<>();
        for (SoftInterface each : interfaces.values()) {
            SoftPort port = each.port();
            if (!port.device().isRemoved()) {
                present.add(new VerbsInterface(each.name(), each.ip(), port.device(), port.number()));
            }
        }
        return present;
    }

    @Override
    public EventLoop createEventLoop(String loopName) {
        SoftLoop loop = new SoftLoop(this, name + "/" + loopName);
        loops.removeIf(SoftLoop::isClosed);
        loops.add(loop);
        return loop;
    }

    @Override
    public CmId createId(EventLoop loop, CmListener listener) {
        return manager.create(own(loop), listener);
    }

    SoftLoop own(EventLoop loop) {
        if (loop instanceof SoftLoop soft && loops.contains(soft)) {
            return soft;
        }
        throw new VerbsException(VerbsException.Code.EINVAL, "this loop is not one of node " + name);
    }

    /** Stops all software of the machine; its cards go on. */
    public void freeze() {
        frozen = true;
        fabric.trace("freeze", name, 0, 0);
    }

    /** Lets the software go on, with everything that waited. */
    public void thaw() {
        frozen = false;
        fabric.trace("thaw", name, 0, 0);
        loops.forEach(SoftLoop::wake);
    }

    boolean isFrozen() {
        return frozen;
    }

    SoftFabric fabric() {
        return fabric;
    }

    SoftManager manager() {
        return manager;
    }

    MemoryModel memory() {
        return memory;
    }

    /** Returns the interface with an address; the first usable one for address 0; null if there is none. */
    @Nullable
    SoftInterface find(int ip) {
        if (ip != 0) {
            return interfaces.get(ip);
        }
        for (SoftInterface each : interfaces.values()) {
            if (fabric.subnet().isUp(each.port().fabricPort())) {
                return each;
            }
        }
        return interfaces.isEmpty() ? null : interfaces.values().iterator().next();
    }

    /** The program that uses the cards ends: the peers of its connections are told, and nothing of it runs any more. */
    public void exit() {
        manager.exit();
        forgetProgram();
    }

    /**
     * The machine loses its power: connections end without a word, nothing of it runs any more. Its cards and addresses
     * stay, for the next life.
     */
    @Override
    public void close() {
        manager.die();
        forgetProgram();
    }

    private void forgetProgram() {
        devices.forEach(SoftDevice::die);
        loops.forEach(SoftLoop::close);
        loops.clear();
        frozen = false;
    }

    @Override
    public String toString() {
        return name;
    }
}
