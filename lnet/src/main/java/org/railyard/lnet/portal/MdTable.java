package org.railyard.lnet.portal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.Invariant;
import org.railyard.base.host.StateLock;
import org.railyard.lnet.model.MemoryDescriptor;

/**
 * Handles of memory descriptors: from the object cookie of a wire handle to the descriptor, in constant time and
 * without allocation.
 *
 * <p>A cookie is {@code generation << 22 | slot << 2 | 1}; the generation grows with each use of the slot, so that a
 * late ACK or REPLY never meets another descriptor (spec 01 §3.5).
 */
public final class MdTable {
    /** Most descriptors at a time. */
    public static final int MAX_DESCRIPTORS = 1 << 20;

    private static final int CLASS_MD = 1;
    private static final int SLOT_SHIFT = 2;
    private static final int GENERATION_SHIFT = 22;

    private final StateLock lock;
    private MemoryDescriptor[] slots = new MemoryDescriptor[64];
    private long[] generations = new long[64];
    private int[] free = new int[64];
    private int freeCount;
    private int used;

    /**
     * Makes an empty table.
     *
     * @param lock guards it
     */
    public MdTable(StateLock lock) {
        this.lock = lock;
    }

    /**
     * Gives a descriptor a handle and sets its cookie.
     *
     * @throws ErrnoException ENOMEM at {@link #MAX_DESCRIPTORS}
     */
    public void add(MemoryDescriptor md) {
        lock.assertHeld();
        int slot;
        if (freeCount > 0) {
            slot = free[--freeCount];
        } else {
            if (used == MAX_DESCRIPTORS) {
                throw new ErrnoException(
                        Errno.ENOMEM, "there are " + MAX_DESCRIPTORS + " memory descriptors; unlink some first");
            }
            if (used == slots.length) {
                slots = Arrays.copyOf(slots, used * 2);
                generations = Arrays.copyOf(generations, used * 2);
                free = Arrays.copyOf(free, used * 2);
            }
            slot = used++;
        }
        generations[slot]++;
        slots[slot] = md;
        md.cookie = generations[slot] << GENERATION_SHIFT | (long) slot << SLOT_SHIFT | CLASS_MD;
    }

    /** Returns the descriptor with the given cookie, or null. */
    public @Nullable MemoryDescriptor find(long cookie) {
        lock.assertHeld();
        int slot = (int) (cookie >>> SLOT_SHIFT) & MAX_DESCRIPTORS - 1;
        if (slot >= used) {
            return null;
        }
        MemoryDescriptor md = slots[slot];
        return md != null && md.cookie == cookie ? md : null;
    }

    /** Ends a handle; no effect if it has ended. */
    @SuppressWarnings("NullAway") // An empty slot is null; find() checks.
    public void remove(MemoryDescriptor md) {
        lock.assertHeld();
        if (find(md.cookie) == md) {
            int slot = (int) (md.cookie >>> SLOT_SHIFT) & MAX_DESCRIPTORS - 1;
            slots[slot] = null;
            free[freeCount++] = slot;
        }
    }

    /** Returns how many descriptors there are. */
    public int count() {
        lock.assertHeld();
        return used - freeCount;
    }

    /** Returns all descriptors. */
    public MemoryDescriptor[] all() {
        lock.assertHeld();
        return Arrays.stream(slots, 0, used).filter(md -> md != null).toArray(MemoryDescriptor[]::new);
    }

    /**
     * Checks that each descriptor is found by its cookie, and each descriptor.
     *
     * @throws AssertionError if it is otherwise
     */
    @SuppressWarnings("NullAway") // An empty slot is null.
    public void checkInvariants() {
        lock.assertHeld();
        int count = 0;
        for (int slot = 0; slot < used; slot++) {
            MemoryDescriptor md = slots[slot];
            if (md != null) {
                Invariant.check(find(md.cookie) == md, md, "to be found by its cookie", slot);
                Invariant.check(!md.unlinked, md, "not to be unlinked while it has a slot", slot);
                md.checkInvariants();
                count++;
            }
        }
        Invariant.check(count + freeCount == used, "the descriptors", "a slot each", count, freeCount, used);
    }
}
