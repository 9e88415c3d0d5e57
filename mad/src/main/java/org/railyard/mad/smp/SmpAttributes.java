package org.railyard.mad.smp;

import java.util.List;
import java.util.Optional;
import org.railyard.mad.wire.AttributeType;

/** All attributes of SMPs. */
public final class SmpAttributes {
    /** In the order of their numbers. */
    public static final List<AttributeType<?>> ALL = List.of(
            Notice.TYPE,
            NodeDescription.TYPE,
            NodeInfo.TYPE,
            SwitchInfo.TYPE,
            GuidInfo.TYPE,
            PortInfo.TYPE,
            PKeyTable.TYPE,
            SlToVlTable.TYPE,
            VlArbitrationTable.TYPE,
            LinearForwardingTable.TYPE,
            MulticastForwardingTable.TYPE,
            SmInfo.TYPE);

    private SmpAttributes() {}

    /** Returns the attribute of a number, if it is a known one. */
    public static Optional<AttributeType<?>> find(int id) {
        return AttributeType.find(ALL, id);
    }

    /** Returns what AttributeModifier means for an attribute, in words; "" where it means nothing. */
    public static String modifierText(int id, int modifier) {
        int high = modifier >>> 16;
        int low = modifier & 0xFFFF;
        if (id == PortInfo.TYPE.id()) {
            return "port " + Modifiers.portOf(modifier);
        }
        if (id == PKeyTable.TYPE.id()) {
            return "port " + high + " block " + low;
        }
        if (id == SlToVlTable.TYPE.id()) {
            return "in " + (low >>> Byte.SIZE) + " out " + (low & 0xFF) + (high == 0 ? "" : " optimized");
        }
        if (id == VlArbitrationTable.TYPE.id()) {
            return "port " + low + " block " + high;
        }
        if (id == LinearForwardingTable.TYPE.id() || id == GuidInfo.TYPE.id()) {
            return "block " + Integer.toUnsignedString(modifier);
        }
        if (id == MulticastForwardingTable.TYPE.id()) {
            return "position " + (modifier >>> 28) + " block " + (modifier & 0x1FF);
        }
        return modifier == 0 ? "" : "modifier 0x%08x".formatted(modifier);
    }
}
