package org.railyard.selftest.console;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.NodeState;
import org.railyard.selftest.rpc.IncomingRequest;
import org.railyard.selftest.wire.JoinRequest;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.SessionId;
import org.railyard.selftest.wire.WelcomeReply;

/** Decides about nodes that ask for a place in a group by themselves (spec 03 §6, item 9). */
public final class Admission {
    private Admission() {}

    /**
     * Takes a node into a group, or refuses. Called with the lock of the console held; the reply is sent without.
     *
     * @param session the session of the console; null if there is none
     * @param asked a request of the service JOIN
     * @return what to answer: ESRCH without a session, EPROTO for other features, EBUSY for another session or a group
     *     that is part of a test, EEXIST for a node that is in the group already, EINVAL and ENOSPC where {@code lst
     *     add_group} would be told so
     */
    public static WelcomeReply admit(@Nullable ConsoleSession session, IncomingRequest asked) {
        JoinRequest request = (JoinRequest) asked.request();
        if (session == null) {
            return new WelcomeReply(Errno.ESRCH.number(), SessionId.NONE, 0, "");
        }
        Errno refusal = refusal(session, asked, request);
        if (refusal == null) {
            refusal = add(session, asked.from(), request.group());
        }
        return new WelcomeReply(
                refusal == null ? 0 : refusal.number(), session.id(), session.timeoutSeconds(), session.name());
    }

    private static @Nullable Errno refusal(ConsoleSession session, IncomingRequest asked, JoinRequest request) {
        if (asked.features() != session.features()) {
            return Errno.EPROTO;
        }
        if (!request.session().isNone() && !request.session().equals(session.id())) {
            return Errno.EBUSY;
        }
        for (Group group : session.groups()) {
            if (group.name().equals(request.group())) {
                boolean used = session.batches().stream().anyMatch(batch -> batch.uses(group));
                return used ? Errno.EBUSY : group.has(asked.from()) ? Errno.EEXIST : null;
            }
        }
        return null;
    }

    private static @Nullable Errno add(ConsoleSession session, ProcessId from, String group) {
        try {
            ConsoleNode node = session.add(group, List.of(from)).getFirst();
            node.setState(NodeState.ACTIVE);
            node.setTimeout(session.timeoutSeconds());
            return null;
        } catch (ErrnoException e) {
            return e.errno();
        }
    }

    /** Returns the feature bits of the answer. */
    public static int features(@Nullable ConsoleSession session) {
        return session == null ? RpcMessage.KNOWN_FEATURES : session.features();
    }
}
