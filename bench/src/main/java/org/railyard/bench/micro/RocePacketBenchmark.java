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
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.Opcode;
import org.railyard.roce.wire.UdpRoute;

/**
 * Looking at a RoCEv2 packet of 4 KiB that arrived. Its checksum depends on the identification in its IP header, which
 * a socket does not tell: what finding it costs is the difference between the two parameters.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RocePacketBenchmark {
    private static final int BTH_BYTES = 12;
    private static final int ICRC_BYTES = 4;
    private static final UdpRoute ROUTE = new UdpRoute(0x0A00_0001, 4791, 0x0A00_0002, 4791);

    /** In the IP header: kernels count, Railyard's own packets have 0. */
    @Param({"0", "4711"})
    public int identification;

    private final Frame frame = new Frame();

    /** Makes the packet. */
    @Setup
    public void prepare() {
        int length = frame.begin(Opcode.SEND_ONLY, 0x123456, true, true, 7)
                .payload(Frame.MAX_PAYLOAD)
                .finish(ROUTE, identification)
                .remaining();
        frame.datagram().clear().position(length);
        if (frame.arrived(ROUTE) != Frame.Fault.NONE || frame.identification() != identification) {
            throw new IllegalStateException("the packet is not right");
        }
    }

    /** Checks its headers and checksum. */
    @Benchmark
    public Frame.Fault arrived() {
        frame.datagram().clear().position(BTH_BYTES + Frame.MAX_PAYLOAD + ICRC_BYTES);
        return frame.arrived(ROUTE);
    }
}
