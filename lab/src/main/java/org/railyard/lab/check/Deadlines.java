package org.railyard.lab.check;

import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.observe.Call;
import org.railyard.lab.observe.LndWatch;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lab.observe.OpenCalls;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.wire.LNetHeader;

/**
 * No request is handed to an LND after its deadline, for the first time or again, nor after its outcome (spec 10 §12.1,
 * §15). That is the duty of the node that asks: a router does not know deadlines and drops nothing for its age (spec 11
 * §6.9).
 */
public final class Deadlines extends Checker implements LndWatch {
    private final EventQueue queue;
    private final OpenCalls open;
    private final Borrowing borrowing;

    /**
     * Makes the checker.
     *
     * @param borrowing is told of the requests: each send is looked up once
     */
    public Deadlines(Violations findings, EventQueue queue, OpenCalls open, Borrowing borrowing) {
        super("deadline", findings);
        this.queue = queue;
        this.open = open;
        this.borrowing = borrowing;
    }

    @Override
    public void sending(NodeRun life, LndNi ni, LndMessage message) {
        LNetHeader header = message.header();
        if (!Borrowing.isRequest(header)) {
            return;
        }
        Call call = open.find(header.matchBits());
        if (call != null && call.life() == life) {
            borrowing.lent(call);
            check(call);
        } else if (life.nids().contains(header.srcNid())) {
            if (call == null) {
                report(life + " sends the " + header.type() + " of call " + header.matchBits() + ", which is over");
            } else {
                check(call);
            }
        }
    }

    private void check(Call call) {
        if (queue.now() > call.deadline()) {
            report(call + " is sent " + (queue.now() - call.deadline()) / 1_000_000 + " ms after its deadline");
        }
    }
}
