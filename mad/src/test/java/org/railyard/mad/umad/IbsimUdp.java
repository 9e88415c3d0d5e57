package org.railyard.mad.umad;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.NodeClock;
import org.railyard.base.wire.WireFormatException;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.transport.LocalPort;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadLoop;
import org.railyard.mad.transport.MadReceiver;
import org.railyard.mad.transport.MadTransport;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MgmtClass;

/**
 * MADs through the UDP sockets of {@code ibsim -r} (spec 42 §2.2): without libibumad, its preloaded double and a second
 * process, and with all 256 bytes. One thread receives, and runs all callbacks, tasks and timers.
 */
final class IbsimUdp implements MadTransport {
    /** The default buffers of the sockets lose datagrams when 128 are on their way. */
    private static final int MAX_OUTSTANDING = 64;

    private static final int SOCKET_BUFFER = 1 << 20;
    private static final int MAGIC = 0xDEADBEEF;
    private static final int CONTROL_HEADER = 16;
    private static final int CONTROL = 80;
    private static final int NAME = 32;
    private static final int DATA_HEADER = 32;
    private static final int DATA = DATA_HEADER + Mad.SIZE;
    private static final int WAIT_MILLIS = 10_000;

    private static final int REFUSED = 0;
    private static final int CONNECT = 1;
    private static final int DISCONNECT = 2;
    private static final int SET_IS_SM = 9;

    private final DatagramChannel control;
    private final DatagramChannel data;
    private final Selector selector;
    private final UmadLoop loop;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ByteBuffer in = ByteBuffer.allocate(DATA);
    private final int client;
    private final SocketAddress to;
    private final LocalPort port;
    private volatile @Nullable MadReceiver receiver;

    private IbsimUdp(int serverPort, String node, NodeClock clock) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        control = DatagramChannel.open().bind(new InetSocketAddress(loopback, 0));
        control.connect(new InetSocketAddress(loopback, serverPort));
        data = DatagramChannel.open()
                .setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER)
                .bind(new InetSocketAddress(loopback, 0));
        ByteBuffer connect = ByteBuffer.allocate(CONTROL - CONTROL_HEADER).order(ByteOrder.LITTLE_ENDIAN);
        connect.putInt(((InetSocketAddress) data.getLocalAddress()).getPort())
                .putInt(0)
                .putInt(0)
                .put(Arrays.copyOf(node.getBytes(StandardCharsets.US_ASCII), NAME));
        client = exchange(CONNECT, 0, connect.array()).getInt(CONTROL_HEADER);
        to = new InetSocketAddress(loopback, serverPort + 1 + client);
        port = new LocalPort(node, 1, portGuid());
        data.configureBlocking(false);
        selector = Selector.open();
        data.register(selector, SelectionKey.OP_READ);
        loop = new UmadLoop(clock::nanoTime);
    }

    /**
     * Attaches to a simulator of this host and starts the thread.
     *
     * @param serverPort of its control socket
     * @param node description of the channel adapter to stand at
     * @throws ErrnoException ENODEV if it knows no such node, EIO if nobody answers
     */
    static IbsimUdp open(int serverPort, String node, NodeClock clock) {
        IbsimUdp transport;
        try {
            transport = new IbsimUdp(serverPort, node, clock);
        } catch (IOException e) {
            throw new ErrnoException(Errno.EIO, "no ibsim at UDP port " + serverPort + ": " + e, e);
        }
        Thread thread = new Thread(transport::run, "ibsim " + node);
        thread.setDaemon(true);
        transport.loop.runsIn(thread);
        thread.start();
        return transport;
    }

    /** Asks the own node: the control socket tells the GUID of the node in place of that of the port. */
    private long portGuid() throws IOException {
        Mad question = Mad.directed(MadMethod.GET, NodeInfo.TYPE, 0, DirectedPath.OWN_NODE);
        data.send(datagram(question, MadAddress.DIRECTED), to);
        byte[] answer = receive(data, DATA);
        return NodeInfo.TYPE.over().over(answer, DATA_HEADER + Mad.SMP_DATA).get(NodeInfo.PORT_GUID);
    }

    /** Waits for a datagram. */
    private static byte[] receive(DatagramChannel from, int size) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[size], size);
        from.socket().setSoTimeout(WAIT_MILLIS);
        from.socket().receive(packet);
        return packet.getData();
    }

    /** Asks the control socket something and waits for the answer, in the simulator's byte order. */
    private ByteBuffer exchange(int type, int asClient, byte[] content) throws IOException {
        ByteBuffer message = ByteBuffer.allocate(CONTROL).order(ByteOrder.LITTLE_ENDIAN);
        message.putInt(MAGIC)
                .putInt(asClient)
                .putInt(type)
                .putInt(content.length)
                .put(content);
        control.write(message.clear());
        ByteBuffer received = ByteBuffer.wrap(receive(control, CONTROL)).order(ByteOrder.LITTLE_ENDIAN);
        if (received.getInt(2 * Integer.BYTES) == REFUSED) {
            throw new ErrnoException(Errno.ENODEV, "ibsim refuses a control message of type " + type);
        }
        return received;
    }

    private void run() {
        try {
            while (!closing.get()) {
                int wait = loop.runDue();
                receive(wait);
            }
            exchange(DISCONNECT, client, new byte[0]);
        } catch (IOException e) {
            MadReceiver told = receiver;
            if (told != null && !closing.get()) {
                told.failed(new ErrnoException(Errno.EIO, port + ": " + e, e));
            }
        } finally {
            ended.countDown();
        }
    }

    private void receive(int waitMillis) throws IOException {
        if (waitMillis > 0) {
            selector.select(waitMillis);
            selector.selectedKeys().clear();
        }
        if (data.receive(in.clear()) == null) {
            return;
        }
        MadReceiver receiving = receiver;
        if (in.position() != DATA || receiving == null) {
            return;
        }
        Mad mad;
        try {
            mad = Mad.over(Arrays.copyOfRange(in.array(), DATA_HEADER, DATA));
        } catch (WireFormatException e) {
            // The size was just checked.
            throw new IllegalStateException(e);
        }
        int status = in.getInt(16);
        if (status == 0) {
            int lid = Short.toUnsignedInt(in.getShort(4));
            int qpn = in.getInt(12);
            int key = MgmtClass.isSmp(mad.mgmtClass()) ? 0 : MadAddress.GMP_Q_KEY;
            receiving.received(mad, new MadAddress(lid, qpn, key, 0, 0, 0, Gid.ZERO));
        } else {
            receiving.undelivered(mad, status);
        }
    }

    private static ByteBuffer datagram(Mad mad, MadAddress address) {
        // The simulator fills in the source, except of directed routes.
        int source = address.lid() == MadAddress.PERMISSIVE ? MadAddress.PERMISSIVE : 0;
        ByteBuffer out = ByteBuffer.allocate(DATA);
        out.putShort(0, (short) address.lid()).putShort(4, (short) source);
        out.putInt(8, address.qpn()).putInt(12, MgmtClass.isSmp(mad.mgmtClass()) ? 0 : 1);
        out.putLong(24, Mad.SIZE).put(DATA_HEADER, mad.bytes(), 0, Math.min(mad.bytes().length, Mad.SIZE));
        return out;
    }

    @Override
    public void send(Mad mad, MadAddress address, int timeoutMillis) {
        if (mad.length() > Mad.SIZE) {
            throw new ErrnoException(Errno.EMSGSIZE, "a MAD of " + mad.length() + " bytes; " + Mad.SIZE + " fit");
        }
        ByteBuffer out = datagram(mad, address);
        try {
            data.send(out, to);
        } catch (IOException e) {
            throw new ErrnoException(Errno.EIO, port + ": a MAD to " + address + " was not sent: " + e, e);
        }
    }

    @Override
    public MadLoop loop() {
        return loop;
    }

    @Override
    public LocalPort port() {
        return port;
    }

    @Override
    public void receiver(MadReceiver newReceiver) {
        receiver = newReceiver;
    }

    @Override
    public int maxOutstanding() {
        return MAX_OUTSTANDING;
    }

    @Override
    public boolean reportsTimeouts() {
        // Of what ibsim forwards to another client nothing comes back by itself.
        return false;
    }

    @Override
    public boolean reassembles() {
        return false;
    }

    @Override
    public void markSm(boolean isSm) {
        byte[] flag = {(byte) (isSm ? 1 : 0), 0, 0, 0};
        try {
            exchange(SET_IS_SM, client, flag);
        } catch (IOException e) {
            throw new ErrnoException(Errno.EIO, port + " can not be marked as that of an SM: " + e, e);
        }
    }

    @Override
    public void close() {
        closing.set(true);
        if (loop.isInLoop()) {
            return;
        }
        try {
            ended.await();
            selector.close();
            data.close();
            control.close();
        } catch (IOException e) {
            throw new ErrnoException(Errno.EIO, port + " can not be closed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
