package org.railyard.campaign;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.railyard.campaign.plan.CampaignKind;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.campaign.work.LabWork;
import org.railyard.campaign.work.RoutedFabric;
import org.railyard.campaign.work.SeedSpan;
import org.railyard.campaign.work.Works;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.sample.SampleTorus;

/** Small plans of each kind. */
public final class Plans {
    /** The version that they are made by. */
    public static final String VERSION = "railyard test";

    private static final String SMALL = """
        rails: {blue: {}}
        nodes:
          client: {devices: {eth0: blue}, config: &config {net: [{net type: tcp, local NI(s): [{interfaces: {0: eth0}}]}]}}
          server: {devices: {eth0: blue}, config: *config}
        load: [{from: client, to: server, rate: 20/s, start: 200ms, for: 500ms}]
        expect: {min_ok: %d}
        """;

    private Plans() {}

    /** Returns a plan of the lab: a scenario where all is well, and one with a hostile name that never is. */
    public static CampaignPlan lab(int seeds, int chunk) {
        return Works.plan(
                CampaignKind.LAB,
                VERSION,
                LabWork.describe(
                        new TreeMap<>(Map.of(
                                "a.yaml", SMALL.formatted(1), "b<script>'\",;$(x).yaml", SMALL.formatted(1_000_000))),
                        new SeedSpan(1, seeds),
                        ""),
                chunk);
    }

    /** Returns parameters and inputs of a torus of 3×3. */
    public static Map.Entry<SortedMap<String, String>, SortedMap<String, String>> torus() {
        SampleTorus torus = SampleTorus.torus(3, 3, 1, 1);
        return RoutedFabric.describe(NetFile.of(torus.fabric()).text(), Optional.of(torus.conf(1)), "torus-2qos");
    }

    /** Returns a plan of failures. */
    public static CampaignPlan failures(int together, String of, int sample, int chunk) {
        var described = torus();
        described
                .getKey()
                .putAll(Map.of(
                        "together",
                        Integer.toString(together),
                        "of",
                        of,
                        "sample",
                        Integer.toString(sample),
                        "seed",
                        "7",
                        "check",
                        "4"));
        return Works.plan(CampaignKind.FAILURES, VERSION, described, chunk);
    }

    /** Returns a plan of loads. */
    public static CampaignPlan loads() {
        var described = torus();
        described
                .getKey()
                .putAll(Map.of(
                        "pattern", "uniform",
                        "loads", "0.2,0.6",
                        "first-seed", "1",
                        "seeds", "3",
                        "mtu", "2048",
                        "window-us", "20"));
        return Works.plan(CampaignKind.LOAD, VERSION, described, 2);
    }

    /** Returns a plan of a subnet manager. */
    public static CampaignPlan sm(int seeds) {
        var described = torus();
        described.getKey().putAll(Map.of("first-seed", "1", "seeds", Integer.toString(seeds), "loss", "5"));
        return Works.plan(CampaignKind.SM, VERSION, described, 2);
    }
}
