package org.railyard.itest.kit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.tune.PeerPorts;
import org.railyard.socklnd.wire.FrameHeader;

/**
 * Stands between nodes on loopback and writes what they say into a capture file, as if they used the ports of kernel
 * nodes: 988, and 1023 downwards. Needs no privileges. Nodes dial the ports that {@link #ports} tells. Thread-safe.
 */
public final class Wiretap implements AutoCloseable {
    private static final int ACCEPTOR_PORT = 988;
    private static final int CHUNK = 16_384;
    private static final byte NOOP = (byte) FrameHeader.NOOP;
    private static final int NOOP_BYTES = FrameHeader.BYTES;

    private final PcapFile file;
    private final Map<Nid, Integer> ports = new ConcurrentHashMap<>();
    private final List<ServerSocket> listeners = new ArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final AtomicInteger callerPort = new AtomicInteger(1023);

    /** Taps the nodes with some NIDs, all of which listen on one port. */
    public Wiretap(Path capture, int port, Nid... nids) throws IOException {
        file = new PcapFile(capture);
        for (Nid nid : nids) {
            InetAddress address = InetAddress.getByAddress(nid.address());
            ServerSocket listener = new ServerSocket(0, 50, address);
            listeners.add(listener);
            ports.put(nid, listener.getLocalPort());
            threads.add(Thread.ofVirtual().start(() -> listen(listener, new InetSocketAddress(address, port))));
        }
    }

    /** Returns where to dial instead of the nodes themselves. */
    public PeerPorts ports() {
        return (nid, type) -> ports.getOrDefault(nid, ACCEPTOR_PORT);
    }

    private void listen(ServerSocket listener, InetSocketAddress node) {
        while (!listener.isClosed()) {
            try {
                Socket caller = listener.accept();
                sockets.add(caller);
                take(caller, node);
            } catch (IOException e) {
                // The tap is being closed.
                return;
            }
        }
    }

    private void take(Socket caller, InetSocketAddress node) throws IOException {
        Socket called = new Socket();
        sockets.add(called);
        try {
            called.bind(new InetSocketAddress(caller.getInetAddress(), 0));
            called.connect(node);
        } catch (IOException e) {
            // Nobody there, which is what the caller learns.
            caller.close();
            called.close();
            return;
        }
        connect(caller, called);
    }

    private void connect(Socket caller, Socket called) throws IOException {
        caller.setTcpNoDelay(true);
        called.setTcpNoDelay(true);
        InetSocketAddress from = new InetSocketAddress(caller.getInetAddress(), callerPort.getAndDecrement());
        InetSocketAddress to = new InetSocketAddress(called.getInetAddress(), ACCEPTOR_PORT);
        Line line = new Line(from, to);
        line.open();
        threads.add(Thread.ofVirtual().start(() -> pass(caller, called, line, true)));
        threads.add(Thread.ofVirtual().start(() -> pass(called, caller, line, false)));
    }

    private static void pass(Socket in, Socket out, Line line, boolean forward) {
        byte[] buffer = new byte[CHUNK];
        try {
            for (int n = in.getInputStream().read(buffer);
                    n >= 0;
                    n = in.getInputStream().read(buffer)) {
                // Into the capture first, so that no answer can stand before its question.
                line.say(forward, buffer, n);
                out.getOutputStream().write(buffer, 0, n);
            }
            line.end(forward);
            out.shutdownOutput();
        } catch (IOException e) {
            close(in);
            close(out);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket can not be closed", e);
        }
    }

    /** A connection in the capture. */
    private final class Line {
        private final InetSocketAddress from;
        private final InetSocketAddress to;
        private int fromSequence = 1000;
        private int toSequence = 5000;

        Line(InetSocketAddress from, InetSocketAddress to) {
            this.from = from;
            this.to = to;
        }

        synchronized void open() throws IOException {
            file.add(from, to, fromSequence++, 0, PcapFile.SYN, new byte[0], 0);
            file.add(to, from, toSequence++, fromSequence, PcapFile.SYN | PcapFile.ACK, new byte[0], 0);
        }

        synchronized void say(boolean forward, byte[] data, int length) throws IOException {
            if (length > NOOP_BYTES && data[0] == NOOP && data[1] == 0 && data[2] == 0 && data[3] == 0) {
                // tshark loses its place behind a NOOP that shares a segment with another frame.
                say(forward, data, NOOP_BYTES);
                say(forward, Arrays.copyOfRange(data, NOOP_BYTES, length), length - NOOP_BYTES);
                return;
            }
            put(forward, PcapFile.ACK | PcapFile.PUSH, data, length);
            if (forward) {
                fromSequence += length;
            } else {
                toSequence += length;
            }
        }

        synchronized void end(boolean forward) throws IOException {
            put(forward, PcapFile.ACK | PcapFile.FIN, new byte[0], 0);
        }

        private void put(boolean forward, int flags, byte[] data, int length) throws IOException {
            if (forward) {
                file.add(from, to, fromSequence, toSequence, flags, data, length);
            } else {
                file.add(to, from, toSequence, fromSequence, flags, data, length);
            }
        }
    }

    /** Ends the tapping and completes the file. */
    @Override
    public void close() throws IOException {
        for (ServerSocket listener : listeners) {
            listener.close();
        }
        for (Socket socket : sockets) {
            socket.close();
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw Await.interrupted(e);
            }
        }
        file.close();
    }
}
