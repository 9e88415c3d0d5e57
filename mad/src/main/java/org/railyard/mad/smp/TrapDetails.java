package org.railyard.mad.smp;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;

/**
 * What a notice tells beside its number: the details of each kind are laid out differently (spec 40 §3). Only the
 * fields of its own kind can be read. It lies over the whole notice, the offsets are those in the notice.
 */
public final class TrapDetails extends BitStruct<TrapDetails> {
    private static final int SIZE = 64;
    private static final int DETAILS = 10;

    /** Traps 64 to 67: a GID. */
    public static final BitLayout OF_GID;

    /** Trap 64, 65: the end port; 66, 67: the group. */
    public static final BitField GID;

    /** Trap 128. */
    public static final BitLayout OF_SWITCH;

    /** Trap 128: the LID of the switch. */
    public static final BitField SWITCH_LID;

    /** Traps 129 to 131. */
    public static final BitLayout OF_PORT;

    /** Traps 129 to 131: the LID. */
    public static final BitField PORT_LID;

    /** Traps 129 to 131: the port. */
    public static final BitField PORT;

    /** Trap 144. */
    public static final BitLayout OF_CHANGES;

    /** Trap 144: the LID. */
    public static final BitField CHANGES_LID;

    /** Trap 144: {@link #CHANGE_FLAGS} tell what else changed. */
    public static final BitField OTHER_CHANGES;

    /** Trap 144: CapabilityMask as it is now. */
    public static final BitField CAPABILITY_MASK;

    /** Trap 144: what changed, see {@code CHANGED_…}. */
    public static final BitField CHANGE_FLAGS;

    /** Trap 145. */
    public static final BitLayout OF_SYSTEM;

    /** Trap 145: the LID. */
    public static final BitField SYSTEM_LID;

    /** Trap 145: the GUID as it is now. */
    public static final BitField SYSTEM_IMAGE_GUID;

    /** Trap 256. */
    public static final BitLayout OF_M_KEY;

    /** Trap 256: the LID of the port that saw it. */
    public static final BitField M_KEY_LID;

    /** Trap 256: DrSLID of the SMP. */
    public static final BitField M_KEY_DR_SLID;

    /** Trap 256: its method. */
    public static final BitField M_KEY_METHOD;

    /** Trap 256: its AttributeID. */
    public static final BitField M_KEY_ATTRIBUTE;

    /** Trap 256: its AttributeModifier. */
    public static final BitField M_KEY_MODIFIER;

    /** Trap 256: the key it had. */
    public static final BitField M_KEY;

    /** Trap 256: the SMP came by a directed route. */
    public static final BitField M_KEY_DIRECTED;

    /** Trap 256: the return path is cut. */
    public static final BitField M_KEY_PATH_CUT;

    /** Trap 256: hops of the return path. */
    public static final BitField M_KEY_HOPS;

    /** Trap 256: the return path. */
    public static final BitField M_KEY_PATH;

    /** Traps 257 and 258. */
    public static final BitLayout OF_KEY;

    /** Traps 257, 258: source LID. */
    public static final BitField KEY_LID1;

    /** Traps 257, 258: destination LID. */
    public static final BitField KEY_LID2;

    /** Traps 257, 258: the key. */
    public static final BitField KEY;

    /** Traps 257, 258: SL. */
    public static final BitField KEY_SL;

    /** Traps 257, 258: source QP. */
    public static final BitField KEY_QP1;

    /** Traps 257, 258: destination QP. */
    public static final BitField KEY_QP2;

    /** Traps 257, 258: source GID. */
    public static final BitField KEY_GID1;

    /** Traps 257, 258: destination GID. */
    public static final BitField KEY_GID2;

    /** Trap 259. */
    public static final BitLayout OF_SWITCH_KEY;

    /** Trap 259: which fields are valid. */
    public static final BitField SWITCH_KEY_VALID;

    /** Trap 259: source LID. */
    public static final BitField SWITCH_KEY_LID1;

    /** Trap 259: destination LID. */
    public static final BitField SWITCH_KEY_LID2;

    /** Trap 259: the P_Key. */
    public static final BitField SWITCH_KEY;

    /** Trap 259: SL. */
    public static final BitField SWITCH_KEY_SL;

    /** Trap 259: source QP. */
    public static final BitField SWITCH_KEY_QP1;

    /** Trap 259: destination QP. */
    public static final BitField SWITCH_KEY_QP2;

    /** Trap 259: source GID. */
    public static final BitField SWITCH_KEY_GID1;

    /** Trap 259: destination GID. */
    public static final BitField SWITCH_KEY_GID2;

    /** Trap 259: LID of the switch. */
    public static final BitField SWITCH_KEY_SWITCH;

    /** Trap 259: its port. */
    public static final BitField SWITCH_KEY_PORT;

    /** Notices of other kinds. */
    public static final BitLayout OF_OTHERS;

    /** Other kinds: the bytes. */
    public static final BitField BYTES;

    /** Flag of trap 144: NodeDescription. */
    public static final int CHANGED_DESCRIPTION = 0x01;

    /** Flag of trap 144: LinkWidthEnabled. */
    public static final int CHANGED_WIDTH = 0x02;

    /** Flag of trap 144: LinkSpeedEnabled. */
    public static final int CHANGED_SPEED = 0x04;

    /** Flag of trap 144: priority of an SM. */
    public static final int CHANGED_SM_PRIORITY = 0x08;

    /** Flag of trap 144: CapabilityMask2. */
    public static final int CHANGED_CAPABILITY_MASK2 = 0x20;

    static {
        LayoutBuilder b = begin("ServiceDetails");
        b.reserved(48);
        GID = b.at(16).gid("GID");
        OF_GID = end(b, 32);

        b = begin("LinkStateDetails");
        SWITCH_LID = b.at(10).number("LID", 16);
        OF_SWITCH = end(b, 12);

        b = begin("PortDetails");
        b.reserved(16);
        PORT_LID = b.at(12).number("LID", 16);
        PORT = b.at(14).number("PortNum", 8);
        OF_PORT = end(b, 15);

        b = begin("ChangeDetails");
        b.reserved(16);
        CHANGES_LID = b.at(12).number("LID", 16);
        b.reserved(15);
        OTHER_CHANGES = b.flag("OtherLocalChanges");
        CAPABILITY_MASK = b.at(16).hex("CapabilityMask", 32);
        CHANGE_FLAGS = b.at(20).hex("ChangeFlags", 16);
        OF_CHANGES = end(b, 22);

        b = begin("SystemDetails");
        b.reserved(16);
        SYSTEM_LID = b.at(12).number("LID", 16);
        b.reserved(16);
        SYSTEM_IMAGE_GUID = b.at(16).hex("SystemImageGUID", 64);
        OF_SYSTEM = end(b, 24);

        b = begin("M_KeyDetails");
        b.reserved(16);
        M_KEY_LID = b.at(12).number("LID", 16);
        M_KEY_DR_SLID = b.hex("DrSLID", 16);
        M_KEY_METHOD = b.at(16).hex("Method", 8);
        b.reserved(8);
        M_KEY_ATTRIBUTE = b.at(18).hex("AttributeID", 16);
        M_KEY_MODIFIER = b.hex("AttributeModifier", 32);
        M_KEY = b.at(24).hex("M_Key", 64);
        b.reserved(8);
        M_KEY_DIRECTED = b.at(33).flag("DRNotice");
        M_KEY_PATH_CUT = b.flag("DRPathTruncated");
        M_KEY_HOPS = b.number("DRHopCount", 6);
        M_KEY_PATH = b.at(34).numbers("DRNoticeReturnPath", 8, 30);
        OF_M_KEY = end(b, 64);

        b = begin("KeyDetails");
        b.reserved(16);
        KEY_LID1 = b.at(12).number("LIDADDR1", 16);
        KEY_LID2 = b.number("LIDADDR2", 16);
        KEY = b.at(16).hex("Key", 32);
        KEY_SL = b.at(20).number("SL", 4);
        b.reserved(4);
        KEY_QP1 = b.number("QP1", 24);
        b.reserved(8);
        KEY_QP2 = b.number("QP2", 24);
        KEY_GID1 = b.at(28).gid("GIDADDR1");
        KEY_GID2 = b.at(44).gid("GIDADDR2");
        OF_KEY = end(b, 60);

        b = begin("SwitchKeyDetails");
        SWITCH_KEY_VALID = b.at(10).hex("DataValid", 16);
        SWITCH_KEY_LID1 = b.number("LIDADDR1", 16);
        SWITCH_KEY_LID2 = b.number("LIDADDR2", 16);
        SWITCH_KEY = b.at(16).hex("P_Key", 16);
        SWITCH_KEY_SL = b.at(18).number("SL", 4);
        b.reserved(4);
        SWITCH_KEY_QP1 = b.number("QP1", 24);
        b.reserved(8);
        SWITCH_KEY_QP2 = b.number("QP2", 24);
        SWITCH_KEY_GID1 = b.at(26).gid("GIDADDR1");
        SWITCH_KEY_GID2 = b.at(42).gid("GIDADDR2");
        SWITCH_KEY_SWITCH = b.at(58).number("SWLIDADDR", 16);
        SWITCH_KEY_PORT = b.number("PortNum", 8);
        OF_SWITCH_KEY = end(b, 61);

        b = begin("Details");
        BYTES = b.hexes("DataDetails", 8, 54);
        OF_OTHERS = end(b, 64);
    }

    private TrapDetails(BitLayout layout, byte[] bytes, int offset) {
        super(layout, bytes, offset);
    }

    /** Lays the details of a kind over a notice, without copying. */
    public static TrapDetails of(int trapNumber, byte[] bytes, int offset) {
        return new TrapDetails(layout(trapNumber), bytes, offset);
    }

    private static BitLayout layout(int trapNumber) {
        return switch (trapNumber) {
            case Notice.IN_SERVICE, Notice.OUT_OF_SERVICE, Notice.GROUP_CREATED, Notice.GROUP_DELETED -> OF_GID;
            case Notice.LINK_STATE -> OF_SWITCH;
            case Notice.LINK_INTEGRITY, Notice.BUFFER_OVERRUN, Notice.FLOW_CONTROL -> OF_PORT;
            case Notice.LOCAL_CHANGES -> OF_CHANGES;
            case Notice.SYSTEM_IMAGE_GUID -> OF_SYSTEM;
            case Notice.BAD_M_KEY -> OF_M_KEY;
            case Notice.BAD_P_KEY, Notice.BAD_Q_KEY -> OF_KEY;
            case Notice.SWITCH_BAD_P_KEY -> OF_SWITCH_KEY;
            default -> OF_OTHERS;
        };
    }

    private static LayoutBuilder begin(String name) {
        LayoutBuilder builder = new LayoutBuilder(name);
        builder.reserved(DETAILS * Byte.SIZE);
        return builder;
    }

    /** Fills up to the size of a notice. */
    private static BitLayout end(LayoutBuilder builder, int used) {
        builder.at(used).reserved((SIZE - used) * Byte.SIZE);
        return builder.build(SIZE);
    }
}
