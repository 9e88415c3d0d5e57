package org.railyard.campaign.spark;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.campaign.plan.CaseChunk;
import org.railyard.campaign.plan.PlanText;
import org.railyard.campaign.run.ChunkRunner;
import org.railyard.campaign.run.ChunkSink;
import org.railyard.campaign.work.Work;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Runs chunks on Apache Spark, a task each. Rows go to the sink as tasks end, so that nothing is lost with the driver
 * either. A chunk that throws is told by its task. Where a job is given up because a task failed too often, such as one
 * that ends its executor each time, what is left of it is halved until the chunk that does it is alone.
 *
 * <p>Settings of Spark are taken from system properties, {@code spark.…}, as {@code spark-submit} sets them.
 */
final class SparkRunner implements ChunkRunner {
    /** Most rows of a job: Spark bounds what all its tasks may return, by {@code spark.driver.maxResultSize}. */
    private static final int ROWS_OF_JOB = 200_000;

    private static final Pattern OWN_JAR =
            Pattern.compile("(railyard-|snakeyaml-engine-|error_prone_annotations-).*\\.jar");

    private final String master;
    private final WorkMaker maker;

    /**
     * Makes one.
     *
     * @param master where executors come from
     * @param maker makes the work on an executor
     */
    SparkRunner(String master, WorkMaker maker) {
        this.master = master;
        this.maker = maker;
    }

    @Override
    public void run(CampaignPlan plan, Work work, List<CaseChunk> chunks, ChunkSink sink) throws InterruptedException {
        SparkConf conf = new SparkConf().setMaster(master).setAppName("railyard campaign");
        conf.setIfMissing("spark.ui.enabled", "false");
        conf.setIfMissing("spark.log.level", "ERROR");
        String[] jars = ownJars();
        if (jars.length > 0) {
            conf.setJars(jars);
        }
        try (JavaSparkContext context = new JavaSparkContext(conf)) {
            Broadcast<String> text = context.broadcast(PlanText.of(plan));
            int wave = Math.max(1, ROWS_OF_JOB / plan.chunkCases());
            for (int from = 0; from < chunks.size(); from += wave) {
                run(
                        context,
                        new ChunkTask(text, maker),
                        plan,
                        chunks.subList(from, Math.min(from + wave, chunks.size())),
                        sink);
            }
        }
    }

    /** Executors on other machines have Spark, but not this program. */
    private static String[] ownJars() {
        return Stream.of(System.getProperty("java.class.path", "").split(File.pathSeparator, -1))
                .filter(entry -> OWN_JAR.matcher(new File(entry).getName()).matches())
                .toArray(String[]::new);
    }

    private static void run(
            JavaSparkContext context, ChunkTask task, CampaignPlan plan, List<CaseChunk> chunks, ChunkSink sink)
            throws InterruptedException {
        if (chunks.isEmpty()) {
            return;
        }
        BitSet told = new BitSet();
        List<RuntimeException> broken = new ArrayList<>();
        try {
            job(context, task, chunks, result -> {
                synchronized (told) {
                    told.set(result.index());
                }
                tell(plan.chunk(result.index()), result, sink, broken);
            });
        } catch (InterruptedException e) {
            context.cancelAllJobs();
            throw e;
        } catch (SparkException e) {
            if (context.sc().isStopped()) {
                throw new UncheckedIOException(
                        new IOException("Spark ended the application, no executor is left: " + firstLine(e), e));
            }
            if (broken.isEmpty()) {
                again(context, task, plan, chunks, told, sink, e);
            }
        }
        if (!broken.isEmpty()) {
            throw broken.getFirst();
        }
    }

    /** Runs what a job that was given up left, in smaller jobs; of one chunk alone it tells that it failed. */
    private static void again(
            JavaSparkContext context,
            ChunkTask task,
            CampaignPlan plan,
            List<CaseChunk> chunks,
            BitSet told,
            ChunkSink sink,
            SparkException failure)
            throws InterruptedException {
        List<CaseChunk> left;
        synchronized (told) {
            left = chunks.stream().filter(chunk -> !told.get(chunk.index())).toList();
        }
        if (chunks.size() == 1) {
            left.forEach(chunk -> sink.failed(chunk, chunk + ": Spark gave it up: " + firstLine(failure)));
            return;
        }
        int half = (left.size() + 1) / 2;
        run(context, task, plan, left.subList(0, half), sink);
        run(context, task, plan, left.subList(half, left.size()), sink);
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    /** Called in a thread of Spark, which must not see what the sink throws. */
    private static void tell(CaseChunk chunk, ChunkResult result, ChunkSink sink, List<RuntimeException> broken) {
        if (!broken.isEmpty()) {
            return;
        }
        try {
            if (result.isDone()) {
                sink.finished(chunk, result.bytes());
            } else {
                sink.failed(chunk, new String(result.bytes(), StandardCharsets.UTF_8));
            }
        } catch (RuntimeException e) {
            broken.add(e);
        }
    }

    /**
     * Runs a job with a task for each chunk.
     *
     * @param listener gets the results, one at a time, as they come
     * @throws SparkException if a task failed too often
     */
    private static void job(
            JavaSparkContext context, ChunkTask task, List<CaseChunk> chunks, Consumer<ChunkResult> listener)
            throws SparkException, InterruptedException {
        if (context.sc().isStopped()) {
            throw new SparkException("the context is stopped");
        }
        List<Integer> indices = chunks.stream().map(CaseChunk::index).toList();
        RDD<Integer> parts = context.parallelize(indices, indices.size()).rdd();
        ClassTag<ChunkResult> tag = ClassTag$.MODULE$.apply(ChunkResult.class);
        List<Object> partitions =
                IntStream.range(0, indices.size()).mapToObj(i -> (Object) i).toList();
        context.sc()
                .runJob(
                        parts,
                        task,
                        CollectionConverters.asScala(partitions).toSeq(),
                        new AbstractFunction2<Object, ChunkResult, BoxedUnit>() {
                            @Override
                            public BoxedUnit apply(Object partition, ChunkResult result) {
                                listener.accept(result);
                                return BoxedUnit.UNIT;
                            }
                        },
                        tag);
    }
}
