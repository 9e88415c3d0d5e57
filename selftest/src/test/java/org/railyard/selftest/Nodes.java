package org.railyard.selftest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.railyard.base.host.Host;
import org.railyard.conformance.SteeredHost;
import org.railyard.host.RealHost;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.RpcWatch;
import org.railyard.selftest.api.SelftestSettings;
import org.railyard.socklnd.SockLndProvider;
import org.railyard.socklnd.tune.AcceptPolicy;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SourcePorts;

/** Nodes on loopback addresses, each with selftest, on machines whose clocks can be put forward. */
final class Nodes implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final long LOOK_NANOS = 2_000_000;

    /** A node. */
    record Node(ProcessId id, LNet lnet, SteeredHost host, Selftest selftest) {
        Console console() {
            return selftest.console();
        }
    }

    private final int port = freePort();
    private final List<Node> all = new ArrayList<>();
    private final List<LNet> others = new ArrayList<>();

    private static int freePort() {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(0));
            return probe.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Node add(String nid) {
        return add(nid, SelftestSettings.DEFAULT);
    }

    Node add(String nid, SelftestSettings settings) {
        return add(nid, settings, RpcWatch.NONE);
    }

    Node add(String nid, SelftestSettings settings, RpcWatch watch) {
        SteeredHost host = new SteeredHost(new RealHost());
        LNet lnet = lnet(nid, host);
        Node node = new Node(ProcessId.of(Nid.parse(nid)), lnet, host, Selftest.start(lnet, host, settings, watch));
        all.add(node);
        return node;
    }

    /** Adds a node that nobody tests. */
    LNet addWithoutSelftest(String nid) {
        LNet lnet = lnet(nid, new RealHost());
        others.add(lnet);
        return lnet;
    }

    private LNet lnet(String nid, Host host) {
        return LNet.start(LNetConfig.builder()
                .host(host)
                .lnd(new SockLndProvider(SockLndConfig.builder()
                        .acceptPort(port)
                        .accept(AcceptPolicy.ALL)
                        .sourcePorts(SourcePorts.ANY)
                        .build()))
                .ni(NiRequest.ofNid(Nid.parse(nid)))
                .build());
    }

    static <T> T value(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("waited in vain for: " + what);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public void close() {
        all.forEach(node -> node.selftest().close());
        all.forEach(node -> node.lnet().close());
        others.forEach(LNet::close);
    }
}
