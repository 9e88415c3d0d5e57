package org.railyard.cli.lnetctl.top;

import java.util.Map;

/** Where figures come from. Called from one thread at a time. */
@FunctionalInterface
public interface NodeSource {
    /**
     * Returns the figures of the node now, as the operation {@code stats/sample} does.
     *
     * @throws UnavailableException if it has none, or does not answer
     */
    Map<String, Object> sample() throws UnavailableException;
}
