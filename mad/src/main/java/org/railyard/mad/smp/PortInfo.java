package org.railyard.mad.smp;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** A port: addresses, link state, capabilities, limits (spec 40 §2.3). */
public final class PortInfo extends BitStruct<PortInfo> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("PortInfo");

    /** The key that management has to have. */
    public static final BitField M_KEY = BUILDER.at(0).hex("M_Key", 64);

    public static final BitField GID_PREFIX = BUILDER.hex("GidPrefix", 64);

    /** Base LID; of switches only that of port 0. */
    public static final BitField LID = BUILDER.at(16).number("LID", 16);

    public static final BitField MASTER_SM_LID = BUILDER.number("MasterSMLID", 16);

    /** See the constants {@code CAP_…}. */
    public static final BitField CAPABILITY_MASK = BUILDER.hex("CapabilityMask", 32);

    public static final BitField DIAG_CODE = BUILDER.at(24).hex("DiagCode", 16);

    /** Seconds after which a key that is attacked is void. */
    public static final BitField M_KEY_LEASE = BUILDER.number("M_KeyLeasePeriod", 16);

    /** The port that the SMP came in by. */
    public static final BitField LOCAL_PORT = BUILDER.at(28).number("LocalPortNum", 8);

    /** Bits: 1 1x, 2 4x, 4 8x, 8 12x, 16 2x; Set: 0 no change, 255 all. */
    public static final BitField WIDTH_ENABLED = BUILDER.hex("LinkWidthEnabled", 8);

    public static final BitField WIDTH_SUPPORTED = BUILDER.hex("LinkWidthSupported", 8);

    public static final BitField WIDTH_ACTIVE = BUILDER.hex("LinkWidthActive", 8);

    /** Bits: 1 SDR, 2 DDR, 4 QDR. */
    public static final BitField SPEED_SUPPORTED = BUILDER.at(32).hex("LinkSpeedSupported", 4);

    /** See {@link PortState}. */
    public static final BitField STATE = BUILDER.choice("PortState", 4, "no change", "Down", "Init", "Armed", "Active");

    /** See the constants {@code PHYSICAL_…}. */
    public static final BitField PHYSICAL_STATE = BUILDER.choice(
            "PortPhysicalState", 4, "no change", "Sleep", "Polling", "Disabled", "Training", "LinkUp", "ErrorRecovery");

    public static final BitField LINK_DOWN_DEFAULT =
            BUILDER.choice("LinkDownDefaultState", 4, "no change", "Sleep", "Polling");

    public static final BitField M_KEY_PROTECT = BUILDER.at(34).number("M_KeyProtectBits", 2);

    static {
        BUILDER.reserved(3);
    }

    /** The port has 2^LMC LIDs. */
    public static final BitField LMC = BUILDER.number("LMC", 3);

    public static final BitField SPEED_ACTIVE = BUILDER.at(35).hex("LinkSpeedActive", 4);

    /** Set: 0 no change, 15 all. */
    public static final BitField SPEED_ENABLED = BUILDER.hex("LinkSpeedEnabled", 4);

    public static final BitField NEIGHBOR_MTU =
            BUILDER.choice("NeighborMTU", 4, "none", "256", "512", "1024", "2048", "4096");

    public static final BitField MASTER_SM_SL = BUILDER.number("MasterSMSL", 4);

    /** Data VLs: 1 1, 2 2, 3 4, 4 8, 5 15. */
    public static final BitField VL_CAP =
            BUILDER.choice("VLCap", 4, "none", "1 VL", "2 VLs", "4 VLs", "8 VLs", "15 VLs");

    public static final BitField INIT_TYPE = BUILDER.hex("InitType", 4);

    public static final BitField VL_HIGH_LIMIT = BUILDER.at(38).number("VLHighLimit", 8);

    public static final BitField VL_ARB_HIGH_CAP = BUILDER.number("VLArbitrationHighCap", 8);

    public static final BitField VL_ARB_LOW_CAP = BUILDER.number("VLArbitrationLowCap", 8);

    public static final BitField INIT_TYPE_REPLY = BUILDER.at(41).hex("InitTypeReply", 4);

    public static final BitField MTU_CAP = BUILDER.choice("MTUCap", 4, "none", "256", "512", "1024", "2048", "4096");

    public static final BitField VL_STALL_COUNT = BUILDER.number("VLStallCount", 3);

    /** 4.096 µs · 2^n; above 19 infinite. */
    public static final BitField HOQ_LIFE = BUILDER.number("HOQLife", 5);

    /** Coded as {@link #VL_CAP}; Set: 0 no change. */
    public static final BitField OPERATIONAL_VLS =
            BUILDER.choice("OperationalVLs", 4, "no change", "1 VL", "2 VLs", "4 VLs", "8 VLs", "15 VLs");

    public static final BitField ENFORCEMENT_IN = BUILDER.flag("PartitionEnforcementInbound");

    public static final BitField ENFORCEMENT_OUT = BUILDER.flag("PartitionEnforcementOutbound");

    public static final BitField FILTER_RAW_IN = BUILDER.flag("FilterRawInbound");

    public static final BitField FILTER_RAW_OUT = BUILDER.flag("FilterRawOutbound");

    public static final BitField M_KEY_VIOLATIONS = BUILDER.at(44).number("M_KeyViolations", 16);

    public static final BitField P_KEY_VIOLATIONS = BUILDER.number("P_KeyViolations", 16);

    public static final BitField Q_KEY_VIOLATIONS = BUILDER.number("Q_KeyViolations", 16);

    /** Entries of GUIDInfo. */
    public static final BitField GUID_CAP = BUILDER.at(50).number("GUIDCap", 8);

    /** Asks clients to join and subscribe again. */
    public static final BitField CLIENT_REREGISTER = BUILDER.flag("ClientReregister");

    public static final BitField MULTICAST_PKEY_TRAP_SUPPRESSION = BUILDER.number("MulticastPKeyTrapSuppression", 2);

    /** 4.096 µs · 2^n. */
    public static final BitField SUBNET_TIMEOUT = BUILDER.number("SubnetTimeOut", 5);

    static {
        BUILDER.reserved(3);
    }

    /** 4.096 µs · 2^n. */
    public static final BitField RESPONSE_TIME = BUILDER.number("RespTimeValue", 5);

    public static final BitField LOCAL_PHY_ERRORS = BUILDER.at(53).number("LocalPhyErrors", 4);

    public static final BitField OVERRUN_ERRORS = BUILDER.number("OverrunErrors", 4);

    public static final BitField MAX_CREDIT_HINT = BUILDER.at(54).number("MaxCreditHint", 16);

    static {
        BUILDER.reserved(8);
    }

    public static final BitField ROUND_TRIP_LATENCY = BUILDER.number("LinkRoundTripLatency", 24);

    public static final BitField CAPABILITY_MASK2 = BUILDER.at(60).hex("CapabilityMask2", 16);

    /** Bits: 1 FDR, 2 EDR, 4 HDR, 8 NDR. */
    public static final BitField SPEED_EXT_ACTIVE = BUILDER.hex("LinkSpeedExtActive", 4);

    public static final BitField SPEED_EXT_SUPPORTED = BUILDER.hex("LinkSpeedExtSupported", 4);

    static {
        BUILDER.reserved(3);
    }

    /** Set: 31 all. */
    public static final BitField SPEED_EXT_ENABLED = BUILDER.hex("LinkSpeedExtEnabled", 5);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(64);

    /** The attribute. */
    public static final AttributeType<PortInfo> TYPE = new AttributeType<>(0x15, LAYOUT, PortInfo::new);

    /** Lays it over bytes, without copying. */
    public PortInfo(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Bit of {@link #CAPABILITY_MASK}: there is an SM at the port. */
    public static final int CAP_IS_SM = 1 << 1;

    /** Bit of {@link #CAPABILITY_MASK}: sends notices. */
    public static final int CAP_NOTICE = 1 << 2;

    /** Bit of {@link #CAPABILITY_MASK}: sends traps. */
    public static final int CAP_TRAP = 1 << 3;

    /** Bit of {@link #CAPABILITY_MASK}: has SL to VL tables. */
    public static final int CAP_SL_MAPPING = 1 << 6;

    /** Bit of {@link #CAPABILITY_MASK}: the SM is switched off. */
    public static final int CAP_SM_DISABLED = 1 << 10;

    /** Bit of {@link #CAPABILITY_MASK}: knows a system image GUID. */
    public static final int CAP_SYSTEM_IMAGE_GUID = 1 << 11;

    /** Bit of {@link #CAPABILITY_MASK}: extended speeds. */
    public static final int CAP_EXTENDED_SPEEDS = 1 << 14;

    /** Bit of {@link #CAPABILITY_MASK}: {@link #CAPABILITY_MASK2} has a meaning. */
    public static final int CAP_MASK2 = 1 << 15;

    /** Bit of {@link #CAPABILITY_MASK}: tells when the mask changes (trap 144). */
    public static final int CAP_MASK_NOTICE = 1 << 22;

    /** Bit of {@link #CAPABILITY_MASK}: {@link #CLIENT_REREGISTER} has a meaning. */
    public static final int CAP_CLIENT_REREGISTRATION = 1 << 25;

    /** Bit of {@link #CAPABILITY_MASK}: tells other local changes (trap 144). */
    public static final int CAP_OTHER_CHANGES_NOTICE = 1 << 26;

    /** Bit of {@link #CAPABILITY_MASK}, of port 0: {@link SwitchInfo#MULTICAST_TOP} has a meaning. */
    public static final int CAP_MULTICAST_TOP = 1 << 30;

    /** Value of {@link #PHYSICAL_STATE}: looks for a partner. */
    public static final int PHYSICAL_POLLING = 2;

    /** Value of {@link #PHYSICAL_STATE}: switched off. */
    public static final int PHYSICAL_DISABLED = 3;

    /** Value of {@link #PHYSICAL_STATE}: the link is up. */
    public static final int PHYSICAL_LINK_UP = 5;

    /** Returns the state of the link. */
    public PortState state() {
        return PortState.of(getInt(STATE));
    }

    /** Tells whether all bits of a mask are set in CapabilityMask. */
    public boolean can(int capabilities) {
        return (getInt(CAPABILITY_MASK) & capabilities) == capabilities;
    }

    /**
     * Returns what a Set begins with: this port with "no change" wherever a value would do something, so that only what
     * is written into it changes (spec 40 §2.3).
     */
    public PortInfo toSet() {
        return TYPE.copy(this)
                .set(STATE, 0)
                .set(PHYSICAL_STATE, 0)
                .set(LINK_DOWN_DEFAULT, 2)
                .set(CLIENT_REREGISTER, 0);
    }
}
