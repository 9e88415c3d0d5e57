package org.railyard.lab.check;

import java.util.LinkedHashMap;
import java.util.Map;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.observe.Call;
import org.railyard.lab.observe.CallWatch;
import org.railyard.lab.observe.Life;
import org.railyard.lab.observe.LndWatch;
import org.railyard.lab.observe.Outcome;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.Wire;

/** No request is handed to an LND after its deadline, for the first time or again, nor after its outcome (spec 10 §12.1, §15). */
public final class Deadlines extends Checker implements LndWatch, CallWatch {
    private final EventQueue queue;
    private final Map<Long, Call> open = new LinkedHashMap<>();

    /** Makes the checker. */
    public Deadlines(Findings findings, EventQueue queue) {
        super("deadline", findings);
        this.queue = queue;
    }

    @Override
    public void opened(Call call) {
        open.put(call.id(), call);
    }

    @Override
    public void closed(Call call, Outcome outcome) {
        open.remove(call.id());
    }

    @Override
    public void sending(Life life, LndNi ni, LndMessage message) {
        LNetHeader header = message.header();
        boolean request = header.type() == MessageType.PUT || header.type() == MessageType.GET;
        if (!request || header.portal() == Wire.RESERVED_PORTAL) {
            return;
        }
        Call call = open.get(header.matchBits());
        if (call == null) {
            report(life + " sends the " + header.type() + " of call " + header.matchBits() + ", which is over");
        } else if (queue.now() > call.deadline()) {
            report(call + " is sent " + (queue.now() - call.deadline()) / 1_000_000 + " ms after its deadline");
        }
    }
}
