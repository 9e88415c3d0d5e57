package org.railyard.cli.campaign;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.railyard.campaign.plan.CampaignKind;
import org.railyard.campaign.work.SeedSpan;
import org.railyard.campaign.work.SmWork;
import org.railyard.cli.lab.SeedRange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code railyard campaign sm}: a subnet manager from whose subnet a cable is pulled, with many seeds. */
@Command(
        name = "sm",
        description = {"A subnet manager, simulated, with lost MADs and a lost cable.", "With many seeds."})
final class CampaignSmCommand implements Callable<Integer> {
    @Mixin
    private FabricChoice fabric = new FabricChoice();

    @Option(
            names = "--seeds",
            paramLabel = "A-B",
            converter = SeedRange.Converter.class,
            description = "The seeds. Default: 1-100.")
    private SeedRange seeds = new SeedRange(1, 100);

    @Option(
            names = "--loss",
            paramLabel = "PERCENT",
            defaultValue = "0",
            description = "MADs that are lost, on each way, 0 to " + SmWork.MAX_LOSS + ". Default: ${DEFAULT-VALUE}.")
    private int loss;

    @Mixin
    private CampaignOptions options = new CampaignOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Map<String, String> parameters = new LinkedHashMap<>(new SeedSpan(seeds.first(), seeds.count()).parameters());
        parameters.put("loss", Integer.toString(loss));
        return options.run(CampaignKind.SM, fabric, parameters);
    }
}
