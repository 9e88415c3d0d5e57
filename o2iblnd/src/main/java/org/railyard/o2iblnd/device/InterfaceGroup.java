package org.railyard.o2iblnd.device;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.InterfaceNames;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.bond.MemberState;
import org.railyard.o2iblnd.cm.CmListenPoints;
import org.railyard.o2iblnd.cm.ConnectPeer;
import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsInterface;

/**
 * The interfaces of an NI, one for an ordinary NI, and what they can do together (spec 21 cb-068). Belongs to the
 * loop, but for {@link #members} and {@link #deviceName}.
 */
public final class InterfaceGroup {
    private final NiContext ni;
    private final CmListenPoints listenPoints;
    private final GroupOwner owner;
    private volatile List<Member> members;
    private boolean fatal;
    private boolean degraded;

    /**
     * Makes a group that does not listen yet, neither for requests nor for events of devices.
     *
     * @param interfaces in order
     */
    public InterfaceGroup(
            NiContext ni, CmListenPoints listenPoints, GroupOwner owner, List<VerbsInterface> interfaces) {
        this.ni = ni;
        this.listenPoints = listenPoints;
        this.owner = owner;
        this.members = interfaces.stream().map(this::make).toList();
    }

    private Member make(VerbsInterface itf) {
        return new Member(this, ni, itf, listenPoints);
    }

    /**
     * Listens and begins. A group begins with those of its interfaces that can be used.
     *
     * @throws ErrnoException EADDRINUSE if another program listens on the interface, ENETDOWN if none can be used
     */
    public void start() {
        members.forEach(Member::attach);
        VerbsException first = null;
        for (Member member : members) {
            try {
                member.open();
            } catch (VerbsException e) {
                first = first == null ? e : first;
                if (ni.isBonded()) {
                    ni.alert(member + " can not be used yet: " + e.getMessage());
                }
            }
        }
        if (first != null && members.stream().noneMatch(Member::isOpen)) {
            members.forEach(Member::detach);
            throw new ErrnoException(
                    first.code() == VerbsException.Code.EADDRINUSE ? Errno.EADDRINUSE : Errno.ENETDOWN,
                    "can not listen on " + ni.ni().interfaceName() + ": " + first.getMessage());
        }
        warnOfAddress();
        report();
    }

    /** Ends listening; the connections must be closed. */
    public void stop() {
        members.forEach(Member::detach);
    }

    /** Returns the interfaces, in order. */
    public List<Member> members() {
        return members;
    }

    /** Tells whether none of the interfaces carries anything. */
    public boolean isFatal() {
        return fatal;
    }

    /** Returns the names of the interfaces, as the name of the NI's device. */
    public String deviceName() {
        return InterfaceNames.join(members.stream().map(Member::name).toList());
    }

    /** Returns the record of a peer that asks an interface from an address; null if there are too many. */
    @Nullable
    ConnectPeer peer(Member member, Nid nid, int remoteIp) {
        return owner.peer(member, nid, remoteIp);
    }

    /** Something happened to the device or the port of an interface. */
    void changed(Member member, MemberState before, boolean wasUsable) {
        if (member.state() != before) {
            ni.alert(member + " is " + member.state().text() + ", was " + before.text());
        }
        report();
        if (wasUsable && !member.isUsable()) {
            owner.unusable(member);
        } else if (ni.isBonded() && !wasUsable && member.isUsable()) {
            owner.usable(member);
        }
    }

    /** Paths from an interface may be others than before. */
    void pathsChanged(Member member) {
        owner.pathsChanged(member);
    }

    /** Ends what there is on an interface whose device is gone. */
    void end(Member member) {
        owner.unusable(member);
    }

    /** Tells the stack what the interfaces can do together. */
    private void report() {
        boolean nothing = members.stream().noneMatch(Member::isUsable);
        boolean notAll = !members.stream().allMatch(Member::isWhole);
        if (nothing != fatal) {
            fatal = nothing;
            tell(nothing ? DeviceEvent.FATAL : DeviceEvent.CLEAR);
        } else if (!notAll && degraded && !nothing) {
            tell(DeviceEvent.CLEAR);
        }
        boolean isSlow = notAll && !nothing;
        if (isSlow && !degraded) {
            tell(DeviceEvent.DEGRADED);
        }
        if (ni.isBonded() && isSlow != degraded) {
            ni.alert("the group works "
                    + (isSlow ? "with less than all of its interfaces" : nothing ? "not at all" : "as it should"));
        }
        degraded = isSlow;
    }

    private void tell(DeviceEvent event) {
        ni.context().stack().deviceEvent(ni.ni(), event);
    }

    /**
     * Gives a group other interfaces while it runs: routes of those that stay keep their connections, what has not left
     * moves from the others (spec 21 cb-007).
     *
     * @param interfaces in order; the NID stays
     */
    public void setInterfaces(List<VerbsInterface> interfaces) {
        List<Member> before = members;
        List<Member> now = new ArrayList<>();
        List<Member> added = new ArrayList<>();
        for (VerbsInterface itf : interfaces) {
            Member known = before.stream()
                    .filter(member -> member.ip() == itf.ip())
                    .findFirst()
                    .orElse(null);
            if (known == null) {
                known = make(itf);
                added.add(known);
            }
            now.add(known);
        }
        members = List.copyOf(now);
        added.forEach(this::join);
        owner.membersChanged();
        for (Member member : before) {
            if (!now.contains(member)) {
                owner.unusable(member);
                member.detach();
            }
        }
        warnOfAddress();
        report();
    }

    /** Peers without a target dial the address in the NID (spec 21 cb-142). */
    private void warnOfAddress() {
        if (ni.isBonded() && members.stream().noneMatch(member -> member.ip() == (int) ni.nid4())) {
            ni.warn("none of its interfaces, " + deviceName() + ", has the address of the NID: peers that"
                    + " have no target for it can not begin a connection");
        }
    }

    private void join(Member member) {
        member.attach();
        try {
            member.open();
        } catch (VerbsException e) {
            ni.alert(member + " can not be used yet: " + e.getMessage());
        }
    }
}
