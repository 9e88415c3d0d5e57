package org.railyard.conformance.verbs;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.AsyncListener;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsProvider;

/** A node with one loop, and the ends on it. */
final class Party implements AsyncListener {
    private final VerbsFixture fixture;
    private final VerbsProvider provider;
    private final EventLoop loop;
    private final List<AsyncEvent> asyncEvents = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<End> requests = new ConcurrentLinkedQueue<>();
    private final List<End> ends = new CopyOnWriteArrayList<>();
    private final List<String> outsideLoop = new CopyOnWriteArrayList<>();
    private @Nullable CmId listening;

    Party(VerbsFixture fixture, int node) {
        this.fixture = fixture;
        this.provider = fixture.provider(node);
        this.loop = provider.createEventLoop("test");
        for (VerbsDevice device : provider.devices()) {
            device.listen(loop, this);
        }
    }

    VerbsFixture fixture() {
        return fixture;
    }

    EventLoop loop() {
        return loop;
    }

    VerbsDevice device() {
        return provider.devices().getFirst();
    }

    /** Returns the names of callbacks that came from elsewhere. */
    List<String> outsideLoop() {
        return outsideLoop;
    }

    void noteCallback(String what) {
        if (!loop.isInLoop()) {
            outsideLoop.add(what);
        }
    }

    /** Does something in the loop, and returns what came of it. */
    <T> T call(Supplier<T> action) {
        AtomicReference<@Nullable Supplier<T>> outcome = new AtomicReference<>();
        loop.execute(() -> {
            try {
                T value = action.get();
                outcome.set(() -> value);
            } catch (RuntimeException e) {
                outcome.set(() -> {
                    throw e;
                });
            }
        });
        if (!fixture.await(() -> outcome.get() != null)) {
            throw new AssertionError("the loop does not run");
        }
        return Objects.requireNonNull(outcome.get()).get();
    }

    void run(Runnable action) {
        call(() -> {
            action.run();
            return Boolean.TRUE;
        });
    }

    boolean isListening() {
        return listening != null;
    }

    void listen(CmAddress address) {
        run(() -> {
            CmId id = provider.createId(loop, this::onListenerEvent);
            id.bind(address, false);
            id.listen();
            listening = id;
        });
    }

    private void onListenerEvent(CmId id, CmEvent event) {
        noteCallback("connection event");
        CmId request = event.request();
        if (request == null) {
            // An end that a request made reports to the same listener as the listening one.
            ends.stream().filter(end -> end.is(id)).forEach(end -> end.onCmEvent(id, event));
        } else {
            End end = new End(this, request, event);
            ends.add(end);
            requests.add(end);
        }
    }

    /** Waits for somebody who wants to connect. */
    End nextRequest() {
        if (!fixture.await(() -> !requests.isEmpty())) {
            throw new AssertionError("no request came");
        }
        return requests.remove();
    }

    boolean hasRequest() {
        return !requests.isEmpty();
    }

    /** Makes an end that knows nothing. */
    End newEnd() {
        return call(() -> new End(this, provider));
    }

    /** Makes an end that knows the way to an address. */
    End resolve(CmAddress address) {
        End end = newEnd();
        run(() -> end.id().resolveAddress(address, 5 * VerbsContract.SECOND));
        end.awaitEvent(CmEvent.Type.ADDRESS_RESOLVED);
        run(() -> end.id().resolveRoute(-1, 5 * VerbsContract.SECOND));
        end.awaitEvent(CmEvent.Type.ROUTE_RESOLVED);
        return end;
    }

    @Override
    public void onAsyncEvent(VerbsDevice device, AsyncEvent event) {
        noteCallback("asynchronous event");
        asyncEvents.add(event);
        if (event.type() == AsyncEvent.Type.QP_COMMUNICATION_ESTABLISHED) {
            ends.stream()
                    .filter(end -> end.qp().number() == event.qpNumber())
                    .forEach(end -> end.id().communicationEstablished());
        }
    }

    boolean had(AsyncEvent.Type type) {
        return asyncEvents.stream().anyMatch(event -> event.type() == type);
    }
}
