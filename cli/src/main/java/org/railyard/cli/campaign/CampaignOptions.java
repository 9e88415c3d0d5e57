package org.railyard.cli.campaign;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.base.text.ShellWord;
import org.railyard.campaign.CampaignFolder;
import org.railyard.campaign.plan.CampaignKind;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.campaign.report.RowSummary;
import org.railyard.campaign.run.ChunkRunner;
import org.railyard.campaign.work.Works;
import org.railyard.cli.fabric.FabricInputException;
import org.railyard.cli.text.CommandText;
import org.railyard.cli.text.JsonOption;
import org.railyard.cli.text.ProgressBar;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where a campaign is kept and how it is cut up: options of every kind of campaign. */
final class CampaignOptions {
    /** Cases that the output names; the others are in files. */
    private static final int MAX_TOLD = 10;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--out", paramLabel = "DIR", required = true, description = "A new folder for the campaign.")
    private Path folder = Path.of("");

    @Option(
            names = "--chunk",
            paramLabel = "N",
            description = "Cases that are run, and kept, together, 1 to " + CampaignPlan.MAX_CHUNK_CASES
                    + ". Default: some seconds of work.")
    private Optional<Integer> chunk = Optional.empty();

    @Mixin
    private RunnerOptions runner = new RunnerOptions();

    CampaignOptions() {}

    /**
     * Makes a plan about a fabric, and runs it.
     *
     * @param parameters of this kind of campaign, beside those of the fabric
     */
    int run(CampaignKind kind, FabricChoice fabric, Map<String, String> parameters)
            throws IOException, InterruptedException {
        try {
            Map.Entry<SortedMap<String, String>, SortedMap<String, String>> described = fabric.describe();
            described.getKey().putAll(parameters);
            return run(kind, described);
        } catch (FabricInputException e) {
            e.print(spec.commandLine().getErr());
            return CampaignCommand.UNUSABLE;
        }
    }

    /** Makes a plan, and runs it. */
    int run(CampaignKind kind, Map.Entry<SortedMap<String, String>, SortedMap<String, String>> described)
            throws IOException, InterruptedException {
        if (chunk.isPresent() && (chunk.get() < 1 || chunk.get() > CampaignPlan.MAX_CHUNK_CASES)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--chunk %d: expected 1 to %d".formatted(chunk.get(), CampaignPlan.MAX_CHUNK_CASES));
        }
        ChunkRunner by = runner.runner(spec);
        try {
            CampaignPlan plan = Works.plan(kind, ProgramVersion.of(spec), described, chunk.orElse(0));
            try (CampaignFolder campaign = CampaignFolder.create(folder, plan, CommandText.of(spec))) {
                return run(campaign, folder, by, runner.json(), spec);
            }
        } catch (ErrnoException e) {
            return refused(e, spec);
        }
    }

    /** Tells what is wrong with what was asked for, and returns the exit code; other failures are thrown on. */
    static int refused(ErrnoException failure, CommandSpec spec) {
        if (failure.errno() != Errno.EINVAL
                && failure.errno() != Errno.EEXIST
                && failure.errno() != Errno.ENOENT
                && failure.errno() != Errno.EBUSY) {
            throw failure;
        }
        spec.commandLine().getErr().println("railyard: " + oneLine(said(failure)));
        return CampaignCommand.UNUSABLE;
    }

    /** What is wrong, without the name of the error, which says nothing to who typed the command. */
    private static String said(ErrnoException failure) {
        String message = String.valueOf(failure.getMessage());
        String name = failure.errno().name() + ": ";
        return message.startsWith(name) ? message.substring(name.length()) : message;
    }

    private static String oneLine(String text) {
        return text.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
    }

    /** Runs what is open of a campaign, and tells what came of it. */
    static int run(CampaignFolder campaign, Path folder, ChunkRunner runner, JsonOption json, CommandSpec spec)
            throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (!json.isWanted()) {
            out.println(campaign.work().title());
            out.flush();
        }
        if (campaign.dropped() > 0) {
            boolean one = campaign.dropped() == 1;
            err.println("railyard: warning: " + campaign.dropped() + (one ? " line" : " lines")
                    + " at the end of the journal " + (one ? "was" : "were")
                    + " torn or wrong; what they told of is run again");
        }
        campaign.remarks().forEach(remark -> err.println("railyard: warning: " + remark));
        ProgressBar progress = new ProgressBar(err, campaign.plan().cases(), "cases");
        progress.done(campaign.casesDone());
        CampaignFolder.Outcome outcome;
        try {
            outcome = campaign.run(runner, progress::done);
        } catch (IOException e) {
            progress.clear();
            err.println("railyard: what is done is kept; go on with: railyard campaign --resume "
                    + ShellWord.quoted(folder.toString()));
            throw e;
        }
        progress.clear();
        json.print(out, () -> lines(outcome, campaign, folder), () -> document(outcome, campaign, folder));
        outcome.failures().forEach(line -> err.println("railyard: failed: " + line));
        if (outcome.done() < outcome.chunks()) {
            err.println("railyard: %d of %d chunks have no results; try them again with: railyard campaign --resume %s"
                    .formatted(
                            outcome.chunks() - outcome.done(), outcome.chunks(), ShellWord.quoted(folder.toString())));
        }
        return outcome.isGood() ? 0 : CampaignCommand.NOT_GOOD;
    }

    private static List<String> lines(CampaignFolder.Outcome outcome, CampaignFolder campaign, Path folder) {
        RowSummary summary = outcome.summary();
        List<String> lines = new ArrayList<>();
        lines.add("%d of %d cases: %s"
                .formatted(summary.all().cases(), campaign.plan().cases(), summary.verdictLine()));
        summary.bad().stream().limit(MAX_TOLD).forEach(bad -> {
            lines.add("case %d: %s%s"
                    .formatted(
                            bad.number(),
                            bad.verdict(),
                            bad.reason().equals(bad.verdict()) ? "" : ", " + bad.reason()));
            lines.add("  " + campaign.work().replay(bad.number(), campaign.inputs()));
        });
        if (summary.badCases() > MAX_TOLD) {
            lines.add("and %d more; replay.txt has the commands".formatted(summary.badCases() - MAX_TOLD));
        }
        lines.add("results.csv, summary.csv, replay.txt and report.html are in " + folder);
        return lines;
    }

    private static Map<String, Object> document(CampaignFolder.Outcome outcome, CampaignFolder campaign, Path folder) {
        RowSummary summary = outcome.summary();
        List<Object> bad = new ArrayList<>();
        summary.bad().stream()
                .limit(MAX_TOLD)
                .forEach(each -> bad.add(new Doc()
                        .put("case", each.number())
                        .put("verdict", each.verdict())
                        .put("reason", each.reason())
                        .put("replay", campaign.work().replay(each.number(), campaign.inputs()))
                        .map()));
        return new Doc()
                .put("title", campaign.work().title())
                .put("cases", campaign.plan().cases())
                .put("cases_run", summary.all().cases())
                .put("verdicts", summary.verdicts())
                .put("bad_cases", summary.badCases())
                .put("first_bad_cases", bad)
                .put("chunks", outcome.chunks())
                .put("chunks_done", outcome.done())
                .put("failures", outcome.failures())
                .put("folder", folder.toString())
                .map();
    }
}
