package org.railyard.ibverbs;

import org.jspecify.annotations.Nullable;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.verbs.VerbsException;

/**
 * A memory window of type 2 (spec 24 §8.2, D): a work request binds it to registered memory and to the queue pair that
 * it was posted to, another one ends that. Its key changes in the low 8 bits with each binding. As the rules of
 * InfiniBand have it, only the queue pair that a window is bound at ends the binding by a request; in all other cases
 * the window is given back and another one made. What it is bound at is known as of what was posted.
 *
 * <p>Not thread-safe.
 */
final class MemoryWindow {
    private static final System.Logger LOG = System.getLogger(MemoryWindow.class.getName());
    private static final int LOW_BITS = 0xFF;

    private final IbvPd pd;
    private final NativeVerbs verbs;
    private long address;

    /** As the card has it: of the last binding, or of the making. */
    private int key;

    private int preparedKey;
    private @Nullable BoundWindows qp;
    private @Nullable BoundWindows memory;

    /** Whether a transfer has a key for the next binding, which was not posted yet. */
    private boolean prepared;

    MemoryWindow(IbvPd pd) {
        this.pd = pd;
        this.verbs = pd.device().provider().verbs();
    }

    /**
     * Chooses the key for the next binding.
     *
     * @param at those of the queue pair where that is going to be
     * @throws VerbsException ENOMEM or another code if the card makes no window
     */
    void prepare(BoundWindows at) {
        if (qp != null && qp != at) {
            giveBack();
        }
        if (address == 0) {
            make();
        }
        preparedKey = next(preparedKey) == key ? next(key) : next(preparedKey);
        prepared = true;
    }

    private void make() {
        long made = verbs.allocateWindow(pd.device().context(), pd.address());
        if (made == 0) {
            throw NativeVerbs.failed(pd.device() + ": a memory window can not be made", NativeVerbs.errno());
        }
        address = made;
        key = VerbsMemory.getInt(made + VerbsLayout.MW_RKEY);
        preparedKey = key;
    }

    private static int next(int key) {
        return key & ~LOW_BITS | key + 1 & LOW_BITS;
    }

    /** Returns the key that peers need from the next binding on. */
    int preparedKey() {
        return preparedKey;
    }

    /** Returns the key that it is bound with. */
    int key() {
        return key;
    }

    /** Returns the address of the structure; 0 if there is no window. */
    long address() {
        return address;
    }

    /** Tells whether it is bound at a queue pair, so that a request there ends that. */
    boolean isBoundAt(BoundWindows at) {
        return qp == at;
    }

    /** Tells whether a transfer has a key of it, but the requests were not posted yet. */
    boolean isAwaited() {
        return prepared;
    }

    /** A binding was written for the card, at a queue pair and to memory. */
    void bind(BoundWindows at, BoundWindows to) {
        prepared = false;
        qp = at;
        at.add(this);
        memory = to;
        to.add(this);
        key = preparedKey;
    }

    /** The end of its binding was written for the card. */
    void unbind() {
        if (qp != null) {
            qp.remove(this);
            qp = null;
        }
        if (memory != null) {
            memory.remove(this);
            memory = null;
        }
    }

    /** The card has what was written for it; its structure says with which key, because drivers read that. */
    void posted() {
        if (address != 0) {
            VerbsMemory.putInt(address + VerbsLayout.MW_RKEY, key);
        }
    }

    /** Gives it back, which ends its binding at once. The next {@link #prepare} makes another one. */
    void giveBack() {
        unbind();
        prepared = false;
        if (address == 0) {
            return;
        }
        int errno = verbs.deallocateWindow(pd.device().context(), address);
        address = 0;
        if (errno != 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a memory window of {0} was not given back: errno {1}",
                    pd.device(),
                    errno);
        }
    }
}
