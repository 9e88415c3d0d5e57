package org.railyard.campaign.spark;

import org.railyard.campaign.run.ChunkRunner;
import org.railyard.campaign.run.ChunkRunnerProvider;

/** Makes runners on Apache Spark. */
public final class SparkRunnerProvider implements ChunkRunnerProvider {
    /** For {@code ServiceLoader}. */
    public SparkRunnerProvider() {}

    @Override
    public ChunkRunner runner(String master) {
        return new SparkRunner(master, WorkMaker.Plain.MAKER);
    }
}
