package org.railyard.o2iblnd.peer;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.bond.Target;
import org.railyard.o2iblnd.device.InterfaceGroup;
import org.railyard.o2iblnd.device.Member;
import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.wire.AdvertisedAddresses;

/**
 * Where a peer says that it is reached, for as long as it lives, if this node believes that (spec 21 §7). Belongs to
 * the loop.
 */
final class LearnedAddresses {
    private final NiContext ni;
    private final InterfaceGroup group;
    private final Nid nid;
    private @Nullable Target target;
    /** What the peer said and did not work. */
    private @Nullable Target useless;

    LearnedAddresses(NiContext ni, InterfaceGroup group, Nid nid) {
        this.ni = ni;
        this.group = group;
        this.nid = nid;
    }

    /** Returns what the peer said last; null if it said nothing that can be used. */
    @Nullable
    Target target() {
        return target;
    }

    /** Returns the addresses, in the peer's order; none if it said nothing that can be used. */
    List<Integer> ips() {
        Target said = target;
        return said == null ? List.of() : said.ips();
    }

    /**
     * Learns from an acceptance. A list that can not be used is told and ignored.
     *
     * @param answer its private data
     * @return whether the peer says something else now
     */
    boolean learn(MemorySegment answer) {
        if (!ni.isBonded()
                || ni.tunable(O2ibTunable.ADVERTISE_IPS) == 0
                || nid.equals(ni.ni().nid())) {
            return false;
        }
        try {
            List<Integer> ips = AdvertisedAddresses.read(answer);
            for (Member member : group.members()) {
                if (ips.contains(member.ip())) {
                    throw new WireFormatException("advertises the address of this node's " + member);
                }
            }
            Target said = ips.isEmpty() ? null : new Target(nid, ips);
            if (said == null || said.equals(target) || said.equals(useless)) {
                return false;
            }
            target = said;
            return true;
        } catch (WireFormatException e) {
            ni.warn("addresses", nid + ": " + e.getMessage() + "; its list of addresses is ignored");
            return false;
        }
    }

    /**
     * The peer has started again: it may be anywhere.
     *
     * @return whether that makes a difference
     */
    boolean forget() {
        boolean had = target != null;
        target = null;
        useless = null;
        return had;
    }

    /**
     * The peer is not reached where it says. Nothing may depend on what a peer says, so that this does not count again
     * in its life.
     */
    void giveUp() {
        ni.warn(nid + " is not reached where it says, " + target + "; its list of addresses is ignored");
        useless = target;
        target = null;
    }
}
