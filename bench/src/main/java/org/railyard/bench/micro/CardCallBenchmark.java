package org.railyard.bench.micro;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.IbvProvider;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.Completion;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.WorkChain;

/**
 * Posting to a card and polling it, by the provider of cards over a library in C that does nothing, and beside it the
 * same calls from C. Needs gcc and the headers of libibverbs and librdmacm.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED"})
@SuppressWarnings("restricted") // It calls a library of its own.
public class CardCallBenchmark {
    /** Calls in one turn of the loop, whose other cost is shared by them. */
    private static final int CALLS = 10_000;

    private static final int BATCH = 16;
    private static final long SECOND = 1_000_000_000L;
    private static final QpCapabilities QUEUES = new QpCapabilities(64, 64, 1);

    private final WorkChain chain = new WorkChain();
    private final Completion[] batch = Completion.batch(BATCH);
    private @Nullable Path library;
    private @Nullable IbvProvider provider;
    private @Nullable EventLoop loop;
    private @Nullable Cq cq;
    private @Nullable Qp qp;
    private @Nullable MethodHandle postInC;
    private @Nullable MethodHandle pollInC;

    /** Compiles the library, and connects a queue pair over it. */
    @Setup
    public void prepare() throws Exception {
        Path made = compile();
        library = made;
        SymbolLookup functions = SymbolLookup.libraryLookup(made, Arena.global());
        IbvProvider cards = IbvProvider.open(
                new RealHost(), functions.or(Linker.nativeLinker().defaultLookup()), List.of());
        provider = cards;
        EventLoop own = cards.createEventLoop("bench");
        loop = own;
        CompletableFuture<CmEvent.Type> up = new CompletableFuture<>();
        own.call(() -> cards.createId(own, (id, event) -> happened(id, event, up))
                .resolveAddress(new CmAddress(0x7F00_0001, 987), SECOND));
        up.get(10, TimeUnit.SECONDS);
        FunctionDescriptor countToSum = FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
        postInC = handle(functions.findOrThrow("bench_post_and_poll"), countToSum);
        pollInC = handle(functions.findOrThrow("bench_poll_nothing"), countToSum);
        chain.send(1, true).gather(4096, 64, 1);
    }

    private static MethodHandle handle(MemorySegment function, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(function, type);
    }

    private static Path compile() throws IOException, InterruptedException {
        Path made = Files.createTempFile("railyard-card", ".so");
        Process gcc = new ProcessBuilder("gcc", "-O2", "-shared", "-fPIC", "-x", "c", "-o", made.toString(), "-")
                .redirectErrorStream(true)
                .start();
        try (InputStream source = Objects.requireNonNull(CardCallBenchmark.class.getResourceAsStream("card.c"));
                var into = gcc.getOutputStream()) {
            source.transferTo(into);
        }
        String said = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (gcc.waitFor() != 0) {
            throw new IOException("gcc does not compile card.c; it needs the headers of libibverbs and librdmacm"
                    + " (Debian: libibverbs-dev librdmacm-dev): " + said);
        }
        return made;
    }

    private void happened(CmId id, CmEvent event, CompletableFuture<CmEvent.Type> up) {
        switch (event.type()) {
            case ADDRESS_RESOLVED -> id.resolveRoute(-1, SECOND);
            case ROUTE_RESOLVED -> {
                VerbsDevice device = Objects.requireNonNull(id.device());
                Cq made = device.createCq(QUEUES.sends() * 2, Objects.requireNonNull(loop), _ -> {});
                cq = made;
                qp = id.createQp(device.openPd(), made, QUEUES);
                id.connect(ConnectParameters.DEFAULT, MemorySegment.NULL);
            }
            default -> up.complete(event.type());
        }
    }

    /** Gives all back. */
    @TearDown
    public void close() throws IOException {
        Objects.requireNonNull(provider).close();
        Files.deleteIfExists(Objects.requireNonNull(library));
    }

    /** A request is posted, and its completion polled. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public long postAndPoll() {
        long[] sum = new long[1];
        Objects.requireNonNull(loop)
                .call(() -> sum[0] = postAndPoll(Objects.requireNonNull(qp), Objects.requireNonNull(cq)));
        if (sum[0] != CALLS) {
            throw new IllegalStateException(sum[0] + " completions of " + CALLS);
        }
        return sum[0];
    }

    private long postAndPoll(Qp to, Cq from) {
        long sum = 0;
        for (int i = 0; i < CALLS; i++) {
            to.postSend(chain);
            for (int count = from.poll(batch); count > 0; count--) {
                sum += batch[count - 1].id();
            }
        }
        return sum;
    }

    /** Completions are looked for where there are none. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public long pollNothing() {
        long[] sum = new long[1];
        Objects.requireNonNull(loop).call(() -> {
            Cq from = Objects.requireNonNull(cq);
            for (int i = 0; i < CALLS; i++) {
                sum[0] += from.poll(batch);
            }
        });
        return sum[0];
    }

    /** The same as {@link #postAndPoll} in C. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public long postAndPollInC() throws Throwable {
        return (long) Objects.requireNonNull(postInC).invokeExact((long) CALLS);
    }

    /** The same as {@link #pollNothing} in C. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public long pollNothingInC() throws Throwable {
        return (long) Objects.requireNonNull(pollInC).invokeExact((long) CALLS);
    }
}
