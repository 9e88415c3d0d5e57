package org.railyard.campaign;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.campaign.plan.CaseChunk;
import org.railyard.campaign.plan.Csv;
import org.railyard.campaign.plan.PlanText;
import org.railyard.campaign.report.HtmlReport;
import org.railyard.campaign.report.RowSummary;
import org.railyard.campaign.run.AtomicFile;
import org.railyard.campaign.run.ChunkJournal;
import org.railyard.campaign.run.ChunkRunner;
import org.railyard.campaign.work.RowColumn;
import org.railyard.campaign.work.Work;
import org.railyard.campaign.work.Works;

/**
 * A campaign in its folder, which this process has for itself until it is closed. For one thread.
 *
 * <p>{@code plan.json}, {@code command} and {@code inputs/} are written when it is made, {@code journal} and
 * {@code rows} while it runs, and {@code results.csv}, {@code summary.csv}, {@code replay.txt} and {@code report.html}
 * when a run has ended. The bytes of results and summary depend on the plan only.
 */
public final class CampaignFolder implements Closeable {
    private static final String PLAN = "plan.json";
    private static final String COMMAND = "command";
    private static final String INPUTS = "inputs";

    /** Longest plan, bytes: a character takes up to four. */
    private static final int MAX_PLAN_BYTES = 4 * PlanText.MAX_CHARACTERS + 1;

    /** Longest command line that is kept, bytes: more than systems take. */
    private static final int MAX_COMMAND_BYTES = 1 << 23;

    private final Path folder;
    private final CampaignPlan plan;
    private final Work work;
    private final ChunkJournal journal;
    private final String command;
    private final List<String> remarks;

    /**
     * What came of it.
     *
     * @param summary what all rows say
     * @param chunks how many chunks there are
     * @param done how many have their rows
     * @param failures chunks of this run that could not be run, one line each, at most 100
     */
    public record Outcome(RowSummary summary, int chunks, int done, List<String> failures) {
        /** Copies the list. */
        public Outcome {
            failures = List.copyOf(failures);
        }

        /** Tells whether all cases were run and ended well. */
        public boolean isGood() {
            return done == chunks && summary.badCases() == 0;
        }
    }

    /** Hears how far a run is. Called by one thread at a time. */
    @FunctionalInterface
    public interface Listener {
        /**
         * A chunk has ended.
         *
         * @param cases cases that have their rows
         */
        void progress(long cases);
    }

    private CampaignFolder(
            Path folder, CampaignPlan plan, Work work, ChunkJournal journal, String command, List<String> remarks) {
        this.remarks = List.copyOf(remarks);
        this.folder = folder;
        this.plan = plan;
        this.work = work;
        this.journal = journal;
        this.command = command;
    }

    /**
     * Makes a campaign in a new or empty folder.
     *
     * @param command the command line that makes it, for its report
     * @throws ErrnoException EEXIST if there is something in the folder, EINVAL if the plan can not be run
     * @throws IOException if its files can not be written; then none of them is left
     */
    public static CampaignFolder create(Path folder, CampaignPlan plan, String command) throws IOException {
        Work work = Works.of(plan);
        String text = PlanText.of(plan);
        boolean isNew = Files.notExists(folder);
        requireEmpty(folder);
        try {
            Path inputs = Files.createDirectories(folder.resolve(INPUTS));
            for (Map.Entry<String, String> input : plan.inputs().entrySet()) {
                AtomicFile.write(
                        inputs.resolve(input.getKey()),
                        input.getValue().getBytes(plan.kind().inputCharset()));
            }
            AtomicFile.write(folder.resolve(COMMAND), out -> out.write(command + "\n"));
            // The last: with it the campaign is there.
            AtomicFile.write(folder.resolve(PLAN), out -> out.write(text));
        } catch (IOException e) {
            takeBack(folder, plan, isNew, e);
            throw e;
        }
        return new CampaignFolder(folder, plan, work, ChunkJournal.open(folder, plan), command, List.of());
    }

    /** Deletes what there is of a campaign that could not be made, so that the same command can be tried again. */
    private static void takeBack(Path folder, CampaignPlan plan, boolean isNew, IOException failure) {
        List<Path> made = new ArrayList<>();
        plan.inputs().keySet().forEach(name -> made.add(folder.resolve(INPUTS).resolve(name)));
        made.add(folder.resolve(INPUTS));
        made.add(folder.resolve(COMMAND));
        if (isNew) {
            made.add(folder);
        }
        for (Path each : made) {
            try {
                Files.deleteIfExists(each);
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
    }

    private static void requireEmpty(Path folder) throws IOException {
        try {
            Files.createDirectories(folder);
        } catch (FileAlreadyExistsException e) {
            throw new ErrnoException(Errno.EEXIST, folder + " is no folder; name a new one", e);
        }
        boolean hasPlan = Files.exists(folder.resolve(PLAN));
        try (Stream<Path> files = Files.list(folder)) {
            if (files.findAny().isPresent()) {
                throw new ErrnoException(
                        Errno.EEXIST,
                        folder + (hasPlan ? " has a campaign; --resume goes on with it" : " is not empty")
                                + "; name a new folder");
            }
        }
    }

    /**
     * Opens a campaign to go on with it.
     *
     * @param version of this program
     * @throws ErrnoException ENOENT if there is none, EINVAL if its files are wrong or another version made it, EBUSY
     *     if another process has it
     */
    public static CampaignFolder open(Path folder, String version) throws IOException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new ErrnoException(Errno.ENOENT, folder + ": no folder, so no campaign");
        }
        String text;
        try {
            text = text(folder.resolve(PLAN), MAX_PLAN_BYTES, "the plan of a campaign");
        } catch (CharacterCodingException e) {
            throw new ErrnoException(
                    Errno.EINVAL, folder.resolve(PLAN) + ": no text in UTF-8; expected the plan of a campaign", e);
        } catch (NoSuchFileException e) {
            throw new ErrnoException(Errno.ENOENT, folder + ": no " + PLAN + " in it, so no campaign", e);
        }
        CampaignPlan plan = PlanText.parse(folder.resolve(PLAN).toString(), text);
        if (!plan.version().equals(version)) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "%s was begun by '%s', this is '%s': results would not be the same; run it from the beginning"
                            .formatted(folder, plan.version(), version));
        }
        Path command = folder.resolve(COMMAND);
        String line = Files.exists(command)
                ? text(command, MAX_COMMAND_BYTES, "the command line of a campaign")
                        .strip()
                : "";
        Work work = Works.of(plan);
        ChunkJournal journal = ChunkJournal.open(folder, plan);
        try {
            return new CampaignFolder(folder, plan, work, journal, line, restored(folder, plan));
        } catch (IOException | RuntimeException e) {
            journal.close();
            throw e;
        }
    }

    /**
     * Reads a file; how long it is shows when it is read: a device has no size, and some do not end.
     *
     * @throws CharacterCodingException if it is no UTF-8
     */
    private static String text(Path file, int maxBytes, String what) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(maxBytes + 1);
            if (bytes.length > maxBytes) {
                throw new ErrnoException(
                        Errno.EINVAL, "%s: more than %d bytes, too long for %s".formatted(file, maxBytes, what));
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        }
    }

    /** Writes inputs that are missing, which the plan has, too: commands that run a case again name them. */
    private static List<String> restored(Path folder, CampaignPlan plan) throws IOException {
        List<String> remarks = new ArrayList<>();
        Path inputs = Files.createDirectories(folder.resolve(INPUTS));
        for (Map.Entry<String, String> input : plan.inputs().entrySet()) {
            Path file = inputs.resolve(input.getKey());
            byte[] planned = input.getValue().getBytes(plan.kind().inputCharset());
            if (!Files.exists(file)) {
                AtomicFile.write(file, planned);
                remarks.add(file + " was missing; it was written again as " + PLAN + " has it");
            } else if (!isThere(file, planned)) {
                remarks.add(file + " is not what " + PLAN + " has, and what runs; commands that name it run something"
                        + " else: delete it, and --resume writes it again");
            }
        }
        return remarks;
    }

    private static boolean isThere(Path file, byte[] content) throws IOException {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(content.length + 1), content);
        }
    }

    /** Returns what was odd about the folder when it was opened, a line each. */
    public List<String> remarks() {
        return remarks;
    }

    /** Returns its plan. */
    public CampaignPlan plan() {
        return plan;
    }

    /** Returns its plan, ready to run. */
    public Work work() {
        return work;
    }

    /** Returns how many lines of the journal were dropped when it was opened. */
    public int dropped() {
        return journal.dropped();
    }

    /** Returns how many cases have their rows. */
    public long casesDone() {
        return IntStream.range(0, plan.chunks())
                .filter(journal::isDone)
                .mapToLong(index -> plan.chunk(index).cases())
                .sum();
    }

    /** Returns the folder with the inputs. */
    public Path inputs() {
        return folder.resolve(INPUTS);
    }

    /**
     * Runs what is not done yet, and writes results, summary and report of all that is.
     *
     * @throws IOException if a file can not be written; what is in the journal stays
     * @throws InterruptedException if interrupted; what is in the journal stays
     */
    public Outcome run(ChunkRunner runner, Listener listener) throws IOException, InterruptedException {
        List<CaseChunk> open = IntStream.range(0, plan.chunks())
                .filter(index -> !journal.isDone(index))
                .mapToObj(plan::chunk)
                .toList();
        ChunkProgress progress = new ChunkProgress(journal, listener, casesDone());
        if (!open.isEmpty()) {
            try {
                runner.run(plan, work, open, progress);
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
        RowSummary summary = results();
        Outcome outcome = new Outcome(summary, plan.chunks(), journal.done(), progress.failures());
        tell(outcome);
        return outcome;
    }

    private RowSummary results() throws IOException {
        RowSummary summary = new RowSummary(work);
        AtomicFile.write(folder.resolve("results.csv"), out -> {
            out.write(Csv.line(work.columns().stream().map(RowColumn::name).toList()) + "\n");
            for (int index = 0; index < plan.chunks(); index++) {
                if (journal.isDone(index)) {
                    String rows = new String(journal.rows(index), StandardCharsets.UTF_8);
                    out.write(rows);
                    rows.lines().forEach(summary::add);
                }
            }
        });
        return summary;
    }

    private void tell(Outcome outcome) throws IOException {
        AtomicFile.write(folder.resolve("summary.csv"), out -> {
            for (String line : outcome.summary().csv()) {
                out.write(line + "\n");
            }
        });
        AtomicFile.write(folder.resolve("replay.txt"), out -> replays(outcome.summary(), out));
        List<String> remarks = new ArrayList<>();
        if (outcome.done() < outcome.chunks()) {
            remarks.add("%d of %d chunks have no results; railyard campaign --resume tries them again"
                    .formatted(outcome.chunks() - outcome.done(), outcome.chunks()));
        }
        remarks.addAll(outcome.failures());
        AtomicFile.write(
                folder.resolve("report.html"),
                out -> new HtmlReport(work, outcome.summary()).write(out, command, inputs(), remarks));
    }

    private void replays(RowSummary summary, Writer out) throws IOException {
        for (RowSummary.Bad bad : summary.bad()) {
            out.write("# case %d: %s, %s\n%s\n"
                    .formatted(bad.number(), bad.verdict(), bad.reason(), work.replay(bad.number(), inputs())));
        }
        if (summary.badCases() > summary.bad().size()) {
            out.write("# and %d more\n"
                    .formatted(summary.badCases() - summary.bad().size()));
        }
    }

    @Override
    public void close() throws IOException {
        journal.close();
    }
}
