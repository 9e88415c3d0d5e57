package org.railyard.cli.campaign;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.railyard.campaign.plan.CampaignKind;
import org.railyard.campaign.work.FailureWork;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code railyard campaign failures}: sets of switches and cables that fail together. */
@Command(name = "failures", description = "Switches and cables of a fabric that fail together: all sets, or a sample.")
final class CampaignFailuresCommand implements Callable<Integer> {
    @Mixin
    private FabricChoice fabric = new FabricChoice();

    @Option(
            names = "--together",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many fail at once, 1 to " + FailureWork.MAX_TOGETHER + ". Default: ${DEFAULT-VALUE}.")
    private int together;

    @Option(
            names = "--of",
            paramLabel = "WHAT",
            defaultValue = "switches",
            description = "What fails: switches, cables (between switches) or all. Default: ${DEFAULT-VALUE}.")
    private String of = "";

    @Option(names = "--sample", paramLabel = "N", defaultValue = "0", description = "N random sets instead of all.")
    private long sample;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Seed of the sample. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--check",
            paramLabel = "N",
            defaultValue = "4",
            description = "N cases, evenly spread, are routed and proved as a whole, too, and compared, as with 'fabric"
                    + " whatif'. Default: ${DEFAULT-VALUE}.")
    private long checks;

    @Mixin
    private CampaignOptions options = new CampaignOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("together", Integer.toString(together));
        parameters.put("of", of);
        parameters.put("sample", Long.toString(sample));
        parameters.put("seed", Long.toString(seed));
        parameters.put("check", Long.toString(checks));
        return options.run(CampaignKind.FAILURES, fabric, parameters);
    }
}
