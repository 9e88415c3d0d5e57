package org.railyard.decode.wireshark;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.railyard.lnet.wire.NidWire;

/**
 * A declared layout as a table of Lua: its length, and place and kind of each field.
 *
 * @param name what the dissector calls it
 * @param filter what its fields are called in display filters, behind the protocol: {@code header} makes {@code
 *     rylnet.header.type}; structures may share it
 * @param layout the layout
 */
record LuaStructure(String name, String filter, StructLayout layout) {
    /** Appends the table. */
    void append(StringBuilder to) {
        to.append("S.").append(name).append(" = {bytes = ").append(layout.byteSize());
        to.append(", filter = \"").append(filter).append("\", fields = {\n");
        for (MemoryLayout member : layout.memberLayouts()) {
            String field = member.name().orElseThrow();
            to.append("  {name = \"").append(field).append("\", at = ");
            to.append(layout.byteOffset(MemoryLayout.PathElement.groupElement(field)));
            to.append(", bytes = ").append(member.byteSize());
            to.append(", kind = \"").append(kind(field, member)).append("\"},\n");
        }
        to.append("}}\n");
    }

    /** NIDs are known by their layout or, those of eight bytes, by what their field is called. */
    private static String kind(String field, MemoryLayout member) {
        return switch (member) {
            case StructLayout inner when inner.withoutName().equals(NidWire.LARGE.withoutName()) -> "nid20";
            case StructLayout _ -> "struct";
            case SequenceLayout _ -> "bytes";
            case ValueLayout.OfLong value when field.endsWith("nid") && isLittle(value) -> "nid4";
            case ValueLayout.OfByte _ -> "number";
            case ValueLayout value -> isLittle(value) ? "number" : "big";
            default -> throw new IllegalArgumentException(field + " is " + member + ", which has no kind in Lua");
        };
    }

    private static boolean isLittle(ValueLayout value) {
        return value.order() == ByteOrder.LITTLE_ENDIAN;
    }
}
