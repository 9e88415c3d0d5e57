package org.railyard.bench.peer;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.railyard.bench.compare.Contender;
import org.railyard.bench.compare.CpuPlacement;
import org.railyard.bench.compare.Measure;
import org.railyard.bench.compare.RoundSettings;
import org.railyard.bench.compare.Sample;
import org.railyard.bench.compare.Side;

/**
 * UCX over TCP, by its own {@code ucx_perftest} with tagged messages: the layer below MPI in C. It counts iterations
 * and not time, and reports each second: a round ends with the report that ends its time.
 */
public final class UcxPerftest implements Contender {
    private static final String PROGRAM = "ucx_perftest";
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Untimed, which is not much where each takes some milliseconds, as both sides need a CPU all the time. */
    private static final int WARMUPS = 100;

    private final Measure measure;

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
                Long.toString(UcxPerftestOutput.MOST),
                "-w",
                Integer.toString(WARMUPS),
                "-v");
        CpuPlacement placement = settings.placement();
        try (ExternalTool server = ExternalTool.start(PROGRAM, placement.command(Side.RECEIVER, serve))) {
            try {
                LoopbackPort.awaitListener(port, START_NANOS);
                try (ExternalTool client = ExternalTool.start(PROGRAM, placement.command(Side.SENDER, send))) {
                    return UcxPerftestOutput.parse(measure, reports(client, settings));
                }
            } catch (IOException e) {
                throw new IOException(e.getMessage() + "; the other side: " + server.output(), e);
            }
        }
    }

    /** Waits for as many reports as the round has seconds; returns what was said until then. */
    private static String reports(ExternalTool client, RoundSettings settings)
            throws IOException, InterruptedException {
        long limit = System.nanoTime() + 2 * settings.nanos() + START_NANOS;
        int place = 0;
        for (int i = 0; i < settings.seconds(); i++) {
            place = client.awaitOutput(UcxPerftestOutput.REPORT, place, limit - System.nanoTime());
            place = client.awaitOutput("\n", place, limit - System.nanoTime());
        }
        return client.outputUntil(place);
    }
}
