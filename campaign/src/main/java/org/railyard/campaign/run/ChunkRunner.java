package org.railyard.campaign.run;

import java.util.List;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.campaign.plan.CaseChunk;
import org.railyard.campaign.work.Work;

/** Runs chunks. */
@FunctionalInterface
public interface ChunkRunner {
    /**
     * Runs chunks, and returns when all of them were told to the sink. A chunk that can not be
     * run costs that chunk only.
     *
     * @param plan the plan
     * @param work the same, ready to run here
     * @param chunks those that are to be run
     * @param sink takes what comes of them
     * @throws InterruptedException if interrupted; chunks under way are given up
     */
    void run(CampaignPlan plan, Work work, List<CaseChunk> chunks, ChunkSink sink) throws InterruptedException;
}
