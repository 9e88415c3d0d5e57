package org.railyard.bench.micro;

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
import org.railyard.lnet.nid.Nid;

/** NIDs as text: reading and writing them. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class NidBenchmark {
    /** A NID of each length. */
    @Param({"10.0.0.1@tcp1", "2001:db8::1@tcp"})
    public String text = "";

    private Nid nid = Nid.ANY;

    /** Reads the NID that is to be written. */
    @Setup
    public void prepare() {
        nid = Nid.parse(text);
    }

    /** Text to NID. */
    @Benchmark
    public Nid parse() {
        return Nid.parse(text);
    }

    /** NID to text. */
    @Benchmark
    public String format() {
        return nid.toString();
    }
}
