package org.railyard.cli.campaign;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.railyard.campaign.plan.CampaignKind;
import org.railyard.campaign.work.LoadWork;
import org.railyard.campaign.work.SeedSpan;
import org.railyard.cli.fabric.LoadList;
import org.railyard.cli.lab.SeedRange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code railyard campaign load}: loads of packets with many seeds. */
@Command(name = "load", description = "Loads of packets on a fabric, each with many seeds, as with 'fabric sim'.")
final class CampaignLoadCommand implements Callable<Integer> {
    @Mixin
    private FabricChoice fabric = new FabricChoice();

    @Option(
            names = "--pattern",
            paramLabel = "NAME",
            defaultValue = "uniform",
            description = "Who sends to whom, as for 'fabric sim'. Default: ${DEFAULT-VALUE}.")
    private String pattern = "";

    @Option(
            names = "--load",
            paramLabel = "A:B:STEP|A,B",
            defaultValue = "0.1:0.9:0.1",
            converter = LoadList.Converter.class,
            description = "What each host sends, as shares of its link, at most " + LoadWork.MAX_LOADS
                    + " of them. Default: ${DEFAULT-VALUE}.")
    private LoadList loads = new LoadList(List.of());

    @Option(
            names = "--seeds",
            paramLabel = "A-B",
            converter = SeedRange.Converter.class,
            description = "The seeds of each load. Default: 1-10.")
    private SeedRange seeds = new SeedRange(1, 10);

    @Option(
            names = "--mtu",
            paramLabel = "BYTES",
            defaultValue = "4096",
            description = "Payload of packets. Default: ${DEFAULT-VALUE}.")
    private int mtu;

    @Option(
            names = "--window",
            paramLabel = "US",
            defaultValue = "200",
            description = "Length of a measurement window, us. Default: ${DEFAULT-VALUE}.")
    private long window;

    @Mixin
    private CampaignOptions options = new CampaignOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Map<String, String> parameters = new LinkedHashMap<>(new SeedSpan(seeds.first(), seeds.count()).parameters());
        parameters.put("pattern", pattern);
        parameters.put("loads", loads.all().stream().map(String::valueOf).collect(Collectors.joining(",")));
        parameters.put("mtu", Integer.toString(mtu));
        parameters.put("window-us", Long.toString(window));
        return options.run(CampaignKind.LOAD, fabric, parameters);
    }
}
