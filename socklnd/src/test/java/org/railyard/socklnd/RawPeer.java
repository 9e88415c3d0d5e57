package org.railyard.socklnd;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.HexFormat;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.socklnd.link.InterfaceTable;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;

/** The other end of a connection, byte by byte. */
final class RawPeer implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 20_000;

    private final Socket socket;

    private RawPeer(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(TIMEOUT_MILLIS);
    }

    static RawPeer connect(String nid, int port) throws IOException {
        return connect("127.0.0.1", nid, port);
    }

    static RawPeer connect(String from, String nid, int port) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
        socket.connect(new InetSocketAddress(InterfaceTable.addressOf(Nid.parse(nid)), port));
        return new RawPeer(socket);
    }

    static RawPeer accept(ServerSocket server) throws IOException {
        server.setSoTimeout(TIMEOUT_MILLIS);
        return new RawPeer(server.accept());
    }

    void send(String hex) throws IOException {
        try {
            socket.getOutputStream().write(HexFormat.of().parseHex(hex));
        } catch (SocketException e) {
            // Refused while we were still writing: what matters is what can be read.
            if (socket.isClosed()) {
                throw e;
            }
        }
    }

    void send(MemorySegment bytes) throws IOException {
        socket.getOutputStream().write(bytes.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
    }

    /** Reads so many bytes, fewer if the stream ends. */
    String read(int bytes) throws IOException {
        return HexFormat.of().formatHex(socket.getInputStream().readNBytes(bytes));
    }

    byte[] readBytes(int bytes) throws IOException {
        return socket.getInputStream().readNBytes(bytes);
    }

    /** Reads until the other side closes, with FIN or RST. */
    String readToEnd() throws IOException {
        StringBuilder out = new StringBuilder();
        try {
            InputStream in = socket.getInputStream();
            for (int b = in.read(); b >= 0; b = in.read()) {
                out.append(HexFormat.of().toHexDigits((byte) b));
            }
        } catch (SocketException e) {
            out.append("");
        }
        return out.toString();
    }

    /** Reads until the other side closes, and tells whether it reset the connection instead of ending it. */
    boolean isReset() throws IOException {
        try {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            return false;
        } catch (SocketException e) {
            return true;
        }
    }

    /** Sends request and hello, and returns the connection type of the answer. */
    int hello(String to, String from, long incarnation, int type) throws IOException {
        return hello(Nid.parse(to).isNid4() ? ProtocolVersion.V3 : ProtocolVersion.V4, to, from, incarnation, type);
    }

    /** The same in a version of the protocol. */
    int hello(ProtocolVersion version, String to, String from, long incarnation, int type) throws IOException {
        Nid target = Nid.parse(to);
        send(segment(ConnectionRequest.to(target)));
        Hello hello = Hello.of(
                version,
                Nid.parse(from),
                target,
                ProcessId.LUSTRE_PID,
                0,
                incarnation,
                0,
                java.util.Objects.requireNonNull(ConnectionType.ofNumber(type)));
        send(segment(hello));
        try {
            return Hello.read(MemorySegment.ofArray(readBytes(hello.bytes())), 0)
                    .typeNumber();
        } catch (WireFormatException e) {
            throw new IOException("no answer", e);
        }
    }

    void control(String to, String from, long incarnation) throws IOException {
        if (hello(to, from, incarnation, 1) != 1) {
            throw new IOException("not connected");
        }
    }

    static MemorySegment segment(ConnectionRequest request) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[request.bytes()]);
        request.write(bytes, 0);
        return bytes;
    }

    static MemorySegment segment(Hello hello) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[hello.bytes()]);
        hello.write(bytes, 0);
        return bytes;
    }

    int localPort() {
        return socket.getLocalPort();
    }

    InetSocketAddress local() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    InetSocketAddress remote() {
        return (InetSocketAddress) socket.getRemoteSocketAddress();
    }

    /** Closes in the middle of a test. */
    void hangUp() throws IOException {
        close();
    }

    /** Closes with a reset. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
