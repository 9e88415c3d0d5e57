package org.railyard.sm.sa;

import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.mad.layout.Gid;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.conf.PrefixRoutes;
import org.railyard.sm.conf.QosPolicy;

/**
 * How subnet administration answers.
 *
 * @param saKey SM_Key of requests that makes a requester trusted; 0 = nobody is
 * @param subnetPrefix prefix of the subnet's GIDs
 * @param packetLife packet life time of paths and groups, 4.096 µs · 2^n, 0 to 31
 * @param groupSls SLs that new multicast groups may have, a bit each: 0x0101 for torus-2QoS, which has no others
 * @param partitions partitions with their SLs and first groups
 * @param prefixRoutes which routers lead to other subnets
 * @param qos SLs and limits of paths
 * @param limits what is held and answered at most
 */
public record SaSettings(
        long saKey,
        long subnetPrefix,
        int packetLife,
        int groupSls,
        PartitionsConf partitions,
        PrefixRoutes prefixRoutes,
        QosPolicy qos,
        SaLimits limits) {
    /** Every SL may be that of a group. */
    public static final int ANY_SL = 0xFFFF;

    /** The bit of an SL that is the QoS level, where the others are not free. */
    public static final int LEVEL_BIT = 8;

    /** The SLs of groups under torus-2QoS (spec 30 §10). */
    public static final int TORUS_GROUP_SLS = 1 | 1 << 8;

    /** Key 1 as OpenSM's, the default prefix, packets live 1.07 s, any SL for groups, the default partition. */
    public static final SaSettings DEFAULT = new SaSettings(
            1,
            Gid.DEFAULT_PREFIX,
            18,
            ANY_SL,
            PartitionsConf.none(),
            PrefixRoutes.NONE,
            QosPolicy.NONE,
            SaLimits.DEFAULT);

    private static final int MAX_LIFE = 31;

    /** Checks the ranges. */
    public SaSettings {
        if (packetLife < 0 || packetLife > MAX_LIFE) {
            throw new IllegalArgumentException("packet life " + packetLife + " is not 0 to " + MAX_LIFE);
        }
        if ((groupSls & ~ANY_SL) != 0 || groupSls == 0) {
            throw new IllegalArgumentException("SLs of groups 0x%x: 1 to 16 bits expected".formatted(groupSls));
        }
    }

    /** Returns the SLs that groups may have with an engine: torus-2QoS has two for multicast. */
    public static int groupSls(RoutingEngine engine) {
        return engine instanceof TorusEngine ? TORUS_GROUP_SLS : ANY_SL;
    }

    /** Tells whether GIDs with a prefix are of this subnet: its own, or the default one, which each port has. */
    boolean isHere(long prefix) {
        return prefix == subnetPrefix || prefix == Gid.DEFAULT_PREFIX;
    }

    /** Returns the GID that a port has, also if it was kept before a restart that gave the subnet another prefix. */
    Gid renewed(Gid kept) {
        return isHere(kept.prefix()) ? kept : new Gid(subnetPrefix, kept.guid());
    }

    /** Returns the same with other SLs for new groups. */
    public SaSettings withGroupSls(int sls) {
        return new SaSettings(saKey, subnetPrefix, packetLife, sls, partitions, prefixRoutes, qos, limits);
    }

    /** Returns the same with other partitions. */
    public SaSettings withPartitions(PartitionsConf conf) {
        return new SaSettings(saKey, subnetPrefix, packetLife, groupSls, conf, prefixRoutes, qos, limits);
    }

    /** Returns the same with other limits. */
    public SaSettings withLimits(SaLimits other) {
        return new SaSettings(saKey, subnetPrefix, packetLife, groupSls, partitions, prefixRoutes, qos, other);
    }

    /** Returns the same with another QoS policy. */
    public SaSettings withQos(QosPolicy policy) {
        return new SaSettings(saKey, subnetPrefix, packetLife, groupSls, partitions, prefixRoutes, policy, limits);
    }

    /** Returns the same with routes to other subnets. */
    public SaSettings withPrefixRoutes(PrefixRoutes routes) {
        return new SaSettings(saKey, subnetPrefix, packetLife, groupSls, partitions, routes, qos, limits);
    }
}
