package org.railyard.socklnd.tune;

import java.util.Map;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/** The tunables that an NI may have of its own, by their names in YAML (spec 12 §5). */
public final class NiTunables {
    public static final String CONNS_PER_PEER = "conns_per_peer";
    public static final String TIMEOUT = "timeout";
    public static final String TOS = "tos";

    private static final Map<String, SockTunable> KNOWN =
            Map.of(CONNS_PER_PEER, SockTunable.CONNS_PER_PEER, TIMEOUT, SockTunable.SOCK_TIMEOUT, TOS, SockTunable.TOS);

    private NiTunables() {}

    /**
     * Checks names and ranges; −1 means the transport's value.
     *
     * @throws ErrnoException EINVAL
     */
    public static void check(Map<String, Integer> tunables) {
        tunables.forEach((name, value) -> {
            SockTunable tunable = KNOWN.get(name);
            if (tunable == null) {
                throw new ErrnoException(
                        Errno.EINVAL,
                        "no tunable '" + name + "' for an NI on TCP, expected " + CONNS_PER_PEER + ", " + TIMEOUT
                                + " or " + TOS);
            }
            if (value != -1) {
                tunable.spec().check(value);
            }
        });
    }
}
