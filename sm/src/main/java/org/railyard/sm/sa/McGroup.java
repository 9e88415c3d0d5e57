package org.railyard.sm.sa;

import java.util.LinkedHashMap;
import java.util.Map;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.McMemberRecord;
import org.railyard.mad.sa.SaSelector;

/** A multicast group and its members, by port GUID. What all members have in common is in one record. */
final class McGroup {
    /** The maker of groups that no port asked for. */
    static final long NOBODY = 0;

    private static final int PARTITION = 0x7FFF;

    private final McMemberRecord common;
    private long maker = NOBODY;
    private boolean isFixed;
    private final Map<Long, Member> members = new LinkedHashMap<>();

    /** Who joined. */
    static final class Member {
        private Gid portGid;
        private int joinState;
        private boolean isProxy;

        Member(Gid portGid) {
            this.portGid = portGid;
        }

        Gid portGid() {
            return portGid;
        }
    }

    /**
     * Makes one without members.
     *
     * @param common the record without port, join state; belongs to the group from now on
     * @param isFixed it stays without members
     */
    McGroup(McMemberRecord common, boolean isFixed) {
        this.common = common;
        this.isFixed = isFixed;
    }

    /** Returns the GUID of the port that it was made for, or {@link #NOBODY}. */
    long maker() {
        return maker;
    }

    /** Says for which port it was made, by the GUID that is the port's own. */
    void madeFor(long portGuid) {
        maker = portGuid;
    }

    /** Says whether it stays without members. */
    void fix(boolean stays) {
        isFixed = stays;
    }

    boolean isFixed() {
        return isFixed;
    }

    Gid mgid() {
        return common.getGid(McMemberRecord.MGID);
    }

    int mlid() {
        return common.getInt(McMemberRecord.MLID);
    }

    int pKey() {
        return common.getInt(McMemberRecord.P_KEY);
    }

    int sl() {
        return common.getInt(McMemberRecord.SL);
    }

    McMemberRecord common() {
        return common;
    }

    Map<Long, Member> members() {
        return members;
    }

    /**
     * Adds bits to a member's state; returns whether the port was none before. A port that joins again by another one
     * of its GIDs, as after the subnet has got another prefix, is known by that from now on.
     */
    boolean join(Gid portGid, int joinState, boolean isProxy) {
        boolean isNew = !members.containsKey(portGid.guid());
        Member member = members.computeIfAbsent(portGid.guid(), _ -> new Member(portGid));
        member.portGid = portGid;
        member.joinState |= joinState;
        member.isProxy = isNew ? isProxy : member.isProxy && isProxy;
        return isNew;
    }

    /** Takes bits from a member's state; without any left it is none any more. */
    void leave(long portGuid, int joinState) {
        Member member = members.get(portGuid);
        if (member != null) {
            member.joinState &= ~joinState;
            if (member.joinState == 0) {
                members.remove(portGuid);
            }
        }
    }

    /** Tells whether another port joined for this one: then others may take it out as well. */
    boolean isProxy(long portGuid) {
        Member member = members.get(portGuid);
        return member != null && member.isProxy;
    }

    int joinState(long portGuid) {
        Member member = members.get(portGuid);
        return member == null ? 0 : member.joinState;
    }

    /** Tells whether nothing keeps the group alive: only full members do. */
    boolean isDead() {
        int keeping = McMemberRecord.FULL_MEMBER | McMemberRecord.SEND_ONLY_FULL_MEMBER;
        return !isFixed && members.values().stream().noneMatch(member -> (member.joinState & keeping) != 0);
    }

    /** Returns the record of the group alone: nobody's port, no state. */
    McMemberRecord record() {
        return McMemberRecord.TYPE.copy(common);
    }

    /** Returns the record of a port, which is that of the group if the port is no member. */
    McMemberRecord record(long portGuid) {
        Member member = members.get(portGuid);
        return member == null ? record() : record(member);
    }

    /** Returns the record of a member. */
    McMemberRecord record(Member member) {
        return record().setGid(McMemberRecord.PORT_GID, member.portGid)
                .set(McMemberRecord.JOIN_STATE, member.joinState)
                .set(McMemberRecord.PROXY_JOIN, member.isProxy ? 1 : 0);
    }

    /**
     * Tells whether what a request gives agrees with the group; only what is in its mask counts. The multicast LID is
     * given by the SA: one that a client still has from before tells nothing of the group that it means.
     */
    boolean agrees(McMemberRecord asked, long mask) {
        long plain = McMemberRecord.Q_KEY.mask()
                | McMemberRecord.TCLASS.mask()
                | McMemberRecord.SL.mask()
                | McMemberRecord.FLOW_LABEL.mask()
                | McMemberRecord.SCOPE.mask();
        return common.matches(asked, mask & plain) && fits(asked, mask);
    }

    /**
     * Tells whether partition, MTU, rate and packet life are such as a request asks for. Full and limited members ask
     * by keys of their own, so that of the key only the partition counts.
     */
    boolean fits(McMemberRecord asked, long mask) {
        boolean key = !has(mask, McMemberRecord.P_KEY.mask())
                || (asked.getInt(McMemberRecord.P_KEY) & PARTITION) == (pKey() & PARTITION);
        boolean mtu = !has(mask, McMemberRecord.MTU_SELECTOR.mask() | McMemberRecord.MTU.mask())
                || Choice.fits(
                        asked.getInt(McMemberRecord.MTU_SELECTOR),
                        asked.getInt(McMemberRecord.MTU),
                        common.getInt(McMemberRecord.MTU));
        boolean rate = !has(mask, McMemberRecord.RATE_SELECTOR.mask() | McMemberRecord.RATE.mask())
                || Choice.fitsRate(
                        asked.getInt(McMemberRecord.RATE_SELECTOR),
                        asked.getInt(McMemberRecord.RATE),
                        common.getInt(McMemberRecord.RATE));
        boolean life = !has(mask, McMemberRecord.LIFE_SELECTOR.mask() | McMemberRecord.LIFE.mask())
                || Choice.fits(
                        asked.getInt(McMemberRecord.LIFE_SELECTOR),
                        asked.getInt(McMemberRecord.LIFE),
                        common.getInt(McMemberRecord.LIFE));
        return key && mtu && rate && life;
    }

    static boolean has(long mask, long components) {
        return (mask & components) == components;
    }

    /** Writes MTU, rate and packet life as answers have them. */
    static void setPath(McMemberRecord record, int mtu, int rate, int life) {
        record.set(McMemberRecord.MTU_SELECTOR, SaSelector.EXACTLY)
                .set(McMemberRecord.MTU, mtu)
                .set(McMemberRecord.RATE_SELECTOR, SaSelector.EXACTLY)
                .set(McMemberRecord.RATE, rate)
                .set(McMemberRecord.LIFE_SELECTOR, SaSelector.EXACTLY)
                .set(McMemberRecord.LIFE, life);
    }
}
