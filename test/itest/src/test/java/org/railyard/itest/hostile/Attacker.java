package org.railyard.itest.hostile;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.itest.talk.Item;
import org.railyard.itest.talk.ItemReader;
import org.railyard.itest.talk.ItemWriter;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;

/** A raw connection to a node, V3, that says whatever it is told to. */
final class Attacker implements AutoCloseable {
    private static final int LIMIT_MILLIS = 15_000;
    private static final int PID = 12_345;
    /** Where the type stands in a frame: behind frame header, NIDs and pids. */
    private static final int TYPE_AT = 24 + 24;

    private final Nid victim;
    private final Nid self;
    private final Socket socket = new Socket();
    private final ItemReader reader;

    /** Connects. */
    Attacker(Nid victim, int port, Nid self) throws IOException {
        this.victim = victim;
        this.self = self;
        socket.setSoTimeout(LIMIT_MILLIS);
        socket.setTcpNoDelay(true);
        socket.bind(new InetSocketAddress(InetAddress.getByAddress(self.address()), 0));
        socket.connect(new InetSocketAddress(InetAddress.getByAddress(victim.address()), port));
        reader = new ItemReader(new BufferedInputStream(socket.getInputStream()));
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    byte[] request() {
        return request(victim);
    }

    static byte[] request(Nid wanted) {
        return ItemWriter.bytes(new Item.Request(ConnectionRequest.to(wanted)));
    }

    byte[] hello(ConnectionType type) {
        return hello(self, type.number(), List.of());
    }

    byte[] hello(Nid source, int type, List<Integer> addresses) {
        return ItemWriter.bytes(new Item.Greeting(new Hello(
                ByteOrder.LITTLE_ENDIAN, ProtocolVersion.V3, source, victim, PID, 0, 4711, 0, type, addresses)));
    }

    /** Shakes hands as an honest peer. */
    Attacker shakeHands(ConnectionType type) throws IOException, WireFormatException {
        send(request());
        send(hello(type));
        Hello answer = reader.readHello().hello();
        if (answer.type() == null || answer.type() == ConnectionType.NONE) {
            throw new IOException("the node does not want this connection: " + answer);
        }
        return this;
    }

    /** Returns a header from this peer to the node; a type is to be set. */
    LNetHeader header() {
        return header(self, victim);
    }

    static LNetHeader header(Nid source, Nid target) {
        LNetHeader header = new LNetHeader();
        header.setRoute(target, PID, source, PID);
        return header;
    }

    /** Returns a frame with a message. */
    static byte[] frame(LNetHeader header, byte[] payload) {
        return frame(header, payload, 0, 0);
    }

    static byte[] frame(LNetHeader header, byte[] payload, long cookie0, long cookie1) {
        return ItemWriter.bytes(new Item.Message(ProtocolVersion.V3, header, payload, cookie0, cookie1, false));
    }

    static byte[] noop(long cookie0, long cookie1) {
        return ItemWriter.bytes(new Item.Noop(ProtocolVersion.V3, cookie0, cookie1, false));
    }

    byte[] ping(long handle) {
        LNetHeader header = header();
        header.setGet(handle, handle, Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, 272);
        return frame(header, new byte[0]);
    }

    byte[] get(int portal, long bits, int offset, int length) {
        LNetHeader header = header();
        header.setGet(77, 78, portal, bits, offset, length);
        return frame(header, new byte[0]);
    }

    byte[] put(int portal, long bits, int offset, byte[] payload) {
        LNetHeader header = header();
        header.setPut(payload.length, 77, 79, portal, bits, offset, 0);
        return frame(header, payload);
    }

    /** Returns a PUT whose header promises so much and whose payload is not there. */
    byte[] promisedPut(int payloadLength) {
        return patched(put(50, 1, 0, new byte[0]), TYPE_AT + 4, payloadLength);
    }

    byte[] push(byte[] info) {
        return put(Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, info);
    }

    byte[] ack(long interfaceCookie, long objectCookie) {
        LNetHeader header = header();
        header.setAck(interfaceCookie, objectCookie, 1, 0);
        return frame(header, new byte[0]);
    }

    byte[] reply(long interfaceCookie, long objectCookie, byte[] payload) {
        LNetHeader header = header();
        header.setReply(payload.length, interfaceCookie, objectCookie);
        return frame(header, payload);
    }

    /** Returns a ping with another message type. */
    byte[] typed(int type) {
        return patched(ping(1), TYPE_AT, type);
    }

    /** Returns bytes with a little-endian word replaced. */
    static byte[] patched(byte[] bytes, int at, int word) {
        byte[] copy = bytes.clone();
        ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN).putInt(at, word);
        return copy;
    }

    /** Returns a ping whose LNet header is in the other byte order. */
    byte[] bigEndianPing() {
        byte[] bytes = ping(1);
        for (int at = 24; at < bytes.length; at += Integer.BYTES) {
            int word = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
            bytes = patched(bytes, at, Integer.reverseBytes(word));
        }
        return bytes;
    }

    /**
     * Pings over this connection and waits for the answer, whatever else comes before it; fails if the node has closed
     * it.
     */
    void awaitAnswerToPing() throws IOException, WireFormatException {
        long handle = System.nanoTime();
        send(ping(handle));
        while (true) {
            Item item = reader.readFrame(ProtocolVersion.V3);
            if (item instanceof Item.End) {
                throw new AssertionError("the node closed the connection");
            }
            if (item instanceof Item.Message message
                    && message.header().type() == MessageType.REPLY
                    && message.header().objectCookie() == handle) {
                return;
            }
        }
    }

    /** Reads until the node closes the connection. */
    byte[] awaitClose() {
        byte[] read = new byte[0];
        try {
            byte[] chunk = new byte[4096];
            for (int n = socket.getInputStream().read(chunk);
                    n >= 0;
                    n = socket.getInputStream().read(chunk)) {
                int length = read.length;
                read = Arrays.copyOf(read, length + n);
                System.arraycopy(chunk, 0, read, length, n);
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the node has not closed the connection within " + LIMIT_MILLIS + " ms", e);
        } catch (IOException e) {
            // Closed with a reset.
            return read;
        }
        return read;
    }

    static boolean isRefusal(byte[] bytes) {
        return bytes.length == 16
                && MemorySegment.ofArray(bytes)
                                .mismatch(MemorySegment.ofArray(
                                        ItemWriter.bytes(new Item.Request(ConnectionRequest.refusal()))))
                        < 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
