package org.railyard.lab.check;

import java.util.List;
import org.railyard.base.Errno;
import org.railyard.lab.observe.Call;
import org.railyard.lab.observe.CallWatch;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lab.observe.Outcome;
import org.railyard.lab.scenario.Scenario;

/** What the scenario itself expects. */
public final class Expectations extends Checker implements CallWatch {
    private final Scenario.Expect expect;
    private long ok;

    /** Makes the checker. */
    public Expectations(Violations findings, Scenario.Expect expect) {
        super("expect", findings);
        this.expect = expect;
    }

    @Override
    public void closed(Call call, Outcome outcome) {
        switch (outcome) {
            case OK -> ok++;
            case FAILED -> {
                if (!expect.allowFailures()) {
                    report(call + " failed with " + Errno.describe(call.sendStatus));
                }
            }
            case TIMED_OUT -> {
                if (!expect.allowTimeouts()) {
                    report(call + " got no answer");
                }
            }
            case ABANDONED -> {}
        }
    }

    @Override
    public void atRest(List<NodeRun> lives) {
        if (ok < expect.minOk()) {
            report(ok + " calls ended well, expected at least " + expect.minOk());
        }
    }
}
