package org.railyard.sm;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.railyard.mad.transport.MadRequests;

/**
 * The M_Keys that nodes may have: the one that they shall have, and those before it. A node that was absent when the
 * key changed comes back with an older one. For the loop of the transport.
 */
final class KeyRing {
    /** How many earlier keys are kept: each is tried at nodes that are silent. */
    static final int EARLIER = 2;

    private final MadRequests requests;
    private final List<Long> newestFirst = new ArrayList<>();
    private boolean changing;

    KeyRing(MadRequests requests, long key) {
        this.requests = requests;
        newestFirst.add(key);
        tell();
    }

    /** Nodes shall have another key from now on; until they have, most hold the one before. */
    void change(long key) {
        if (newestFirst.getFirst() == key) {
            return;
        }
        newestFirst.remove(Long.valueOf(key));
        newestFirst.addFirst(key);
        if (newestFirst.size() > 1 + EARLIER) {
            newestFirst.removeLast();
        }
        changing = true;
        tell();
    }

    /**
     * Adds keys that nodes may have by what was kept, as far as there is room: before earlier ones that are known here.
     */
    void recall(MKeyTable kept) {
        List<Long> known = List.copyOf(newestFirst);
        newestFirst.subList(1, newestFirst.size()).clear();
        Stream.concat(kept.likely().stream(), known.stream())
                .filter(key -> newestFirst.size() <= EARLIER && !newestFirst.contains(key))
                .forEachOrdered(newestFirst::add);
        changing |= newestFirst.size() > 1 && kept.hasOnlyOthers(newestFirst.getFirst());
        tell();
    }

    /** Returns all keys, that which nodes shall have first. */
    List<Long> newestFirst() {
        return List.copyOf(newestFirst);
    }

    /** Returns whether some nodes may have no other than an earlier key yet. */
    boolean isChanging() {
        return changing;
    }

    /** Returns whether a node with this key is one of ours. */
    boolean holds(long key) {
        return newestFirst.contains(key);
    }

    /** Notes that all nodes that are there have a key: that ends its change, unless another one has begun. */
    void given(long key) {
        if (changing && newestFirst.getFirst() == key) {
            changing = false;
            tell();
        }
    }

    private void tell() {
        List<Long> all = new ArrayList<>(newestFirst);
        if (changing) {
            // Most nodes have the one before: to try the new one first would cost each of them a time-out.
            all.add(1, all.removeFirst());
        }
        requests.keys(all);
    }
}
