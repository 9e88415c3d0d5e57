package org.railyard.lab.run;

import org.jspecify.annotations.Nullable;
import org.railyard.lab.check.Borrowing;
import org.railyard.lab.check.CallRules;
import org.railyard.lab.check.Conservation;
import org.railyard.lab.check.Deadlines;
import org.railyard.lab.check.Delivery;
import org.railyard.lab.check.Expectations;
import org.railyard.lab.check.LndContractChecker;
import org.railyard.lab.check.StackInvariants;
import org.railyard.lab.check.TargetRules;
import org.railyard.lab.observe.Call;
import org.railyard.lab.observe.CallWatch;
import org.railyard.lab.observe.Journal;
import org.railyard.lab.observe.LndWatch;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lab.observe.Outcome;
import org.railyard.lab.observe.RunRecorder;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/**
 * Tells whoever watches a run what happens, the journal first. Calls by name, and only who has something to do: a list
 * would have each asked each time, by an interface that all implement, which the first compiler can not see through.
 *
 * @param journal writes everything down
 * @param recorder keeps a run for a picture; null for nobody
 */
record RunWatch(
        Journal journal,
        LndContractChecker lndContract,
        CallRules callRules,
        Deadlines deadlines,
        Borrowing borrowing,
        Delivery delivery,
        Conservation conservation,
        TargetRules targetRules,
        StackInvariants invariants,
        Expectations expectations,
        Tally tally,
        @Nullable RunRecorder recorder)
        implements LndWatch, CallWatch {
    @Override
    public void sending(NodeRun life, LndNi ni, LndMessage message) {
        journal.sending(life, ni, message);
        lndContract.sending(life, ni, message);
        deadlines.sending(life, ni, message);
        conservation.sending(life, ni, message);
        invariants.sending(life, ni, message);
        if (recorder != null) {
            recorder.sending(life, ni, message);
        }
    }

    @Override
    public void refused(NodeRun life, LndNi ni, LndMessage message, int status) {
        journal.refused(life, ni, message, status);
        lndContract.refused(life, ni, message, status);
        borrowing.refused(life, ni, message, status);
        conservation.refused(life, ni, message, status);
        if (recorder != null) {
            recorder.refused(life, ni, message, status);
        }
    }

    @Override
    public void completing(NodeRun life, LndMessage message, int status, HealthStatus health) {
        journal.completing(life, message, status, health);
        lndContract.completing(life, message, status, health);
        borrowing.completing(life, message, status, health);
        conservation.completing(life, message, status, health);
        invariants.completing(life, message, status, health);
        if (recorder != null) {
            recorder.completing(life, message, status, health);
        }
    }

    @Override
    public void arriving(NodeRun life, LndNi ni, LNetHeader header, Nid from) {
        journal.arriving(life, ni, header, from);
        conservation.arriving(life, ni, header, from);
        tally.arriving(life, ni, header, from);
        if (recorder != null) {
            recorder.arriving(life, ni, header, from);
        }
    }

    @Override
    public void unwanted(NodeRun life, LndNi ni, LNetHeader header, int status) {
        journal.unwanted(life, ni, header, status);
        conservation.unwanted(life, ni, header, status);
    }

    @Override
    public void receiving(NodeRun life, LndNi ni, @Nullable LndMessage message, int mlen) {
        lndContract.receiving(life, ni, message, mlen);
        conservation.receiving(life, ni, message, mlen);
    }

    @Override
    public void expecting(NodeRun life, LndNi ni, LndMessage reply) {
        lndContract.expecting(life, ni, reply);
        conservation.expecting(life, ni, reply);
        if (recorder != null) {
            recorder.expecting(life, ni, reply);
        }
    }

    @Override
    public void device(NodeRun life, LndNi ni, DeviceEvent event) {
        journal.device(life, ni, event);
    }

    @Override
    public void opened(Call call) {
        journal.opened(call);
        callRules.opened(call);
        delivery.opened(call);
        if (recorder != null) {
            recorder.opened(call);
        }
    }

    @Override
    public void event(Call call, Event event) {
        journal.event(call, event);
        callRules.event(call, event);
    }

    @Override
    public void closed(Call call, Outcome outcome) {
        journal.closed(call, outcome);
        callRules.closed(call, outcome);
        borrowing.closed(call, outcome);
        delivery.closed(call, outcome);
        expectations.closed(call, outcome);
        tally.closed(call, outcome);
        if (recorder != null) {
            recorder.closed(call, outcome);
        }
    }

    @Override
    public void atTarget(NodeRun life, Event event) {
        journal.atTarget(life, event);
        delivery.atTarget(life, event);
        targetRules.atTarget(life, event);
    }
}
