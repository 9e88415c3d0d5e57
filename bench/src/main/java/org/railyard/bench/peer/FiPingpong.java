package org.railyard.bench.peer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.railyard.bench.compare.Contender;
import org.railyard.bench.compare.Measure;
import org.railyard.bench.compare.RoundSettings;
import org.railyard.bench.compare.Sample;
import org.railyard.bench.compare.Side;

/**
 * libfabric over TCP, by its {@code fi_pingpong} with reliable datagrams. It waits by looking again and again, so it
 * needs a CPU for each side. It counts iterations and not time: each round is as long as the rate of the one before
 * says.
 */
public final class FiPingpong implements Contender {
    private static final String PROGRAM = "fi_pingpong";
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long FEWEST = 200;
    private static final long MOST = 100_000_000;

    /** Bytes, sent, acknowledged, total, time, MB/s, and then the time of one way in µs. */
    private static final Pattern FIGURES =
            Pattern.compile("(?m)^64\\s+\\S+\\s+\\S+\\s+\\S+\\s+\\S+\\s+\\S+\\s+([0-9]{1,9}(?:\\.[0-9]{1,6})?)\\s");

    private long perSecond;

    /** Makes the contender. */
    public FiPingpong() {}

    @Override
    public String name() {
        return "libfabric over TCP";
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
        return ExternalTool.isInstalled(PROGRAM) ? Optional.empty() : Optional.of("not installed (fi_pingpong)");
    }

    @Override
    public Sample run(RoundSettings settings) throws IOException, InterruptedException {
        long count = Math.clamp(perSecond * settings.seconds(), FEWEST, MOST);
        int port = LoopbackPort.find();
        try (ExternalTool server =
                ExternalTool.start(PROGRAM, settings.placement().command(Side.RECEIVER, command("-B", port, count)))) {
            LoopbackPort.awaitListener(port, START_NANOS);
            List<String> call = new ArrayList<>(command("-P", port, count));
            call.add(LoopbackPort.ADDRESS);
            try (ExternalTool client =
                    ExternalTool.start(PROGRAM, settings.placement().command(Side.SENDER, call))) {
                Sample.Latency sample = parse(count, client.awaitEnd(3 * settings.nanos() + START_NANOS));
                perSecond = (long) (1e6 / sample.p50());
                return sample;
            } catch (IOException e) {
                throw new IOException(e.getMessage() + "; the other side: " + server.output(), e);
            }
        }
    }

    private static List<String> command(String portOption, int port, long count) {
        return List.of(
                PROGRAM,
                portOption,
                Integer.toString(port),
                "-e",
                "rdm",
                "-p",
                "tcp",
                "-S",
                Integer.toString(Measure.MESSAGE_BYTES),
                "-I",
                Long.toString(count));
    }

    /**
     * Reads the mean time of an exchange; there is no median.
     *
     * @throws IOException if it is not there
     */
    static Sample.Latency parse(long count, String text) throws IOException {
        Matcher matcher = FIGURES.matcher(text);
        if (!matcher.find() || Double.parseDouble(matcher.group(1)) == 0) {
            throw new IOException("the output of fi_pingpong has no time of a transfer");
        }
        return new Sample.Latency(count, 2 * Double.parseDouble(matcher.group(1)), Double.NaN, Double.NaN);
    }
}
