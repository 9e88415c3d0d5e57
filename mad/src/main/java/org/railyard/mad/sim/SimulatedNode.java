package org.railyard.mad.sim;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.model.NodeType;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.smp.GuidInfo;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.MulticastForwardingTable;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SlToVlTable;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.smp.VlArbitrationTable;
import org.railyard.mad.wire.Mad;

/** What a node of a simulated subnet has: its attributes, as an SM reads and writes them. */
public final class SimulatedNode {
    static final int SL_TABLE_BYTES = 8;
    static final int BLOCK_BYTES = Mad.SMP_DATA_SIZE;
    static final int VL_ARBITRATION_BLOCKS = 4;
    static final int MULTICAST_ENTRIES = 1024;
    static final int CA_P_KEYS = 64;
    static final int SWITCH_P_KEYS = 32;
    static final int CA_GUIDS = 32;
    static final int SWITCH_GUIDS = 1;
    static final int LID_CAPACITY = Lids.MAX_UNICAST + 1;

    private static final int GUIDS_OF_BLOCK = 8;
    private static final int VL_ARBITRATION_CAP = 8;
    private static final int MTU_4096 = 5;
    private static final int RESPONSE_TIME = 16;
    private static final int SUBNET_TIMEOUT = 18;

    private static final int END_PORT_CAPABILITIES = PortInfo.CAP_NOTICE
            | PortInfo.CAP_TRAP
            | PortInfo.CAP_SL_MAPPING
            | PortInfo.CAP_SYSTEM_IMAGE_GUID
            | PortInfo.CAP_EXTENDED_SPEEDS
            | PortInfo.CAP_MASK_NOTICE
            | PortInfo.CAP_CLIENT_REREGISTRATION
            | PortInfo.CAP_OTHER_CHANGES_NOTICE;

    private final Fabric fabric;
    private final int node;
    private final NodeInfo nodeInfo = NodeInfo.TYPE.create();
    private final SwitchInfo switchInfo = SwitchInfo.TYPE.create();
    private final PortInfo[] ports;
    private final BlockTable linear = new BlockTable(BLOCK_BYTES, LID_CAPACITY / LinearForwardingTable.BLOCK, 0xFF);
    private final BlockTable multicast;
    private final BlockTable slToVl;
    private final BlockTable vlArbitration;
    private final BlockTable pKeys;
    private final BlockTable guids;
    private final int pKeyBlocks;
    private final int guidBlocks;
    private String description;

    private boolean silent;
    private @Nullable UnaryOperator<Mad> tampering;
    private int waiting;
    private long busyUntil;
    private int reregistrations;
    /** By port: how often somebody came who had the key. */
    private final long[] keysShown;

    SimulatedNode(Fabric fabric, int node) {
        this.fabric = fabric;
        this.node = node;
        this.description = fabric.rawDescription(node);
        int count = fabric.ports(node) + 1;
        boolean isSwitch = fabric.isSwitch(node);
        ports = new PortInfo[count];
        keysShown = new long[count];
        pKeyBlocks = (isSwitch ? SWITCH_P_KEYS : CA_P_KEYS) / PKeyTable.BLOCK;
        int positions = (count + MulticastForwardingTable.PORTS - 1) / MulticastForwardingTable.PORTS;
        multicast = new BlockTable(BLOCK_BYTES, positions * (MULTICAST_ENTRIES / MulticastForwardingTable.BLOCK), 0);
        slToVl = new BlockTable(SL_TABLE_BYTES, count * count, 0);
        vlArbitration = new BlockTable(BLOCK_BYTES, count * VL_ARBITRATION_BLOCKS, 0);
        pKeys = new BlockTable(BLOCK_BYTES, count * pKeyBlocks, 0);
        guidBlocks = ((isSwitch ? SWITCH_GUIDS : CA_GUIDS) + GUIDS_OF_BLOCK - 1) / GUIDS_OF_BLOCK;
        guids = new BlockTable(BLOCK_BYTES, count * guidBlocks, 0);
        reset();
    }

    /** What a power cycle leaves: nothing that an SM wrote. */
    void reset() {
        NodeType type = fabric.type(node);
        nodeInfo.set(NodeInfo.BASE_VERSION, 1)
                .set(NodeInfo.CLASS_VERSION, 1)
                .set(
                        NodeInfo.NODE_TYPE,
                        switch (type) {
                            case CA -> NodeInfo.CA;
                            case SWITCH -> NodeInfo.SWITCH;
                            case ROUTER -> NodeInfo.ROUTER;
                        })
                .set(NodeInfo.NUM_PORTS, fabric.ports(node))
                .set(NodeInfo.SYSTEM_IMAGE_GUID, fabric.systemGuid(node))
                .set(NodeInfo.NODE_GUID, fabric.guid(node))
                .set(NodeInfo.PARTITION_CAP, isSwitch() ? SWITCH_P_KEYS : CA_P_KEYS)
                .set(NodeInfo.DEVICE_ID, fabric.hardware(node).deviceId() & 0xFFFF)
                .set(
                        NodeInfo.REVISION,
                        Integer.toUnsignedLong(fabric.hardware(node).revision()))
                .set(NodeInfo.VENDOR_ID, fabric.hardware(node).vendorId() & 0xFFFFFF);
        switchInfo
                .setAll(SwitchInfo.TYPE.create())
                .set(SwitchInfo.LINEAR_CAP, LID_CAPACITY)
                .set(SwitchInfo.MULTICAST_CAP, MULTICAST_ENTRIES)
                .set(SwitchInfo.ENFORCEMENT_CAP, SWITCH_P_KEYS)
                .set(SwitchInfo.INBOUND_ENFORCEMENT, 1)
                .set(SwitchInfo.OUTBOUND_ENFORCEMENT, 1)
                .set(SwitchInfo.ENHANCED_PORT0, fabric.enhancedPort0(node) ? 1 : 0);
        for (BlockTable table : new BlockTable[] {linear, multicast, slToVl, vlArbitration, pKeys, guids}) {
            table.reset();
        }
        for (int port = 0; port < ports.length; port++) {
            ports[port] = freshPort(port);
            PKeyTable keys = PKeyTable.TYPE.create().set(PKeyTable.KEYS, 0, PKeyTable.DEFAULT_KEY);
            pKeys.write(port * pKeyBlocks, keys.toBytes(), 0);
            GuidInfo first = GuidInfo.TYPE.create().set(GuidInfo.GUIDS, 0, portGuid(port));
            guids.write(port * guidBlocks, first.toBytes(), 0);
        }
        waiting = 0;
        busyUntil = 0;
    }

    private PortInfo freshPort(int port) {
        int index = fabric.portIndex(node, port);
        PortInfo info = PortInfo.TYPE
                .create()
                .set(PortInfo.GID_PREFIX, Gid.DEFAULT_PREFIX)
                .set(PortInfo.VL_CAP, fabric.vlCap(index))
                .set(PortInfo.OPERATIONAL_VLS, fabric.operVls(index))
                .set(PortInfo.MTU_CAP, MTU_4096)
                .set(PortInfo.NEIGHBOR_MTU, MTU_4096)
                .set(PortInfo.VL_ARB_HIGH_CAP, VL_ARBITRATION_CAP)
                .set(PortInfo.VL_ARB_LOW_CAP, VL_ARBITRATION_CAP)
                .set(PortInfo.LINK_DOWN_DEFAULT, PortInfo.PHYSICAL_POLLING)
                .set(PortInfo.RESPONSE_TIME, RESPONSE_TIME);
        int width = widthCode(fabric.width(index));
        info.set(PortInfo.WIDTH_SUPPORTED, width | 1).set(PortInfo.WIDTH_ENABLED, width | 1);
        info.set(PortInfo.WIDTH_ACTIVE, width);
        setSpeed(info, fabric.speed(index));
        if (isEndPort(port)) {
            int capabilities = END_PORT_CAPABILITIES | (isSwitch() ? PortInfo.CAP_MULTICAST_TOP : 0);
            info.set(PortInfo.CAPABILITY_MASK, capabilities)
                    .set(PortInfo.GUID_CAP, isSwitch() ? SWITCH_GUIDS : CA_GUIDS)
                    .set(PortInfo.SUBNET_TIMEOUT, SUBNET_TIMEOUT);
        }
        boolean management = isSwitch() && port == 0;
        info.set(PortInfo.STATE, (management ? PortState.ACTIVE : PortState.DOWN).code());
        info.set(PortInfo.PHYSICAL_STATE, management ? PortInfo.PHYSICAL_LINK_UP : PortInfo.PHYSICAL_POLLING);
        return info;
    }

    private static int widthCode(int lanes) {
        return switch (lanes) {
            case 1 -> 1;
            case 2 -> 16;
            case 8 -> 4;
            case 12 -> 8;
            default -> 2;
        };
    }

    private static void setSpeed(PortInfo info, LinkSpeed speed) {
        int plain = switch (speed) {
            case SDR, UNKNOWN -> 1;
            case DDR -> 2;
            case QDR, FDR10, FDR, EDR, HDR, NDR -> 4;
        };
        int extended = switch (speed) {
            case SDR, DDR, QDR, FDR10, UNKNOWN -> 0;
            case FDR -> 1;
            case EDR -> 2;
            case HDR -> 4;
            case NDR -> 8;
        };
        int all = 2 * plain - 1;
        info.set(PortInfo.SPEED_SUPPORTED, all).set(PortInfo.SPEED_ENABLED, all).set(PortInfo.SPEED_ACTIVE, plain);
        int allExtended = extended == 0 ? 0 : 2 * extended - 1;
        info.set(PortInfo.SPEED_EXT_SUPPORTED, allExtended)
                .set(PortInfo.SPEED_EXT_ENABLED, allExtended)
                .set(PortInfo.SPEED_EXT_ACTIVE, extended);
    }

    /** Returns its index in the fabric. */
    public int index() {
        return node;
    }

    /** Tells whether it is a switch. */
    public boolean isSwitch() {
        return fabric.isSwitch(node);
    }

    /** Tells whether packets can end at a port of it: port 0 of a switch, the others elsewhere. */
    public boolean isEndPort(int port) {
        return isSwitch() == (port == 0);
    }

    /** Returns the number of its last port. */
    public int lastPort() {
        return ports.length - 1;
    }

    /** Returns a port GUID; 0 where there is none. */
    public long portGuid(int port) {
        return fabric.portGuid(fabric.portIndex(node, port));
    }

    /** Returns its description. */
    public String description() {
        return description;
    }

    void rename(String newDescription) {
        description = newDescription;
    }

    /** Returns a copy of NodeInfo, as asked by port 0. */
    public NodeInfo nodeInfo() {
        return NodeInfo.TYPE.copy(nodeInfo);
    }

    /** Returns a copy of SwitchInfo. */
    public SwitchInfo switchInfo() {
        return SwitchInfo.TYPE.copy(switchInfo);
    }

    /** Returns a copy of a port's PortInfo, from port 0. */
    public PortInfo portInfo(int port) {
        return PortInfo.TYPE.copy(ports[port]);
    }

    /** Returns the port that the LFT has for a LID, 255 for none. */
    public int forward(int lid) {
        return linear.get(lid);
    }

    /** Returns the VL of a SL from one port to another; of a channel adapter both are 0. */
    public int slToVl(int in, int out, int sl) {
        SlToVlTable table = SlToVlTable.TYPE.create();
        byte[] bytes = new byte[SL_TABLE_BYTES];
        slToVl.read(in * ports.length + out, bytes, 0);
        return table.setAll(new SlToVlTable(bytes, 0)).getInt(SlToVlTable.VLS, sl);
    }

    /** Returns a copy of a block of a port's arbitration table, 1 … 4 as in the modifier. */
    public VlArbitrationTable vlArbitration(int port, int block) {
        byte[] bytes = new byte[BLOCK_BYTES];
        vlArbitration.read(port * VL_ARBITRATION_BLOCKS + block - 1, bytes, 0);
        return new VlArbitrationTable(bytes, 0);
    }

    /** Returns a copy of a block of a port's P_Keys. */
    public PKeyTable pKeys(int port, int block) {
        byte[] bytes = new byte[BLOCK_BYTES];
        pKeys.read(port * pKeyBlocks + block, bytes, 0);
        return new PKeyTable(bytes, 0);
    }

    /** Returns a copy of a block of a port's GUIDs. */
    public GuidInfo guids(int port, int block) {
        byte[] bytes = new byte[BLOCK_BYTES];
        guids.read(port * guidBlocks + block, bytes, 0);
        return new GuidInfo(bytes, 0);
    }

    /** Tells whether the MFT sends a multicast LID to a port; not above MulticastFDBTop, unless that is 0. */
    public boolean multicasts(int lid, int port) {
        int top = switchInfo.getInt(SwitchInfo.MULTICAST_TOP);
        if (top != 0 && lid > top) {
            return false;
        }
        int entry = lid - Lids.MIN_MULTICAST;
        int block = port / MulticastForwardingTable.PORTS * (MULTICAST_ENTRIES / MulticastForwardingTable.BLOCK)
                + entry / MulticastForwardingTable.BLOCK;
        byte[] bytes = new byte[BLOCK_BYTES];
        multicast.read(block, bytes, 0);
        int mask = new MulticastForwardingTable(bytes, 0)
                .getInt(MulticastForwardingTable.MASKS, entry % MulticastForwardingTable.BLOCK);
        return (mask >>> port % MulticastForwardingTable.PORTS & 1) != 0;
    }

    /** Returns how often clients were asked to register again. */
    public int reregistrations() {
        return reregistrations;
    }

    void keyShown(int port) {
        keysShown[port]++;
    }

    long keysShown(int port) {
        return keysShown[port];
    }

    void reregister() {
        reregistrations++;
    }

    NodeInfo liveNodeInfo() {
        return nodeInfo;
    }

    SwitchInfo liveSwitchInfo() {
        return switchInfo;
    }

    PortInfo livePort(int port) {
        return ports[port];
    }

    BlockTable linear() {
        return linear;
    }

    BlockTable multicast() {
        return multicast;
    }

    BlockTable slToVlTables() {
        return slToVl;
    }

    BlockTable vlArbitrationTables() {
        return vlArbitration;
    }

    BlockTable pKeyTables() {
        return pKeys;
    }

    BlockTable guidTables() {
        return guids;
    }

    int guidBlocks() {
        return guidBlocks;
    }

    int pKeyBlocks() {
        return pKeyBlocks;
    }

    boolean isSilent() {
        return silent;
    }

    void silent(boolean isSilent) {
        silent = isSilent;
    }

    void tampering(@Nullable UnaryOperator<Mad> change) {
        tampering = change;
    }

    Mad tampered(Mad answer) {
        // Whoever tampers may keep it, and answer with it again.
        return tampering == null ? answer : tampering.apply(answer).copy();
    }

    /** Takes a place in the queue; returns when the request will be done, −1 if the queue is full. */
    long enqueue(long now, SimulationSettings settings) {
        if (waiting >= settings.agentQueue()) {
            return -1;
        }
        waiting++;
        busyUntil = Math.max(now, busyUntil) + settings.agentNanos();
        return busyUntil;
    }

    void dequeue() {
        waiting = Math.max(0, waiting - 1);
    }

    /** Tells whether a LID belongs to a port. */
    boolean hasLid(int port, int lid) {
        int base = ports[port].getInt(PortInfo.LID);
        return base != 0 && lid >= base && lid < base + (1 << ports[port].getInt(PortInfo.LMC));
    }
}
