package org.railyard.campaign.run;

/**
 * Makes runners on other machines. Found through {@code ServiceLoader}; a provider has a public constructor without
 * parameters.
 */
public interface ChunkRunnerProvider {
    /**
     * Returns a runner.
     *
     * @param master where chunks are run, such as {@code local[*]} or {@code spark://host:7077}
     */
    ChunkRunner runner(String master);
}
