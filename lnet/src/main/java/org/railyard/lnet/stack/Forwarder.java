package org.railyard.lnet.stack;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.LimitedLog;
import org.railyard.lnet.cpt.CptTable;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.model.Credits;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.MessageCredits;
import org.railyard.lnet.model.MessageQueue;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Role;
import org.railyard.lnet.model.RouterBuffer;
import org.railyard.lnet.model.RouterPool;
import org.railyard.lnet.nid.Nid;

/**
 * Messages of others (spec 10 §7, §10): each takes a router credit of the peer NI that it comes from, then a router
 * buffer; is received into that, sent from it, and gives both back. Without them it waits, and with it the connection
 * that it came on: nothing is read from there, so nothing has to be stored or thrown away. Everything here needs the
 * stack's lock, except {@link #receive}.
 */
public final class Forwarder {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");
    private static final String NO_MEMORY = "no memory for a router buffer";
    private static final String OFF = "routing was switched off";

    private final Node node;
    private final Drops drops;
    private final Launcher launcher;
    private final LimitedLog log;

    Forwarder(Node node, Drops drops, Launcher launcher) {
        this.node = node;
        this.drops = drops;
        this.launcher = launcher;
        this.log = new LimitedLog(LOG, System.Logger.Level.ERROR, node.host.clock());
    }

    /** What becomes of a message for another node. */
    enum Admission {
        /** It is to be received. */
        NOW,
        /** Its turn comes when others have gone. */
        LATER,
        /** It is dropped. */
        NEVER
    }

    /**
     * Takes in a message for another node.
     *
     * @param source where its payload comes from
     */
    Admission admit(Message message, LndReceiver source, Pending work) {
        node.lock.assertHeld();
        PeerNi from = message.peerNi();
        message.setLength(message.header().payloadLength());
        message.transit().begin(message.ni(), from);
        if (from == null || from.routerCreditsMax() == 0 || isOver(message)) {
            drop(message, from == null || isOver(message) ? OFF : "its sender's NID is on none of our nets", work);
            return Admission.NEVER;
        }
        message.transit().setSource(source);
        boolean credit = from.routerCredits().take(message);
        message.credits().setRouter(MessageCredits.taken(credit));
        return credit && poolOf(message).take(message) ? Admission.NOW : Admission.LATER;
    }

    /** Tells whether a message that has waited need not go on. */
    private boolean isOver(Message message) {
        LocalNi ni = message.transit().cameBy();
        return !node.routing.forwards() || node.stopping || ni == null || ni.state() == LocalNi.State.DELETING;
    }

    private RouterPool poolOf(Message message) {
        LocalNi ni = message.transit().cameBy();
        int cpt = ni == null ? 0 : CptTable.ofNid(message.sender(), ni.credits.cpts());
        return node.buffers.pool(cpt, message.length());
    }

    /**
     * Has the payload of a message that has all it needs put into its buffer. Needs no lock, but for a moment if there
     * is no memory.
     */
    void receive(Message message, Pending work) {
        LndReceiver source = message.transit().source();
        if (source == null) {
            throw new IllegalStateException("a message to be forwarded comes from somewhere");
        }
        int length = message.length();
        try {
            message.openBuffer();
        } catch (OutOfMemoryError e) {
            if (!makeDoWithLess(message, work)) {
                source.receive(null, 0, length);
            }
            return;
        }
        message.transit().setSource(null);
        message.setTimeout(Timeouts.receipt(node.settings, message));
        source.receive(message, length, length);
    }

    /**
     * There is no memory for a buffer: a message waits for one that has some, if there is any; else it is dropped, and
     * this returns false.
     */
    private boolean makeDoWithLess(Message message, Pending work) {
        node.lock.lock();
        try {
            RouterBuffer buffer = message.transit().buffer();
            RouterPool pool = buffer == null ? poolOf(message) : buffer.pool();
            boolean waits = !isOver(message) && pool.retract(message);
            if (log.wants(NO_MEMORY)) {
                String line = "no memory for a router buffer of " + pool.bytes() + " bytes: it stays at " + pool.size()
                        + " of them; give the JVM more with -XX:MaxDirectMemorySize";
                work.calls.add(() -> log.log(NO_MEMORY, line));
            }
            if (waits) {
                receiveNext(pool.next(), work);
            } else {
                drop(message, NO_MEMORY, work);
            }
            return waits;
        } finally {
            node.lock.unlock();
        }
    }

    private static void receiveNext(@Nullable Message next, Pending work) {
        if (next != null) {
            work.toReceive.add(next);
        }
    }

    /** A message is in its buffer, or failed to get there: it goes on, or not. */
    void received(Message message, Pending work) {
        node.lock.assertHeld();
        if (message.status() < 0) {
            end(message, work);
            return;
        }
        message.become(Role.FORWARD_OUT);
        message.path().leave();
        message.path().request(Nid.ANY, message.header().destNid());
        message.rewindViews();
        launcher.launch(message, work);
    }

    /** A message has left, or can not leave. */
    void sent(Message message, Pending work) {
        node.lock.assertHeld();
        if (message.status() < 0 && message.ni() == null) {
            drop(message, "no way leads there", work);
        } else {
            end(message, work);
        }
    }

    /** A message does not go on. */
    private void drop(Message message, String why, Pending work) {
        node.lock.assertHeld();
        drops.drop(message.transit().cameBy(), message.transit().cameFrom(), message.header(), why, work);
        end(message, work);
    }

    /** A message is through, or has failed: gives back what it holds, which may let others in. */
    void end(Message message, Pending work) {
        node.lock.assertHeld();
        RouterBuffer buffer = message.transit().buffer();
        PeerNi from = message.transit().cameFrom();
        boolean credit = message.credits().router() == MessageCredits.Hold.HELD;
        node.release(message);
        if (buffer != null) {
            receiveNext(buffer.pool().giveBack(buffer), work);
        }
        if (credit && from != null) {
            Message next = from.routerCredits().giveBack();
            if (next != null) {
                next.credits().setRouter(MessageCredits.Hold.HELD);
                if (isOver(next)) {
                    turnAway(next, OFF, work);
                } else if (poolOf(next).take(next)) {
                    work.toReceive.add(next);
                }
            }
        }
    }

    /** A message that waited is dropped; who sent it may go on sending. */
    private void turnAway(Message message, String why, Pending work) {
        node.lock.assertHeld();
        LndReceiver source = message.transit().source();
        int length = message.length();
        drop(message, why, work);
        if (source != null) {
            work.calls.add(() -> source.receive(null, 0, length));
        }
    }

    /** There may be more router buffers now, for those that wait. */
    public void resize() {
        node.lock.assertHeld();
        node.buffers.resize(node.settings, node.pending().toReceive::add);
    }

    /** There are router buffers from now on. */
    public void open() {
        node.lock.assertHeld();
        node.buffers.open(node.settings);
    }

    /** Routing is off: what waits is dropped, and the buffers go. What has a buffer goes on. */
    public void close() {
        node.lock.assertHeld();
        cancel(null, OFF);
        node.buffers.close();
    }

    /** NIs go: what came by them and waits is dropped. */
    public void cancel(List<LocalNi> nis) {
        node.lock.assertHeld();
        for (LocalNi ni : nis) {
            cancel(ni, "its NI is being stopped");
        }
    }

    /**
     * Drops what waits.
     *
     * @param ni the NI that it came by, null for any
     */
    private void cancel(@Nullable LocalNi ni, String why) {
        node.lock.assertHeld();
        MessageQueue waiting = new MessageQueue();
        MessageQueue dropped = new MessageQueue();
        for (Peer peer : node.peers.all()) {
            for (PeerNet net : peer.nets) {
                for (PeerNi from : net.nis) {
                    Credits credits = from.usedRouterCredits();
                    if (credits != null) {
                        credits.drainTo(waiting);
                        sort(waiting, ni, dropped, credits::take);
                    }
                }
            }
        }
        for (RouterPool pool : node.buffers.pools()) {
            pool.drainTo(waiting);
            sort(waiting, ni, dropped, pool::take);
        }
        Pending work = node.pending();
        for (Message message = dropped.poll(); message != null; message = dropped.poll()) {
            turnAway(message, why, work);
        }
    }

    private interface Line {
        boolean take(Message message);
    }

    private static void sort(MessageQueue waiting, @Nullable LocalNi ni, MessageQueue dropped, Line line) {
        for (Message message = waiting.poll(); message != null; message = waiting.poll()) {
            if (ni == null || message.transit().cameBy() == ni) {
                dropped.add(message);
            } else {
                line.take(message);
            }
        }
    }
}
