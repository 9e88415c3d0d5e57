package org.railyard.o2iblnd.bond;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Nid;

/** Which routes lead to a NID: a pure function of the group and the target (spec 21 §4). */
public final class RoutePlan {
    private RoutePlan() {}

    /**
     * A route.
     *
     * @param member index of the local interface in its group, from 0
     * @param ip address of the peer
     */
    public record Pair(int member, int ip) {
        @Override
        public String toString() {
            return member + "→" + Ipv4.text(ip);
        }
    }

    /**
     * Pairs members and addresses: as many routes as there are of the more numerous, the others again from the first
     * on. So these are not all pairs.
     *
     * @param members interfaces of the group, 1…16
     * @param target addresses of the NID; null if none are known but the one within it
     */
    public static List<Pair> of(int members, Nid nid, @Nullable Target target) {
        if (members < 1 || members > Target.MAX_ADDRESSES) {
            throw new IllegalArgumentException(
                    members + " interfaces in a group, expected 1 to " + Target.MAX_ADDRESSES);
        }
        List<Integer> ips = target == null ? List.of((int) nid.nid4()) : target.ips();
        int count = Math.max(members, ips.size());
        List<Pair> pairs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            pairs.add(new Pair(i % members, ips.get(i % ips.size())));
        }
        return pairs;
    }
}
