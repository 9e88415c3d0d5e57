package org.railyard.mad.sim;

import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Lids;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.smp.GuidInfo;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.MulticastForwardingTable;
import org.railyard.mad.smp.NodeDescription;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.wire.DirectedRoute;
import org.railyard.mad.wire.LidRoute;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.MgmtClass;

/**
 * What the agent of a node does with a request: checks it, reads or writes an attribute, answers (spec 40 §2.3 and §7).
 * Whatever a request holds, the answer is an error or right.
 */
final class Agent {
    /** What a Set does beyond the node. */
    interface Effects {
        /** The link of a port shall go down, and come up again unless it is switched off. */
        void retrain(SimulatedNode node, int port, boolean off);

        /** A request with a wrong M_Key was dropped. */
        void badKey(SimulatedNode node, int port, Mad request, long key);
    }

    /** What only end ports have; a switch keeps it for port 0. */
    private static final BitField[] END_PORT = {
        PortInfo.M_KEY,
        PortInfo.GID_PREFIX,
        PortInfo.LID,
        PortInfo.MASTER_SM_LID,
        PortInfo.M_KEY_LEASE,
        PortInfo.M_KEY_PROTECT,
        PortInfo.MASTER_SM_SL,
        PortInfo.SUBNET_TIMEOUT,
        PortInfo.MULTICAST_PKEY_TRAP_SUPPRESSION,
        PortInfo.M_KEY_VIOLATIONS,
        PortInfo.P_KEY_VIOLATIONS,
        PortInfo.Q_KEY_VIOLATIONS
    };

    /** What ports with a link have. */
    private static final BitField[] LINK = {
        PortInfo.LOCAL_PHY_ERRORS, PortInfo.OVERRUN_ERRORS, PortInfo.VL_HIGH_LIMIT,
    };

    /** What only external ports of switches have. */
    private static final BitField[] SWITCH_PORT = {
        PortInfo.VL_STALL_COUNT,
        PortInfo.HOQ_LIFE,
        PortInfo.ENFORCEMENT_IN,
        PortInfo.ENFORCEMENT_OUT,
        PortInfo.FILTER_RAW_IN,
        PortInfo.FILTER_RAW_OUT
    };

    private static final BitField[] SWITCH = {
        SwitchInfo.LINEAR_TOP,
        SwitchInfo.DEFAULT_PORT,
        SwitchInfo.DEFAULT_MULTICAST_PRIMARY,
        SwitchInfo.DEFAULT_MULTICAST_NOT_PRIMARY,
        SwitchInfo.LIFE_TIME,
        SwitchInfo.MULTICAST_TOP
    };

    private static final int GUIDS_OF_BLOCK = 8;
    private static final int PORT_MASK = 0xFF;
    private static final int ALL_WIDTHS = 255;
    private static final int ALL_SPEEDS = 15;
    private static final int ALL_EXTENDED = 31;

    private final Effects effects;

    Agent(Effects effects) {
        this.effects = effects;
    }

    /**
     * Answers a request, or null if it is to be dropped.
     *
     * @param request becomes the answer
     */
    @Nullable
    Mad handle(SimulatedNode node, int ingress, Mad request) {
        boolean get = request.is(MadMethod.GET, false);
        if (!get && !request.is(MadMethod.SET, false)) {
            return request.isResponse() || request.is(MadMethod.TRAP_REPRESS, false)
                    ? null
                    : request.becomeAnswer(MadStatus.BAD_METHOD);
        }
        if (request.getInt(Mad.BASE_VERSION) != 1 || request.getInt(Mad.CLASS_VERSION) != MgmtClass.VERSION) {
            return request.becomeAnswer(MadStatus.BAD_VERSION);
        }
        int keyPort = node.isSwitch() ? 0 : ingress;
        PortInfo guarded = node.livePort(keyPort);
        long key = key(request);
        boolean fits = guarded.get(PortInfo.M_KEY) == 0 || guarded.get(PortInfo.M_KEY) == key;
        if (!fits && (!get || guarded.getInt(PortInfo.M_KEY_PROTECT) >= 2)) {
            effects.badKey(node, keyPort, request, key);
            return null;
        }
        if (fits) {
            node.keyShown(keyPort);
        }
        Mad answer = request.becomeAnswer(MadStatus.OK);
        answer.setStatus(access(node, ingress, answer, !get));
        if (!fits && guarded.getInt(PortInfo.M_KEY_PROTECT) == 1 && answer.isAbout(PortInfo.TYPE)) {
            answer.data(PortInfo.TYPE).set(PortInfo.M_KEY, 0);
        }
        return answer;
    }

    static long key(Mad request) {
        return request.mgmtClass() == MgmtClass.SMP_DIRECTED
                ? request.directedRoute().get(DirectedRoute.M_KEY)
                : request.lidRoute().get(LidRoute.M_KEY);
    }

    /** Reads an attribute into the answer, or writes what it holds and then reads; returns the status. */
    private int access(SimulatedNode node, int ingress, Mad mad, boolean set) {
        return switch (mad.attributeId()) {
            case 0x10 -> description(node, mad, set);
            case 0x11 -> nodeInfo(node, ingress, mad, set);
            case 0x12 -> node.isSwitch() ? switchInfo(node, mad, set) : MadStatus.BAD_ATTRIBUTE;
            case 0x14 -> guids(node, ingress, mad, set);
            case 0x15 -> portInfo(node, ingress, mad, set);
            case 0x16 -> pKeys(node, ingress, mad, set);
            case 0x17 -> slToVl(node, mad, set);
            case 0x18 -> vlArbitration(node, mad, set);
            case 0x19 -> node.isSwitch() ? linear(node, mad, set) : MadStatus.BAD_ATTRIBUTE;
            case 0x1B -> node.isSwitch() ? multicast(node, mad, set) : MadStatus.BAD_ATTRIBUTE;
            default -> MadStatus.BAD_ATTRIBUTE;
        };
    }

    private static int description(SimulatedNode node, Mad mad, boolean set) {
        if (set) {
            return MadStatus.BAD_ATTRIBUTE;
        }
        mad.data(NodeDescription.TYPE).setText(NodeDescription.TEXT, node.description());
        return MadStatus.OK;
    }

    private static int nodeInfo(SimulatedNode node, int ingress, Mad mad, boolean set) {
        if (set) {
            return MadStatus.BAD_ATTRIBUTE;
        }
        mad.setData(NodeInfo.TYPE, node.liveNodeInfo());
        mad.data(NodeInfo.TYPE)
                .set(NodeInfo.LOCAL_PORT, ingress)
                .set(NodeInfo.PORT_GUID, node.portGuid(node.isSwitch() ? 0 : ingress));
        return MadStatus.OK;
    }

    private static int switchInfo(SimulatedNode node, Mad mad, boolean set) {
        SwitchInfo live = node.liveSwitchInfo();
        SwitchInfo asked = mad.data(SwitchInfo.TYPE);
        if (set) {
            if (asked.getInt(SwitchInfo.LINEAR_TOP) > Lids.MAX_UNICAST) {
                return MadStatus.BAD_VALUE;
            }
            for (BitField field : SWITCH) {
                live.set(field, asked.get(field));
            }
            node.linear().expect(live.getInt(SwitchInfo.LINEAR_TOP) / LinearForwardingTable.BLOCK + 1);
            if (asked.isSet(SwitchInfo.STATE_CHANGE)) {
                live.set(SwitchInfo.STATE_CHANGE, 0);
            }
        }
        mad.setData(SwitchInfo.TYPE, live);
        return MadStatus.OK;
    }

    private static int guids(SimulatedNode node, int ingress, Mad mad, boolean set) {
        int port = node.isSwitch() ? 0 : ingress;
        int number = mad.modifier();
        if (number < 0 || number >= node.guidBlocks()) {
            return MadStatus.BAD_VALUE;
        }
        if (set) {
            GuidInfo asked = mad.data(GuidInfo.TYPE);
            int capacity = node.livePort(port).getInt(PortInfo.GUID_CAP);
            for (int i = 0; i < GUIDS_OF_BLOCK; i++) {
                if (number * GUIDS_OF_BLOCK + i >= capacity) {
                    asked.set(GuidInfo.GUIDS, i, 0);
                }
            }
            if (number == 0) {
                // The first one is the port GUID, which nobody can change.
                asked.set(GuidInfo.GUIDS, 0, node.portGuid(port));
            }
        }
        return block(node.guidTables(), port * node.guidBlocks() + number, mad, set);
    }

    private int portInfo(SimulatedNode node, int ingress, Mad mad, boolean set) {
        int number = Modifiers.portOf(mad.modifier());
        int port = number == 0 && !node.isSwitch() ? ingress : number;
        if (node.isSwitch() ? port < 0 || port > node.lastPort() : port != ingress) {
            return MadStatus.BAD_VALUE;
        }
        boolean extended = (mad.modifier() & Modifiers.EXTENDED_SPEEDS) != 0;
        int status = set ? setPort(node, port, mad.data(PortInfo.TYPE), extended) : MadStatus.OK;
        mad.setData(PortInfo.TYPE, node.livePort(port));
        mad.data(PortInfo.TYPE).set(PortInfo.LOCAL_PORT, ingress);
        return status;
    }

    /** Sets fields of a port, LinkSpeedExtEnabled only for one who knows extended speeds (spec 40 §2.3). */
    private int setPort(SimulatedNode node, int port, PortInfo asked, boolean knowsExtendedSpeeds) {
        PortInfo live = node.livePort(port);
        boolean end = node.isEndPort(port);
        boolean link = !node.isSwitch() || port > 0;
        if (!isValid(live, asked, end, link)) {
            return MadStatus.BAD_VALUE;
        }
        if (end) {
            copy(END_PORT, asked, live);
            // Port 0 without data VLs of its own has one LID (spec 40 §2.3).
            boolean base = node.isSwitch() && !node.liveSwitchInfo().isSet(SwitchInfo.ENHANCED_PORT0);
            live.set(PortInfo.LMC, base ? 0 : asked.get(PortInfo.LMC));
            if (asked.isSet(PortInfo.CLIENT_REREGISTER)) {
                node.reregister();
            }
        }
        if (link) {
            copy(LINK, asked, live);
            if (node.isSwitch()) {
                copy(SWITCH_PORT, asked, live);
            }
            setChoice(PortInfo.WIDTH_ENABLED, PortInfo.WIDTH_SUPPORTED, ALL_WIDTHS, asked, live);
            setChoice(PortInfo.SPEED_ENABLED, PortInfo.SPEED_SUPPORTED, ALL_SPEEDS, asked, live);
            if (knowsExtendedSpeeds) {
                setChoice(PortInfo.SPEED_EXT_ENABLED, PortInfo.SPEED_EXT_SUPPORTED, ALL_EXTENDED, asked, live);
            }
            for (BitField field :
                    new BitField[] {PortInfo.LINK_DOWN_DEFAULT, PortInfo.NEIGHBOR_MTU, PortInfo.OPERATIONAL_VLS}) {
                if (asked.isSet(field)) {
                    live.set(field, asked.get(field));
                }
            }
            setState(node, port, asked);
        }
        return MadStatus.OK;
    }

    private static boolean isValid(PortInfo live, PortInfo asked, boolean end, boolean link) {
        int lid = asked.getInt(PortInfo.LID);
        if (end
                && (lid == 0
                        ? live.isSet(PortInfo.LID)
                        : !Lids.isUnicast(lid + (1 << asked.getInt(PortInfo.LMC)) - 1))) {
            return false;
        }
        if (!link) {
            return !asked.isSet(PortInfo.STATE) || asked.getInt(PortInfo.STATE) == live.getInt(PortInfo.STATE);
        }
        if (asked.getInt(PortInfo.OPERATIONAL_VLS) > live.getInt(PortInfo.VL_CAP)
                || asked.getInt(PortInfo.NEIGHBOR_MTU) > live.getInt(PortInfo.MTU_CAP)
                || asked.getInt(PortInfo.LINK_DOWN_DEFAULT) > PortInfo.PHYSICAL_POLLING
                || asked.getInt(PortInfo.PHYSICAL_STATE) > PortInfo.PHYSICAL_DISABLED) {
            return false;
        }
        PortState now = live.state();
        return switch (asked.getInt(PortInfo.STATE)) {
            case 0 -> true;
            case 1 -> now != PortState.DOWN;
            case 3 -> now == PortState.INIT;
            case 4 -> now == PortState.ARMED;
            default -> false;
        };
    }

    private void setState(SimulatedNode node, int port, PortInfo asked) {
        PortInfo live = node.livePort(port);
        PortState state = PortState.of(asked.getInt(PortInfo.STATE));
        int physical = asked.getInt(PortInfo.PHYSICAL_STATE);
        if (physical != 0) {
            effects.retrain(node, port, physical != PortInfo.PHYSICAL_POLLING);
        } else if (state == PortState.DOWN) {
            effects.retrain(node, port, false);
        } else if (state != PortState.NO_CHANGE) {
            live.set(PortInfo.STATE, state.code());
        }
    }

    private static void setChoice(BitField enabled, BitField supported, int all, PortInfo asked, PortInfo live) {
        long value = asked.get(enabled);
        if (value != 0) {
            live.set(enabled, value == all ? live.get(supported) : value & live.get(supported));
        }
    }

    private static void copy(BitField[] fields, PortInfo from, PortInfo to) {
        for (BitField field : fields) {
            to.set(field, from.get(field));
        }
    }

    private static int pKeys(SimulatedNode node, int ingress, Mad mad, boolean set) {
        int asked = mad.modifier() >>> 16;
        int block = mad.modifier() & 0xFFFF;
        int port = node.isSwitch() ? asked : ingress;
        if (asked > node.lastPort() || block >= node.pKeyBlocks() || !node.isSwitch() && asked != 0) {
            return MadStatus.BAD_VALUE;
        }
        return block(node.pKeyTables(), port * node.pKeyBlocks() + block, mad, set);
    }

    private static int slToVl(SimulatedNode node, Mad mad, boolean set) {
        int in = mad.modifier() >>> Byte.SIZE;
        int out = mad.modifier() & PORT_MASK;
        boolean valid = node.isSwitch() ? in <= node.lastPort() && out <= node.lastPort() : mad.modifier() == 0;
        if (!valid || in < 0) {
            return MadStatus.BAD_VALUE;
        }
        return block(node.slToVlTables(), in * (node.lastPort() + 1) + out, mad, set);
    }

    private static int vlArbitration(SimulatedNode node, Mad mad, boolean set) {
        int block = mad.modifier() >>> 16;
        int port = mad.modifier() & 0xFFFF;
        if (block < 1
                || block > SimulatedNode.VL_ARBITRATION_BLOCKS
                || port > node.lastPort()
                || !node.isSwitch() && port != 0) {
            return MadStatus.BAD_VALUE;
        }
        return block(node.vlArbitrationTables(), port * SimulatedNode.VL_ARBITRATION_BLOCKS + block - 1, mad, set);
    }

    private static int linear(SimulatedNode node, Mad mad, boolean set) {
        return block(node.linear(), mad.modifier(), mad, set);
    }

    private static int multicast(SimulatedNode node, Mad mad, boolean set) {
        int position = mad.modifier() >>> 28;
        int block = mad.modifier() & 0xFFF_FFFF;
        int blocks = SimulatedNode.MULTICAST_ENTRIES / MulticastForwardingTable.BLOCK;
        if (block >= blocks || position * MulticastForwardingTable.PORTS > node.lastPort()) {
            return MadStatus.BAD_VALUE;
        }
        return block(node.multicast(), position * blocks + block, mad, set);
    }

    private static int block(BlockTable table, int block, Mad mad, boolean set) {
        if (!table.has(block)) {
            return MadStatus.BAD_VALUE;
        }
        if (set) {
            table.write(block, mad.bytes(), Mad.SMP_DATA);
        } else {
            table.read(block, mad.bytes(), Mad.SMP_DATA);
        }
        return MadStatus.OK;
    }
}
