package org.railyard.roce.card;

import java.util.EnumSet;
import java.util.random.RandomGenerator;
import org.railyard.roce.loop.RoceLoop;
import org.railyard.roce.net.Datagrams;
import org.railyard.roce.net.LocalInterface;
import org.railyard.roce.wire.Psn;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Pd;
import org.railyard.verbs.PortAttributes;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.card.CardCq;
import org.railyard.verbs.card.CardDevice;
import org.railyard.verbs.card.memory.CardMemory;
import org.railyard.verbs.card.memory.CardPd;
import org.railyard.verbs.card.memory.MemoryModel;

/** A software card on one address of this machine, with one port. */
public final class RoceDevice extends CardDevice<RoceQp> {
    private static final System.Logger LOG = System.getLogger(RoceDevice.class.getName());

    /** Most queue pairs. */
    static final int MAX_QP = 1 << 14;

    /** Most memory regions. */
    static final int MAX_REGIONS = 1 << 15;

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

    /** The speed of the network is not known; all ports report the same. */
    private static final int WIDTH_1X = 1;

    private static final int SPEED_QDR = 4;

    /** The beginning of a GUID that no maker of cards has given. */
    private static final long LOCAL_GUID = 0x02L << 56;

    private final CardContext context;
    private final CardMemory memory;
    private final RocePort port;
    private final long guid;
    private volatile LocalInterface at;
    private volatile boolean up;

    /** Whether a connection came up whose packets are larger than the interface takes since it was asked for. */
    private boolean tooLarge;

    /**
     * Makes a card and opens its socket.
     *
     * @throws org.railyard.base.ErrnoException EADDRINUSE, EADDRNOTAVAIL or EIO if it can not be opened
     */
    public RoceDevice(CardContext context, String name, LocalInterface at, RandomGenerator random) {
        // Peers may still know the numbers of queue pairs of an earlier start.
        super(name, ATTRIBUTES, random.nextInt());
        this.context = context;
        this.at = at;
        this.memory = new CardMemory(this, MemoryModel.OF_PROCESS, MAX_REGIONS, random, () -> false);
        this.guid = LOCAL_GUID | (long) (random.nextInt() & Psn.MASK) << Integer.SIZE | Integer.toUnsignedLong(at.ip());
        this.up = context.net().look(at).isUp();
        this.port = new RocePort(this, context);
    }

    /** Returns its port. */
    public RocePort port() {
        return port;
    }

    /** Returns the interface that it is on. */
    public LocalInterface at() {
        return at;
    }

    /** Returns what peers know it by: another number after each start. */
    public long guid() {
        return guid;
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

    /** Tells whether its port carries data. */
    public boolean isUp() {
        return up;
    }

    /** Follows the state of the interface. */
    public void look() {
        Datagrams.Link link = context.net().look(at);
        boolean isUp = link.isUp();
        if (link.mtu() > 0 && link.mtu() != at.mtu()) {
            isUp &= changeMtu(at, at.withMtu(link.mtu()));
        }
        if (tooLarge) {
            tooLarge = false;
            int ended = endThoseAbove(at.pathMtu());
            LOG.log(
                    System.Logger.Level.WARNING,
                    ended + " connections have come up with packets of more than " + at.pathMtu()
                            + " bytes, which is what " + at.systemName() + " takes now: they end");
        }
        if (isUp != up) {
            up = isUp;
            raise(AsyncEvent.ofPort(isUp ? AsyncEvent.Type.PORT_ACTIVE : AsyncEvent.Type.PORT_ERROR, 1));
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

    /** A queue pair was connected: what the interface takes may have changed since the connection was asked for. */
    void connected(RocePeer with) {
        // Not at once: its owner has not heard yet that it is up.
        tooLarge |= with.mtu() > at.pathMtu();
    }

    /** Ends connections whose packets do not leave the interface any more; returns how many. */
    private int endThoseAbove(int pathMtu) {
        int ended = 0;
        for (RoceQp qp : qps()) {
            RocePeer peer = qp.isReady() ? qp.peer() : null;
            if (peer != null && peer.mtu() > pathMtu) {
                ended++;
                qp.fail();
            }
        }
        return ended;
    }

    @Override
    protected RoceLoop own(EventLoop loop) {
        if (loop instanceof RoceLoop mine && mine.engine() == context.engine()) {
            return mine;
        }
        throw new VerbsException(VerbsException.Code.EINVAL, "this loop is of another provider");
    }

    @Override
    protected void checkUsable() {
        if (context.engine().isClosed()) {
            throw new VerbsException(VerbsException.Code.ENODEV, this + " is closed");
        }
    }

    @Override
    public Pd openPd() {
        checkUsable();
        if (context.engine().isHere()) {
            // An NI begins: what it tells its peers is true now.
            look();
        }
        return new CardPd(memory);
    }

    @Override
    protected RoceQp newQp(CardPd pd, CardCq cq, int number, QpCapabilities capabilities) {
        return new RoceQp(this, context, pd, cq, number, capabilities);
    }

    /** Forgets listeners, queues and memory: the provider was closed. */
    public void die() {
        qps().forEach(RoceQp::close);
        clear();
        memory.clear();
    }

    @Override
    public String toString() {
        return name();
    }
}
