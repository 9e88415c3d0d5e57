package org.railyard.bench.micro;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;

/**
 * Reading and writing of a PUT's header in both forms. Neither allocates when the NIDs stay the same: look with {@code
 * -prof gc}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HeaderBenchmark {
    /** Whether the header has the 96-byte form. */
    @Param({"false", "true"})
    public boolean large;

    private final MemorySegment wire = Arena.ofAuto().allocate(LNetHeader.LARGE_BYTES, Long.BYTES);
    private final LNetHeader sent = new LNetHeader();
    private final LNetHeader received = new LNetHeader();

    /** Prepares a header that both forms can say. */
    public HeaderBenchmark() {
        sent.setPut(64, 1, 2, 3, 4, 5, 6);
        sent.setRoute(Nid.parse("10.0.0.1@tcp"), ProcessId.LUSTRE_PID, Nid.parse("10.0.0.2@tcp"), ProcessId.LUSTRE_PID);
    }

    /** Makes the form of the parameter stand in memory before any is read. */
    @Setup
    public void prepare() {
        sent.write(wire, 0, large);
    }

    /** Reads the header of a steady sender. */
    @Benchmark
    public LNetHeader read() throws WireFormatException {
        received.read(wire, 0, large);
        return received;
    }

    /** Writes a header. */
    @Benchmark
    public MemorySegment write() {
        sent.write(wire, 0, large);
        return wire;
    }
}
