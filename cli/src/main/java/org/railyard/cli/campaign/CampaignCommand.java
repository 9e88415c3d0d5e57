package org.railyard.cli.campaign;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.railyard.base.ErrnoException;
import org.railyard.campaign.CampaignFolder;
import org.railyard.campaign.run.ChunkRunner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code railyard campaign}: the kinds of campaigns, and how one that was interrupted goes on. */
@Command(
        name = "campaign",
        description = {
            "Run many cases by one plan: seeds, failures, loads, faults.",
            "All is kept in a folder: an interrupted campaign goes on with --resume, and its results are the same to"
                    + " the last byte."
        },
        subcommands = {
            CampaignLabCommand.class,
            CampaignFailuresCommand.class,
            CampaignLoadCommand.class,
            CampaignSmCommand.class
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:all cases were run and ended well",
            "1:a case did not end well, or could not be run; the output tells how to run it again",
            "2:a file cannot be read, or the command line is wrong",
        },
        footer = {
            "",
            "Examples:",
            "  railyard campaign lab rail-down lossy-wire --seeds 1-5000 --out seeds",
            "  railyard campaign failures --torus 6x6x6 --together 2 --out pairs",
            "  railyard campaign load --torus 4x4x4 --load 0.1:0.9:0.1 --seeds 1-20 --out loads",
            "  railyard campaign sm --torus 4x4x4 --loss 5 --seeds 1-1000 --out sweeps",
            "  railyard campaign --resume pairs"
        })
public final class CampaignCommand implements Callable<Integer> {
    static final int NOT_GOOD = 1;
    static final int UNUSABLE = 2;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--resume", paramLabel = "DIR", description = "Go on with the campaign in this folder.")
    private Optional<Path> folder = Optional.empty();

    @Mixin
    private RunnerOptions runner = new RunnerOptions();

    /** Makes the command. */
    public CampaignCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (folder.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "what to run is missing: lab, failures, load, sm, or --resume DIR");
        }
        ChunkRunner by = runner.runner(spec);
        try (CampaignFolder campaign = CampaignFolder.open(folder.get(), ProgramVersion.of(spec))) {
            return CampaignOptions.run(campaign, folder.get(), by, runner.json(), spec);
        } catch (ErrnoException e) {
            return CampaignOptions.refused(e, spec);
        }
    }
}
