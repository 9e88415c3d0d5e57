package org.railyard.itest.recorded;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.itest.kit.Await;
import org.railyard.itest.recorded.Recording.Connection;
import org.railyard.itest.recorded.Recording.Line;
import org.railyard.itest.talk.Item;
import org.railyard.lnet.nid.Nid;

/**
 * A recorded node: says its lines over real sockets, each as soon as our node has said all that the other node said
 * before it, and compares our node's lines field by field with the other node's. The caller says when to go on, by the
 * time in the recording.
 *
 * <p>Within a connection, our node's lines have to come in the recorded order; between connections there is no order.
 * Not thread-safe.
 */
final class ScriptedPeer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int HIGHEST_PORT = 1023;
    private static final int LOWEST_PORT = 512;

    private final Recording recording;
    private final Place place;
    private final Set<Nid> played;
    private final Correspondence correspondence;
    private final List<ServerSocket> listeners = new ArrayList<>();
    private final List<Thread> acceptors = new ArrayList<>();
    private final List<LiveLink> callers = new CopyOnWriteArrayList<>();
    private final Map<Integer, LiveLink> links = new HashMap<>();
    private final List<String> differences = new ArrayList<>();
    private BooleanSupplier isSettled = () -> true;
    private int next;
    private int compared;

    /**
     * Starts to listen.
     *
     * @param recording the recording
     * @param place where to play it
     * @param played the NIDs of the node to play, as recorded, or of all nodes but ours; the net does not matter
     */
    ScriptedPeer(Recording recording, Place place, String... played) throws IOException {
        this.recording = recording;
        this.place = place;
        this.played = Stream.of(played).map(Nid::parse).collect(Collectors.toUnmodifiableSet());
        this.correspondence = new Correspondence(
                place.nids(), nid -> this.played.stream().anyMatch(own -> Arrays.equals(own.address(), nid.address())));
        for (Nid nid : this.played) {
            ServerSocket listener = new ServerSocket();
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(live(nid), place.port()));
            listeners.add(listener);
            acceptors.add(Thread.ofVirtual().start(() -> accept(listener)));
        }
    }

    /**
     * Lets the recorded node ask what our node has counted only when that has settled, as it has in a recording, where
     * seconds lie between: a message counts as sent a moment after it has arrived.
     */
    void askForCountsWhen(BooleanSupplier settled) {
        isSettled = settled;
    }

    private InetAddress live(Nid recorded) throws UnknownHostException {
        return InetAddress.getByAddress(place.nids().apply(recorded).address());
    }

    private void accept(ServerSocket listener) {
        while (!listener.isClosed()) {
            try {
                callers.add(new LiveLink(listener.accept(), false));
            } catch (IOException e) {
                // Closed at the end of the play.
                return;
            }
        }
    }

    /** Plays what was recorded before a time, s. */
    void playUntil(double seconds) throws IOException {
        while (next < recording.lines().size() && recording.lines().get(next).seconds() < seconds) {
            play(recording.lines().get(next));
            next++;
        }
    }

    /**
     * Plays the rest and judges.
     *
     * @throws AssertionError if our node said something else than the recorded one, or more
     */
    void playToEnd() throws IOException {
        playUntil(Double.POSITIVE_INFINITY);
        Stream.concat(callers.stream(), links.values().stream())
                .filter(link -> !link.left().isEmpty())
                .distinct()
                .forEach(link -> differences.add("our node said more than the kernel: " + link));
        judge();
    }

    /**
     * Plays the rest and judges only what the recorded node said too; afterwards our node may go on.
     *
     * @throws AssertionError if our node said something else than the recorded one
     */
    void playToLastLine() throws IOException {
        playUntil(Double.POSITIVE_INFINITY);
        judge();
    }

    /** Tells whether our node has said a thing of some kind that the script has not got to yet. */
    boolean hasUnread(Class<? extends Item> kind) {
        return links.values().stream().flatMap(link -> link.left().stream()).anyMatch(kind::isInstance);
    }

    private void judge() {
        if (!differences.isEmpty()) {
            throw new AssertionError("against " + recording.name() + ":\n" + String.join("\n", differences));
        }
        if (compared == 0) {
            throw new AssertionError("nothing was compared in " + recording.name());
        }
    }

    private void play(Line line) throws IOException {
        Connection connection = recording.connections().get(line.connection());
        if (connection == null) {
            throw new IllegalStateException("no such connection: " + line);
        }
        boolean mine = played.contains(line.fromInitiator() ? connection.initiator() : connection.acceptor());
        if (line.item() instanceof Item.Open) {
            links.put(connection.number(), mine ? dial(connection) : awaitCaller(line));
            return;
        }
        LiveLink link = links.get(connection.number());
        if (link == null) {
            throw new IllegalStateException("not open: " + line);
        }
        if (mine) {
            if (SelftestPayload.asksForCounts(line.item())) {
                Await.until("the counts of our node to settle", isSettled);
            }
            try {
                link.say(correspondence.toLive(line.item()));
            } catch (AssertionError e) {
                throw new AssertionError(e.getMessage() + "\n" + situation(), e);
            }
            return;
        }
        Item live = link.next(line.item(), PATIENCE);
        if (live == null) {
            throw new AssertionError("our node does not say: " + line + "\n" + situation());
        }
        compared++;
        for (String difference : correspondence.compare(line.item(), live)) {
            differences.add(line + "\n    " + difference);
        }
    }

    private LiveLink dial(Connection connection) throws IOException {
        InetSocketAddress to = new InetSocketAddress(live(connection.acceptor()), place.port());
        InetAddress from = live(connection.initiator());
        if (!place.privileged()) {
            return dial(from, 0, to);
        }
        BindException taken = new BindException("no free low port on " + from);
        for (int port = HIGHEST_PORT; port >= LOWEST_PORT; port--) {
            try {
                return dial(from, port, to);
            } catch (BindException e) {
                taken.addSuppressed(e);
            }
        }
        throw taken;
    }

    private static LiveLink dial(InetAddress from, int port, InetSocketAddress to) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.bind(new InetSocketAddress(from, port));
            socket.connect(to);
            return new LiveLink(socket, true);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private LiveLink awaitCaller(Line open) {
        Item.Request request = (Item.Request) correspondence.toLive(firstOf(open, Item.Request.class));
        Item.Greeting hello = (Item.Greeting) correspondence.toLive(firstOf(open, Item.Greeting.class));
        LiveLink[] found = {null};
        Await.until(() -> "our node opens a connection with " + request + " and " + hello + "\n" + situation(), () -> {
            found[0] = caller(request, hello);
            return found[0] != null;
        });
        return found[0];
    }

    private @Nullable LiveLink caller(Item.Request request, Item.Greeting hello) {
        return callers.stream()
                .filter(link -> !links.containsValue(link) && link.begins(request, hello))
                .findFirst()
                .orElse(null);
    }

    private <T extends Item> T firstOf(Line open, Class<T> kind) {
        return recording.lines().stream()
                .filter(line -> line.connection() == open.connection() && line.fromInitiator())
                .map(Line::item)
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + kind.getSimpleName() + " follows " + open));
    }

    private String situation() {
        return "differences so far: " + differences + "\nconnections:\n"
                + Stream.concat(callers.stream(), links.values().stream())
                        .distinct()
                        .map(LiveLink::toString)
                        .collect(Collectors.joining("\n"));
    }

    @Override
    public void close() throws IOException {
        for (ServerSocket listener : listeners) {
            listener.close();
        }
        for (Thread acceptor : acceptors) {
            try {
                // The port is free again when the last thread has left the listener.
                acceptor.join();
            } catch (InterruptedException e) {
                throw Await.interrupted(e);
            }
        }
        for (LiveLink link : callers) {
            link.close();
        }
        for (LiveLink link : links.values()) {
            link.close();
        }
    }
}
