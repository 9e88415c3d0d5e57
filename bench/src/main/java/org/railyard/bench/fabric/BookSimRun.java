package org.railyard.bench.fabric;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.railyard.bench.compare.LimitedRun;

/**
 * Runs BookSim 2, a cycle-accurate simulator of interconnection networks, on the torus of {@link SimulatorComparison}.
 * A cycle stands for {@value #CYCLE_NANOS} ns: the delay of a cable, a quarter of that of a switch, and the time
 * in which a flit of as many bytes leaves.
 */
final class BookSimRun {
    private static final long CYCLE_NANOS = 25;
    private static final Pattern LATENCY = Pattern.compile("Packet latency average = ([0-9.]+) \\(");
    private static final Pattern CYCLES = Pattern.compile("Time taken is ([0-9]+) cycles");
    private static final Pattern SECONDS = Pattern.compile("Total run time ([0-9.]+)");

    /**
     * What was seen.
     *
     * @param meanNanos from a packet's creation to the arrival of its tail, ns
     * @param nanos how long it simulated, ns
     * @param seconds how long that took, by its own clock
     */
    record Seen(double meanNanos, double nanos, double seconds) {}

    private BookSimRun() {}

    /**
     * Runs.
     *
     * @param program BookSim 2
     * @param packetBytes length of a packet with headers; flits are counted in whole ones, and times corrected
     * @param bufferBytes room of an input buffer for one VC
     * @return nothing if there was no result in time, as with a load that does not get steady
     */
    static Optional<Seen> of(
            Path program, Path directory, int radix, int packetBytes, int bufferBytes, double load, long limitSeconds)
            throws IOException, InterruptedException {
        int flits = Math.toIntExact(Math.round((double) packetBytes / CYCLE_NANOS));
        Path configuration = directory.resolve("booksim.cfg");
        Files.writeString(
                configuration,
                configuration(radix, flits, Math.toIntExact(bufferBytes / CYCLE_NANOS), load),
                StandardCharsets.US_ASCII);
        return LimitedRun.of(List.of(program.toString(), configuration.toString()), directory, limitSeconds)
                .flatMap(run -> seen(run.output(), packetBytes, flits));
    }

    /** Returns what the output says; nothing if a figure is missing. */
    static Optional<Seen> seen(String output, int packetBytes, int flits) {
        OptionalDouble latency = last(LATENCY, output);
        OptionalDouble cycles = last(CYCLES, output);
        OptionalDouble seconds = last(SECONDS, output);
        if (latency.isEmpty() || cycles.isEmpty() || seconds.isEmpty()) {
            return Optional.empty();
        }
        // As many bytes in as many flits: a flit is a little more, or less, than a cycle.
        double nanos = (double) packetBytes / flits;
        return Optional.of(
                new Seen(latency.getAsDouble() * nanos, cycles.getAsDouble() * CYCLE_NANOS, seconds.getAsDouble()));
    }

    private static OptionalDouble last(Pattern pattern, String output) {
        Matcher matcher = pattern.matcher(output);
        OptionalDouble found = OptionalDouble.empty();
        while (matcher.find()) {
            found = OptionalDouble.of(Double.parseDouble(matcher.group(1)));
        }
        return found;
    }

    /**
     * Returns its configuration. A packet keeps the switch until its tail has passed, as on InfiniBand, where packets
     * of two VLs do not share a cable flit by flit; a switch takes four cycles; there are two VCs, as torus-2QoS has
     * two VLs per level, and both can leave an input at a time. Its hosts send to themselves, too, and so send more.
     */
    private static String configuration(int radix, int flits, int bufferFlits, double load) {
        int hosts = radix * radix;
        List<String> lines = List.of(
                "topology = torus",
                "k = " + radix,
                "n = 2",
                "routing_function = dim_order",
                "use_noc_latency = 0",
                "num_vcs = 2",
                "vc_buf_size = " + bufferFlits,
                "wait_for_tail_credit = 0",
                "vc_allocator = islip",
                "sw_allocator = islip",
                "input_speedup = 2",
                "hold_switch_for_packet = 1",
                "routing_delay = 1",
                "vc_alloc_delay = 1",
                "sw_alloc_delay = 1",
                "st_final_delay = 1",
                "internal_speedup = 1.0",
                "packet_size = " + flits,
                "injection_rate_uses_flits = 1",
                String.format(Locale.ROOT, "injection_rate = %.4f", load * hosts / (hosts - 1)),
                "traffic = uniform",
                "sim_type = latency",
                "sample_period = 20000",
                "max_samples = 20");
        return String.join(";\n", lines) + ";\n";
    }
}
