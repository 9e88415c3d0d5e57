package org.railyard.o2iblnd.bond;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.tune.EffectiveTunables;

/**
 * An NI of the InfiniBand transport as it is now.
 *
 * @param nid its NID
 * @param bonded whether it is a group; if not, it has one interface, and targets do not count for it
 * @param members its interfaces, in order
 * @param tunables that count for it
 */
public record InterfaceGroupView(Nid nid, boolean bonded, List<MemberView> members, EffectiveTunables tunables) {
    /** Copies the list. */
    public InterfaceGroupView {
        members = List.copyOf(members);
    }

    /**
     * Returns the interface with the address of the NID, which is where peers without a target look for it (spec 21
     * cb-142); null if that has left.
     */
    public @Nullable MemberView atNid() {
        for (MemberView member : members) {
            if (member.ip() == (int) nid.nid4()) {
                return member;
            }
        }
        return null;
    }
}
