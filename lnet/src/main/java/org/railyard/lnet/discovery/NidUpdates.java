package org.railyard.lnet.discovery;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.LimitedLog;
import org.railyard.base.host.Worker;
import org.railyard.lnet.api.NidUpdate;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.peer.PeerWatcher;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.Sender;

/**
 * Tells listeners which NIDs nodes have (spec 10 §4.2). Changes are noted under the lock and told by a worker of its
 * own, which starts with the first listener; several changes of one node that follow quickly are told once.
 */
public final class NidUpdates implements PeerWatcher {
    /** Most listeners. */
    public static final int MAX_LISTENERS = 16;

    /** Most nodes whose changes wait to be told; changes of further ones are not told. */
    static final int MAX_WAITING = 1 << 16;

    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");
    private static final long IDLE_NANOS = 3_600_000_000_000L;

    private final Node node;
    private final Sender sender;
    private final LimitedLog log;
    private final List<Consumer<NidUpdate>> listeners = new ArrayList<>();
    private final Set<Nid> changed = new LinkedHashSet<>();
    private boolean localChanged;
    private volatile @Nullable Worker worker;

    /** Makes a watch over a node's NIDs. */
    public NidUpdates(Node node, Sender sender) {
        this.node = node;
        this.sender = sender;
        this.log = new LimitedLog(LOG, System.Logger.Level.ERROR, node.host.clock());
        node.peers.watch(this);
    }

    /**
     * Tells a listener of changes from now on. Must not be called by two threads at once.
     *
     * @throws ErrnoException ENOSPC at {@link #MAX_LISTENERS}
     */
    public void register(Consumer<NidUpdate> listener) {
        node.lock.lock();
        try {
            if (listeners.size() >= MAX_LISTENERS) {
                throw new ErrnoException(
                        Errno.ENOSPC,
                        MAX_LISTENERS + " listeners for NIDs are registered; remove one before adding another");
            }
            listeners.add(listener);
        } finally {
            node.lock.unlock();
        }
        if (worker == null) {
            worker = node.host.startWorker("lnet-nids", this::run);
        }
    }

    /** Tells a listener nothing any more; it may be in the middle of a call. */
    public void remove(Consumer<NidUpdate> listener) {
        node.lock.lock();
        try {
            listeners.remove(listener);
        } finally {
            node.lock.unlock();
        }
    }

    /** Stops telling. Must not be called while {@link #register} is. */
    public void close() {
        if (worker != null) {
            worker.close();
        }
    }

    /** The NIDs of this node have changed. Needs no lock. */
    public void localChanged() {
        node.lock.lock();
        try {
            localChanged = !listeners.isEmpty();
        } finally {
            node.lock.unlock();
        }
        wake();
    }

    @Override
    public void changed(Nid primary) {
        node.lock.assertHeld();
        if (listeners.isEmpty() || primary.isLoopback()) {
            return;
        }
        if (changed.size() >= MAX_WAITING) {
            sender.later(() -> log.log(
                    "updates",
                    MAX_WAITING + " changes of NIDs wait for slow listeners; the one of " + primary + " is not told"));
            return;
        }
        changed.add(primary);
        wake();
    }

    private void wake() {
        Worker telling = worker;
        if (telling != null) {
            telling.wake();
        }
    }

    private long run(long now) {
        List<Consumer<NidUpdate>> to = new ArrayList<>();
        for (NidUpdate update = next(to); update != null; update = next(to)) {
            for (Consumer<NidUpdate> listener : to) {
                NidUpdate told = update;
                sender.later(() -> listener.accept(told));
            }
            sender.flush();
        }
        return now + IDLE_NANOS;
    }

    /** Returns what is to be told next, and to whom; null if there is nothing. */
    private @Nullable NidUpdate next(List<Consumer<NidUpdate>> to) {
        node.lock.lock();
        try {
            to.clear();
            to.addAll(listeners);
            if (localChanged) {
                localChanged = false;
                List<Nid> own = node.nis.all().stream().map(LocalNi::nid).toList();
                return new NidUpdate(true, own.isEmpty() ? Nid.ANY : own.getFirst(), own);
            }
            Iterator<Nid> first = changed.iterator();
            if (!first.hasNext()) {
                return null;
            }
            Nid primary = first.next();
            first.remove();
            PeerNi ni = node.peers.find(primary);
            List<Nid> nids = ni == null || !ni.peer().primaryNid.equals(primary)
                    ? List.of()
                    : ni.peer().nis().stream().map(PeerNi::nid).toList();
            return new NidUpdate(false, primary, nids);
        } finally {
            node.lock.unlock();
        }
    }
}
