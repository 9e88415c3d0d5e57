package org.railyard.verbs.card.memory;

import java.lang.foreign.MemorySegment;
import org.railyard.verbs.MemoryKeys;

/** Memory that a key gives access to. */
public abstract class Region implements MemoryKeys {
    static final int VARIANT_BITS = 8;
    private static final int VARIANT_MASK = (1 << VARIANT_BITS) - 1;

    private final CardPd pd;
    private int key;

    Region(CardPd pd) {
        this.pd = pd;
        this.key = pd.memory().keys().add(this);
    }

    /** Returns its protection domain. */
    public final CardPd pd() {
        return pd;
    }

    final int key() {
        return key;
    }

    /** Returns the place of a key in the key table. */
    static int place(int key) {
        return key >>> VARIANT_BITS;
    }

    /** Returns the key after this one. */
    static int nextKey(int key) {
        return key & ~VARIANT_MASK | key + 1 & VARIANT_MASK;
    }

    /** Gives access by another variant of the key only. */
    final void setKey(int newKey) {
        key = newKey;
    }

    @Override
    public int localKey() {
        return key;
    }

    @Override
    public int remoteKey() {
        return key;
    }

    /** Tells whether bytes may be accessed; with bits of {@link org.railyard.verbs.Access}, 0 to read. */
    public abstract boolean allows(long address, long length, int access);

    /** Copies bytes that may be accessed. */
    public abstract void read(long address, long length, MemorySegment to, long at);

    /** Overwrites bytes that may be accessed. */
    public abstract void write(long address, long length, MemorySegment from, long at);

    /**
     * Finds out where bytes that may be accessed are in this process.
     *
     * @param into gets the place
     * @return false if they do not lie side by side, or in memory that is too large to be looked at in one piece
     */
    public abstract boolean locate(long address, int length, MemoryPiece into);

    /**
     * Finds out how many of some bytes that may be accessed lie side by side in this process.
     *
     * @param most how many bytes are of interest, 1 or more
     * @param into gets their place
     * @return how many, from the first one on; 0 if there is no memory at the address
     */
    public abstract long stretch(long address, long most, Stretch into);

    final void drop() {
        pd.memory().keys().remove(this);
    }
}
