package org.railyard.cli.campaign;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.railyard.campaign.plan.CampaignKind;
import org.railyard.campaign.work.LabWork;
import org.railyard.campaign.work.SeedSpan;
import org.railyard.cli.lab.ScenarioNames;
import org.railyard.cli.lab.ScenarioSource;
import org.railyard.cli.lab.SeedRange;
import org.railyard.lab.fabric.TorusSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard campaign lab}: scenarios with many seeds. */
@Command(name = "lab", description = "Scenarios of the lab, each with many seeds.")
final class CampaignLabCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "SCENARIO",
            arity = "1..*",
            completionCandidates = ScenarioNames.class,
            description = "Files, or names of scenarios that 'lab list' shows.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--seeds",
            paramLabel = "A-B",
            converter = SeedRange.Converter.class,
            description = "The seeds of each scenario. Default: 1-100.")
    private SeedRange seeds = new SeedRange(1, 100);

    @Option(
            names = "--fidelity",
            paramLabel = "message|packet",
            description = "What travels on rails with a torus, whatever the scenarios say.")
    private TorusSettings.@Nullable Fidelity fidelity;

    @Mixin
    private CampaignOptions options = new CampaignOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (names.size() > LabWork.MAX_SCENARIOS) {
            throw new ParameterException(
                    spec.commandLine(),
                    "%d scenarios, expected at most %d".formatted(names.size(), LabWork.MAX_SCENARIOS));
        }
        Map<String, String> texts = new LinkedHashMap<>();
        for (String name : names) {
            if (ScenarioSource.read(name, fidelity, spec.commandLine().getErr()).isEmpty()) {
                return CampaignCommand.UNUSABLE;
            }
            texts.put(name, ScenarioSource.text(name));
        }
        return options.run(
                CampaignKind.LAB,
                LabWork.describe(
                        texts, new SeedSpan(seeds.first(), seeds.count()), fidelity == null ? "" : fidelity.text()));
    }
}
