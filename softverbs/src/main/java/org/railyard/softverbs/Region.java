package org.railyard.softverbs;

import java.lang.foreign.MemorySegment;
import org.railyard.verbs.MemoryKeys;

/** Memory that a key gives access to. */
abstract class Region implements MemoryKeys {
    private static final int VARIANT_BITS = 8;
    private static final int VARIANT_MASK = (1 << VARIANT_BITS) - 1;

    private final SoftPd pd;
    private int key;

    Region(SoftPd pd) {
        this.pd = pd;
        this.key = pd.device().keys().add(this) << VARIANT_BITS;
    }

    final SoftPd pd() {
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
    abstract boolean allows(long address, long length, int access);

    /** Copies bytes that may be accessed. */
    abstract void read(long address, long length, MemorySegment to, long at);

    /** Overwrites bytes that may be accessed. */
    abstract void write(long address, long length, MemorySegment from, long at);

    final void drop() {
        pd.device().keys().remove(this);
    }
}
