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

/** sockperf ping-pong under TCP with 64 bytes: what C reaches on this machine. Takes no byte limit. */
public final class Sockperf implements Contender {
    private static final String PROGRAM = "sockperf";
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** What the server says last before it waits for messages. */
    private static final String READY = "to block on socket";

    /** Makes the contender. */
    public Sockperf() {}

    @Override
    public String name() {
        return PROGRAM;
    }

    @Override
    public Measure measure() {
        return Measure.ROUND_TRIP;
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
        List<String> serve = List.of(PROGRAM, "server", "--tcp", "-i", LoopbackPort.ADDRESS, "-p", port);
        List<String> send = List.of(
                PROGRAM,
                "ping-pong",
                "--tcp",
                "-i",
                LoopbackPort.ADDRESS,
                "-p",
                port,
                "-m",
                Integer.toString(Measure.MESSAGE_BYTES),
                "-t",
                Integer.toString(settings.seconds()),
                "--full-rtt");
        CpuPlacement placement = settings.placement();
        try (ExternalTool server = ExternalTool.start(PROGRAM, placement.command(Side.RECEIVER, serve))) {
            server.awaitOutput(READY, START_NANOS);
            try (ExternalTool client = ExternalTool.start(PROGRAM, placement.command(Side.SENDER, send))) {
                return SockperfOutput.parse(client.awaitEnd(2 * settings.nanos() + START_NANOS));
            }
        }
    }
}
