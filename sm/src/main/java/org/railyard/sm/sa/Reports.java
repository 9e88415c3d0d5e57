package org.railyard.sm.sa;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.ReportNotice;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MgmtClass;

/** Tells subscribers of notices, and waits for their confirmations (spec 41 §7.5). */
final class Reports {
    private static final long TIMEOUT = 200_000_000L;
    private static final int RETRIES = 3;

    /** Most reports to one port that wait: one that does not confirm them is not to take the places of others. */
    static final int MOST_TO_A_PORT = 128;

    private final MadRequests requests;
    private final Subscriptions subscriptions;
    private final int limit;
    /** By port GUID: how many reports wait for its confirmation. */
    private final Map<Long, Integer> waitingFor = new TreeMap<>();

    private int waiting;
    private long sent;
    private long unanswered;
    private long dropped;

    Reports(MadRequests requests, Subscriptions subscriptions, int limit) {
        this.requests = requests;
        this.subscriptions = subscriptions;
        this.limit = limit;
    }

    long sent() {
        return sent;
    }

    long unanswered() {
        return unanswered;
    }

    long dropped() {
        return dropped;
    }

    /**
     * Reports a notice to each subscriber that wants it.
     *
     * @param maySee by port index of the subscriber
     */
    void report(Notice notice, Gid issuer, SubnetView view, IntPredicate maySee) {
        List<Subscription> wanted = new ArrayList<>();
        subscriptions.forEach(one -> {
            int port = view.portOfGuid(one.guid());
            boolean isSeen = port != Fabric.NONE && (one.isTrusted() || maySee.test(port));
            if (isSeen && one.wants(notice, issuer)) {
                wanted.add(one);
            }
        });
        wanted.forEach(one -> send(notice, issuer, view, one));
    }

    private void send(Notice notice, Gid issuer, SubnetView view, Subscription to) {
        if (waiting >= limit || waitingFor.getOrDefault(to.guid(), 0) >= MOST_TO_A_PORT) {
            dropped++;
            return;
        }
        Fabric fabric = view.fabric();
        int lid = fabric.lid(view.portOfGuid(to.guid()));
        int sl = view.sl(fabric.lid(view.snapshot().smPort()), lid, 0);
        Mad report = Mad.create(MgmtClass.SA, MadMethod.REPORT).set(Mad.ATTRIBUTE_ID, ReportNotice.TYPE.id());
        ReportNotice data = report.data(ReportNotice.TYPE).setGid(ReportNotice.ISSUER_GID, issuer);
        data.notice().setAll(notice);
        MadAddress address =
                new MadAddress(lid, to.qpn(), MadAddress.GMP_Q_KEY, sl == PathSls.NO_SL ? 0 : sl, 0, 0, Gid.ZERO);
        try {
            requests.submit(
                    report,
                    address,
                    RequestSettings.DEFAULT.withTimeout(TIMEOUT, RETRIES),
                    outcome -> ended(to.guid(), outcome));
            waiting++;
            waitingFor.merge(to.guid(), 1, Integer::sum);
            sent++;
        } catch (ErrnoException _) {
            // Too many requests wait already, or the transport has ended: the subscriber will not hear of it.
            dropped++;
        }
    }

    private void ended(long guid, RequestOutcome outcome) {
        waiting--;
        waitingFor.computeIfPresent(guid, (_, count) -> count == 1 ? null : count - 1);
        unanswered += outcome instanceof RequestOutcome.Answered ? 0 : 1;
    }
}
