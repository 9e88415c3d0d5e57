package org.railyard.softverbs;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.softverbs.card.SoftDevice;
import org.railyard.softverbs.card.SoftInterface;
import org.railyard.softverbs.card.SoftMachine;
import org.railyard.softverbs.card.SoftPort;
import org.railyard.softverbs.cm.SoftManager;
import org.railyard.softverbs.cm.SoftManagers;
import org.railyard.softverbs.time.SoftLoop;
import org.railyard.verbs.CmId;
import org.railyard.verbs.CmListener;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.VerbsClock;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsInterface;
import org.railyard.verbs.VerbsProvider;
import org.railyard.verbs.card.memory.MemoryModel;

/** A machine with simulated cards. */
public final class SoftNode implements VerbsProvider {
    private final SoftFabric fabric;
    private final String name;
    private final SoftMachine machine;
    private final List<SoftDevice> devices = new ArrayList<>();
    private final List<SoftLoop> loops = new ArrayList<>();
    private final SoftManager manager;
    private boolean frozen;

    SoftNode(SoftFabric fabric, SoftManagers managers, String name, MemoryModel memory) {
        this.fabric = fabric;
        this.name = name;
        this.manager = new SoftManager(fabric, managers, name, SoftManager.MAX_IDS, () -> frozen);
        this.machine = new SoftMachine(fabric, name, memory, this::own, manager::deviceRemoved);
    }

    /**
     * Puts a card into the machine.
     *
     * @param deviceName for example {@code mlx5_0}
     * @param fabricNode index of the node in the fabric that the card is
     * @param attributes what it is able to do
     */
    public SoftDevice addDevice(String deviceName, int fabricNode, DeviceAttributes attributes) {
        Fabric model = fabric.present();
        if (model.isSwitch(fabricNode) || model.ports(fabricNode) < attributes.ports()) {
            throw new IllegalArgumentException(
                    model.description(fabricNode) + " is no card with " + attributes.ports() + " ports");
        }
        SoftDevice device = new SoftDevice(machine, deviceName, fabricNode, attributes);
        devices.add(device);
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
        manager.add(added);
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
        for (SoftInterface each : manager.interfaces()) {
            SoftPort port = each.port();
            if (!port.device().isRemoved()) {
                present.add(new VerbsInterface(each.name(), each.ip(), port.device(), port.number()));
            }
        }
        return present;
    }

    @Override
    public EventLoop createEventLoop(String loopName) {
        SoftLoop loop = new SoftLoop(fabric.time(), () -> frozen, name + "/" + loopName);
        loops.removeIf(SoftLoop::isClosed);
        loops.add(loop);
        return loop;
    }

    @Override
    public CmId createId(EventLoop loop, CmListener listener) {
        return manager.create(own(loop), listener);
    }

    private SoftLoop own(EventLoop loop) {
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

    /** The program that uses the cards ends: the peers of its connections are told, and nothing of it runs any more. */
    public void exit() {
        manager.exit();
        forgetProgram();
    }

    /**
     * The machine loses its power: connections end without a message, nothing of it runs any more. Its cards and
     * addresses stay: it may start again.
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
