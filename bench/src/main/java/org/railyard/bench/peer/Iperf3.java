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
 * iperf3 with blocks of 1 MiB: what C reaches on this machine. It has two processes; before version 3.16 each serves
 * all streams with one thread. Takes no byte limit beside a time.
 */
public final class Iperf3 implements Contender {
    private static final String PROGRAM = "iperf3";
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Measure measure;
    private final int streams;

    private Iperf3(Measure measure, int streams) {
        this.measure = measure;
        this.streams = streams;
    }

    /** Returns the contender with one stream. */
    public static Iperf3 oneRail() {
        return new Iperf3(Measure.BANDWIDTH_1_RAIL, 1);
    }

    /** Returns the contender with two streams. */
    public static Iperf3 twoRails() {
        return new Iperf3(Measure.BANDWIDTH_2_RAILS, 2);
    }

    @Override
    public String name() {
        return PROGRAM;
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
        return ExternalTool.isInstalled(PROGRAM) ? Optional.empty() : Optional.of("not installed");
    }

    @Override
    public Sample run(RoundSettings settings) throws IOException, InterruptedException {
        String port = Integer.toString(LoopbackPort.find());
        List<String> serve = List.of(PROGRAM, "-s", "-1", "--forceflush", "-B", LoopbackPort.ADDRESS, "-p", port);
        List<String> send = List.of(
                PROGRAM,
                "-c",
                LoopbackPort.ADDRESS,
                "-p",
                port,
                "-t",
                Integer.toString(settings.seconds()),
                "-P",
                Integer.toString(streams),
                "-l",
                Integer.toString(Measure.BLOCK_BYTES),
                "-i",
                "0",
                "-J");
        CpuPlacement placement = settings.placement();
        try (ExternalTool server = ExternalTool.start(PROGRAM, placement.command(Side.RECEIVER, serve))) {
            server.awaitOutput("Server listening", START_NANOS);
            try (ExternalTool client = ExternalTool.start(PROGRAM, placement.command(Side.SENDER, send))) {
                return Iperf3Output.parse(client.awaitEnd(2 * settings.nanos() + START_NANOS));
            }
        }
    }
}
