package org.railyard.cli.sm;

import org.railyard.base.ErrnoException;
import org.railyard.base.host.Traced;
import org.railyard.base.host.Tracer;
import org.railyard.host.RealHost;
import org.railyard.mad.smp.Notice;
import org.railyard.sm.SmListener;
import org.railyard.sm.SweepReport;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.role.SmRole;

/** Tells whoever records this process of sweeps; all goes on to the next listener. */
final class TracedSweeps implements SmListener {
    private final SmListener next;
    private final Tracer tracer;

    TracedSweeps(SmListener next, Tracer tracer) {
        this.next = next;
        this.tracer = tracer;
    }

    /** Tells the flight recorder of this process. */
    static TracedSweeps recorded(SmListener next) {
        return new TracedSweeps(next, new RealHost().tracer());
    }

    @Override
    public void swept(SweepReport report) {
        if (tracer.wants(Traced.Kind.SWEEP)) {
            tracer.trace(new Traced.Sweep(
                    report.number(),
                    report.reason(),
                    report.result(),
                    report.nanos(),
                    report.requests(),
                    report.switches(),
                    report.ends(),
                    report.linksDown()));
        }
        next.swept(report);
    }

    @Override
    public void published(SubnetSnapshot snapshot) {
        next.published(snapshot);
    }

    @Override
    public void trapped(Notice notice, int fromLid, String text) {
        next.trapped(notice, fromLid, text);
    }

    @Override
    public void noisy(int fromLid, boolean isIgnored, String text) {
        next.noisy(fromLid, isIgnored, text);
    }

    @Override
    public void failed(ErrnoException why) {
        next.failed(why);
    }

    @Override
    public void role(SmRole role, String why) {
        next.role(role, why);
    }
}
