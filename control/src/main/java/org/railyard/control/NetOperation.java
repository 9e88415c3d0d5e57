package org.railyard.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Local nets and NIs (spec 12 §2.2). */
public sealed interface NetOperation extends Operation {
    /**
     * Adds NIs: by net and interfaces, by NIDs, or by a pattern of addresses; one of the three.
     *
     * @param net the net, absent with {@code nids} and {@code ip2net}
     * @param interfaces its interfaces, each perhaps with CPU partitions: {@code eth0[0,1]}; an NI for each
     * @param nids NIDs whose addresses say which interfaces
     * @param ip2net a rule such as {@code tcp(eth1) 10.1.*.*}
     * @param peerTimeout s, 0 or more
     * @param peerCredits 1 or more
     * @param peerBufferCredits 0 or more
     * @param credits 1 or more
     * @param cpt CPU partitions of interfaces without their own, such as {@code [0,1]}
     * @param connsPerPeer 0…127, 0 for as many as suit the link
     * @param tos −1…255
     * @param bond whether the interfaces are one NI together, on nets of type o2ib
     */
    record Add(
            @Nullable String net,
            List<String> interfaces,
            List<String> nids,
            @Nullable String ip2net,
            @Nullable Integer peerTimeout,
            @Nullable Integer peerCredits,
            @Nullable Integer peerBufferCredits,
            @Nullable Integer credits,
            @Nullable String cpt,
            @Nullable Integer connsPerPeer,
            @Nullable Integer tos,
            boolean bond)
            implements NetOperation, Edit {
        /** Copies the lists. */
        public Add {
            interfaces = List.copyOf(interfaces);
            nids = List.copyOf(nids);
        }
    }

    /**
     * Deletes NIs: all of a net, those of some of its interfaces, or some by their NIDs.
     *
     * @param net the net, absent with {@code nids}
     * @param interfaces interfaces of the net, none for all
     * @param nids NIDs of this node
     */
    record Delete(@Nullable String net, List<String> interfaces, List<String> nids) implements NetOperation, Edit {
        /** Copies the lists. */
        public Delete {
            interfaces = List.copyOf(interfaces);
            nids = List.copyOf(nids);
        }
    }

    /**
     * Changes NIs that run; a NID that this node does not have is ENODEV.
     *
     * @param net its NIs, unless {@code nid} or {@code all} says otherwise
     * @param nid one NI
     * @param all all NIs
     * @param health 0…1000, more means 1000
     * @param connsPerPeer 0…127
     * @param lndTimeout limit of the transport of {@code net}, s, for all its nets; 0 for one that LNet derives
     * @param cpt CPU partitions, such as {@code [0,1]}
     */
    record Set(
            @Nullable String net,
            @Nullable String nid,
            boolean all,
            @Nullable Integer health,
            @Nullable Integer connsPerPeer,
            @Nullable Integer lndTimeout,
            @Nullable String cpt)
            implements NetOperation, Edit {}

    /**
     * Shows NIs, net by net, loopback first.
     *
     * @param net only this one; absent for all
     * @param level how much, 0…4 (spec 12 §3)
     */
    record Show(@Nullable String net, int level) implements NetOperation, Query {}
}
