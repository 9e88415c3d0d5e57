package org.railyard.mad.layout;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A structure in an array of bytes, its own or a larger one: every access goes through the {@link BitField}s of its
 * {@link BitLayout}. Not thread-safe.
 *
 * @param <S> the structure itself
 */
public abstract class BitStruct<S extends BitStruct<S>> {
    private final BitLayout layout;
    private final byte[] bytes;
    private final int offset;

    /**
     * Lays a structure over bytes, without copying.
     *
     * @throws IndexOutOfBoundsException if they are too few
     */
    protected BitStruct(BitLayout layout, byte[] bytes, int offset) {
        Objects.checkFromIndexSize(offset, layout.size(), bytes.length);
        this.layout = layout;
        this.bytes = bytes;
        this.offset = offset;
    }

    /** Returns the declaration of this structure. */
    public final BitLayout layout() {
        return layout;
    }

    /** Returns the array that the structure lies in; for structures in structures. */
    protected final byte[] array() {
        return bytes;
    }

    /** Returns where in {@link #array()} it begins. */
    protected final int offset() {
        return offset;
    }

    /** Returns a field of up to 64 bits, unsigned. */
    public final long get(BitField field) {
        if (field.numbersOf() != layout) {
            throw noNumber(field, 0);
        }
        int at = offset + field.firstByte();
        int last = offset + field.lastByte();
        long value = bytes[at] & 0xFF;
        while (at < last) {
            value = value << Byte.SIZE | bytes[++at] & 0xFF;
        }
        return value >>> field.shift() & field.max();
    }

    /** Returns an element of an array, unsigned. */
    public final long get(BitField field, int index) {
        check(field, index);
        if (field.wholeByte() >= 0) {
            return bytes[offset + field.wholeByte() + index] & 0xFF;
        }
        int at = position(field, index);
        int end = at + field.bits();
        int last = end - 1 >> 3;
        long value = bytes[at >> 3] & 0xFF;
        for (int i = (at >> 3) + 1; i <= last; i++) {
            value = value << Byte.SIZE | bytes[i] & 0xFF;
        }
        return value >>> (last + 1) * Byte.SIZE - end & field.max();
    }

    /** Returns a field of up to 32 bits; one of 32 bits may be negative. */
    public final int getInt(BitField field) {
        return (int) get(field);
    }

    /** Returns an element of an array of up to 32 bits; one of 32 bits may be negative. */
    public final int getInt(BitField field, int index) {
        return (int) get(field, index);
    }

    /** Tells whether a field is not 0. */
    public final boolean isSet(BitField field) {
        return get(field) != 0;
    }

    /** Returns a GID. */
    public final Gid getGid(BitField field) {
        int at = wide(field, BitField.Form.GID);
        return new Gid(long64(at), long64(at + Long.BYTES));
    }

    /** Returns the upper half of a GID, without making a {@link Gid}. */
    public final long getGidPrefix(BitField field) {
        return long64(wide(field, BitField.Form.GID));
    }

    /** Returns the lower half of a GID, without making a {@link Gid}. */
    public final long getGidGuid(BitField field) {
        return long64(wide(field, BitField.Form.GID) + Long.BYTES);
    }

    /** Returns a text up to its first NUL, each byte as one character: nothing in it can be trusted. */
    public final String getText(BitField field) {
        int at = wide(field, BitField.Form.TEXT);
        int end = at;
        while (end < at + field.bits() / Byte.SIZE && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, at, end - at, StandardCharsets.ISO_8859_1);
    }

    /**
     * Writes a field.
     *
     * @throws IllegalArgumentException if the value has more bits than the field
     */
    public final S set(BitField field, long value) {
        return set(field, 0, value);
    }

    /**
     * Writes an element of an array.
     *
     * @throws IllegalArgumentException if the value has more bits than the field
     */
    public final S set(BitField field, int index, long value) {
        check(field, index);
        if ((value & ~field.max()) != 0) {
            throw new IllegalArgumentException("%s: 0x%x has more than %d bits".formatted(field, value, field.bits()));
        }
        if (field.wholeByte() >= 0) {
            bytes[offset + field.wholeByte() + index] = (byte) value;
            return self();
        }
        int at = position(field, index);
        int last = (at + field.bits() - 1) / Byte.SIZE;
        int shift = (last + 1) * Byte.SIZE - at - field.bits();
        // The field and its neighbours in the same bytes are at most 64 bits: the builder checks that.
        long mask = field.max() << shift;
        long moved = value << shift;
        for (int i = last; mask != 0; i--) {
            bytes[i] = (byte) (bytes[i] & ~mask | moved);
            mask >>>= Byte.SIZE;
            moved >>>= Byte.SIZE;
        }
        return self();
    }

    /** Writes a GID. */
    public final S setGid(BitField field, Gid gid) {
        return setGid(field, gid.prefix(), gid.guid());
    }

    /** Writes a GID of two halves. */
    public final S setGid(BitField field, long prefix, long guid) {
        int at = wide(field, BitField.Form.GID);
        for (int i = 0; i < Long.BYTES; i++) {
            int shift = (Long.BYTES - 1 - i) * Byte.SIZE;
            bytes[at + i] = (byte) (prefix >>> shift);
            bytes[at + Long.BYTES + i] = (byte) (guid >>> shift);
        }
        return self();
    }

    /** Writes a text, cut to the field's size, padded with NULs; what is not ISO 8859-1 becomes a question mark. */
    public final S setText(BitField field, String text) {
        int at = wide(field, BitField.Form.TEXT);
        byte[] raw = text.getBytes(StandardCharsets.ISO_8859_1);
        int size = field.bits() / Byte.SIZE;
        Arrays.fill(bytes, at, at + size, (byte) 0);
        System.arraycopy(raw, 0, bytes, at, Math.min(raw.length, size));
        return self();
    }

    /** Copies all fields of another structure of the same kind, and nothing of what is reserved there. */
    public final S setAll(S other) {
        BitStruct<S> from = other;
        if (layout.isWhole()) {
            System.arraycopy(from.bytes, from.offset, bytes, offset, layout.size());
            return self();
        }
        for (int i = 0; i < layout.size(); i++) {
            int mask = layout.covered(i);
            bytes[offset + i] = (byte) (bytes[offset + i] & ~mask | from.bytes[from.offset + i] & mask);
        }
        return self();
    }

    /** Returns the fields in which another structure of the same kind differs, in their order. */
    public final List<BitField> differences(S other) {
        BitStruct<S> that = other;
        int size = layout.size();
        int first = Arrays.mismatch(bytes, offset, offset + size, that.bytes, that.offset, that.offset + size);
        if (first < 0) {
            return List.of();
        }
        int last = size - 1;
        while (bytes[offset + last] == that.bytes[that.offset + last]) {
            last--;
        }
        List<BitField> different = new ArrayList<>();
        for (BitField field : layout.fields()) {
            if (field.endByte() > first && field.firstByte() <= last && !isSame(field, other)) {
                different.add(field);
            }
        }
        return different;
    }

    /**
     * Tells whether this record is one that a query asks for: the fields whose bits are in the component mask are the
     * same (spec 40 §5). Bits that belong to no field ask for nothing.
     */
    public final boolean matches(S query, long componentMask) {
        BitStruct<S> asked = query;
        for (BitField field : layout.fields()) {
            if (field.mask() == 0) {
                continue;
            }
            if (field.count() == 1) {
                if ((componentMask & field.mask()) != 0 && !isSame(field, query)) {
                    return false;
                }
                continue;
            }
            for (int i = 0; i < field.count(); i++) {
                if ((componentMask & field.mask() << i) != 0 && get(field, i) != asked.get(field, i)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean isSame(BitField field, S other) {
        BitStruct<S> that = other;
        if (field.isWide()) {
            int at = field.bit(0) / Byte.SIZE;
            int size = field.bits() / Byte.SIZE;
            return Arrays.equals(
                    bytes, offset + at, offset + at + size, that.bytes, that.offset + at, that.offset + at + size);
        }
        for (int i = 0; i < field.count(); i++) {
            if (get(field, i) != that.get(field, i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the bytes of the structure, as a copy. */
    public final byte[] toBytes() {
        return Arrays.copyOfRange(bytes, offset, offset + layout.size());
    }

    /** Copies the bytes of the structure into an array, from a place on. */
    public final void copyTo(byte[] to, int at) {
        System.arraycopy(bytes, offset, to, at, layout.size());
    }

    /** Returns name and fields in one line. */
    @Override
    public String toString() {
        return FieldText.line(this);
    }

    @SuppressWarnings("unchecked") // S is the class itself, by its declaration.
    private S self() {
        return (S) this;
    }

    private void check(BitField field, int index) {
        if (field.numbersOf() != layout || index < 0 || index >= field.count()) {
            throw noNumber(field, index);
        }
    }

    private int position(BitField field, int index) {
        return offset * Byte.SIZE + field.bit(index);
    }

    /** Apart, so that the look before each access stays short. */
    private RuntimeException noNumber(BitField field, int index) {
        return field.numbersOf() != layout
                ? new IllegalArgumentException(field + " is no number of " + layout.name())
                : new IndexOutOfBoundsException(index);
    }

    private int wide(BitField field, BitField.Form form) {
        if (field.layout() != layout || field.form() != form) {
            throw new IllegalArgumentException(field + " is no " + form + " of " + layout.name());
        }
        return offset + field.bit(0) / Byte.SIZE;
    }

    private long long64(int at) {
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << Byte.SIZE | bytes[at + i] & 0xFF;
        }
        return value;
    }
}
