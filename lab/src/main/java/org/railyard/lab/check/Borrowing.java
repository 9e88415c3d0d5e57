package org.railyard.lab.check;

import org.railyard.base.wire.Wire;
import org.railyard.lab.observe.Call;
import org.railyard.lab.observe.CallWatch;
import org.railyard.lab.observe.LndWatch;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lab.observe.OpenCalls;
import org.railyard.lab.observe.Outcome;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.selftest.wire.Service;

/**
 * With the last event of a call its memory is the application's again: no LND of its node has a request of the call any
 * more (spec 10 §4.3).
 */
public final class Borrowing extends Checker implements LndWatch, CallWatch {
    private final OpenCalls open;

    /** Makes the checker. */
    public Borrowing(Violations findings, OpenCalls open) {
        super("memory", findings);
        this.open = open;
    }

    @Override
    public void sending(NodeRun life, LndNi ni, LndMessage message) {
        count(life, message, 1);
    }

    @Override
    public void refused(NodeRun life, LndNi ni, LndMessage message, int status) {
        count(life, message, -1);
    }

    @Override
    public void completing(NodeRun life, LndMessage message, int status, HealthStatus health) {
        count(life, message, -1);
    }

    private void count(NodeRun life, LndMessage message, int change) {
        LNetHeader header = message.header();
        boolean request = header.type() == MessageType.PUT || header.type() == MessageType.GET;
        if (!request || header.portal() == Wire.RESERVED_PORTAL || Service.isOfSelftest(header.portal())) {
            return;
        }
        Call call = open.find(header.matchBits());
        // A router passes on what is another node's, and an LND gives back what it received into.
        if (call != null && call.life() == life) {
            call.borrowers += change;
        }
    }

    @Override
    public void closed(Call call, Outcome outcome) {
        if (call.borrowers > 0 && call.life().end() != NodeRun.End.KILLED) {
            report(call + " has its last event, and an LND still has " + call.borrowers + " of its messages");
        }
    }
}
