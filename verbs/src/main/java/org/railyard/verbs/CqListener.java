package org.railyard.verbs;

/** Hears of completions. */
@FunctionalInterface
public interface CqListener {
    /** Is told, once after each {@link Cq#arm}, that there is something to poll. */
    void onCompletions(Cq cq);
}
