package org.railyard.o2iblnd.bond;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.Nid;

/** The targets of a node: one list for all its nets and groups (spec 21 cb-022). Thread-safe. */
public final class Targets {
    /** Most targets of a node. */
    public static final int MAX_TARGETS = 1 << 17;

    private final Map<Nid, Target> byNid = new LinkedHashMap<>();
    private final List<Consumer<Nid>> listeners = new CopyOnWriteArrayList<>();

    /** Makes an empty list. */
    public Targets() {}

    /** Makes a list with some targets. */
    public Targets(Collection<Target> initial) {
        initial.forEach(this::put);
    }

    /**
     * Adds a target, or replaces the one with the same NID.
     *
     * @return the one that it replaces; null if there was none
     * @throws ErrnoException ENOSPC if there are {@link #MAX_TARGETS} already
     */
    public @Nullable Target put(Target target) {
        Target before;
        synchronized (this) {
            if (byNid.size() == MAX_TARGETS && !byNid.containsKey(target.nid())) {
                throw new ErrnoException(
                        Errno.ENOSPC, target.nid() + ": there are " + MAX_TARGETS + " targets, which is the most");
            }
            before = byNid.put(target.nid(), target);
        }
        tell(target.nid());
        return before;
    }

    /** Removes the target of a NID; returns it, null if there was none. */
    public @Nullable Target remove(Nid nid) {
        Target before;
        synchronized (this) {
            before = byNid.remove(nid);
        }
        tell(nid);
        return before;
    }

    /** Returns the target of a NID, whose net counts too; null if there is none. */
    public synchronized @Nullable Target find(Nid nid) {
        return byNid.get(nid);
    }

    /** Returns all targets, in the order in which their NIDs came. */
    public synchronized List<Target> list() {
        return new ArrayList<>(byNid.values());
    }

    /**
     * Tells a listener the NID of each target that changes, after it has, on the thread that changes it; until {@link
     * #unlisten}.
     */
    public void listen(Consumer<Nid> listener) {
        listeners.add(listener);
    }

    /** Ends what {@link #listen} began. */
    public void unlisten(Consumer<Nid> listener) {
        listeners.remove(listener);
    }

    private void tell(Nid nid) {
        listeners.forEach(each -> each.accept(nid));
    }
}
