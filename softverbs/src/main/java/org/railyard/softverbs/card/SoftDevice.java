package org.railyard.softverbs.card;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.softverbs.net.SimulatedFabric;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Pd;
import org.railyard.verbs.PortAttributes;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.card.CardCq;
import org.railyard.verbs.card.CardDevice;
import org.railyard.verbs.card.CardLoop;
import org.railyard.verbs.card.memory.CardMemory;
import org.railyard.verbs.card.memory.CardPd;

/** A simulated card, with the faults that are its own (spec 23 §3.3). */
public final class SoftDevice extends CardDevice<SoftQp> {
    /** Numbers 0 and 1 belong to the managers of subnet and connections. */
    private static final int LAST_MANAGER_QP = 1;

    private final SoftMachine machine;
    private final List<SoftPort> ports = new ArrayList<>();
    private final CardMemory memory;
    private boolean broken;
    private boolean removed;
    private boolean sendsHalted;
    private long completionDelay;
    private int qpsToFail;
    private int cqsToFail;
    private int registrationsToFail;

    /**
     * Makes a card that works.
     *
     * @param fabricNode index of the node in the fabric that the card is
     */
    public SoftDevice(SoftMachine machine, String name, int fabricNode, DeviceAttributes attributes) {
        super(name, attributes, LAST_MANAGER_QP);
        this.machine = machine;
        this.memory = new CardMemory(this, machine.memory(), attributes.maxMr(), null, this::takeRegistrationFailure);
        Fabric fabric = machine.fabric().present();
        for (int number = 1; number <= attributes.ports(); number++) {
            int port = fabric.portIndex(fabricNode, number);
            SoftPort made = new SoftPort(this, number, port, fabric.lid(port));
            ports.add(made);
            machine.fabric().register(made);
        }
    }

    SimulatedFabric fabric() {
        return machine.fabric();
    }

    private void trace(String what) {
        fabric().trace(what, toString(), 0, 0);
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
        return fabric().attributes(ports.get(number - 1));
    }

    @Override
    protected CardLoop own(EventLoop loop) {
        return machine.loops().apply(loop);
    }

    @Override
    protected void checkUsable() {
        if (broken || removed) {
            throw new VerbsException(VerbsException.Code.ENODEV, this + (removed ? " was taken away" : " is broken"));
        }
    }

    @Override
    public Pd openPd() {
        checkUsable();
        return new CardPd(memory, fabric().memorySource());
    }

    @Override
    protected boolean failsCq() {
        return cqsToFail > 0 && cqsToFail-- > 0;
    }

    @Override
    protected boolean failsQp() {
        return qpsToFail > 0 && qpsToFail-- > 0;
    }

    @Override
    protected SoftQp newQp(CardPd pd, CardCq cq, int number, QpCapabilities capabilities) {
        return new SoftQp(this, pd, cq, number, capabilities);
    }

    @Override
    protected void tell(CardLoop loop, Runnable telling) {
        long delay = fabric().settings().noticeDelay() + completionDelay;
        fabric().time().schedule(delay, new Notice(loop, telling));
    }

    private record Notice(CardLoop loop, Runnable telling) implements Runnable {
        @Override
        public void run() {
            loop.execute(telling);
        }
    }

    @Override
    protected void overflow(CardCq cq) {
        fabric().trace("cq overflow", toString(), cq.entries(), 0);
        super.overflow(cq);
    }

    /** Breaks the card: its queue pairs go to error, its ports carry nothing. */
    public void fail() {
        broken = true;
        trace("device fatal");
        qps().forEach(SoftQp::fail);
        raise(AsyncEvent.ofDevice(AsyncEvent.Type.DEVICE_FATAL));
    }

    /** Breaks the queue pairs that connect one of its ports with another port. */
    public void breakConnections(SoftPort own, SoftPort remote) {
        for (SoftQp qp : qps()) {
            SoftPeer peer = qp.peer();
            if (peer != null && peer.own() == own && peer.remote() == remote) {
                qp.failByPeer();
            }
        }
    }

    /** Makes a broken card work again; its ports say so. */
    public void repair() {
        broken = false;
        trace("device repaired");
        for (SoftPort port : ports) {
            if (port.isUp()) {
                raise(AsyncEvent.ofPort(AsyncEvent.Type.PORT_ACTIVE, port.number()));
            }
        }
    }

    /** Takes the card out of the machine. */
    public void remove() {
        removed = true;
        broken = true;
        trace("device removed");
        qps().forEach(SoftQp::fail);
        raise(AsyncEvent.ofDevice(AsyncEvent.Type.DEVICE_REMOVED));
        machine.removal().accept(this);
    }

    /** Tells whether it is broken, or was taken away. */
    public boolean isBroken() {
        return broken;
    }

    /** Tells whether it was taken away. */
    public boolean isRemoved() {
        return removed;
    }

    /** Makes the card send nothing of what is posted, without an error, or lets it go on. */
    public void haltSends(boolean halted) {
        sendsHalted = halted;
        if (!halted) {
            qps().forEach(SoftQp::pump);
        }
    }

    boolean sendsHalted() {
        return sendsHalted;
    }

    /** Makes notices of completions come later than usual, ns. */
    public void delayCompletions(long nanos) {
        completionDelay = nanos;
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
        return registrationsToFail > 0 && registrationsToFail-- > 0;
    }

    /** Forgets listeners, queues and memory: the machine lost its power. */
    public void die() {
        clear();
        memory.clear();
    }

    @Override
    public String toString() {
        return machine.name() + "/" + name();
    }
}
