package org.railyard.campaign.spark;

import java.io.Serializable;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.campaign.work.Work;
import org.railyard.campaign.work.Works;

/** Makes work of a plan, on an executor; makers that are equal make the same. */
interface WorkMaker extends Serializable {
    Work of(CampaignPlan plan);

    /** Makes what the plan says. */
    enum Plain implements WorkMaker {
        /** The only one. */
        MAKER;

        @Override
        public Work of(CampaignPlan plan) {
            return Works.of(plan);
        }
    }
}
