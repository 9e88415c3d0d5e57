package org.railyard.sm.program;

import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.route.PathSls;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.MulticastForwardingTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.sm.subnet.ManagedNode;

/** PortInfo and SwitchInfo: LIDs and parameters where they differ, and links from initialized to active. */
final class PortUpdates {
    private static final int STALL_COUNT = 7;
    private static final int ERROR_THRESHOLD = 8;
    private static final int ALL_WIDTHS = 255;
    private static final int ALL_SPEEDS = 15;
    private static final int ALL_EXTENDED = 31;

    /** Fields that are read back as another value than the one that asks for it: "all" becomes what is supported. */
    private static final BitField[][] CHOICES = {
        {PortInfo.WIDTH_ENABLED, PortInfo.WIDTH_SUPPORTED},
        {PortInfo.SPEED_ENABLED, PortInfo.SPEED_SUPPORTED},
        {PortInfo.SPEED_EXT_ENABLED, PortInfo.SPEED_EXT_SUPPORTED}
    };

    private static final int[] ALL = {ALL_WIDTHS, ALL_SPEEDS, ALL_EXTENDED};

    private final Desired desired;
    private final Fabric fabric;

    PortUpdates(Desired desired) {
        this.desired = desired;
        this.fabric = desired.fabric();
    }

    /** Clears the bits by which switches tell that a port changed, so that the next change sets them again. */
    static Iterator<Update> stateChanges(List<ManagedNode> nodes) {
        return switches(nodes, node -> {
            SwitchInfo said = node.switchInfo();
            if (said == null || !said.isSet(SwitchInfo.STATE_CHANGE)) {
                return null;
            }
            // What changed between the reading of the ports and now is told by nobody.
            node.current(false);
            return switchInfo(node, said);
        });
    }

    /** Sets the last LID that is looked up, and how long packets live. */
    Iterator<Update> switchSettings() {
        return switches(desired.nodes(), node -> {
            SwitchInfo said = node.switchInfo();
            if (said == null || fabric.lid(fabric.portIndex(fabric.nodeOfGuid(node.guid()), 0)) == 0) {
                return null;
            }
            SwitchInfo wanted = SwitchInfo.TYPE
                    .copy(said)
                    .set(SwitchInfo.LINEAR_TOP, fabric.maxLid())
                    .set(SwitchInfo.LIFE_TIME, desired.ports().lifeTime())
                    .set(SwitchInfo.STATE_CHANGE, 0);
            boolean same = said.get(SwitchInfo.LINEAR_TOP) == wanted.get(SwitchInfo.LINEAR_TOP)
                    && said.get(SwitchInfo.LIFE_TIME) == wanted.get(SwitchInfo.LIFE_TIME);
            return same ? null : switchInfo(node, wanted);
        });
    }

    private static boolean looksUpLess(ManagedNode node, SwitchInfo said, int top) {
        PortInfo port0 = node.port(0);
        return port0 != null
                && port0.can(PortInfo.CAP_MULTICAST_TOP)
                && said.getInt(SwitchInfo.MULTICAST_TOP) < top
                && !node.held().isIgnored(0, SwitchInfo.MULTICAST_TOP);
    }

    /**
     * Raises the last multicast LID that is looked up to the end of the last block that a group needs; after the MFTs,
     * so that nothing unknown comes to life. It is not lowered: clients may have groups that they have not told of.
     */
    Iterator<Update> multicastTops() {
        int blocks = TableUpdates.usedMulticastBlocks(desired);
        int top = Lids.MIN_MULTICAST + blocks * MulticastForwardingTable.BLOCK - 1;
        return switches(desired.nodes(), node -> {
            SwitchInfo said = node.switchInfo();
            if (said == null || blocks == 0 || !looksUpLess(node, said, top)) {
                return null;
            }
            return switchInfo(
                    node,
                    SwitchInfo.TYPE
                            .copy(said)
                            .set(SwitchInfo.MULTICAST_TOP, top)
                            .set(SwitchInfo.STATE_CHANGE, 0));
        });
    }

    private static Update switchInfo(ManagedNode node, SwitchInfo wanted) {
        return Update.of(node, 0, SwitchInfo.TYPE, 0, wanted, answer -> {
            if (answer.get(SwitchInfo.MULTICAST_TOP) != wanted.get(SwitchInfo.MULTICAST_TOP)) {
                node.held().ignores(0, SwitchInfo.MULTICAST_TOP);
            }
            node.switchInfo(answer);
        });
    }

    private interface ForSwitch {
        @Nullable
        Update update(ManagedNode node);
    }

    private static Iterator<Update> switches(List<ManagedNode> nodes, ForSwitch one) {
        return nodes.stream()
                .filter(ManagedNode::isSwitch)
                .map(one::update)
                .filter(Objects::nonNull)
                .iterator();
    }

    private interface ForPort {
        @Nullable
        Update update(ManagedNode node, int port, int index);
    }

    private Iterator<Update> ports(ForPort one) {
        return new PlaceByPlace(fabric.portCount(), port -> {
            Update update = one.update(desired.nodeOf(port), fabric.portNumber(port), port);
            return update == null ? List.of() : List.of(update);
        });
    }

    /** Takes what fields of a port shall be. */
    private interface Wishes {
        void set(BitField field, long value);
    }

    /** Makes the wishes for a port. */
    private interface Wisher {
        void tell(Wishes to);
    }

    /** Returns what to set for wishes; null if none would change anything that the port does not ignore. */
    private static @Nullable PortInfo wanted(
            ManagedNode node, int port, PortInfo said, boolean inAnyCase, Wisher wisher) {
        Differences differences = new Differences(node, port, said);
        wisher.tell(differences);
        if (!inAnyCase && !differences.found) {
            return null;
        }
        PortInfo wanted = said.toSet();
        wisher.tell(wanted::set);
        return wanted;
    }

    /** Compares wishes with what a port has said. */
    private static final class Differences implements Wishes {
        private final ManagedNode node;
        private final int port;
        private final PortInfo said;
        private boolean found;

        Differences(ManagedNode node, int port, PortInfo said) {
            this.node = node;
            this.port = port;
            this.said = said;
        }

        @Override
        public void set(BitField field, long value) {
            found |= said.get(field) != value && !node.held().isIgnored(port, field);
        }
    }

    /** LIDs and whatever else end ports have; of CAs the link's parameters as well. */
    Iterator<Update> endPorts() {
        return ports((node, port, index) -> {
            PortInfo said = node.port(port);
            if (!node.isEndPort(port) || fabric.lid(index) == 0) {
                return null;
            }
            if (desired.reregister().test(index)) {
                // Nothing that can be read would tell the next sweep that this one did not reach the port.
                node.mustRegister(port);
            }
            if (said == null || node.isSilent(port)) {
                return null;
            }
            Wisher wisher = to -> {
                endPort(to, index);
                if (!node.isSwitch()) {
                    link(to, said, index);
                }
            };
            boolean newMaster = said.get(PortInfo.MASTER_SM_LID) != fabric.lid(desired.smPort())
                    || said.get(PortInfo.LID) != fabric.lid(index);
            boolean asks = (newMaster || node.hasToRegister(port)) && said.can(PortInfo.CAP_CLIENT_REREGISTRATION);
            PortInfo wanted = wanted(node, port, said, asks, wisher);
            return wanted == null
                    ? null
                    : parameters(node, port, index, wanted.set(PortInfo.CLIENT_REREGISTER, asks ? 1 : 0))
                            .ifTaken(answer -> answer.data(PortInfo.TYPE).getInt(PortInfo.LID) == fabric.lid(index));
        });
    }

    private void endPort(Wishes wanted, int index) {
        int smLid = fabric.lid(desired.smPort());
        boolean base = fabric.isSwitch(fabric.nodeOf(index)) && !fabric.enhancedPort0(fabric.nodeOf(index));
        int sl = desired.routing().sls().sl(fabric.lid(index), smLid, 0);
        ManagementKey key = desired.ports().key();
        wanted.set(PortInfo.GID_PREFIX, desired.ports().gidPrefix());
        wanted.set(PortInfo.LID, fabric.lid(index));
        wanted.set(PortInfo.LMC, base ? 0 : fabric.lmc(index));
        wanted.set(PortInfo.MASTER_SM_LID, smLid);
        wanted.set(PortInfo.MASTER_SM_SL, sl == PathSls.NO_SL ? 0 : sl);
        wanted.set(PortInfo.SUBNET_TIMEOUT, desired.ports().subnetTimeout());
        wanted.set(PortInfo.M_KEY, key.key());
        // Level 1 hides a key from those who do not have it: then 0 means that there is none.
        wanted.set(PortInfo.M_KEY_PROTECT, key.key() == 0 ? 0 : key.protect());
        wanted.set(PortInfo.M_KEY_LEASE, key.leaseSeconds());
    }

    /** What both kinds of ports with a link have. A link that is up keeps its VLs and MTU: see {@link LinkRestarts}. */
    private void link(Wishes wanted, PortInfo said, int index) {
        wanted.set(PortInfo.LOCAL_PHY_ERRORS, ERROR_THRESHOLD);
        wanted.set(PortInfo.OVERRUN_ERRORS, ERROR_THRESHOLD);
        wanted.set(PortInfo.VL_HIGH_LIMIT, desired.ports().highLimits().of(fabric.type(fabric.nodeOf(index))));
        for (int i = 0; i < CHOICES.length; i++) {
            BitField enabled = CHOICES[i][0];
            boolean asIs = said.get(enabled) == said.get(CHOICES[i][1])
                    || enabled == PortInfo.SPEED_EXT_ENABLED && !hasExtendedSpeeds(index);
            wanted.set(enabled, asIs ? said.get(enabled) : ALL[i]);
        }
        int peer = fabric.peer(index);
        ManagedNode far = peer == Fabric.NONE ? null : desired.nodeOf(peer);
        if (far != null && far.port(fabric.portNumber(peer)) != null && said.state() == PortState.INIT) {
            LinkParameters both = LinkParameters.of(fabric, index, desired.nodeOf(index), far, desired.ports());
            wanted.set(PortInfo.NEIGHBOR_MTU, both.mtu());
            wanted.set(PortInfo.OPERATIONAL_VLS, both.vls());
        }
    }

    /** Parameters of the external ports of switches that are in a cable. */
    Iterator<Update> switchPorts() {
        boolean partitioned = desired.enforcesPartitions();
        return ports((node, port, index) -> {
            PortInfo said = node.port(port);
            int peer = fabric.peer(index);
            if (node.isEndPort(port) || said == null || peer == Fabric.NONE) {
                return null;
            }
            boolean towardsSwitch = fabric.isSwitch(fabric.nodeOf(peer));
            Wisher wisher = to -> {
                link(to, said, index);
                to.set(PortInfo.VL_STALL_COUNT, STALL_COUNT);
                to.set(
                        PortInfo.HOQ_LIFE,
                        towardsSwitch
                                ? desired.ports().hoqSwitch()
                                : desired.ports().hoqEnd());
                PartitionEnforcement enforcement = partitioned ? enforcement(index) : PartitionEnforcement.OFF;
                if (enforcement != null) {
                    to.set(PortInfo.ENFORCEMENT_IN, enforcement.in() ? 1 : 0);
                    to.set(PortInfo.ENFORCEMENT_OUT, enforcement.out() ? 1 : 0);
                }
            };
            PortInfo wanted = wanted(node, port, said, false, wisher);
            return wanted == null ? null : parameters(node, port, index, wanted);
        });
    }

    /**
     * Sets what a link has. A device goes by LinkSpeedExtEnabled only if the modifier tells that the subnet manager
     * knows extended speeds (spec 40 §2.3); it does not have to know that bit unless its mask says so.
     */
    private Update parameters(ManagedNode node, int port, int index, PortInfo wanted) {
        int modifier = Modifiers.port(port);
        return portInfo(node, port, hasExtendedSpeeds(index) ? modifier | Modifiers.EXTENDED_SPEEDS : modifier, wanted);
    }

    /** Returns whether both ends of a port's cable know extended speeds. */
    private boolean hasExtendedSpeeds(int index) {
        int peer = fabric.peer(index);
        return peer != Fabric.NONE && knowsExtendedSpeeds(index) && knowsExtendedSpeeds(peer);
    }

    private boolean knowsExtendedSpeeds(int index) {
        ManagedNode node = desired.nodeOf(index);
        PortInfo ofEndPort = node.port(node.isSwitch() ? 0 : fabric.portNumber(index));
        return ofEndPort != null && ofEndPort.can(PortInfo.CAP_EXTENDED_SPEEDS);
    }

    /** Returns what a port of a switch is to enforce in a partitioned subnet; null if that stays as it is. */
    private @Nullable PartitionEnforcement enforcement(int index) {
        boolean hasEnd = desired.endBehind(index) != Fabric.NONE;
        boolean towardsSwitch = fabric.isSwitch(fabric.nodeOf(fabric.peer(index)));
        if (towardsSwitch || hasEnd && !desired.mayEnforce(index)) {
            return PartitionEnforcement.OFF;
        }
        // Without the keys of the end port behind it a switch would let nothing through.
        return hasEnd && TableUpdates.holdsKeysOfEnd(desired, index)
                ? desired.ports().enforcement()
                : null;
    }

    private static Update portInfo(ManagedNode node, int port, PortInfo wanted) {
        return portInfo(node, port, Modifiers.port(port), wanted);
    }

    private static Update portInfo(ManagedNode node, int port, int modifier, PortInfo wanted) {
        return Update.of(node, port, PortInfo.TYPE, modifier, wanted, answer -> {
            for (BitField field : wanted.differences(answer)) {
                noteIgnored(node, port, field, wanted, answer);
            }
            PortInfo before = node.port(port);
            node.port(port, answer);
            PortInfo now = node.port(port);
            if (before != null
                    && now != null
                    && wanted.getInt(PortInfo.STATE) == 0
                    && answer.getInt(PortInfo.STATE) == 0) {
                // A dry run: the request says "no change".
                now.set(PortInfo.STATE, before.getInt(PortInfo.STATE))
                        .set(PortInfo.PHYSICAL_STATE, before.getInt(PortInfo.PHYSICAL_STATE));
            }
            if (node.isEndPort(port)) {
                node.given(port, answer);
            }
            if (wanted.isSet(PortInfo.CLIENT_REREGISTER)) {
                node.toldToRegister(port);
            }
            if (wanted.getInt(PortInfo.STATE) != 0) {
                node.raise(port);
            }
        });
    }

    /**
     * A device may acknowledge a field and leave it as it was: that is asked for once (spec 41 §4). Without its LID a
     * port is not reached: that is asked for in each sweep.
     */
    private static void noteIgnored(ManagedNode node, int port, BitField field, PortInfo wanted, PortInfo answer) {
        for (int i = 0; i < CHOICES.length; i++) {
            boolean all = field == CHOICES[i][0] && wanted.get(field) == ALL[i];
            if (all && answer.get(field) == answer.get(CHOICES[i][1])) {
                return;
            }
        }
        boolean command = field == PortInfo.STATE
                || field == PortInfo.PHYSICAL_STATE
                || field == PortInfo.LINK_DOWN_DEFAULT
                || field == PortInfo.CLIENT_REREGISTER;
        if (!command && field != PortInfo.LID && answer.get(field) != wanted.get(field)) {
            node.held().ignores(port, field);
        }
    }

    /** Whether a port has taken as many VLs as routes were proved with; one that does not tell counts as if it had. */
    private boolean hasVls(int index) {
        PortInfo said = desired.nodeOf(index).port(fabric.portNumber(index));
        int has = said == null ? 0 : said.getInt(PortInfo.OPERATIONAL_VLS);
        return has == 0
                || has >= Math.min(fabric.operVls(index), desired.ports().maxOpVls());
    }

    /**
     * Takes ports in a cable from one state to the next; ports of other states are left alone, and so are links whose
     * ends have not taken the VLs: what was proved is not true of them.
     */
    Iterator<Update> raise(PortState from, PortState to) {
        return ports((node, port, index) -> {
            PortInfo said = node.port(port);
            int peer = fabric.peer(index);
            if (peer == Fabric.NONE || said == null || said.state() != from) {
                return null;
            }
            PortState other = desired.nodeOf(peer).state(fabric.portNumber(peer));
            boolean hasVls = from != PortState.INIT || hasVls(index) && hasVls(peer);
            if (other.compareTo(from) < 0 || !hasVls) {
                return null;
            }
            return portInfo(node, port, said.toSet().set(PortInfo.STATE, to.code()))
                    .orReached(answer -> answer.data(PortInfo.TYPE).state().compareTo(to) >= 0);
        });
    }
}
