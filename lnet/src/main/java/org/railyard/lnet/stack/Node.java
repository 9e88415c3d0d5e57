package org.railyard.lnet.stack;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.Invariant;
import org.railyard.base.host.Host;
import org.railyard.base.host.StateLock;
import org.railyard.lnet.api.NodeListener;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.cpt.CptTable;
import org.railyard.lnet.event.NodeEvents;
import org.railyard.lnet.forward.RouterBuffers;
import org.railyard.lnet.forward.RoutingSwitch;
import org.railyard.lnet.health.HealthTable;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.peer.NiTable;
import org.railyard.lnet.peer.PeerTable;
import org.railyard.lnet.portal.MdTable;
import org.railyard.lnet.portal.Portal;
import org.railyard.lnet.portal.PortalTable;
import org.railyard.lnet.route.Gateways;
import org.railyard.lnet.route.RouteTable;
import org.railyard.lnet.select.PathSelector;
import org.railyard.lnet.stats.NodeCounters;
import org.railyard.lnet.udsp.Policy;

/**
 * The state of a node, and the lock that guards it. Everything but {@link #host}, {@link #lock} and {@link #cookie}
 * needs the lock.
 */
public final class Node {
    /** Most messages on their way at a time; more are refused with ENOBUFS. */
    public static final int MAX_MESSAGES = 1 << 20;

    /**
     * What is left for others of the messages is at least so many times what one peer NI may have brought: whoever asks
     * and does not read the answers keeps nobody else from sending.
     */
    private static final int LEFT_FOR_OTHERS = 8;

    /** A power of two. */
    private static final int KNOWN_THREADS = 16;

    /** Clock, chance, workers. */
    public final Host host;

    /** Guards the rest. */
    public final StateLock lock = new StateLock();

    /** Interface cookie of every handle; another one after each start. */
    public final long cookie;

    /** The CPU partitions. */
    public final CptTable cpts;

    /** What its user wants to be preferred. */
    public final Policy policy = new Policy();

    /** Local nets and NIs. */
    public final NiTable nis = new NiTable(policy);

    /** Where all that happens is told. */
    public final NodeEvents events;

    /** How well NIs do. */
    public final HealthTable health;

    /** Peers. */
    public final PeerTable peers = new PeerTable(lock, nis, policy);

    /** Ways to other nets. */
    public final RouteTable routes = new RouteTable(lock);

    /** What is known of those that routes lead through. */
    public final Gateways gateways;

    /** Whether it forwards messages of others. */
    public final RoutingSwitch routing = new RoutingSwitch(lock);

    /** What it keeps them in. */
    public final RouterBuffers buffers;

    /** Chooses paths. */
    public final PathSelector selector;

    /** What is counted for the node as a whole. */
    public final NodeCounters counters = new NodeCounters();

    /** Node-wide tunables. Written under the lock; what reads announcements reads it without. */
    public volatile Settings settings;

    /** Whether the node is stopping: nothing new is sent. */
    public boolean stopping;

    final PortalTable portals = new PortalTable();
    final MdTable mds = new MdTable(lock);
    /** What the fault rules do, null while there are none. */
    volatile @Nullable FaultGate faults;

    final TrafficAccounts ledger = new TrafficAccounts(this);
    final ResponseTracker responses = new ResponseTracker(lock);
    final ActiveList active = new ActiveList(lock);
    final ResendQueue resends = new ResendQueue(this);
    final Portal.Identity identity = peers::isSamePeer;
    private final ThreadLocal<Pending> pending = ThreadLocal.withInitial(Pending::new);

    /** What threads that called before still have to do, by their numbers: found faster than in the thread. */
    private final @Nullable Pending[] known = new Pending[KNOWN_THREADS];

    private @Nullable Message freeMessages;
    private int messagesInUse;
    private int messagesMade;
    private volatile Runnable monitor = () -> {};
    private long eventSequence;

    /** What the clock told, and in which taking of the lock. */
    private long heldNow;

    private long heldTaking;

    /**
     * Makes a node without NIs.
     *
     * @param listener hears what happens to it, null for nobody
     */
    public Node(Host host, CptTable cpts, Settings settings, @Nullable NodeListener listener) {
        this.host = host;
        this.cookie = host.clock().wallNanos();
        this.cpts = cpts;
        this.events = new NodeEvents(lock, host, listener);
        this.buffers = new RouterBuffers(lock, cpts.count());
        this.gateways = new Gateways(
                lock,
                () -> this.settings,
                host.clock(),
                events,
                call -> pending().calls.add(call));
        peers.watch(routes);
        peers.watch(new PeerEvents(events));
        this.selector = new PathSelector(nis, peers::find, routes, cpts, policy, host::currentCpu);
        this.settings = settings;
        this.health = new HealthTable(lock, () -> this.settings, host.clock(), events, this::wakeMonitor);
    }

    /** Connects the worker that looks after what takes time. */
    public void setMonitor(Runnable wake) {
        monitor = wake;
    }

    /** Makes the monitor look at once at what is to be sent again, and at deadlines. */
    public void wakeMonitor() {
        monitor.run();
    }

    /**
     * Tells whether the health of a peer's NIs is that of next hops: it is a gateway, or this node is a router (spec 10
     * §11.2, §11.3).
     */
    boolean judgesNextHops(Peer peer) {
        lock.assertHeld();
        return peer.gateway != null || routing.forwards();
    }

    /** Does something with the lock held, and returns what comes of it. */
    public <T> T locked(Function<Node, T> action) {
        lock.lock();
        try {
            return action.apply(this);
        } finally {
            lock.unlock();
        }
    }

    /** Returns what the calling thread still has to do. */
    Pending pending() {
        Thread current = Thread.currentThread();
        int place = (int) current.threadId() & KNOWN_THREADS - 1;
        Pending of = known[place];
        if (of == null || of.owner != current) {
            of = pending.get();
            known[place] = of;
        }
        return of;
    }

    /**
     * Checks that one more message may be started.
     *
     * @throws ErrnoException ENOBUFS at {@link #MAX_MESSAGES}
     */
    void requireRoom() {
        lock.assertHeld();
        if (messagesInUse >= MAX_MESSAGES) {
            throw new ErrnoException(
                    Errno.ENOBUFS,
                    MAX_MESSAGES + " messages are on their way; wait for the events of some before sending more");
        }
    }

    /** Tells whether a peer NI may bring one more request. */
    boolean hasRoomFor(PeerNi from) {
        lock.assertHeld();
        return from.brought <= (MAX_MESSAGES - messagesInUse) / LEFT_FOR_OTHERS;
    }

    /** Takes a message from the pool. */
    Message take() {
        lock.assertHeld();
        messagesInUse++;
        counters.peak(Statistic.MSGS_MAX, messagesInUse);
        Message message = freeMessages;
        if (message == null) {
            messagesMade++;
            return new Message();
        }
        freeMessages = message.nextFree();
        message.setNextFree(null);
        return message;
    }

    /** Puts a message back into the pool; it keeps nothing of its past alive. */
    void release(Message message) {
        lock.assertHeld();
        active.remove(message);
        message.releaseViews();
        message.clear();
        message.event().clear();
        message.setNextFree(freeMessages);
        freeMessages = message;
        messagesInUse--;
    }

    /** Returns the number of the next event. */
    long nextSequence() {
        lock.assertHeld();
        return ++eventSequence;
    }

    /** Returns how many responses are timed. */
    public int timedResponses() {
        return responses.size();
    }

    /** Returns how many messages are on their way. */
    public int messagesInUse() {
        return messagesInUse;
    }

    /** Returns how many memory descriptors there are. The lock is held. */
    public int descriptorsInUse() {
        return mds.count();
    }

    /**
     * Returns the monotonic time, ns. It stands still for whoever holds the lock, which nobody does for long: a message
     * asks for the time in many places, and the clock is a good part of what it costs.
     */
    public long now() {
        if (!lock.isHeldByCurrentThread()) {
            return host.clock().nanoTime();
        }
        if (heldTaking != lock.takings()) {
            heldTaking = lock.takings();
            heldNow = host.clock().nanoTime();
        }
        return heldNow;
    }

    /**
     * It is still the time that the clock told last, in an earlier taking of the lock: the calling thread has done next
     * to nothing since then.
     */
    void keepNow() {
        heldTaking = lock.takings();
    }

    /**
     * Checks all that the lock guards, from NIs to messages in the pool. Takes a time that grows with all of that: for
     * tests and simulations.
     *
     * @return true, so that an {@code assert} can call it
     * @throws AssertionError if something contradicts something else
     */
    public boolean checkInvariants() {
        lock.lock();
        try {
            nis.checkInvariants();
            health.checkInvariants(nis.all());
            peers.checkInvariants();
            routes.checkInvariants();
            buffers.checkInvariants();
            portals.checkInvariants();
            mds.checkInvariants();
            responses.checkInvariants();
            active.checkInvariants();
            resends.checkInvariants();
            int unused = 0;
            for (Message message = freeMessages; message != null; message = message.nextFree()) {
                message.checkUnused();
                unused++;
            }
            Invariant.check(
                    messagesInUse >= 0 && messagesMade == messagesInUse + unused,
                    "the messages",
                    "each to be in use or in the pool",
                    messagesMade,
                    messagesInUse,
                    unused);
        } finally {
            lock.unlock();
        }
        return true;
    }
}
