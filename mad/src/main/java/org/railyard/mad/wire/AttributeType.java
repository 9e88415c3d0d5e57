package org.railyard.mad.wire;

import java.util.List;
import java.util.Optional;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;

/**
 * One attribute: its number, its declaration and how it is laid over bytes. SMPs, the SA and performance management
 * number their attributes apart.
 *
 * @param <T> the structure
 * @param id AttributeID
 * @param layout the declaration
 * @param recordSize bytes from one record to the next in an answer of the SA: a multiple of 8
 * @param over lays the structure over bytes
 */
public record AttributeType<T extends BitStruct<T>>(int id, BitLayout layout, int recordSize, Over<T> over) {
    private static final int UNIT = 8;

    /** Lays a structure over bytes. */
    @FunctionalInterface
    public interface Over<T> {
        /**
         * Lays it over bytes, without copying.
         *
         * @throws IndexOutOfBoundsException if they are too few
         */
        T over(byte[] bytes, int offset);
    }

    /** Makes a type whose records follow each other at the next multiple of 8 bytes. */
    public AttributeType(int id, BitLayout layout, Over<T> over) {
        this(id, layout, (layout.size() + UNIT - 1) / UNIT * UNIT, over);
    }

    /** Returns the attribute of a number among those of one management class, if it is a known one. */
    public static Optional<AttributeType<?>> find(List<AttributeType<?>> all, int id) {
        for (AttributeType<?> type : all) {
            if (type.id() == id) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    /** Returns the name that the architecture gives the attribute. */
    public String name() {
        return layout.name();
    }

    /** Returns a new structure in bytes of its own, all 0. */
    public T create() {
        return over.over(new byte[recordSize], 0);
    }

    /** Returns what AttributeOffset is in answers that hold such records: units of 8 bytes. */
    public int attributeOffset() {
        return recordSize / UNIT;
    }

    /** Returns a copy of a structure, in bytes of its own. */
    public T copy(T of) {
        return create().setAll(of);
    }
}
