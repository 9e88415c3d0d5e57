package org.railyard.node.facts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.railyard.doctor.HostFacts;

/** The machine that this process runs on, seen from its network namespace. */
public final class SystemFacts implements HostFacts {
    private static final java.nio.file.Path SETTINGS = java.nio.file.Path.of("/proc/sys");

    private final Supplier<Descriptors> descriptors;
    private final Supplier<List<CardFault>> cards;

    /** Makes it, with the file descriptors that a node with defaults needs, and no cards; looks when asked. */
    public SystemFacts() {
        this(OpenFiles::look, List::of);
    }

    /** Makes it; looks when asked. */
    public SystemFacts(Supplier<Descriptors> descriptors, Supplier<List<CardFault>> cards) {
        this.descriptors = descriptors;
        this.cards = cards;
    }

    @Override
    public List<CardFault> cards() {
        return cards.get();
    }

    @Override
    public Descriptors descriptors() {
        return descriptors.get();
    }

    @Override
    public List<Link> links() {
        return SystemLinks.list();
    }

    @Override
    public OptionalInt setting(String path) {
        try {
            return OptionalInt.of(
                    Integer.parseInt(Files.readString(SETTINGS.resolve(path)).strip()));
        } catch (IOException | NumberFormatException e) {
            // Not there, not allowed, or no number: nothing is known.
            return OptionalInt.empty();
        }
    }

    @Override
    public Way way(InetAddress from, InetAddress to) {
        return IpRoute.get(from, to);
    }

    @Override
    public List<Passage> passages(List<Path> paths) {
        // Each waits for answers: all at once.
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Passage>> tried = paths.stream()
                    .map(path -> CompletableFuture.supplyAsync(() -> UdpProbe.tryOut(path), each))
                    .toList();
            return tried.stream().map(CompletableFuture::join).toList();
        }
    }

    @Override
    public Holder otherHolder(String device, InetAddress ip) {
        return Arping.ask(device, ip);
    }

    @Override
    public List<Contact> contacts(List<Call> calls) {
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Contact>> made = calls.stream()
                    .map(call -> CompletableFuture.supplyAsync(() -> HostProbe.make(call), each))
                    .toList();
            return made.stream().map(CompletableFuture::join).toList();
        }
    }

    /** Returns which network namespace this process sees, for people: its name if it has one, or its number. */
    public static String namespace() {
        return NetworkNamespace.describe();
    }

    @Override
    public Port port(InetAddress at, int port) {
        try (ServerSocketChannel channel = ServerSocketChannel.open()) {
            // What a connection left behind keeps nobody from listening.
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(new InetSocketAddress(at, port));
            return Port.FREE;
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage());
            if (why.contains("Permission denied")) {
                return Port.DENIED;
            }
            return why.contains("in use") ? Port.IN_USE : Port.FREE;
        }
    }

    @Override
    public String holder(int port) {
        return PortHolder.of(port);
    }
}
