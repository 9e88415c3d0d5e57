package org.railyard.sm.role;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who is to be master, from what all subnet managers of a subnet say of themselves (spec 41 §1). */
final class Election {
    /** What it comes to. */
    enum Kind {
        /** We are master. */
        MASTER,
        /** Another one is, or will be. */
        STANDBY,
        /** We are master, and another one is to take over. */
        HAND_OVER
    }

    /**
     * How it ended.
     *
     * @param other whom we follow, or who is to take over; null if nobody
     * @param notes what an operator should know
     */
    record Outcome(Kind kind, @Nullable OtherManager other, List<String> notes) {}

    private Election() {}

    /**
     * Decides.
     *
     * @param own what we are: {@link SmRole#DISCOVERING} or {@link SmRole#MASTER}
     * @param granted whether a master has handed over to us
     * @param guid of our port
     */
    static Outcome hold(SmRole own, boolean granted, RoleSettings settings, long guid, List<OtherManager> all) {
        List<String> notes = new ArrayList<>();
        List<OtherManager> others = new ArrayList<>();
        for (OtherManager other : all) {
            if (!settings.trusts(other.key())) {
                notes.add("subnet manager at " + other.text()
                        + " has another SM_Key: it is ignored; two masters can not share a subnet, end one of them");
            } else if (other.role() != SmRole.NOT_ACTIVE) {
                others.add(other);
            }
        }
        OtherManager higher = best(others.stream()
                .filter(other -> other.isHigherThan(settings.priority(), guid))
                .toList());
        if (own == SmRole.MASTER || granted) {
            Kind kind = own == SmRole.MASTER && higher != null ? Kind.HAND_OVER : Kind.MASTER;
            return new Outcome(kind, kind == Kind.MASTER ? null : higher, notes);
        }
        OtherManager master = best(
                others.stream().filter(other -> other.role() == SmRole.MASTER).toList());
        OtherManager followed = master != null ? master : higher;
        return new Outcome(followed == null ? Kind.MASTER : Kind.STANDBY, followed, notes);
    }

    private static @Nullable OtherManager best(List<OtherManager> others) {
        return others.stream()
                .min(Comparator.comparingInt((OtherManager other) -> -other.priority())
                        .thenComparing(OtherManager::guid, Long::compareUnsigned))
                .orElse(null);
    }
}
