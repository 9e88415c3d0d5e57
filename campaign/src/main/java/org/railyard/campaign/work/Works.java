package org.railyard.campaign.work;

import java.util.Map;
import java.util.SortedMap;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.campaign.plan.CampaignKind;
import org.railyard.campaign.plan.CampaignPlan;

/** Makes work of plans, and plans of what people want. */
public final class Works {
    private Works() {}

    /**
     * Reads the inputs of a plan.
     *
     * @throws ErrnoException EINVAL with what was found and expected
     */
    public static Work of(CampaignPlan plan) {
        Work work = read(plan);
        if (work.cases() != plan.cases()) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "the plan has %d cases, but its parameters make %d".formatted(plan.cases(), work.cases()));
        }
        return work;
    }

    /**
     * Makes a plan.
     *
     * @param described parameters and inputs
     * @param chunkCases cases of a chunk; 0 for what is usual
     * @throws ErrnoException EINVAL with what was found and expected
     */
    public static CampaignPlan plan(
            CampaignKind kind,
            String version,
            Map.Entry<SortedMap<String, String>, SortedMap<String, String>> described,
            int chunkCases) {
        CampaignPlan first = new CampaignPlan(kind, version, described.getKey(), described.getValue(), 1, 1);
        long cases = read(first).cases();
        int chunk = chunkCases == 0 ? CampaignPlan.chunkCases(cases, usualChunk(kind)) : chunkCases;
        return new CampaignPlan(kind, version, described.getKey(), described.getValue(), cases, chunk);
    }

    private static Work read(CampaignPlan plan) {
        return switch (plan.kind()) {
            case LAB -> new LabWork(plan);
            case FAILURES -> new FailureWork(plan);
            case LOAD -> new LoadWork(plan);
            case SM -> new SmWork(plan);
        };
    }

    /** Some seconds of work each, so that little is lost with a chunk, and a disk has not much to do. */
    private static int usualChunk(CampaignKind kind) {
        return switch (kind) {
            case LAB -> 20;
            case FAILURES -> 200;
            case LOAD -> 1;
            case SM -> 20;
        };
    }
}
