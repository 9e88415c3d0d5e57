package org.railyard.bench.micro;

import java.util.SplittableRandom;
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
import org.railyard.bench.sm.PathQuestions;
import org.railyard.bench.sm.SimulatedMaster;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.master.Master;

/**
 * What a subnet administration does for one Get of PathRecord by GIDs, as hosts ask when they connect: from the request
 * as it was received to the answer as it is sent, without transport.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PathRecordBenchmark {
    private static final int REQUESTS = 4096;

    /** Switches in each of three dimensions, with a host at each. */
    @Param({"4", "10"})
    public int side;

    private final Mad[] requests = new Mad[REQUESTS];
    private final MadAddress[] from = new MadAddress[REQUESTS];
    private @Nullable Master master;
    private int next;

    /** Brings the simulated subnet up, and writes requests between hosts chosen by chance. */
    @Setup
    public void prepare() {
        SimulatedMaster simulated = new SimulatedMaster(side);
        simulated.bringUp();
        Master made = simulated.master();
        Fabric fabric = simulated.fabric();
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < REQUESTS; i++) {
            int source = PathQuestions.host(fabric, random);
            from[i] = MadAddress.gmp(fabric.lid(source), 0);
            requests[i] = PathQuestions.get(fabric, source, PathQuestions.host(fabric, random));
            int status = made.administration()
                    .answer(requests[i], from[i])
                    .map(Mad::status)
                    .orElse(MadStatus.BUSY);
            if (status != MadStatus.OK) {
                throw new IllegalStateException("a path has status " + MadStatus.text(status));
            }
        }
        master = made;
    }

    /** Answers the next request. */
    @Benchmark
    public @Nullable Mad get() {
        next = next + 1 & REQUESTS - 1;
        Master asked = master;
        return asked == null
                ? null
                : asked.administration().answer(requests[next], from[next]).orElse(null);
    }
}
