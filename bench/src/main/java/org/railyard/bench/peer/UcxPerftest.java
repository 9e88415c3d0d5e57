package org.railyard.bench.peer;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.railyard.bench.compare.Contender;
import org.railyard.bench.compare.Measure;
import org.railyard.bench.compare.RoundSettings;
import org.railyard.bench.compare.Sample;
import org.railyard.bench.compare.Side;

/**
 * UCX over TCP, by its own {@code ucx_perftest} with tagged messages: the layer below MPI in C. It counts iterations
 * and not time: each round is as long as the rate of the one before says.
 */
public final class UcxPerftest implements Contender {
    private static final String PROGRAM = "ucx_perftest";
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long FEWEST = 1_000;
    private static final long MOST = 1_000_000_000;

    private final Measure measure;
    private long perSecond;

    private UcxPerftest(Measure measure) {
        this.measure = measure;
    }

    /** Returns the contender for round trips. */
    public static UcxPerftest roundTrip() {
        return new UcxPerftest(Measure.ROUND_TRIP);
    }

    /** Returns the contender for small messages. */
    public static UcxPerftest messages() {
        return new UcxPerftest(Measure.MESSAGE_RATE);
    }

    /** Returns the contender for blocks, over one connection. */
    public static UcxPerftest blocks() {
        return new UcxPerftest(Measure.BANDWIDTH_1_RAIL);
    }

    @Override
    public String name() {
        return "UCX over TCP";
    }

    @Override
    public Measure measure() {
        return measure;
    }

    @Override
    public boolean isPeer() {
        return true;
    }

    @Override
    public Optional<String> absence() {
        return ExternalTool.isInstalled(PROGRAM) ? Optional.empty() : Optional.of("not installed (ucx_perftest)");
    }

    @Override
    public Sample run(RoundSettings settings) throws IOException, InterruptedException {
        long count = Math.clamp(perSecond * settings.seconds(), FEWEST, MOST);
        Sample sample = UcxPerftestOutput.parse(measure, count, measure(settings, count));
        perSecond = switch (sample) {
            // Half of a round trip would be its latency; this one is whole.
            case Sample.Latency latency -> (long) (1e6 / latency.p50());
            case Sample.Rate rate -> (long) rate.value();
            case Sample.Bandwidth bandwidth -> (long) bandwidth.value();
        };
        return sample;
    }

    private String measure(RoundSettings settings, long count) throws IOException, InterruptedException {
        int port = LoopbackPort.find();
        List<String> serve = List.of("env", "UCX_TLS=tcp", PROGRAM, "-p", Integer.toString(port));
        List<String> send = List.of(
                "env",
                "UCX_TLS=tcp",
                PROGRAM,
                LoopbackPort.ADDRESS,
                "-p",
                Integer.toString(port),
                "-t",
                measure == Measure.ROUND_TRIP ? "tag_lat" : "tag_bw",
                "-s",
                Integer.toString(measure == Measure.BANDWIDTH_1_RAIL ? Measure.BLOCK_BYTES : Measure.MESSAGE_BYTES),
                "-n",
                Long.toString(count),
                "-w",
                "100",
                "-v",
                "-f");
        try (ExternalTool server =
                ExternalTool.start(PROGRAM, settings.placement().command(Side.RECEIVER, serve))) {
            LoopbackPort.awaitListener(port, START_NANOS);
            try (ExternalTool client =
                    ExternalTool.start(PROGRAM, settings.placement().command(Side.SENDER, send))) {
                return client.awaitEnd(3 * settings.nanos() + START_NANOS);
            } catch (IOException e) {
                throw new IOException(e.getMessage() + "; the other side: " + server.output(), e);
            }
        }
    }
}
