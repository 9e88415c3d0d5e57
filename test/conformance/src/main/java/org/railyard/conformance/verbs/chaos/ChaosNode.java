package org.railyard.conformance.verbs.chaos;

import java.lang.foreign.ValueLayout;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsProvider;
import org.railyard.verbs.card.CardDevice;

/** A node that listens, with one loop. */
final class ChaosNode {
    /** An answer to a request takes up to so long, ns, */
    private static final int USUAL_ANSWER = 30_000_000;

    /** and now and then so long that the request is repeated. */
    private static final long LONG_ANSWER = 2_000_000_000L;

    private final ChaosRun run;
    private final int number;
    private final VerbsProvider provider;
    private final EventLoop loop;

    ChaosNode(ChaosRun run, int number, VerbsProvider provider) {
        this.run = run;
        this.number = number;
        this.provider = provider;
        this.loop = provider.createEventLoop("chaos");
        device().listen(loop, (_, event) -> run.guard(toString(), () -> onAsyncEvent(event)));
    }

    int number() {
        return number;
    }

    VerbsProvider provider() {
        return provider;
    }

    EventLoop loop() {
        return loop;
    }

    private VerbsDevice device() {
        return provider.devices().getFirst();
    }

    /** Does something in the loop. */
    void perform(Runnable action) {
        loop.execute(() -> run.guard(toString(), action));
    }

    void listen(CmAddress at) {
        perform(() -> {
            CmId id = provider.createId(loop, (which, event) -> run.guard(toString(), () -> onEvent(which, event)));
            id.bind(at, false);
            id.listen();
        });
    }

    private void onEvent(CmId id, CmEvent event) {
        CmId request = event.request();
        if (request == null) {
            run.ends().stream().filter(each -> each.is(id)).forEach(each -> each.onEvent(event));
            return;
        }
        ChaosEnd end = run.asked(this, request, event.privateData().get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        long delay = run.random().nextInt(3) == 0 ? 0 : run.random().nextInt(USUAL_ANSWER);
        loop.schedule(
                run.random().nextInt(20) == 0 ? LONG_ANSWER : delay, () -> run.guard(end.toString(), end::answer));
    }

    private void onAsyncEvent(AsyncEvent event) {
        if (event.type() == AsyncEvent.Type.QP_COMMUNICATION_ESTABLISHED) {
            run.ends().stream()
                    .filter(each -> each.node() == this && each.hasQp(event.qpNumber()))
                    .forEach(ChaosEnd::communicationEstablished);
        }
    }

    /** Returns how many queue pairs its card has. */
    int queuePairs() {
        return ((CardDevice<?>) device()).qpCount();
    }

    @Override
    public String toString() {
        return "node " + number;
    }
}
