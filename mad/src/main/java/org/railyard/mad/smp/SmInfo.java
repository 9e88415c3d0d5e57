package org.railyard.mad.smp;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** A subnet manager (spec 40 §2.3). */
public final class SmInfo extends BitStruct<SmInfo> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("SMInfo");

    /** GUID of its port. */
    public static final BitField GUID = BUILDER.at(0).hex("GUID", 64);

    public static final BitField SM_KEY = BUILDER.hex("SM_Key", 64);

    /** Grows while it is alive. */
    public static final BitField ACT_COUNT = BUILDER.number("ActCount", 32);

    /** The larger one is master. */
    public static final BitField PRIORITY = BUILDER.at(20).number("Priority", 4);

    /** See the constants. */
    public static final BitField STATE = BUILDER.choice("SMState", 4, "NotActive", "Discovering", "Standby", "Master");

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(21);

    /** The attribute. */
    public static final AttributeType<SmInfo> TYPE = new AttributeType<>(0x20, LAYOUT, SmInfo::new);

    /** Lays it over bytes, without copying. */
    public SmInfo(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Value of {@link #STATE}: switched off. */
    public static final int NOT_ACTIVE = 0;

    /** Value of {@link #STATE}: reads the fabric. */
    public static final int DISCOVERING = 1;

    /** Value of {@link #STATE}: waits for the master to fail. */
    public static final int STANDBY = 2;

    /** Value of {@link #STATE}: manages the fabric. */
    public static final int MASTER = 3;

    /** Modifier of a Set: take over. */
    public static final int HANDOVER = 1;

    /** Modifier of a Set: a handover was seen. */
    public static final int ACKNOWLEDGE = 2;

    /** Modifier of a Set: switch yourself off. */
    public static final int DISABLE = 3;

    /** Modifier of a Set: switch yourself on again. */
    public static final int TO_STANDBY = 4;

    /** Modifier of a Set: look at the fabric again. */
    public static final int DISCOVER = 5;
}
