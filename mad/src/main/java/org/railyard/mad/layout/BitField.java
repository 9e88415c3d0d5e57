package org.railyard.mad.layout;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One field of a {@link BitLayout}: so many bits at one place, or an array of such. Immutable; made by {@link
 * LayoutBuilder}.
 */
public final class BitField {
    /** How values are written for people. */
    enum Form {
        DECIMAL,
        HEX,
        NAMES,
        GID,
        TEXT
    }

    private final BitLayout layout;
    private final String name;
    private final int bit;
    private final int bits;
    private final int count;
    private final int stride;
    private final Form form;
    private final List<String> names;
    private final long mask;
    private final long max;
    private final @Nullable BitLayout numbersOf;
    private final int wholeByte;
    private final int firstByte;
    private final int lastByte;
    private final int endByte;
    private final int shift;

    BitField(BitLayout layout, String name, int bit, Size size, Form form, List<String> names, long mask) {
        this.layout = layout;
        this.name = name;
        this.bit = bit;
        this.bits = size.bits;
        this.count = size.count;
        this.stride = size.stride;
        this.form = form;
        this.names = names;
        this.mask = mask;
        this.max = bits >= Long.SIZE ? -1L : (1L << bits) - 1;
        this.numbersOf = isWide() ? null : layout;
        boolean isBytes = !isWide() && bits == Byte.SIZE && bit % Byte.SIZE == 0 && (count == 1 || stride == Byte.SIZE);
        this.firstByte = bit / Byte.SIZE;
        this.wholeByte = isBytes ? firstByte : -1;
        this.lastByte = (bit + bits - 1) / Byte.SIZE;
        this.endByte = (bit + (count - 1) * stride + bits - 1) / Byte.SIZE + 1;
        this.shift = (lastByte + 1) * Byte.SIZE - bit - bits;
    }

    /** Bits of an element, elements, and bits from one to the next. */
    record Size(int bits, int count, int stride) {
        static Size of(int bits) {
            return new Size(bits, 1, bits);
        }
    }

    /** Returns the same field as a part of a larger structure. */
    BitField within(BitLayout larger, int offsetBits, long newMask) {
        return new BitField(larger, name, bit + offsetBits, new Size(bits, count, stride), form, names, newMask);
    }

    /** Returns the name that the architecture gives the field. */
    public String name() {
        return name;
    }

    /** Returns the bits of one element. */
    public int bits() {
        return bits;
    }

    /** Returns how many elements it has; 1 unless it is an array. */
    public int count() {
        return count;
    }

    /**
     * Returns the bits of a component mask that ask for this field, 0 if none does; of an array that has a bit for each
     * element, the bit of the first.
     */
    public long mask() {
        return mask;
    }

    /** Returns the largest value of an element, unsigned; of fields up to 64 bits. */
    public long max() {
        return max;
    }

    /** Returns the layout if elements are numbers of up to 64 bits, null if they are wide. */
    @Nullable
    BitLayout numbersOf() {
        return numbersOf;
    }

    BitLayout layout() {
        return layout;
    }

    int bit(int index) {
        return bit + index * stride;
    }

    /** Returns the byte in which the first element begins. */
    int firstByte() {
        return firstByte;
    }

    /** Returns the byte in which the first element ends. */
    int lastByte() {
        return lastByte;
    }

    /** Returns the byte behind the one in which the last element ends. */
    int endByte() {
        return endByte;
    }

    /** Returns how many bits of the byte in which the first element ends are behind it. */
    int shift() {
        return shift;
    }

    /** Returns the byte of the first element if each element is a whole byte, side by side; negative otherwise. */
    int wholeByte() {
        return wholeByte;
    }

    Form form() {
        return form;
    }

    List<String> names() {
        return names;
    }

    boolean isWide() {
        return form == Form.GID || form == Form.TEXT;
    }

    @Override
    public String toString() {
        return layout.name() + "." + name;
    }
}
