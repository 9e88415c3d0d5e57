package org.railyard.lnet.sim;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.LNet;
import org.railyard.lnet.LNetConfig;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/** Nodes that are connected by {@link TestLnd}s. Messages wait in one queue until {@link #settle}. */
public final class TestNetwork implements AutoCloseable {
    /** A message that is on the wire, or was. */
    public record Packet(Nid from, LNetHeader header, byte[] payload) {}

    record Endpoint(LndNi ni, LndUpcalls stack) {}

    final Map<Nid, Endpoint> endpoints = new LinkedHashMap<>();
    final ArrayDeque<Runnable> events = new ArrayDeque<>();
    private final List<Packet> log = new ArrayList<>();
    private final List<LNet> nodes = new ArrayList<>();
    private final List<TestHost> hosts = new ArrayList<>();
    private Predicate<Packet> loss = packet -> false;
    private long wallStart = 1_700_000_000_000_000_000L;

    /** Starts a node with the given NIDs. */
    public LNet node(String... nids) {
        return node(LNetConfig.Settings.DEFAULT, nids);
    }

    /** Starts a node with the given NIDs. */
    public LNet node(LNetConfig.Settings settings, String... nids) {
        TestHost host = new TestHost(wallStart);
        wallStart += 1_000_000_000L;
        hosts.add(host);
        LNetConfig.Builder config =
                LNetConfig.builder().host(host).lnd(new TestLnd.Provider(this)).settings(settings);
        for (String nid : nids) {
            config.ni(NiRequest.ofNid(Nid.parse(nid)));
        }
        LNet node = LNet.start(config.build());
        nodes.add(node);
        settle();
        return node;
    }

    /** Loses messages that fit, after they were sent. */
    public void lose(Predicate<Packet> which) {
        loss = which;
    }

    boolean isLost(Packet packet) {
        return loss.test(packet);
    }

    void record(Packet packet) {
        log.add(packet);
    }

    /** Returns what went over the wire since the last call. */
    public List<Packet> takeLog() {
        List<Packet> taken = List.copyOf(log);
        log.clear();
        return taken;
    }

    /** Returns what went over the wire since the last call, a line each: type, source, destination, length. */
    public List<String> takeLines() {
        return takeLog().stream()
                .map(p -> p.header().type() + " " + p.header().srcNid() + " > "
                        + p.header().destNid() + (p.payload().length > 0 ? " " + p.payload().length : ""))
                .toList();
    }

    /** Delivers messages and runs workers until nothing is left to do. */
    public void settle() {
        boolean busy = true;
        while (busy) {
            busy = false;
            for (Runnable event = events.poll(); event != null; event = events.poll()) {
                event.run();
                busy = true;
            }
            for (TestHost host : hosts) {
                busy |= host.runWorkers();
            }
        }
    }

    /** Lets time pass everywhere, in steps of one second. */
    public void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            hosts.forEach(host -> host.advance(1_000_000_000L));
            settle();
        }
    }

    /** Settles, then returns the result of a stage. */
    public <T> T await(CompletionStage<T> stage) {
        settle();
        if (!stage.toCompletableFuture().isDone()) {
            throw new AssertionError("the stage is not done although nothing is left to do");
        }
        return stage.toCompletableFuture().join();
    }

    /** Settles, then returns the error of a stage. */
    public LNetException awaitError(CompletionStage<?> stage) {
        settle();
        if (!stage.toCompletableFuture().isCompletedExceptionally()) {
            throw new AssertionError("the stage has not failed: " + stage);
        }
        return (LNetException) stage.toCompletableFuture().exceptionNow();
    }

    /** Puts a message on the wire as if a node that is none of these had sent it; returns the status of the receiver. */
    public int inject(Nid from, LNetHeader header, byte[] payload, @Nullable Nid arrivesAt) {
        Endpoint endpoint = endpoints.get(arrivesAt == null ? header.destNid() : arrivesAt);
        if (endpoint == null) {
            throw new AssertionError("no such endpoint");
        }
        return TestLnd.arrive(endpoint, from, header, MemorySegment.ofArray(payload));
    }

    @Override
    public void close() {
        nodes.forEach(LNet::close);
        settle();
    }
}
