package org.railyard.o2iblnd;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.o2iblnd.tune.EffectiveTunables;
import org.railyard.o2iblnd.tune.Remark;
import org.railyard.o2iblnd.tune.Tunable;
import org.railyard.o2iblnd.tune.Tunables;

/** Changes of tunables while an NI runs (spec 12 §2.2 set): those that new messages and connections can follow. */
final class Retuning {
    private static final Set<Tunable> CHANGEABLE = EnumSet.of(
            Tunable.TIMEOUT,
            Tunable.CONNS_PER_PEER,
            Tunable.TOS,
            Tunable.KEEPALIVE,
            Tunable.CONN_IDLE_TIMEOUT,
            Tunable.BOND_LOCAL_RETRY,
            Tunable.ROUTE_POLICY);

    private Retuning() {}

    /**
     * Returns the tunables after a change.
     *
     * @param changes by their names in YAML; values that are as they were count as no change
     * @throws ErrnoException EINVAL if there is no such tunable or it is out of range, EOPNOTSUPP if it is fixed when an NI starts
     */
    static EffectiveTunables of(EffectiveTunables before, Map<String, Integer> changes) {
        Map<String, Integer> shown = before.shown(before.given().get(Tunable.TIMEOUT));
        Tunables after = before.given();
        for (Map.Entry<String, Integer> each : changes.entrySet()) {
            Tunable tunable = Tunable.named(each.getKey());
            if (each.getValue().equals(shown.get(each.getKey()))) {
                continue;
            }
            if (!CHANGEABLE.contains(tunable)) {
                throw new ErrnoException(
                        Errno.EOPNOTSUPP,
                        tunable.text() + " of an NI on InfiniBand is fixed when it starts; what can be changed is "
                                + CHANGEABLE.stream().map(Tunable::text).collect(Collectors.joining(", "))
                                + ". Delete the NI and add it with the value");
            }
            after = after.with(tunable, each.getValue());
        }
        return usable(before.with(after));
    }

    /**
     * Returns tunables that an NI can work with.
     *
     * @throws ErrnoException EINVAL if it can not
     */
    static EffectiveTunables usable(EffectiveTunables tunables) {
        for (Remark remark : tunables.remarks()) {
            if (remark.severity() == Remark.Severity.ERROR) {
                throw new ErrnoException(Errno.EINVAL, remark.subject() + ": " + remark.text());
            }
        }
        return tunables;
    }
}
