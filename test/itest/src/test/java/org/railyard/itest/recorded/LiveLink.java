package org.railyard.itest.recorded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.WireFormatException;
import org.railyard.itest.kit.Await;
import org.railyard.itest.talk.Item;
import org.railyard.itest.talk.ItemReader;
import org.railyard.itest.talk.ItemWriter;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.ProtocolVersion;

/** A live TCP connection to our node. Reads all the time; what came is kept until the script gets there. */
final class LiveLink implements AutoCloseable {
    private final Socket socket;
    private final boolean dialled;
    private final BlockingQueue<Item> said = new LinkedBlockingQueue<>();
    private final List<Item> skipped = new ArrayList<>();
    private volatile Item.@Nullable Request request;
    private volatile Item.@Nullable Greeting hello;

    LiveLink(Socket socket, boolean dialled) {
        this.socket = socket;
        this.dialled = dialled;
        Thread.ofVirtual().name("link " + socket).start(this::read);
    }

    private void read() {
        try {
            ItemReader reader = new ItemReader(new BufferedInputStream(socket.getInputStream()));
            if (!dialled) {
                Item.Request wanted = reader.readRequest();
                request = wanted;
                said.add(wanted);
            }
            Item.Greeting greeting = reader.readHello();
            said.add(greeting);
            hello = greeting;
            ProtocolVersion version = greeting.hello().version();
            while (true) {
                Item item = reader.readFrame(version);
                said.add(item);
                if (item instanceof Item.End) {
                    return;
                }
            }
        } catch (IOException | WireFormatException e) {
            said.add(new Item.End(String.valueOf(e.getMessage())));
        }
    }

    /** Tells whether our node opened it with such a request and hello. */
    boolean begins(Item.Request wanted, Item.Greeting greeting) {
        Item.Request mine = request;
        Item.Greeting read = hello;
        return mine != null
                && read != null
                && mine.request().nid().equals(wanted.request().nid())
                && read.hello().srcNid().equals(greeting.hello().srcNid())
                && read.hello().version() == greeting.hello().version()
                && read.hello().typeNumber() == greeting.hello().typeNumber();
    }

    /**
     * Returns the next thing of a kind that our node says here, null if it says no such thing within the limit. Answers
     * and requests come from different threads of a node, of kernels too, and keep their order only among themselves.
     */
    @Nullable
    Item next(Item like, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            for (Item item : skipped) {
                if (isAlike(item, like)) {
                    skipped.remove(item);
                    return item;
                }
            }
            try {
                Item item = said.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (item == null || isAlike(item, like) || item instanceof Item.End) {
                    return item;
                }
                skipped.add(item);
            } catch (InterruptedException e) {
                throw Await.interrupted(e);
            }
        }
    }

    private static boolean isAlike(Item item, Item other) {
        return item instanceof Item.Message message && other instanceof Item.Message like
                ? message.isRequest() == like.isRequest()
                : item.getClass() == other.getClass();
    }

    void say(Item item) throws IOException {
        if (item instanceof Item.End) {
            socket.shutdownOutput();
        } else {
            socket.getOutputStream().write(ItemWriter.bytes(item));
            socket.getOutputStream().flush();
        }
    }

    /** Returns what came and was not asked for; an end is no news. */
    List<Item> left() {
        List<Item> items = new ArrayList<>(skipped);
        items.addAll(said);
        items.removeIf(Item.End.class::isInstance);
        return items;
    }

    @Override
    public String toString() {
        Item.Greeting read = hello;
        ConnectionType type = read == null ? null : read.hello().type();
        return (dialled ? "connection of the recorded node" : "connection of our node") + " "
                + socket.getLocalSocketAddress() + " - " + socket.getRemoteSocketAddress() + " " + type + ", unread "
                + left();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
