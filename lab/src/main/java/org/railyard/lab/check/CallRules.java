package org.railyard.lab.check;

import java.util.List;
import org.railyard.base.Errno;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.observe.Call;
import org.railyard.lab.observe.CallKind;
import org.railyard.lab.observe.CallWatch;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lab.observe.OpenCalls;
import org.railyard.lab.observe.Outcome;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;

/**
 * Every call has exactly one outcome within its deadline; its events come in an allowed order, and the last one, and
 * only that, says unlinked (spec 10 §4.3, §5.3, §16).
 */
public final class CallRules extends Checker implements CallWatch {
    /** The monitor looks once a second, and what it ends may wait for a turn. */
    private static final long GRANULARITY_NANOS = 2_000_000_000L;

    private final EventQueue queue;

    private final OpenCalls open;
    private long newest;
    private long reported;

    /** Makes the checker. */
    public CallRules(Violations findings, EventQueue queue, OpenCalls open) {
        super("call", findings);
        this.queue = queue;
        this.open = open;
    }

    @Override
    public void opened(Call call) {
        newest = call.id();
    }

    @Override
    public void event(Call call, Event event) {
        EventKind kind = event.kind();
        if (call.unlinks > 0) {
            report(call + ": " + kind + " after the event that said unlinked");
            return;
        }
        if (event.md() != call.md() && call.md() != null) {
            report(call + ": " + kind + " of another memory descriptor");
        }
        if (event.sequence() <= call.sequence) {
            report(call + ": " + kind + " has number " + event.sequence() + " after number " + call.sequence);
        }
        switch (kind) {
            case SEND -> sendEvent(call, event);
            case ACK -> answer(call, event, CallKind.PUT);
            case REPLY -> answer(call, event, CallKind.GET);
            case UNLINK -> unlinkEvent(call, event);
            case PUT, GET -> report(call + ": " + kind + " at the node that asked");
        }
        int late = status(call, event);
        if (late == 0
                && event.unlinked()
                && kind == EventKind.SEND
                && call.kind().isAnswered()
                && call.answers == 0) {
            report(call + ": the last event is a SEND without failure; the answer is lost");
        }
    }

    private static int status(Call call, Event event) {
        return call.life().goesOn() ? event.status() : Errno.ESHUTDOWN.status();
    }

    private void sendEvent(Call call, Event event) {
        if (call.sends > 0) {
            report(call + ": a second SEND");
        }
        if (event.status() < 0 && call.answers > 0 && call.answerStatus == 0) {
            report(call + ": SEND failed with " + Errno.describe(event.status()) + " after a good answer");
        }
    }

    private void answer(Call call, Event event, CallKind expected) {
        if (call.kind() != expected) {
            report(call + ": an unexpected " + event.kind());
        }
        if (call.answers > 0) {
            report(call + ": a second " + event.kind());
        }
        if (call.sends > 0 && call.sendStatus < 0) {
            report(call + ": " + event.kind() + " after SEND failed with " + Errno.describe(call.sendStatus));
        }
        if (event.status() == 0 && event.mlength() != call.size()) {
            report(call + ": " + event.kind() + " tells " + event.mlength() + " bytes");
        }
    }

    private void unlinkEvent(Call call, Event event) {
        if (!event.unlinked()) {
            report(call + ": UNLINK that does not say unlinked");
        }
        if (call.life().goesOn() && (call.sends == 0 || call.sendStatus == 0) && !isAnswerOverdue(call)) {
            report(call + ": UNLINK, though nobody unlinked it; expected SEND and an answer");
        }
    }

    /** With {@code response_timeout_event: unlink}, all that is told of an answer that does not come (spec 10 §16). */
    private boolean isAnswerOverdue(Call call) {
        return call.life().isSilenceAnUnlink() && call.isAnswerAwaited() && queue.now() >= call.deadline();
    }

    /**
     * Returns how late an outcome may be: memory that a card may be writing to at the deadline is given back when the
     * transport's own limit has passed.
     */
    private static long grace(Call call) {
        boolean cards = call.life().machine().cards() != null;
        return GRANULARITY_NANOS + (cards ? call.life().transactionNanos() / 2 : 0);
    }

    @Override
    public void closed(Call call, Outcome outcome) {
        long late = queue.now() - call.deadline();
        if (late > grace(call) && call.life().goesOn()) {
            report(call + ": " + outcome + " " + late / 1_000_000 + " ms after its deadline");
        }
    }

    @Override
    public void tick(long now, List<NodeRun> lives) {
        Call call = open.oldest(newest);
        if (call == null || call.id() == reported) {
            return;
        }
        long late = now - call.deadline();
        if (late > grace(call) && call.life().goesOn()) {
            reported = call.id();
            report(call + ": no outcome " + late / 1_000_000 + " ms after its deadline");
        }
    }

    @Override
    public void closed(NodeRun life) {
        for (Call call : open.of(life)) {
            report(call + ": no outcome, though its node is closed");
        }
    }
}
