package org.railyard.lab.check;

import java.util.BitSet;
import org.railyard.lab.load.Content;
import org.railyard.lab.observe.Call;
import org.railyard.lab.observe.CallKind;
import org.railyard.lab.observe.CallWatch;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lab.observe.Outcome;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;

/** Nothing is delivered twice, nothing is confirmed that was not delivered, and what arrives is what was sent. */
public final class Delivery extends Checker implements CallWatch {
    private final Content content;
    private final BitSet delivered = new BitSet();
    private final BitSet asked = new BitSet();

    /** Makes the checker. */
    public Delivery(Violations findings, Content content) {
        super("delivery", findings);
        this.content = content;
    }

    @Override
    public void opened(Call call) {
        asked.set((int) call.id());
    }

    @Override
    public void atTarget(NodeRun life, Event event) {
        if (event.kind() != EventKind.PUT || event.status() != 0) {
            return;
        }
        int id = (int) Call.idOf(event.hdrData());
        int size = Call.sizeOf(event.hdrData());
        if (event.matchBits() != id || !asked.get(id)) {
            report(life + " got a PUT that nobody sent: match bits " + event.matchBits() + ", data " + event.hdrData());
        } else if (delivered.get(id)) {
            report(life + " got the PUT of call " + id + " twice");
        } else if (event.rlength() != size || event.mlength() != size) {
            report(life + " got " + event.mlength() + " of " + event.rlength() + " bytes of call " + id + ", expected "
                    + size);
        } else if (!content.isOf(event.md().memory().getFirst().asSlice(event.offset()), id, size)) {
            report(life + " got other bytes than were sent by call " + id + " of " + size + " bytes");
        }
        delivered.set(id);
    }

    @Override
    public void closed(Call call, Outcome outcome) {
        if (outcome != Outcome.OK) {
            return;
        }
        if (call.kind() == CallKind.PUT && !delivered.get((int) call.id())) {
            report(call + " was confirmed, but never delivered");
        }
        if (call.kind() == CallKind.GET && !content.isOf(call.memory(), call.id(), call.size())) {
            report(call + " fetched other bytes than there were");
        }
    }
}
