package org.railyard.campaign.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.campaign.CampaignFolder;
import org.railyard.campaign.plan.CampaignKind;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.campaign.run.ChunkRunner;
import org.railyard.campaign.run.LocalRunner;
import org.railyard.campaign.work.RoutedFabric;
import org.railyard.campaign.work.Works;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.sample.SampleTorus;

/** Results on Spark are those of this machine, whatever becomes of executors. */
@EnabledIfSystemProperty(named = "railyard.long", matches = "true")
class SparkRunnerTest {
    @TempDir
    private Path directory = Path.of("");

    private final CampaignPlan plan = plan();

    private static CampaignPlan plan() {
        SampleTorus torus = SampleTorus.torus(4, 4, 1, 1);
        var described =
                RoutedFabric.describe(NetFile.of(torus.fabric()).text(), Optional.of(torus.conf(2)), "torus-2qos");
        described.getKey().putAll(Map.of("together", "2", "of", "switches", "sample", "0", "seed", "1", "check", "4"));
        return Works.plan(CampaignKind.FAILURES, "test", described, 3);
    }

    private CampaignFolder.Outcome run(String name, ChunkRunner runner, CampaignFolder.Listener listener)
            throws IOException, InterruptedException {
        try (CampaignFolder campaign = CampaignFolder.create(directory.resolve(name), plan, "test")) {
            return campaign.run(runner, listener);
        }
    }

    private String results(String name) throws IOException {
        return Files.readString(directory.resolve(name).resolve("results.csv"));
    }

    @AfterEach
    void usualSettings() {
        System.clearProperty("spark.task.maxFailures");
    }

    @BeforeEach
    void onThisMachine() throws IOException, InterruptedException {
        System.setProperty("spark.driver.host", "127.0.0.1");
        System.setProperty("spark.driver.bindAddress", "127.0.0.1");
        System.setProperty("spark.executor.extraClassPath", Standalone.classPath());
        System.setProperty("spark.executor.memory", "512m");
        assertThat(run("here", new LocalRunner(2), _ -> {}).done()).isEqualTo(40);
    }

    @Test
    void localThreadsGiveTheSameBytes() throws IOException, InterruptedException {
        run("spark", new SparkRunnerProvider().runner("local[2]"), _ -> {});
        assertThat(results("spark")).isEqualTo(results("here"));
    }

    @Test
    void aChunkThatThrowsCostsItselfOnly() throws IOException, InterruptedException {
        Spoiled spoiled = new Spoiled(7, Spoiled.Defect.THROWS, "");
        CampaignFolder.Outcome outcome = run("spark", new SparkRunner("local[2]", spoiled), _ -> {});
        assertThat(outcome.done()).isEqualTo(39);
        assertThat(outcome.failures())
                .containsExactly("chunk 2 (cases 6 to 8): case 7: java.lang.AssertionError: spoiled");
    }

    @Test
    void aWorkerThatIsKilledCostsNothing() throws IOException, InterruptedException {
        try (Standalone cluster = new Standalone(Files.createDirectory(directory.resolve("cluster")), 2)) {
            run("spark", new SparkRunnerProvider().runner(cluster.url()), cases -> {
                if (cases == 3) {
                    cluster.kill(0);
                }
            });
        }
        assertThat(results("spark")).isEqualTo(results("here"));
    }

    @Test
    void anExecutorThatIsLostCostsNothingAndAPoisonedChunkItselfOnly() throws IOException, InterruptedException {
        try (Standalone cluster = new Standalone(Files.createDirectory(directory.resolve("cluster")), 2)) {
            String marker = directory.resolve("marker").toString();
            run("once", new SparkRunner(cluster.url(), new Spoiled(20, Spoiled.Defect.HALTS_ONCE, marker)), _ -> {});
            assertThat(Path.of(marker)).exists();
            assertThat(results("once")).isEqualTo(results("here"));
            // Each try costs an executor, which takes seconds to be replaced.
            System.setProperty("spark.task.maxFailures", "1");
            CampaignFolder.Outcome outcome =
                    run("always", new SparkRunner(cluster.url(), new Spoiled(20, Spoiled.Defect.HALTS, "")), _ -> {});
            assertThat(outcome.done()).isEqualTo(39);
            assertThat(outcome.failures()).hasSize(1);
            assertThat(outcome.failures().getFirst()).startsWith("chunk 6 (cases 18 to 20): Spark gave it up: ");
            assertThat(List.of(results("always").split("\n", -1))).hasSize(120 - 3 + 2);
        }
    }
}
