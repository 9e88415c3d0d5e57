package org.railyard.sm.master;

import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.sm.sa.SaStore;

/**
 * What of subnet administration is kept in a store. Whatever goes wrong there hinders nothing else; it is told once,
 * not each time, until it goes well again. For the loop of the transport, but what was given to the store may end in
 * any thread.
 */
final class KeptState {
    private static final String WHAT = "multicast groups, services, subscriptions and alias GUIDs";

    /** Most different failures in a row that are told. */
    private static final int MAX_TOLD = 16;

    private final SaStore store;
    private final Consumer<String> told;
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    /** How many texts in a row were given while one was being written. */
    private int late;

    /** What was told and has not gone well since. */
    private final Set<String> failures = new ConcurrentSkipListSet<>();

    /**
     * Makes one.
     *
     * @param told hears what goes wrong, in any thread
     */
    KeptState(SaStore store, Consumer<String> told) {
        this.store = store;
        this.told = told;
    }

    /**
     * Returns what was kept.
     *
     * @throws RuntimeException if that is not possible; of whatever kind
     */
    String load() {
        return store.load();
    }

    /** Keeps another text instead. */
    void save(String text) {
        // One that comes just while another is written, as when it is over, is nothing to tell.
        late = last.isDone() ? 0 : late + 1;
        if (late > 1) {
            failed("what was given before is still being written, as by a file system that hangs; the newest follows");
        }
        CompletableFuture<Void> given;
        try {
            given = store.save(text);
        } catch (RuntimeException e) {
            given = CompletableFuture.failedFuture(e);
        }
        last = given.whenComplete((nothing, why) -> ended(why));
    }

    /** Waits until what was given is kept, as long as the store does. */
    void await() {
        try {
            store.await();
        } catch (RuntimeException e) {
            failed(text(e));
        }
    }

    /** Another master keeps there what it has from now on. */
    void leave() {
        store.leave();
    }

    private void ended(@Nullable Throwable why) {
        if (why instanceof CancellationException) {
            return;
        }
        if (why != null) {
            failed(text(why));
            return;
        }
        boolean isBack = !failures.isEmpty();
        failures.clear();
        if (isBack) {
            told.accept(WHAT + " are kept again");
        }
    }

    private static String text(Throwable why) {
        String message = why.getMessage();
        return message == null ? why.getClass().getSimpleName() : message;
    }

    private void failed(String why) {
        if (failures.size() < MAX_TOLD && failures.add(why)) {
            told.accept(WHAT + " are not kept: " + why);
        }
    }
}
