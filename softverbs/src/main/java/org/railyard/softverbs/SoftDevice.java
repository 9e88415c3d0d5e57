package org.railyard.softverbs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.AsyncListener;
import org.railyard.verbs.Cq;
import org.railyard.verbs.CqListener;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Pd;
import org.railyard.verbs.PortAttributes;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.card.AsyncListeners;
import org.railyard.verbs.card.CardMemory;
import org.railyard.verbs.card.CardPd;
import org.railyard.verbs.card.KeyTable;

/** A simulated card, with the faults that are its own (spec 23 §3.3). */
public final class SoftDevice implements VerbsDevice {
    private static final int QPN_BITS = 24;

    /** Numbers 0 and 1 belong to the subnet and connection managers. */
    private static final int FIRST_QPN = 2;

    private final SoftNode node;
    private final String name;
    private final DeviceAttributes attributes;
    private final List<SoftPort> ports = new ArrayList<>();
    private final AsyncListeners listeners = new AsyncListeners();
    private final CardMemory memory;
    private final Map<Integer, SoftQp> qps = new LinkedHashMap<>();
    private final List<SoftCq> cqs = new ArrayList<>();
    private int lastQpn = FIRST_QPN - 1;
    private boolean broken;
    private boolean removed;
    private boolean sendsHalted;
    private long completionDelay;
    private int qpsToFail;
    private int cqsToFail;
    private int registrationsToFail;

    SoftDevice(SoftNode node, String name, int fabricNode, DeviceAttributes attributes) {
        this.node = node;
        this.name = name;
        this.attributes = attributes;
        this.memory = new CardMemory(this, node.memory(), attributes.maxMr(), null, this::takeRegistrationFailure);
        Fabric fabric = node.fabric().subnet().present();
        for (int number = 1; number <= attributes.ports(); number++) {
            int port = fabric.portIndex(fabricNode, number);
            ports.add(new SoftPort(this, number, port, fabric.lid(port)));
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DeviceAttributes attributes() {
        return attributes;
    }

    /** Returns its ports, from port 1 on. */
    public List<SoftPort> ports() {
        return ports;
    }

    @Override
    public PortAttributes port(int number) {
        if (number < 1 || number > ports.size()) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL, this + " has no port " + number + ", only 1…" + ports.size());
        }
        return ports.get(number - 1)
                .attributes(node.fabric().subnet(), node.fabric().settings().mtu());
    }

    @Override
    public void listen(EventLoop loop, AsyncListener listener) {
        listeners.add(node.own(loop), listener);
    }

    @Override
    public void unlisten(AsyncListener listener) {
        listeners.remove(listener);
    }

    void raise(AsyncEvent event) {
        listeners.raise(this, event);
    }

    @Override
    public Pd openPd() {
        refuseIfBroken();
        return new CardPd(memory);
    }

    @Override
    public Cq createCq(int entries, EventLoop loop, CqListener listener) {
        refuseIfBroken();
        if (entries < 1 || entries > attributes.maxCqe()) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    "a completion queue of " + entries + " entries; " + this + " makes 1…" + attributes.maxCqe());
        }
        if (cqsToFail > 0 || cqs.size() >= attributes.maxCq()) {
            cqsToFail = Math.max(0, cqsToFail - 1);
            throw new VerbsException(
                    VerbsException.Code.ENOMEM, this + " has no room for one more completion queue than " + cqs.size());
        }
        SoftCq cq = new SoftCq(this, node.own(loop), entries, listener);
        cqs.add(cq);
        return cq;
    }

    SoftQp createQp(CardPd pd, SoftCq cq, QpCapabilities capabilities) {
        refuseIfBroken();
        if (capabilities.sends() > attributes.maxQpWr()
                || capabilities.receives() > attributes.maxQpWr()
                || capabilities.gather() > attributes.maxSge()) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    capabilities + "; " + this + " makes at most " + attributes.maxQpWr() + " requests of "
                            + attributes.maxSge() + " gather entries");
        }
        if (qpsToFail > 0 || qps.size() >= attributes.maxQp()) {
            qpsToFail = Math.max(0, qpsToFail - 1);
            throw new VerbsException(
                    VerbsException.Code.ENOMEM, this + " has no room for one more queue pair than " + qps.size());
        }
        SoftQp qp = new SoftQp(this, pd, cq, nextQpn(), capabilities);
        qps.put(qp.number(), qp);
        return qp;
    }

    private int nextQpn() {
        // In a circle, so that a number comes back as late as possible.
        do {
            lastQpn = lastQpn + 1 >>> QPN_BITS == 0 ? lastQpn + 1 : FIRST_QPN;
        } while (qps.containsKey(lastQpn));
        return lastQpn;
    }

    private void refuseIfBroken() {
        if (broken || removed) {
            throw new VerbsException(VerbsException.Code.ENODEV, this + (removed ? " was taken away" : " is broken"));
        }
    }

    /** Breaks the card: its queue pairs go to error, its ports carry nothing. */
    public void fail() {
        broken = true;
        node.fabric().trace("device fatal", toString(), 0, 0);
        List.copyOf(qps.values()).forEach(SoftQp::fail);
        raise(AsyncEvent.ofDevice(AsyncEvent.Type.DEVICE_FATAL));
    }

    /** Breaks the queue pairs that connect one of its ports with another port. */
    void breakConnections(SoftPort own, SoftPort remote) {
        for (SoftQp qp : List.copyOf(qps.values())) {
            Peering peering = qp.peering();
            if (peering != null && peering.own() == own && peering.remote() == remote) {
                qp.failByPeer();
            }
        }
    }

    /** Makes a broken card work again; its ports say so. */
    public void repair() {
        broken = false;
        node.fabric().trace("device repaired", toString(), 0, 0);
        for (SoftPort port : ports) {
            if (node.fabric().subnet().isUp(port.fabricPort())) {
                raise(AsyncEvent.ofPort(AsyncEvent.Type.PORT_ACTIVE, port.number()));
            }
        }
    }

    /** Takes the card out of the machine. */
    public void remove() {
        removed = true;
        broken = true;
        node.fabric().trace("device removed", toString(), 0, 0);
        List.copyOf(qps.values()).forEach(SoftQp::fail);
        raise(AsyncEvent.ofDevice(AsyncEvent.Type.DEVICE_REMOVED));
        node.manager().deviceRemoved(this);
    }

    boolean isBroken() {
        return broken;
    }

    boolean isRemoved() {
        return removed;
    }

    /** Makes the card send nothing of what is posted, without an error, or lets it go on. */
    public void haltSends(boolean halted) {
        sendsHalted = halted;
        if (!halted) {
            List.copyOf(qps.values()).forEach(SoftQp::resume);
        }
    }

    boolean sendsHalted() {
        return sendsHalted;
    }

    /** Makes notices of completions come later than usual, ns. */
    public void delayCompletions(long nanos) {
        completionDelay = nanos;
    }

    long completionDelay() {
        return completionDelay;
    }

    /** Makes the next attempts to make a queue pair fail, as if there were no memory. */
    public void failNextQps(int count) {
        qpsToFail = count;
    }

    /** Makes the next attempts to make a completion queue fail, as if there were no memory. */
    public void failNextCqs(int count) {
        cqsToFail = count;
    }

    /** Makes the next registrations and mappings of memory fail, as if there were no memory. */
    public void failNextRegistrations(int count) {
        registrationsToFail = count;
    }

    private boolean takeRegistrationFailure() {
        if (registrationsToFail == 0) {
            return false;
        }
        registrationsToFail--;
        return true;
    }

    /** Returns how many queue pairs there are. */
    public int qpCount() {
        return qps.size();
    }

    @Nullable
    SoftQp qp(int number) {
        return qps.get(number);
    }

    void forget(SoftQp qp) {
        qps.remove(qp.number());
    }

    void forget(SoftCq cq) {
        cqs.remove(cq);
    }

    void overflow(SoftCq cq) {
        node.fabric().trace("cq overflow", toString(), cq.entries(), 0);
        for (SoftQp qp : List.copyOf(qps.values())) {
            if (qp.cq() == cq) {
                qp.abandon();
            }
        }
        raise(AsyncEvent.ofDevice(AsyncEvent.Type.CQ_ERROR));
    }

    /** The machine lost its power. */
    void die() {
        listeners.clear();
        qps.clear();
        cqs.clear();
        memory.clear();
    }

    SoftNode node() {
        return node;
    }

    KeyTable keys() {
        return memory.keys();
    }

    @Override
    public String toString() {
        return node + "/" + name;
    }
}
