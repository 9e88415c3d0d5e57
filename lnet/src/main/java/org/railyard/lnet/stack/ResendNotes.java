package org.railyard.lnet.stack;

import org.railyard.base.host.LimitedLog;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.MessagePath;
import org.railyard.lnet.model.PeerNi;

/** Counts and tells of messages that have another path after they failed (spec 10 §12.2). Needs the lock. */
final class ResendNotes {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");
    private static final String TOPIC = "resend";

    private final Node node;
    private final LimitedLog log;

    ResendNotes(Node node) {
        this.node = node;
        this.log = new LimitedLog(LOG, System.Logger.Level.INFO, node.host.clock());
    }

    /** Takes note of the path that a message has, if it is one of these. */
    void committed(Message message, LocalNi ni, PeerNi peerNi, Pending work) {
        node.lock.assertHeld();
        MessagePath path = message.path();
        if (!path.takeResent()) {
            return;
        }
        int attempt = path.retries() + 1;
        int most = Timeouts.retries(node.settings) + 1;
        node.counters.count(Statistic.RESEND_COUNT);
        node.events.resent(
                message.header().type(),
                ni.nid(),
                peerNi.nid(),
                path.failedSource(),
                path.failedTarget(),
                attempt,
                most,
                message.health());
        if (log.wants(TOPIC)) {
            String line = message.header().type() + " from " + path.failedSource() + " to " + path.failedTarget()
                    + " failed (" + message.health() + "), sent again from " + ni.nid() + " to " + peerNi.nid()
                    + ": attempt " + attempt + " of at most " + most;
            work.calls.add(() -> log.log(TOPIC, line));
        }
    }
}
