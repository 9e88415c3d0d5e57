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

    /** An LND gets a request of a call of its node. */
    void lent(Call call) {
        call.borrowers++;
    }

    @Override
    public void refused(NodeRun life, LndNi ni, LndMessage message, int status) {
        giveBack(life, message);
    }

    @Override
    public void completing(NodeRun life, LndMessage message, int status, HealthStatus health) {
        giveBack(life, message);
    }

    private void giveBack(NodeRun life, LndMessage message) {
        LNetHeader header = message.header();
        if (!isRequest(header)) {
            return;
        }
        Call call = open.find(header.matchBits());
        // A router passes on what is another node's, and an LND gives back what it received into.
        if (call != null && call.life() == life) {
            call.borrowers--;
        }
    }

    /** Tells whether a message is a request of an application. */
    static boolean isRequest(LNetHeader header) {
        MessageType type = header.type();
        return (type == MessageType.PUT || type == MessageType.GET)
                && header.portal() != Wire.RESERVED_PORTAL
                && !Service.isOfSelftest(header.portal());
    }

    @Override
    public void closed(Call call, Outcome outcome) {
        if (call.borrowers > 0 && call.life().end() != NodeRun.End.KILLED) {
            report(call + " has its last event, and an LND still has " + call.borrowers + " of its messages");
        }
    }
}
