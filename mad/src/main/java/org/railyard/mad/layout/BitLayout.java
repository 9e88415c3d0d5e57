package org.railyard.mad.layout;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one declaration of a structure: its name, its size and its fields in their order. What no field covers is
 * reserved. Immutable; made by {@link LayoutBuilder}.
 */
public final class BitLayout {
    private final String name;
    private int size;
    private @Nullable List<BitField> fields;
    /** For each field its number among the components of the structure, reserved ones counted. */
    private List<Integer> components = List.of();
    /** The bits that belong to fields. */
    private byte[] covered = new byte[0];

    private boolean whole;

    BitLayout(String name) {
        this.name = name;
    }

    void complete(int newSize, List<BitField> all, List<Integer> numbers) {
        size = newSize;
        fields = List.copyOf(all);
        components = List.copyOf(numbers);
        covered = new byte[newSize];
        for (BitField field : all) {
            for (int i = 0; i < field.count(); i++) {
                for (int bit = field.bit(i); bit < field.bit(i) + field.bits(); bit++) {
                    covered[bit / Byte.SIZE] |= (byte) (0x80 >> bit % Byte.SIZE);
                }
            }
        }
        whole = true;
        for (byte each : covered) {
            whole &= each == -1;
        }
    }

    /** Returns the name of the structure. */
    public String name() {
        return name;
    }

    /** Returns its size, bytes. */
    public int size() {
        return size;
    }

    /** Returns its fields in their order, without what is reserved. */
    public List<BitField> fields() {
        return Objects.requireNonNull(fields, "the layout is not complete yet");
    }

    /** Returns the bits of a byte that belong to fields; those of reserved components do not. */
    int covered(int at) {
        return covered[at];
    }

    int component(int field) {
        return components.get(field);
    }

    /** Tells whether all bits belong to fields. */
    boolean isWhole() {
        return whole;
    }

    /** Returns the name of the structure. */
    @Override
    public String toString() {
        return name;
    }
}
