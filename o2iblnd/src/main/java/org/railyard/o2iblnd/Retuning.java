package org.railyard.o2iblnd;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.o2iblnd.tune.EffectiveTunables;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Remark;
import org.railyard.o2iblnd.tune.Tunables;

/** Changes of tunables while an NI runs (spec 12 §2.2 set): those that new messages and connections can follow. */
final class Retuning {
    private static final Set<O2ibTunable> CHANGEABLE = EnumSet.of(
            O2ibTunable.TIMEOUT,
            O2ibTunable.CONNS_PER_PEER,
            O2ibTunable.TOS,
            O2ibTunable.KEEPALIVE,
            O2ibTunable.CONN_IDLE_TIMEOUT,
            O2ibTunable.BOND_LOCAL_RETRY,
            O2ibTunable.ROUTE_POLICY);

    private Retuning() {}

    /**
     * Returns the tunables after a change.
     *
     * @param changes by their names in YAML; values that are as they were count as no change
     * @throws ErrnoException EINVAL if there is no such tunable or it is out of range, EOPNOTSUPP if it is fixed when
     *     an NI starts
     */
    static EffectiveTunables of(EffectiveTunables before, Map<String, Integer> changes) {
        Map<String, Integer> shown = before.shown(before.given().get(O2ibTunable.TIMEOUT));
        Tunables after = before.given();
        for (Map.Entry<String, Integer> each : changes.entrySet()) {
            O2ibTunable tunable = O2ibTunable.named(each.getKey());
            if (each.getValue().equals(shown.get(each.getKey()))) {
                continue;
            }
            if (!CHANGEABLE.contains(tunable)) {
                throw new ErrnoException(
                        Errno.EOPNOTSUPP,
                        tunable.text() + " of an NI on InfiniBand is fixed when it starts; what can be changed is "
                                + CHANGEABLE.stream().map(O2ibTunable::text).collect(Collectors.joining(", "))
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
