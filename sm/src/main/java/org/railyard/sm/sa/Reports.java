package org.railyard.sm.sa;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
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

/**
 * Tells subscribers of notices, and waits for their confirmations (spec 41 §7.5). A port has one report on its way at a
 * time: of two, one that is lost and sent again would come after the one that followed it, and the port would take for
 * true what has changed since. What waits is the notice, one for all subscribers, so that a port hears of all that
 * changes when half a subnet loses its power.
 */
final class Reports {
    private static final long TIMEOUT = 200_000_000L;
    private static final int RETRIES = 3;

    /** Most reports to one port that wait. */
    static final int MOST_TO_A_PORT = 16_384;

    /** The same for one that has not confirmed the last one: it is not to take the places of others. */
    static final int MOST_TO_A_SILENT_PORT = 128;

    private final MadRequests requests;
    private final Subscriptions subscriptions;
    private final int limit;
    private final Map<Long, Line> lines = new TreeMap<>();

    private @Nullable SubnetView view;
    private int waiting;
    private long sent;
    private long unanswered;
    private long dropped;

    private record Waiting(Subscription to, Notice notice, Gid issuer) {}

    /** What one port has not confirmed yet, in the order of the changes. */
    private static final class Line {
        final Deque<Waiting> reports = new ArrayDeque<>();
        boolean isOnItsWay;
        boolean isSilent;

        int count() {
            return reports.size() + (isOnItsWay ? 1 : 0);
        }
    }

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

    /** Takes the subnet as it is from now on, and forgets what waits for ports that are gone. */
    void update(SubnetView now) {
        view = now;
        lines.forEach((guid, line) -> {
            if (now.portOfGuid(guid) == Fabric.NONE) {
                waiting -= line.reports.size();
                line.reports.clear();
            }
        });
        lines.values().removeIf(line -> line.count() == 0);
    }

    /**
     * Reports a notice to each subscriber that wants it; before the first subnet there are none.
     *
     * @param maySee by port index of the subscriber
     */
    void report(Notice notice, Gid issuer, IntPredicate maySee) {
        SubnetView now = view;
        if (now == null) {
            return;
        }
        List<Subscription> wanted = new ArrayList<>();
        subscriptions.forEach(one -> {
            int port = now.portOfGuid(one.guid());
            boolean isSeen = port != Fabric.NONE && (one.isTrusted() || maySee.test(port));
            if (isSeen && one.wants(notice, issuer)) {
                wanted.add(one);
            }
        });
        if (!wanted.isEmpty()) {
            Notice kept = Notice.TYPE.copy(notice);
            wanted.forEach(one -> add(new Waiting(one, kept, issuer)));
        }
    }

    /** Checks what always holds: reports are counted, bounded, and one of each port that has some is on its way. */
    void checkInvariants() {
        int count = 0;
        for (Line line : lines.values()) {
            count += line.count();
            if (!line.isOnItsWay && !line.reports.isEmpty()) {
                throw new IllegalStateException(line.reports.size() + " reports to a port wait for nothing");
            }
        }
        if (count != waiting || waiting > limit) {
            throw new IllegalStateException(
                    "%d reports wait, counted as %d, of at most %d".formatted(count, waiting, limit));
        }
    }

    private void add(Waiting report) {
        long guid = report.to.guid();
        Line line = lines.getOrDefault(guid, new Line());
        int most = line.isSilent ? MOST_TO_A_SILENT_PORT : MOST_TO_A_PORT;
        // Nobody gets more places than are left to all others.
        if (line.count() >= Math.min(most, limit - waiting)) {
            dropped++;
            return;
        }
        lines.put(guid, line);
        line.reports.addLast(report);
        waiting++;
        sendNext(guid, line);
    }

    private void sendNext(long guid, Line line) {
        while (!line.isOnItsWay && !line.reports.isEmpty()) {
            Waiting next = line.reports.removeFirst();
            line.isOnItsWay = send(next, line);
            waiting -= line.isOnItsWay ? 0 : 1;
        }
        if (line.count() == 0 && !line.isSilent) {
            lines.remove(guid, line);
        }
    }

    /** Returns whether it was sent; whoever has left, or ended its subscription meanwhile, hears no more. */
    private boolean send(Waiting next, Line line) {
        long guid = next.to.guid();
        SubnetView now = view;
        int port = now == null ? Fabric.NONE : now.portOfGuid(guid);
        if (now == null || port == Fabric.NONE || !subscriptions.has(next.to)) {
            return false;
        }
        int lid = now.fabric().lid(port);
        int sl = now.sl(now.fabric().lid(now.snapshot().smPort()), lid, 0);
        MadAddress address =
                new MadAddress(lid, next.to.qpn(), MadAddress.GMP_Q_KEY, sl == PathSls.NO_SL ? 0 : sl, 0, 0, Gid.ZERO);
        Mad report = Mad.create(MgmtClass.SA, MadMethod.REPORT).set(Mad.ATTRIBUTE_ID, ReportNotice.TYPE.id());
        ReportNotice data = report.data(ReportNotice.TYPE).setGid(ReportNotice.ISSUER_GID, next.issuer);
        data.notice().setAll(next.notice);
        try {
            requests.submit(
                    report,
                    address,
                    RequestSettings.DEFAULT.withTimeout(TIMEOUT, RETRIES),
                    outcome -> ended(guid, line, outcome));
            sent++;
            return true;
        } catch (ErrnoException _) {
            // Too many requests wait already, or the transport has ended: the subscriber will not hear of it.
            dropped++;
            return false;
        }
    }

    private void ended(long guid, Line line, RequestOutcome outcome) {
        waiting--;
        line.isOnItsWay = false;
        line.isSilent = !(outcome instanceof RequestOutcome.Answered);
        unanswered += line.isSilent ? 1 : 0;
        while (line.isSilent && line.reports.size() > MOST_TO_A_SILENT_PORT) {
            line.reports.removeLast();
            waiting--;
            dropped++;
        }
        sendNext(guid, line);
    }
}
