package org.railyard.lnet.stack;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.host.LimitedLog;
import org.railyard.lnet.api.NodeEventKind;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/**
 * Messages that are thrown away: counted on the node, the NI and the peer NI, by type, and told to the log now and then
 * (spec 10 §9). Lines are written when the lock is free again.
 */
final class Drops {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");
    private static final String PROTOCOL = "protocol";

    private final Node node;
    private final LimitedLog log;
    private final LimitedLog details;

    Drops(Node node) {
        this.node = node;
        this.log = new LimitedLog(LOG, System.Logger.Level.WARNING, node.host.clock());
        this.details = new LimitedLog(LOG, System.Logger.Level.DEBUG, node.host.clock());
    }

    /** A message breaks the protocol: returns the status that closes the connection. Does not need the lock. */
    int refuse(String why, Pending work) {
        node.lock.lock();
        try {
            node.counters.count(Statistic.ERRORS);
        } finally {
            node.lock.unlock();
        }
        if (log.wants(PROTOCOL)) {
            work.calls.add(() -> log.log(PROTOCOL, why));
        }
        return Errno.EPROTO.status();
    }

    /** Counts a message that is dropped, and says so. */
    void drop(@Nullable LocalNi ni, @Nullable PeerNi peerNi, LNetHeader header, String why, Pending work) {
        drop(log, ni, peerNi, header, why, work);
    }

    private void drop(
            LimitedLog to, @Nullable LocalNi ni, @Nullable PeerNi peerNi, LNetHeader header, String why, Pending work) {
        node.lock.assertHeld();
        node.ledger.dropped(ni, peerNi, header);
        node.events.tell(NodeEventKind.MESSAGE_DROPPED, ni == null ? Nid.ANY : ni.nid(), header.srcNid(), why);
        if (to.wants(why)) {
            String line = "dropped " + header.type() + " from " + header.srcNid() + " to " + header.destNid()
                    + " portal " + header.portal() + " bits 0x" + Long.toHexString(header.matchBits()) + ": " + why;
            work.calls.add(() -> to.log(why, line));
        }
    }

    /** Drops a received message that nothing refers to any more. */
    void discard(Message message, String why, Pending work) {
        node.lock.assertHeld();
        drop(message.ni(), message.peerNi(), message.header(), why, work);
        forget(message);
    }

    /** Drops a received message that is nobody's fault: only a log of details tells. */
    void discardQuietly(Message message, String why, Pending work) {
        node.lock.assertHeld();
        drop(details, message.ni(), message.peerNi(), message.header(), why, work);
        forget(message);
    }

    private void forget(Message message) {
        node.release(message);
    }
}
