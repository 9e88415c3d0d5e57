package org.railyard.mad.layout;

import java.util.ArrayList;
import java.util.List;
import org.railyard.mad.layout.BitField.Form;
import org.railyard.mad.layout.BitField.Size;

/**
 * Declares a structure field by field, from its first bit to its last. {@link #at(int)} holds the declaration against
 * the offsets of the specification: a field too many or too few fails when the class is loaded. For one thread.
 *
 * <p>Components are counted as the architecture does for component masks: each field and each {@link #reserved(int)} is
 * one.
 */
public final class LayoutBuilder {
    private static final int MAX_WINDOW = 8;

    private final BitLayout layout;
    private final List<BitField> fields = new ArrayList<>();
    private final List<Integer> components = new ArrayList<>();
    private int bit;
    private int component;
    private long nextMask;

    /** Begins a structure of this name. */
    public LayoutBuilder(String name) {
        layout = new BitLayout(name);
    }

    /** Adds an unsigned number that is written in decimal, of 1 to 64 bits. */
    public BitField number(String name, int bits) {
        return add(name, Size.of(bits), Form.DECIMAL, List.of());
    }

    /** Adds an unsigned number that is written in hexadecimal, of 1 to 64 bits. */
    public BitField hex(String name, int bits) {
        return add(name, Size.of(bits), Form.HEX, List.of());
    }

    /** Adds one bit. */
    public BitField flag(String name) {
        return number(name, 1);
    }

    /** Adds a number whose values have names, from 0 on; further values are written as numbers. */
    public BitField choice(String name, int bits, String... names) {
        return add(name, Size.of(bits), Form.NAMES, List.of(names));
    }

    /** Adds a GID, 128 bits. */
    public BitField gid(String name) {
        return add(name, Size.of(Gid.BITS), Form.GID, List.of());
    }

    /** Adds a text of so many bytes, padded with NULs. */
    public BitField text(String name, int bytes) {
        return add(name, Size.of(bytes * Byte.SIZE), Form.TEXT, List.of());
    }

    /** Adds an array of numbers that are written in decimal. */
    public BitField numbers(String name, int bits, int count) {
        return add(name, new Size(bits, count, bits), Form.DECIMAL, List.of());
    }

    /** Adds an array of numbers that are written in hexadecimal. */
    public BitField hexes(String name, int bits, int count) {
        return add(name, new Size(bits, count, bits), Form.HEX, List.of());
    }

    /**
     * Adds one column of a table that starts here, without going on: {@link #reserved(int)} does, over the whole table.
     *
     * @param from first bit of the column in each row
     * @param bits bits of the column
     * @param rows how many rows
     * @param stride bits of a row
     */
    public BitField column(String name, int from, int bits, int rows, int stride) {
        BitField field = field(name, bit + from, new Size(bits, rows, stride), Form.DECIMAL, List.of());
        nextMask = 0;
        return field;
    }

    /** Leaves bits out, or leaves them to another declaration: they count as one component. */
    public void reserved(int bits) {
        bit += bits;
        component++;
    }

    /** Says which bits of a component mask ask for the next field: a number for each bit. */
    public LayoutBuilder mask(int... numbers) {
        for (int number : numbers) {
            nextMask |= 1L << number;
        }
        return this;
    }

    /**
     * Checks that the next field begins at this byte.
     *
     * @throws IllegalStateException if it does not
     */
    public LayoutBuilder at(int offset) {
        if (bit != offset * Byte.SIZE) {
            throw new IllegalStateException("%s: byte %d expected, but the fields so far end at byte %d, bit %d"
                    .formatted(layout.name(), offset, bit / Byte.SIZE, bit % Byte.SIZE));
        }
        return this;
    }

    /** Takes in all fields of another structure here, without component mask. */
    public void embed(BitLayout part) {
        for (BitField field : part.fields()) {
            fields.add(field.within(layout, bit, 0));
            components.add(component++);
        }
        bit += part.size() * Byte.SIZE;
    }

    /**
     * Takes in all fields of another structure here; its components, reserved ones too, have consecutive bits in the
     * component mask.
     *
     * @param part complete
     * @param firstMask the number of the bit of its first component
     */
    public void embed(BitLayout part, int firstMask) {
        for (int i = 0; i < part.fields().size(); i++) {
            long mask = 1L << (firstMask + part.component(i));
            fields.add(part.fields().get(i).within(layout, bit, mask));
            components.add(component++);
        }
        bit += part.size() * Byte.SIZE;
    }

    /**
     * Ends the declaration.
     *
     * @param size bytes that the structure has
     * @throws IllegalStateException if the fields have another size
     */
    public BitLayout build(int size) {
        at(size);
        layout.complete(size, fields, components);
        return layout;
    }

    private BitField add(String name, Size size, Form form, List<String> names) {
        BitField field = field(name, bit, size, form, names);
        bit += size.stride() * size.count();
        nextMask = 0;
        return field;
    }

    private BitField field(String name, int first, Size size, Form form, List<String> names) {
        boolean wide = form == Form.GID || form == Form.TEXT;
        int window = (first % Byte.SIZE + size.bits() + Byte.SIZE - 1) / Byte.SIZE;
        if (wide ? first % Byte.SIZE != 0 : size.bits() < 1 || window > MAX_WINDOW) {
            throw new IllegalStateException(layout.name() + "." + name + ": " + size.bits() + " bits at bit " + first);
        }
        BitField field = new BitField(layout, name, first, size, form, names, nextMask);
        fields.add(field);
        components.add(component++);
        return field;
    }
}
