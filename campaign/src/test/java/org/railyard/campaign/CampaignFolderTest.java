package org.railyard.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.base.ErrnoException;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.campaign.plan.CaseChunk;
import org.railyard.campaign.run.ChunkRun;
import org.railyard.campaign.run.ChunkRunner;
import org.railyard.campaign.run.ChunkSink;
import org.railyard.campaign.run.LocalRunner;
import org.railyard.campaign.work.RowColumn;
import org.railyard.campaign.work.Work;
import org.railyard.testkit.NeedsFile;

/** A campaign gives the same bytes, however many threads it has and whatever breaks on its way. */
class CampaignFolderTest {
    private static final List<String> FILES = List.of("results.csv", "summary.csv");

    @TempDir
    private Path directory = Path.of("");

    /** How a process ends that is killed. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    static Stream<CampaignPlan> plans() {
        return Stream.of(
                Plans.lab(4, 3),
                Plans.failures(2, "switches", 0, 5),
                Plans.failures(3, "all", 20, 7),
                Plans.failures(1, "cables", 0, 1),
                Plans.loads(),
                Plans.sm(5));
    }

    private CampaignFolder.Outcome run(String folder, CampaignPlan plan, ChunkRunner runner)
            throws IOException, InterruptedException {
        try (CampaignFolder campaign =
                CampaignFolder.create(directory.resolve(folder), plan, "railyard campaign <test>")) {
            return campaign.run(runner, _ -> {});
        }
    }

    private CampaignFolder.Outcome resume(String folder, ChunkRunner runner) throws IOException, InterruptedException {
        try (CampaignFolder campaign = CampaignFolder.open(directory.resolve(folder), Plans.VERSION)) {
            return campaign.run(runner, _ -> {});
        }
    }

    private List<String> texts(String folder) throws IOException {
        List<String> texts = new ArrayList<>();
        for (String file : FILES) {
            texts.add(Files.readString(directory.resolve(folder).resolve(file)));
        }
        return texts;
    }

    @Test
    void aCampaignThatCanNotBeMadeLeavesNothingBehind() throws IOException {
        // Room for the folder with its inputs, and not for the names of files in it.
        Path deep = directory;
        for (int left = 4085 - deep.toString().length();
                left > 0;
                left = 4085 - deep.toString().length()) {
            int length = left > 400 ? 200 : left > 202 ? left / 2 - 1 : left - 1;
            deep = deep.resolve("d".repeat(length));
        }
        Path folder = deep;
        Files.createDirectories(folder.getParent());
        assertThatThrownBy(() -> CampaignFolder.create(folder, Plans.sm(1), "railyard campaign <test>"))
                .isInstanceOf(IOException.class);
        assertThat(folder.getParent()).isEmptyDirectory();
        Files.createDirectory(folder);
        assertThatThrownBy(() -> CampaignFolder.create(folder, Plans.sm(1), "railyard campaign <test>"))
                .isInstanceOf(IOException.class);
        assertThat(folder).as("a folder that was there stays").isEmptyDirectory();
    }

    @ParameterizedTest
    @MethodSource("plans")
    void resultsDoNotDependOnThreads(CampaignPlan plan) throws IOException, InterruptedException {
        CampaignFolder.Outcome one = run("one", plan, new LocalRunner(1));
        run("four", plan, new LocalRunner(4));
        assertThat(texts("four")).isEqualTo(texts("one"));
        assertThat(one.done()).isEqualTo(one.chunks());
        assertThat(one.failures()).isEmpty();
        assertThat(texts("one").getFirst().lines()).hasSize((int) plan.cases() + 1);
    }

    /** Runs some chunks, and is killed within the next, at its second case. */
    private static ChunkRunner killedAfter(int chunks) {
        return (plan, work, open, sink) -> {
            new LocalRunner(2).run(plan, work, open.subList(0, chunks), sink);
            AtomicInteger cases = new AtomicInteger();
            ChunkRun.run(work.worker(), open.get(chunks), () -> {
                if (cases.incrementAndGet() > 1) {
                    throw new Killed();
                }
                return true;
            });
        };
    }

    @ParameterizedTest
    @MethodSource("plans")
    void aKilledCampaignGoesOnToTheSameBytes(CampaignPlan plan) throws IOException, InterruptedException {
        run("whole", plan, new LocalRunner(1));
        if (plan.chunkCases() > 1) {
            assertThatThrownBy(() -> run("killed", plan, killedAfter(1))).isInstanceOf(Killed.class);
            assertThat(directory.resolve("killed/results.csv")).doesNotExist();
        } else {
            run("killed", plan, (p, work, open, sink) -> new LocalRunner(2).run(p, work, open.subList(0, 2), sink));
        }
        // Power went in the middle of writing the rows and the line of the next chunk.
        Files.writeString(directory.resolve("killed/rows"), "17,half a r", StandardOpenOption.APPEND);
        Files.writeString(directory.resolve("killed/journal"), "1 99 12 0123", StandardOpenOption.APPEND);
        CampaignFolder.Outcome outcome = resume("killed", new LocalRunner(3));
        assertThat(outcome.done()).isEqualTo(plan.chunks());
        assertThat(texts("killed")).isEqualTo(texts("whole"));
    }

    @Test
    void whatIsDoneIsNotRunAgain() throws IOException, InterruptedException {
        CampaignPlan plan = Plans.failures(1, "switches", 0, 2);
        run("it", plan, new LocalRunner(2));
        resume("it", (_, _, _, _) -> {
            throw new AssertionError("nothing is open");
        });
        assertThat(texts("it").getFirst().lines()).hasSize(10);
    }

    /** Work whose case of a number throws. */
    private record Poisoned(Work whole, long poison, Error thrown) implements Work {
        @Override
        public String title() {
            return whole.title();
        }

        @Override
        public long cases() {
            return whole.cases();
        }

        @Override
        public List<RowColumn> columns() {
            return whole.columns();
        }

        @Override
        public String goodVerdict() {
            return whole.goodVerdict();
        }

        @Override
        public Worker worker() {
            Worker worker = whole.worker();
            return number -> {
                if (number == poison) {
                    throw thrown;
                }
                return worker.run(number);
            };
        }

        @Override
        public String replay(long number, Path inputs) {
            return whole.replay(number, inputs);
        }
    }

    @Test
    void aPoisonedChunkCostsItselfOnlyAndIsTriedAgain() throws IOException, InterruptedException {
        CampaignPlan plan = Plans.failures(1, "switches", 0, 2);
        run("whole", plan, new LocalRunner(1));
        for (Error thrown : List.of(new AssertionError("bang\n\u001b[2J"), new StackOverflowError())) {
            String folder = "poisoned" + thrown.getClass().getSimpleName();
            CampaignFolder.Outcome outcome = run(
                    folder,
                    plan,
                    (p, work, open, sink) -> new LocalRunner(2).run(p, new Poisoned(work, 5, thrown), open, sink));
            assertThat(outcome.isGood()).isFalse();
            assertThat(outcome.done()).isEqualTo(outcome.chunks() - 1);
            assertThat(outcome.failures()).hasSize(1);
            assertThat(outcome.failures().getFirst())
                    .startsWith("chunk 2 (cases 4 to 5): case 5: ")
                    .doesNotContain("\n", "\u001b");
            assertThat(texts(folder).getFirst().lines()).hasSize(8);
            assertThat(Files.readString(directory.resolve(folder).resolve("report.html")))
                    .contains("1 of 5 chunks have no results");
            resume(folder, new LocalRunner(2));
            assertThat(texts(folder)).isEqualTo(texts("whole"));
        }
    }

    @Test
    void aFullDiskEndsTheRun() {
        ChunkRunner disk = (plan, work, open, sink) -> new LocalRunner(2).run(plan, work, open, new ChunkSink() {
            @Override
            public void finished(CaseChunk chunk, byte[] rows) {
                throw new UncheckedIOException(new IOException("No space left on device"));
            }

            @Override
            public void failed(CaseChunk chunk, String why) {
                sink.failed(chunk, why);
            }
        });
        assertThatThrownBy(() -> run("full", Plans.failures(1, "switches", 0, 2), disk))
                .isInstanceOf(IOException.class)
                .hasMessage("No space left on device");
    }

    @Test
    void anInterruptedRunKeepsWhatItHas() throws IOException, InterruptedException {
        CampaignPlan plan = Plans.failures(2, "switches", 0, 1);
        run("whole", plan, new LocalRunner(2));
        Thread self = Thread.currentThread();
        try (CampaignFolder campaign = CampaignFolder.create(directory.resolve("it"), plan, "")) {
            assertThatThrownBy(() -> campaign.run(new LocalRunner(2), done -> {
                        if (done == 3) {
                            self.interrupt();
                        }
                    }))
                    .isInstanceOf(InterruptedException.class);
            assertThat(campaign.casesDone()).isGreaterThanOrEqualTo(3);
        }
        resume("it", new LocalRunner(2));
        assertThat(texts("it")).isEqualTo(texts("whole"));
    }

    @Test
    void aFolderHasOneCampaignOfOneVersion() throws IOException, InterruptedException {
        CampaignPlan plan = Plans.failures(1, "switches", 0, 2);
        assertThatThrownBy(() -> CampaignFolder.open(directory.resolve("none"), Plans.VERSION))
                .hasMessageStartingWith("ENOENT: ");
        Path plain = Files.writeString(directory.resolve("file"), "");
        assertThatThrownBy(() -> CampaignFolder.open(plain, Plans.VERSION))
                .hasMessage("ENOENT: " + plain + ": no folder, so no campaign");
        Files.createDirectory(directory.resolve("rubbish"));
        Files.write(directory.resolve("rubbish/plan.json"), new byte[] {(byte) 0xc3, 1, 2});
        assertThatThrownBy(() -> CampaignFolder.open(directory.resolve("rubbish"), Plans.VERSION))
                .hasMessageStartingWith("EINVAL: ")
                .hasMessageContaining("plan.json: no text in UTF-8");
        try (CampaignFolder first = CampaignFolder.create(directory.resolve("it"), plan, "")) {
            assertThat(first.dropped()).isZero();
            assertThatThrownBy(() -> CampaignFolder.open(directory.resolve("it"), Plans.VERSION))
                    .isInstanceOf(ErrnoException.class)
                    .hasMessageStartingWith("EBUSY: ");
        }
        assertThatThrownBy(() -> CampaignFolder.create(directory.resolve("it"), plan, ""))
                .hasMessageStartingWith("EEXIST: ")
                .hasMessageContaining("--resume");
        assertThatThrownBy(() -> CampaignFolder.open(directory.resolve("it"), "railyard 9"))
                .hasMessageContaining("was begun by 'railyard test', this is 'railyard 9'");
        Path file = Files.writeString(directory.resolve("file"), "");
        assertThatThrownBy(() -> CampaignFolder.create(file, plan, "")).hasMessageStartingWith("EEXIST: ");
        for (String bad : List.of("", "{", "[1]", "{\"format\":2}", "{\"format\":1,\"kind\":\"x\"}")) {
            Files.write(directory.resolve("it/plan.json"), bad.getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> CampaignFolder.open(directory.resolve("it"), Plans.VERSION))
                    .isInstanceOf(ErrnoException.class)
                    .hasMessageContaining("plan.json");
        }
    }

    @Test
    void inputsThatAreMissingAreWrittenAgain() throws IOException, InterruptedException {
        run("it", Plans.failures(1, "switches", 0, 2), new LocalRunner(1));
        Path inputs = directory.resolve("it/inputs");
        String topology = Files.readString(inputs.resolve("topology.net"));
        try (CampaignFolder whole = CampaignFolder.open(directory.resolve("it"), Plans.VERSION)) {
            assertThat(whole.remarks()).isEmpty();
        }
        Files.delete(inputs.resolve("topology.net"));
        Files.writeString(inputs.resolve("torus-2QoS.conf"), "# mine\n");
        try (CampaignFolder opened = CampaignFolder.open(directory.resolve("it"), Plans.VERSION)) {
            assertThat(opened.remarks()).hasSize(2);
            assertThat(opened.remarks().getFirst())
                    .isEqualTo(inputs.resolve("topology.net") + " was missing; it was written again as plan.json has"
                            + " it");
            assertThat(opened.remarks().getLast())
                    .startsWith(inputs.resolve("torus-2QoS.conf") + " is not what plan.json has");
        }
        assertThat(inputs.resolve("topology.net")).content().isEqualTo(topology);
        assertThat(inputs.resolve("torus-2QoS.conf")).hasContent("# mine");
    }

    /** Names of nodes are bytes, and in a plan each is a character. */
    @Test
    void namesOfNodesKeepTheirBytesInInputs() throws IOException {
        CampaignPlan plan = Plans.failures(1, "switches", 0, 2);
        TreeMap<String, String> inputs = new TreeMap<>(plan.inputs());
        byte[] named = plan.input("topology.net").replace("H-0.0.0.0", "Lübeck").getBytes(StandardCharsets.UTF_8);
        inputs.put("topology.net", new String(named, StandardCharsets.ISO_8859_1));
        CampaignPlan utf8 = new CampaignPlan(
                plan.kind(), plan.version(), plan.parameters(), inputs, plan.cases(), plan.chunkCases());
        Path topology = directory.resolve("it/inputs/topology.net");
        CampaignFolder.create(directory.resolve("it"), utf8, "railyard campaign <test>")
                .close();
        assertThat(topology).hasBinaryContent(named);
        Files.delete(topology);
        CampaignFolder.open(directory.resolve("it"), Plans.VERSION).close();
        assertThat(topology).hasBinaryContent(named);
        try (CampaignFolder whole = CampaignFolder.open(directory.resolve("it"), Plans.VERSION)) {
            assertThat(whole.remarks()).isEmpty();
        }
    }

    @Test
    @NeedsFile("/dev/zero")
    void filesThatDoNotEndAreRefused() throws IOException, InterruptedException {
        run("it", Plans.failures(1, "switches", 0, 2), new LocalRunner(1));
        for (String name : List.of("command", "plan.json")) {
            Path file = directory.resolve("it").resolve(name);
            Files.delete(file);
            Files.createSymbolicLink(file, Path.of("/dev/zero"));
            assertThatThrownBy(() -> CampaignFolder.open(directory.resolve("it"), Plans.VERSION))
                    .isInstanceOf(ErrnoException.class)
                    .hasMessageStartingWith("EINVAL: " + file + ": more than ");
        }
    }

    @Test
    void hostileNamesStayText() throws IOException, InterruptedException {
        CampaignFolder.Outcome outcome = run("it", Plans.lab(2, 2), new LocalRunner(1));
        assertThat(outcome.isGood()).isFalse();
        assertThat(outcome.summary().verdictLine()).isEqualTo("2 ok, 2 violation");
        String page = Files.readString(directory.resolve("it/report.html"));
        assertThat(page).doesNotContain("<script", "<test>").contains("b&lt;script&gt;");
        assertThat(Files.readString(directory.resolve("it/replay.txt")))
                .contains("case 2: violation, expect")
                .contains("it/inputs/scenario-2.yaml --seed 1");
    }
}
