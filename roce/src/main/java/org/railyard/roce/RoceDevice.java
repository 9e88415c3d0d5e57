package org.railyard.roce;

import java.util.EnumSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.roce.wire.Psn;
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
import org.railyard.verbs.card.MemoryModel;

/** A card made of software on one address of this machine, with one port. */
final class RoceDevice implements VerbsDevice {
    private static final System.Logger LOG = System.getLogger(RoceDevice.class.getName());

    /** Most queue pairs, a power of two: their numbers modulo this are places in a table. */
    static final int MAX_QP = 1 << 14;

    /** Most memory regions. */
    static final int MAX_REGIONS = 1 << 15;

    /** Numbers 0 and 1 belong to the subnet and connection managers. */
    private static final int FIRST_QPN = 2;

    /** What software can do: regions by work requests, with gaps. */
    static final DeviceAttributes ATTRIBUTES = new DeviceAttributes(
            "roce",
            1,
            MAX_QP,
            1 << 15,
            1 << 16,
            1 << 20,
            32,
            MAX_REGIONS,
            512,
            EnumSet.of(DeviceAttributes.Ability.FAST_REG, DeviceAttributes.Ability.SG_GAPS));

    /** Nobody knows how fast the network is; all ports say the same. */
    private static final int WIDTH_1X = 1;

    private static final int SPEED_QDR = 4;

    /** The beginning of a GUID that no maker of cards has given. */
    private static final long LOCAL_GUID = 0x02L << 56;

    private final RoceProvider provider;
    private final String name;
    private volatile LocalInterface at;
    private final AsyncListeners listeners = new AsyncListeners();
    private final CardMemory memory;
    private final @Nullable RoceQp[] qps = new @Nullable RoceQp[MAX_QP];
    private int qpCount;
    private int cqCount;
    private int lastQpn;
    private final long guid;
    private volatile boolean up;

    RoceDevice(RoceProvider provider, String name, LocalInterface at, RandomGenerator random, boolean up) {
        this.provider = provider;
        this.name = name;
        this.at = at;
        this.memory = new CardMemory(this, MemoryModel.OF_PROCESS, MAX_REGIONS, random, () -> false);
        // Peers may still know the numbers of an earlier life.
        this.lastQpn = random.nextInt() & Psn.MASK;
        this.guid = LOCAL_GUID | (long) (random.nextInt() & Psn.MASK) << Integer.SIZE | Integer.toUnsignedLong(at.ip());
        this.up = up;
    }

    @Override
    public String name() {
        return name;
    }

    LocalInterface at() {
        return at;
    }

    /** Returns what peers know it by: another number in each life. */
    long guid() {
        return guid;
    }

    @Override
    public DeviceAttributes attributes() {
        return ATTRIBUTES;
    }

    @Override
    public PortAttributes port(int number) {
        if (number != 1) {
            throw new VerbsException(VerbsException.Code.EINVAL, this + " has no port " + number + ", only 1");
        }
        return new PortAttributes(
                up ? PortAttributes.State.ACTIVE : PortAttributes.State.DOWN,
                0,
                PortAttributes.LinkLayer.ETHERNET,
                at.pathMtu(),
                at.pathMtu(),
                WIDTH_1X,
                SPEED_QDR);
    }

    boolean isUp() {
        return up;
    }

    /** The interface was looked at. */
    void noteLink(Datagrams.Link link) {
        boolean isUp = link.isUp();
        if (link.mtu() > 0 && link.mtu() != at.mtu()) {
            isUp &= changeMtu(at, at.withMtu(link.mtu()));
        }
        if (isUp != up) {
            up = isUp;
            listeners.raise(
                    this, AsyncEvent.ofPort(isUp ? AsyncEvent.Type.PORT_ACTIVE : AsyncEvent.Type.PORT_ERROR, 1));
        }
    }

    /** Follows the MTU of the interface; false if it takes no packets at all any more. */
    private boolean changeMtu(LocalInterface before, LocalInterface now) {
        String change = "the MTU of " + at.systemName() + " is " + now.mtu() + ", was " + before.mtu() + ": ";
        if (now.pathMtu() == 0) {
            if (up) {
                LOG.log(System.Logger.Level.WARNING, change + "too small for " + this);
            }
            return false;
        }
        at = now;
        int ended = now.pathMtu() < before.pathMtu() ? endThoseAbove(now.pathMtu()) : 0;
        LOG.log(
                ended > 0 ? System.Logger.Level.WARNING : System.Logger.Level.INFO,
                change + "new connections have packets of up to " + now.pathMtu() + " bytes"
                        + (ended > 0 ? "; those with larger ones, " + ended + ", end" : ""));
        return true;
    }

    /** Ends connections whose packets do not leave the interface any more; returns how many. */
    private int endThoseAbove(int pathMtu) {
        int ended = 0;
        for (RoceQp qp : qps) {
            Peering with = qp == null || !qp.isReady() ? null : qp.peering();
            if (qp != null && with != null && with.mtu() > pathMtu) {
                ended++;
                qp.fail();
            }
        }
        return ended;
    }

    @Override
    public void listen(EventLoop loop, AsyncListener listener) {
        listeners.add(provider.own(loop), listener);
    }

    @Override
    public void unlisten(AsyncListener listener) {
        listeners.remove(listener);
    }

    void raise(AsyncEvent event) {
        listeners.raise(this, event);
    }

    private void refuseIfClosed() {
        if (provider.isClosed()) {
            throw new VerbsException(VerbsException.Code.ENODEV, this + " is closed");
        }
    }

    @Override
    public Pd openPd() {
        refuseIfClosed();
        if (provider.engine().isHere()) {
            // An NI begins: what it tells its peers is true now.
            provider.look(this);
        }
        return new CardPd(memory);
    }

    @Override
    public Cq createCq(int entries, EventLoop loop, CqListener listener) {
        refuseIfClosed();
        limit("a completion queue with entries", entries, ATTRIBUTES.maxCqe());
        if (cqCount == ATTRIBUTES.maxCq()) {
            throw new VerbsException(VerbsException.Code.ENOMEM, this + " has " + cqCount + " completion queues");
        }
        RoceCq made = new RoceCq(this, provider.own(loop), entries, listener);
        cqCount++;
        return made;
    }

    private void limit(String what, int value, int most) {
        if (value < 1 || value > most) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL, what + ": " + value + "; " + this + " makes 1…" + most);
        }
    }

    RoceQp createQp(Pd pd, Cq cq, RoceLoop loop, QpCapabilities capabilities) {
        refuseIfClosed();
        if (!(pd instanceof CardPd ownPd)
                || !(cq instanceof RoceCq ownCq)
                || ownPd.device() != this
                || ownCq.device() != this
                || ownCq.loop() != loop) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    "protection domain, completion queue and loop must be those of " + this);
        }
        limit("a queue pair with sends", capabilities.sends(), ATTRIBUTES.maxQpWr());
        limit("a queue pair with receives", capabilities.receives(), ATTRIBUTES.maxQpWr());
        limit("a queue pair with gather entries", capabilities.gather(), ATTRIBUTES.maxSge());
        if (qpCount == MAX_QP) {
            throw new VerbsException(VerbsException.Code.ENOMEM, this + " has " + MAX_QP + " queue pairs");
        }
        // In a circle, so that a number comes back as late as possible.
        do {
            lastQpn = Math.max(FIRST_QPN, Psn.plus(lastQpn, 1));
        } while (qps[place(lastQpn)] != null);
        RoceQp qp = new RoceQp(this, provider, ownPd, ownCq, lastQpn, capabilities);
        qps[place(lastQpn)] = qp;
        qpCount++;
        return qp;
    }

    private static int place(int qpn) {
        return qpn & MAX_QP - 1;
    }

    /** Returns the queue pair with a number, 24 bits; null if there is none. */
    @Nullable
    RoceQp qp(int number) {
        RoceQp qp = qps[place(number)];
        return qp != null && qp.number() == number ? qp : null;
    }

    void forget(RoceQp qp) {
        if (qps[place(qp.number())] == qp) {
            qps[place(qp.number())] = null;
            qpCount--;
        }
    }

    void forget(RoceCq cq) {
        cqCount--;
    }

    /** A queue was full when a completion came: the queue pairs on it have lost track. */
    void overflow(RoceCq cq) {
        for (RoceQp qp : qps) {
            if (qp != null && qp.cq() == cq) {
                qp.abandon();
            }
        }
        raise(AsyncEvent.ofDevice(AsyncEvent.Type.CQ_ERROR));
    }

    /** Nothing happens on it any more. */
    void die() {
        listeners.clear();
        for (RoceQp qp : qps) {
            if (qp != null) {
                qp.close();
            }
        }
        memory.clear();
    }

    @Override
    public String toString() {
        return name;
    }
}
