package org.railyard.sm;

import java.util.OptionalLong;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.route.NoTurningBack;
import org.railyard.fabric.torus.qos.QosSettings;
import org.railyard.fabric.torus.qos.VlArbTable;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.sm.lid.LidOrder;
import org.railyard.sm.model.PartitionKeys;
import org.railyard.sm.program.HighLimits;
import org.railyard.sm.program.ManagementKey;
import org.railyard.sm.program.PartitionEnforcement;
import org.railyard.sm.program.PortPolicy;
import org.railyard.sm.role.RoleSettings;

/**
 * What a subnet manager is told.
 *
 * @param routing engine and its options; LIDs are given by the subnet manager itself
 * @param lidOrder in which order ports get new LIDs
 * @param lmc logarithm of the number of LIDs of a CA or router port, 0 to {@value Lids#MAX_LMC}
 * @param keepLids whether ports keep the LIDs that they have when the subnet manager starts
 * @param keys P_Keys of end ports
 * @param ports what ports are set to
 * @param requests time-outs, retries and windows
 * @param sweepNanos time between light sweeps, ns
 * @param collectNanos how long traps are collected before a sweep, ns
 * @param role how it stands among other subnet managers
 * @param allowSlChange whether the SL of a path that exists may change
 * @param restartLinks whether links that are up with other VLs or another MTU than they shall have are taken down
 * @param keepTurnsBack whether SL to VL tables for packets that go straight back to the switch that they came from are
 *     those of the engine, as OpenSM writes them; else switches drop these packets ({@link NoTurningBack})
 */
public record SmSettings(
        RoutingSettings routing,
        LidOrder lidOrder,
        int lmc,
        boolean keepLids,
        PartitionKeys keys,
        PortPolicy ports,
        RequestSettings requests,
        long sweepNanos,
        long collectNanos,
        RoleSettings role,
        boolean allowSlChange,
        boolean restartLinks,
        boolean keepTurnsBack) {
    private static final int SUBNET_TIMEOUT = 18;
    private static final int HOQ_END = 16;
    private static final int NO_LIMIT = 255;
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;
    private static final int RETRIES = 10;

    /** Even weights within the VLs of each QoS level, as torus-2QoS wants them (spec 30 §8). */
    private static final QosSettings EVEN = new QosSettings(
            new QosSettings.Ports(8, even(8, 64), even(8, 16), OptionalLong.empty()),
            new QosSettings.Ports(2, even(2, 64), even(2, 16), OptionalLong.empty()),
            new QosSettings.Ports(2, even(2, 64), even(2, 16), OptionalLong.empty()),
            new QosSettings.Ports(2, even(2, 64), even(2, 16), OptionalLong.empty()));

    /** Checks the ranges. */
    public SmSettings {
        if (lmc < 0 || lmc > Lids.MAX_LMC) {
            throw new IllegalArgumentException("LMC " + lmc + " is not 0 to " + Lids.MAX_LMC);
        }
        if (sweepNanos < MILLI || collectNanos < 0) {
            throw new IllegalArgumentException(
                    "sweeps every " + sweepNanos + " ns after collecting traps for " + collectNanos + " ns");
        }
    }

    /** Returns usual settings with this routing. */
    public static SmSettings of(RoutingSettings routing) {
        return new SmSettings(
                routing,
                LidOrder.GUID,
                0,
                true,
                PartitionKeys.DEFAULT,
                new PortPolicy(
                        Gid.DEFAULT_PREFIX,
                        routing.options().maxOpVls(),
                        SUBNET_TIMEOUT,
                        SUBNET_TIMEOUT,
                        SUBNET_TIMEOUT,
                        HOQ_END,
                        routing.qos().orElse(EVEN),
                        HighLimits.all(NO_LIMIT),
                        ManagementKey.NONE,
                        PartitionEnforcement.BOTH),
                RequestSettings.DEFAULT.withTimeout(200 * MILLI, RETRIES).withWindow(16, 128, 4),
                10 * SECOND,
                10 * MILLI,
                RoleSettings.DEFAULT,
                false,
                false,
                false);
    }

    private static VlArbTable even(int vls, int weight) {
        StringBuilder text = new StringBuilder();
        for (int vl = 0; vl < vls; vl++) {
            text.append(vl == 0 ? "" : ",").append(vl).append(':').append(weight);
        }
        return VlArbTable.parse(text.toString());
    }

    /** Returns the same with LIDs given in another way. */
    public SmSettings withLids(LidOrder order, int newLmc, boolean keep) {
        Draft draft = new Draft(this);
        draft.lidOrder = order;
        draft.lmc = newLmc;
        draft.keepLids = keep;
        return draft.settings();
    }

    /** Returns the same with other P_Keys. */
    public SmSettings withKeys(PartitionKeys other) {
        Draft draft = new Draft(this);
        draft.keys = other;
        return draft.settings();
    }

    /** Returns the same with other time-outs, retries and windows. */
    public SmSettings withRequests(RequestSettings other) {
        Draft draft = new Draft(this);
        draft.requests = other;
        return draft.settings();
    }

    /** Returns the same with or without leave to change the SLs of paths. */
    public SmSettings withSlChange(boolean allowed) {
        Draft draft = new Draft(this);
        draft.allowSlChange = allowed;
        return draft.settings();
    }

    /** Returns the same with or without leave to take links down that are up with other VLs or another MTU. */
    public SmSettings withRestarts(boolean allowed) {
        Draft draft = new Draft(this);
        draft.restartLinks = allowed;
        return draft.settings();
    }

    /** Returns the same, standing otherwise among other subnet managers. */
    public SmSettings withRole(RoleSettings other) {
        Draft draft = new Draft(this);
        draft.role = other;
        return draft.settings();
    }

    /** Returns the same, with or without the engine's SL to VL tables for packets that go straight back. */
    public SmSettings withTurnsBack(boolean kept) {
        Draft draft = new Draft(this);
        draft.keepTurnsBack = kept;
        return draft.settings();
    }

    /** Settings that become others: each is copied in one place. */
    private static final class Draft {
        private final SmSettings of;
        private LidOrder lidOrder;
        private int lmc;
        private boolean keepLids;
        private PartitionKeys keys;
        private RequestSettings requests;
        private RoleSettings role;
        private boolean allowSlChange;
        private boolean restartLinks;
        private boolean keepTurnsBack;

        Draft(SmSettings of) {
            this.of = of;
            lidOrder = of.lidOrder;
            lmc = of.lmc;
            keepLids = of.keepLids;
            keys = of.keys;
            requests = of.requests;
            role = of.role;
            allowSlChange = of.allowSlChange;
            restartLinks = of.restartLinks;
            keepTurnsBack = of.keepTurnsBack;
        }

        SmSettings settings() {
            return new SmSettings(
                    of.routing,
                    lidOrder,
                    lmc,
                    keepLids,
                    keys,
                    of.ports,
                    requests,
                    of.sweepNanos,
                    of.collectNanos,
                    role,
                    allowSlChange,
                    restartLinks,
                    keepTurnsBack);
        }
    }
}
