package org.railyard.lnet.discovery;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.DiscoveryProgress;
import org.railyard.lnet.api.PeerConfiguration;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.peer.PeerConfigurator;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.Sender;

/** What people, configuration and upper layers want with peers (spec 11 §2, §4.2, §4.3). Thread-safe. */
public final class PeerRequests implements PeerConfiguration {
    /** What keeps an upper layer from changing a peer. */
    private static final int HELD = PeerState.CONFIGURED | PeerState.LOCK_PRIMARY;

    /** Most calls that wait for the discovery of one peer. */
    private static final int MAX_WAITERS = 4096;

    private final Node node;
    private final Sender sender;
    private final Discovery discovery;
    private final PeerConfigurator configurator;

    /** Makes the requests to a discovery. */
    public PeerRequests(Node node, Sender sender, Discovery discovery) {
        this.node = node;
        this.sender = sender;
        this.discovery = discovery;
        this.configurator = new PeerConfigurator(node.peers, discovery::complain);
    }

    /** Does something with the lock held, and what follows from it without. */
    private void change(Runnable change) {
        node.lock.lock();
        try {
            if (node.stopping) {
                throw new ErrnoException(Errno.ESHUTDOWN, "the node is closed");
            }
            change.run();
        } finally {
            node.lock.unlock();
            sender.flush();
        }
    }

    private Peer findOrCreate(Nid nid) {
        node.lock.assertHeld();
        PeerNi ni = node.peers.findOrCreate(nid, null);
        if (ni == null) {
            throw new ErrnoException(Errno.ENOMEM, "no room for another peer");
        }
        return ni.peer();
    }

    private static void await(Peer peer, Peer.Waiter waiter) {
        if (peer.waiters.size() >= MAX_WAITERS) {
            throw new ErrnoException(
                    Errno.ENOBUFS, MAX_WAITERS + " calls wait for the discovery of " + peer + "; wait for one of them");
        }
        peer.waiters.add(waiter);
    }

    /**
     * Discovers the node with a NID, whatever is known of it. Nobody is asked for a NID of this node: what is known as
     * peers of its own NIDs becomes one.
     *
     * @param force ping and push even if there is no need
     * @param waiter gets the result
     * @throws ErrnoException EINVAL for the wildcard; ENOMEM if no more peers can be remembered; ENOBUFS if too many
     *     calls wait for it already; ESHUTDOWN when the node is stopping
     */
    public void discover(Nid nid, boolean force, Peer.Waiter waiter) {
        PeerConfigurator.requireNode(nid);
        if (node.locked(any -> any.nis.find(nid) != null)) {
            change(() -> {
                Peer own = findOrCreate(nid);
                configurator.join(own, node.nis.all());
                sender.later(() -> waiter.discovered(own, 0));
            });
            return;
        }
        change(() -> {
            Peer peer = findOrCreate(nid);
            peer.clear(PeerState.NIDS_UPTODATE);
            if (force) {
                peer.set(PeerState.FORCE_PING | PeerState.FORCE_PUSH);
            }
            await(peer, waiter);
            discovery.request(peer);
        });
    }

    /**
     * Returns the primary NID of the node with a NID, as soon as it is known.
     *
     * @throws ErrnoException EINVAL for the wildcard; ENOMEM if no more peers can be remembered; ENOBUFS if too many
     *     calls wait for the discovery of that node; ESHUTDOWN when the node is stopping
     */
    public CompletableFuture<Nid> primaryNid(Nid nid) {
        if (!node.<Boolean>locked(stack -> stack.peers.find(nid) != null)) {
            PeerConfigurator.requireNode(nid);
        }
        CompletableFuture<Nid> answer = new CompletableFuture<>();
        if (nid.isLoopback()) {
            answer.complete(nid);
            return answer;
        }
        change(() -> {
            Peer peer = findOrCreate(nid);
            if (!discovery.isOn() || discovery.isUpToDate(peer)) {
                answer.complete(peer.primaryNid);
                return;
            }
            if (isLocked(peer)) {
                answer.complete(peer.primaryNid);
            } else {
                await(peer, (now, status) -> answer.complete(knownPrimaryNid(nid)));
            }
            discovery.request(peer);
        });
        return answer;
    }

    private boolean isLocked(Peer peer) {
        node.lock.assertHeld();
        return node.settings.is(Tunable.LOCK_PRIM_NID) && peer.is(PeerState.LOCK_PRIMARY);
    }

    /** Returns the primary NID of the peer that owns a NID, as far as known; otherwise the NID itself. */
    public Nid knownPrimaryNid(Nid nid) {
        node.lock.lock();
        try {
            return node.peers.primaryOf(nid);
        } finally {
            node.lock.unlock();
        }
    }

    /**
     * Tells how far the discovery of the node with a NID is, and starts it if it is to be started.
     *
     * @throws ErrnoException ESHUTDOWN when the node is stopping
     */
    public DiscoveryProgress progress(Nid nid) {
        DiscoveryProgress[] progress = {DiscoveryProgress.IMPOSSIBLE};
        if (nid.isLoopback() || nid.whyNotCalled() == null) {
            change(() -> {
                PeerNi ni = nid.isLoopback() ? null : node.peers.findOrCreate(nid, null);
                if (nid.isLoopback()) {
                    progress[0] = DiscoveryProgress.DONE;
                } else if (ni != null) {
                    progress[0] = progress(ni.peer());
                }
            });
        }
        return progress[0];
    }

    private DiscoveryProgress progress(Peer peer) {
        if (!discovery.isOn() || discovery.isUpToDate(peer)) {
            return DiscoveryProgress.DONE;
        }
        if (peer.is(PeerState.DISCOVERING)) {
            return DiscoveryProgress.RUNNING;
        }
        boolean failed = peer.is(PeerState.REDISCOVER);
        discovery.request(peer);
        return failed ? DiscoveryProgress.UNREACHABLE : DiscoveryProgress.STARTED;
    }

    /**
     * Makes a node known by several NIDs, and holds on to one of them as its primary NID.
     *
     * @return its primary NID
     * @throws ErrnoException EINVAL if there is no NID to use, or more than {@link Tunable#MAX_INTERFACES}; ENOMEM if
     *     no more peers can be remembered; ESHUTDOWN when the node is stopping
     */
    public Nid addPeer(List<Nid> nids) {
        Nid[] primary = {Nid.ANY};
        change(() -> primary[0] = addUnderOnePrimary(nids));
        return primary[0];
    }

    private Nid addUnderOnePrimary(List<Nid> nids) {
        node.lock.assertHeld();
        boolean on = discovery.isOn();
        List<Nid> usable = nids.stream()
                .filter(nid -> nid.whyNotCalled() == null)
                .filter(nid -> on || node.nis.netOf(nid) != null)
                .distinct()
                .toList();
        int limit = node.settings.get(Tunable.MAX_INTERFACES);
        if (usable.isEmpty() || usable.size() > limit) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    usable.size() + " usable NIDs for a peer; expected 1…" + limit
                            + (on ? "" : ", on local nets since discovery is off"));
        }
        boolean locking = node.settings.is(Tunable.LOCK_PRIM_NID);
        Nid chosen = firstReachable(usable);
        Peer first = findOrCreate(chosen);
        if (locking && !first.isAny(HELD)) {
            node.peers.lock(first, chosen);
        }
        for (Nid nid : usable) {
            Peer peer = findOrCreate(nid);
            if (locking && peer != first && !peer.isAny(HELD)) {
                peer.mergeInto = first.primaryNid;
                peer.clear(PeerState.NIDS_UPTODATE);
            }
            if (on && !discovery.isUpToDate(peer)) {
                discovery.request(peer);
            }
        }
        return first.primaryNid;
    }

    private Nid firstReachable(List<Nid> nids) {
        for (Nid nid : nids) {
            if (node.nis.netOf(nid) != null) {
                return nid;
            }
        }
        return nids.getFirst();
    }

    private int maxNids() {
        return node.settings.get(Tunable.MAX_INTERFACES);
    }

    @Override
    public void create(Nid primary, boolean multiRail, boolean lock) {
        change(() -> configurator.create(primary, multiRail, lock));
    }

    @Override
    public void addNid(Nid primary, Nid nid, boolean multiRail) {
        change(() -> configurator.addNid(primary, nid, multiRail, maxNids()));
    }

    @Override
    public void add(Nid primary, List<Nid> nids, boolean multiRail, boolean lock) {
        change(() -> configurator.add(primary, nids, multiRail, lock, maxNids()));
    }

    @Override
    public void deleteNid(Nid primary, Nid nid, boolean force) {
        change(() -> configurator.deleteNid(primary, nid, force));
    }

    @Override
    public void delete(Nid primary, boolean force) {
        change(() -> configurator.delete(primary, force));
    }

    @Override
    public void delete(Nid primary, List<Nid> nids, boolean force) {
        change(() -> configurator.delete(primary, nids, force));
    }

    @Override
    public void setState(Nid nid, int state) {
        change(() -> configurator.setState(nid, state));
    }
}
