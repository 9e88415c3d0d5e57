package org.railyard.lab.load;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.railyard.base.ErrnoException;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.observe.Call;
import org.railyard.lab.observe.CallKind;
import org.railyard.lab.observe.CallWatch;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lab.observe.OpenCalls;
import org.railyard.lab.observe.Outcome;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventHandler;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

/** Makes the calls of a run, and follows each to its outcome. Belongs to the thread of its run. */
public final class Client {
    private final EventQueue queue;
    private final Content content;
    private final CallWatch watch;
    private final UnaryOperator<EventHandler> interposer;
    private long calls;
    private final OpenCalls open;

    /**
     * Makes a client.
     *
     * @param queue tells the time
     * @param content payloads
     * @param watch is told of everything
     * @param open where calls are kept until they have their outcome
     * @param interposer gets each handler and returns the one to use; the identity in all runs but those that try out
     *     the checkers
     */
    public Client(
            EventQueue queue,
            Content content,
            CallWatch watch,
            OpenCalls open,
            UnaryOperator<EventHandler> interposer) {
        this.queue = queue;
        this.content = content;
        this.watch = watch;
        this.open = open;
        this.interposer = interposer;
    }

    /** The events of one call. */
    private final class Follower implements EventHandler {
        private final Call call;
        private final BiConsumer<Call, Outcome> then;
        private boolean closed;

        Follower(Call call, BiConsumer<Call, Outcome> then) {
            this.call = call;
            this.then = then;
        }

        @Override
        public void onEvent(Event event) {
            if (call.life().end() == NodeRun.End.KILLED) {
                return;
            }
            watch.event(call, event);
            count(event);
            if (event.unlinked()) {
                close(outcome());
            } else if (event.kind() == EventKind.SEND
                    && event.status() < 0
                    && !event.md().isUnlinked()) {
                // The answer that the descriptor still has room for will not come.
                event.md().unlink();
            }
        }

        private void count(Event event) {
            switch (event.kind()) {
                case SEND -> {
                    call.sends++;
                    call.sendStatus = event.status();
                }
                case ACK, REPLY -> {
                    call.answers++;
                    call.answerStatus = event.status();
                }
                case PUT, GET, UNLINK -> {}
            }
            call.unlinks += event.unlinked() ? 1 : 0;
            call.sequence = event.sequence();
        }

        private Outcome outcome() {
            if (call.answers > 0
                    ? call.answerStatus == 0
                    : !call.kind().isAnswered() && call.sends > 0 && call.sendStatus == 0) {
                return Outcome.OK;
            }
            if (call.life().end() != NodeRun.End.NONE) {
                return Outcome.ABANDONED;
            }
            return call.sends > 0 && call.sendStatus < 0 && call.answers == 0 ? Outcome.FAILED : Outcome.TIMED_OUT;
        }

        void close(Outcome outcome) {
            if (closed) {
                return;
            }
            closed = true;
            open.remove(call);
            watch.closed(call, outcome);
            if (call.kind() == CallKind.GET) {
                content.giveBack(call.memory());
            }
            then.accept(call, outcome);
        }
    }

    /**
     * Makes a call.
     *
     * @param life who asks
     * @param kind what
     * @param target of whom
     * @param size bytes
     * @param then is called with the outcome, once, maybe before this returns; not if the node is killed
     */
    public void call(NodeRun life, CallKind kind, Nid target, int size, BiConsumer<Call, Outcome> then) {
        long id = ++calls;
        MemorySegment memory = kind == CallKind.GET ? content.take(size) : content.stretch(id, size);
        Call call = new Call(id, life, kind, target, size, queue.now(), memory);
        Follower follower = new Follower(call, then);
        open.add(call);
        watch.opened(call);
        MdConfig config = new MdConfig(
                List.of(call.memory().asSlice(0, size)),
                kind.isAnswered() ? 2 : 1,
                0,
                Set.of(),
                true,
                interposer.apply(follower),
                call,
                0);
        try {
            ask(call, life.lnet().bind(config));
        } catch (ErrnoException e) {
            follower.close(Outcome.FAILED);
        }
    }

    private void ask(Call call, Md md) {
        call.bound(md);
        ProcessId target = ProcessId.of(call.target());
        if (call.kind() == CallKind.GET) {
            int offset = content.offset(call.id());
            call.life().lnet().get(md, Nid.ANY, target, LoadTarget.GET_PORTAL, call.id(), offset);
        } else {
            boolean ack = call.kind() == CallKind.PUT;
            call.life().lnet().put(md, ack, Nid.ANY, target, LoadTarget.PUT_PORTAL, call.id(), 0, call.hdrData());
        }
    }

    /** Closes the calls of a node that was killed: nobody will tell their outcome. */
    public void forget(NodeRun life) {
        for (Call call : open.of(life)) {
            open.remove(call);
            watch.closed(call, Outcome.ABANDONED);
        }
    }
}
