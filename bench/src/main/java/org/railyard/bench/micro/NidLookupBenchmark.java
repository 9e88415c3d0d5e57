package org.railyard.bench.micro;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/** Finding one of many peers by a NID that is equal to its key but another object, as one read from the wire is. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class NidLookupBenchmark {
    private static final int FIRST_ADDRESS = 10 << 24;

    /** How many peers are known; a power of two. */
    @Param({"64", "16384"})
    public int peers;

    private final Map<Nid, Nid> table = new HashMap<>();
    private Nid[] wanted = {};
    private int next;

    /** Fills the table with consecutive addresses, which is what clusters have. */
    @Setup
    public void prepare() {
        wanted = new Nid[peers];
        for (int i = 0; i < peers; i++) {
            Nid key = Nid.of(Net.TCP, FIRST_ADDRESS + i);
            table.put(key, key);
            wanted[i] = Nid.of(Net.TCP, FIRST_ADDRESS + i);
        }
    }

    /** Looks up the next NID. */
    @Benchmark
    public @Nullable Nid lookup() {
        next = next + 1 & peers - 1;
        return table.get(wanted[next]);
    }
}
