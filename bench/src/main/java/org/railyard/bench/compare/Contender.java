package org.railyard.bench.compare;

import java.io.IOException;
import java.util.Optional;

/**
 * Someone who takes part in one {@link Measure}.
 *
 * <p>{@link #run} is called once per round, warm-up rounds included, each time from another thread but never twice at
 * once. What is expensive to start may live from the first round until {@link #close}.
 */
public interface Contender extends AutoCloseable {
    /** Returns the name of its row, at most some 20 characters. */
    String name();

    /** Returns what it takes part in. */
    Measure measure();

    /** Tells whether the others are divided by it: a peer has a ratio column of its own. */
    boolean isPeer();

    /** Returns why it cannot run on this machine, or empty if it can. */
    default Optional<String> absence() {
        return Optional.empty();
    }

    /**
     * Measures one round.
     *
     * @return the sample of this round, of the kind and in the unit of {@link #measure()}
     * @throws IOException if the round failed; the contender then takes no further part
     * @throws InterruptedException if the round took too long and was called off
     */
    Sample run(RoundSettings settings) throws IOException, InterruptedException;

    /** Returns what else is worth knowing of the rounds so far; asked after the last one. */
    default Optional<String> note() {
        return Optional.empty();
    }

    /**
     * Lets go what was kept between rounds; called once, after the last round.
     *
     * @throws IOException if that failed
     */
    @Override
    default void close() throws IOException {}
}
