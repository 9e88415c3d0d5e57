package org.railyard.doctor;

import java.util.Set;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.NetTunables;

/** How things are mended: with commands where a node runs, in the file where it is going to be started from one. */
final class Remedy {
    private static final Set<Tunable> GLOBAL = Set.of(
            Tunable.DISCOVERY,
            Tunable.RETRY_COUNT,
            Tunable.TRANSACTION_TIMEOUT,
            Tunable.HEALTH_SENSITIVITY,
            Tunable.RECOVERY_LIMIT);

    private final boolean file;

    Remedy(Setup setup) {
        this.file = setup.start() != null;
    }

    /** Returns how a setting is changed. */
    String set(Tunable tunable, int value) {
        return file
                ? "in the file, section '" + (GLOBAL.contains(tunable) ? "global" : "java") + "': " + tunable.text()
                        + ": " + value
                : "lnetctl set " + tunable.text() + " " + value;
    }

    /** Returns how the tunables of an NI are changed; what runs has to be made anew. */
    String[] tunables(Setup.Ni ni, NetTunables wanted) {
        if (file) {
            return new String[] {
                "in the file, at the NI on " + ni.net() + ": tunables: {peer_credits: " + wanted.peerCredits()
                        + ", credits: " + wanted.credits() + "}"
            };
        }
        return new String[] {
            "lnetctl net del --net " + ni.net() + " --if " + ni.device(),
            "lnetctl net add --net " + ni.net() + " --if " + ni.device() + " --peer-credits " + wanted.peerCredits()
                    + " --credits " + wanted.credits()
        };
    }

    /** Returns how the limit of a transport is changed. */
    String lndTimeout(Setup.Ni ni, int seconds) {
        return file
                ? "in the file, at the NI on " + ni.net() + ": lnd tunables: {timeout: " + seconds + "}"
                : "lnetctl net set --net " + ni.net() + " --lnd-timeout " + seconds;
    }

    /** Returns how a selection rule is deleted. */
    String withoutRule(int index) {
        return file
                ? "in the file: take rule " + (index + 1) + " of the section 'udsp' away, or mend its spelling"
                : "lnetctl udsp del --idx " + index;
    }
}
