package org.railyard.cli.sm;

import java.io.PrintWriter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.mad.smp.Notice;
import org.railyard.sm.SmListener;
import org.railyard.sm.SweepReport;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.role.SmRole;

/** Prints what a subnet manager does. */
final class SmPrinter implements SmListener {
    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean json;
    private final String wrote;
    private @Nullable SweepReport last;
    private long sweeps;
    private Runnable then = () -> {};
    private Runnable atFailure = () -> {};
    private @Nullable ErrnoException failure;

    SmPrinter(PrintWriter out, PrintWriter err, boolean json, String wrote) {
        this.out = out;
        this.err = err;
        this.json = json;
        this.wrote = wrote;
    }

    /** Returns the last report; empty before the first sweep has ended. */
    Optional<SweepReport> last() {
        return Optional.ofNullable(last);
    }

    /** Returns how many sweeps have ended. */
    long sweeps() {
        return sweeps;
    }

    /** Says what is done when a sweep has ended and was printed. */
    void then(Runnable task) {
        then = task;
    }

    /** Says what is done when the port has failed, which was printed. */
    void atFailure(Runnable task) {
        atFailure = task;
    }

    /** Returns whether the port has failed: the subnet manager has ended. */
    boolean hasFailed() {
        return failure != null;
    }

    @Override
    public void failed(ErrnoException why) {
        failure = why;
        err.println("the subnet manager has ended, the port failed: " + why.getMessage());
        err.flush();
        atFailure.run();
    }

    @Override
    public void swept(SweepReport report) {
        last = report;
        sweeps++;
        if (json) {
            print(SmText.json(report));
        } else {
            print(String.join(System.lineSeparator(), SmText.lines(report, wrote)));
        }
        then.run();
    }

    @Override
    public void role(SmRole role, String why) {
        print(json ? SmText.json(role, why) : role.text() + ": " + why);
    }

    @Override
    public void published(SubnetSnapshot snapshot) {
        // Reports tell enough.
    }

    @Override
    public void trapped(Notice notice, int fromLid, String text) {
        print(json ? SmText.json(notice, fromLid, text) : text);
    }

    @Override
    public void noisy(int fromLid, boolean isIgnored, String text) {
        print(json ? SmText.noiseJson(fromLid, isIgnored, text) : text);
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }
}
