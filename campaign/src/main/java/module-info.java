/** Campaigns: scenarios of the lab, failures, loads and faults of a fabric, run many times by one plan. */
module org.railyard.campaign {
    requires static transitive org.jspecify;
    requires transitive org.railyard.base;
    requires transitive org.railyard.fabric;
    requires org.railyard.lab;
    requires org.railyard.mad;
    requires org.railyard.sm;

    exports org.railyard.campaign;
    exports org.railyard.campaign.plan;
    exports org.railyard.campaign.report;
    exports org.railyard.campaign.run;
    exports org.railyard.campaign.work;
}
