package org.railyard.control;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.Nid;

/** Asking nodes (spec 12 §2.6, §4.8). The answer has the successes, and under {@code manage} the failures. */
public sealed interface TargetOperation extends Operation {
    /** Longest limit for an answer to a ping, s. */
    int MAX_TIMEOUT = 180;

    @Override
    default String entity() {
        return action();
    }

    /**
     * Returns what is told of a target that failed: its NID, the reason, the name of the errno.
     *
     * @param why what the stack or a transport said
     * @param local the NIDs of this node
     */
    static String failure(Nid target, ErrnoException why, List<Nid> local) {
        return target + ": " + reason(target, why, local);
    }

    private static String reason(Nid target, ErrnoException why, List<Nid> local) {
        String name = " (" + why.errno() + ")";
        if (why.errno() != Errno.EINVAL) {
            return why.errno().text() + name;
        }
        String text = DlcException.textOf(why);
        if (!text.endsWith(why.errno().text())) {
            return text + name;
        }
        // Nothing but the errno: that is how the system refuses to connect two addresses with no way between them,
        // such as one of the loopback device and one of another machine.
        List<Nid> near = local.stream().filter(nid -> nid.isOn(target.net())).toList();
        String from = near.isEmpty()
                ? "its gateway can not be dialled from the NIs of this node"
                : "can not be dialled from " + near.stream().map(Nid::toString).collect(Collectors.joining(" or "));
        return from + ": the system knows no way between the two addresses" + name;
    }

    /**
     * Pings nodes.
     *
     * @param probe whether to look only: whatever comes of it changes no health; absent for no
     */
    @CliCommand(value = "ping", help = "ask nodes for their NIDs")
    record Ping(
            @CliOption(value = "NID …", help = "NIDs, lists with ranges, host names", words = true, required = true)
            List<String> nids,

            @CliOption(letter = 's', value = "NID", help = "NID of this node to ping from") @Nullable
            String source,

            @CliOption(letter = 't', value = "SECONDS", help = "limit for each answer, 1 to 180; 0 and none for 1")
            @Nullable
            Integer timeout,

            @Nullable Boolean probe)
            implements TargetOperation, Action {
        /** Copies the list. */
        public Ping {
            nids = List.copyOf(nids);
        }
    }

    /** Discovers nodes. */
    @CliCommand(value = "discover", help = "find out the NIDs of nodes and tell them ours")
    record Discover(
            @CliOption(value = "NID …", help = "NIDs, lists with ranges, host names", words = true, required = true)
            List<String> nids,

            @CliOption(letter = 'f', help = "even what is up to date")
            boolean force)
            implements TargetOperation, Action {
        /** Copies the list. */
        public Discover {
            nids = List.copyOf(nids);
        }
    }
}
