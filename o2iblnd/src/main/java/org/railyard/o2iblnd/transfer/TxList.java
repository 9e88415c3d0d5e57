package org.railyard.o2iblnd.transfer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Transmits in the order in which they were added, each in one such list at most. Allocates nothing. */
public final class TxList {
    private @Nullable Tx first;
    private @Nullable Tx last;

    /** Returns whether it is empty. */
    public boolean isEmpty() {
        return first == null;
    }

    /** Returns the first; {@link Tx#next} leads on. */
    @Nullable
    public Tx first() {
        return first;
    }

    /** Adds one behind the others; no effect if it is in the list. */
    public void add(Tx tx) {
        if (tx.isListed()) {
            return;
        }
        tx.setListed(true);
        tx.setPrevious(last);
        tx.setNext(null);
        if (last == null) {
            first = tx;
        } else {
            last.setNext(tx);
        }
        last = tx;
    }

    /** Takes one out; no effect if it is not in the list. */
    public void remove(Tx tx) {
        if (!tx.isListed()) {
            return;
        }
        tx.setListed(false);
        Tx before = tx.previous();
        Tx after = tx.next();
        if (before == null) {
            first = after;
        } else {
            before.setNext(after);
        }
        if (after == null) {
            last = before;
        } else {
            after.setPrevious(before);
        }
        tx.setPrevious(null);
        tx.setNext(null);
    }

    /** Moves all to the end of another list. */
    public void moveTo(List<Tx> all) {
        for (Tx tx = first; tx != null; tx = first) {
            remove(tx);
            all.add(tx);
        }
    }
}
