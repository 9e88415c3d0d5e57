package org.railyard.roce.net.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.net.Datagrams;
import org.railyard.roce.net.LocalInterface;
import org.railyard.roce.net.Neighbours;
import org.railyard.roce.net.SystemInterfaces;
import org.railyard.roce.wire.UdpRoute;
import org.railyard.verbs.card.cm.Reach;

/**
 * UDP sockets of Linux, of which one call sends or receives many packets. They are not connected and do not fragment:
 * then the IP header has identification 0, and that of segment i has i (spec 23 §5.1).
 */
public final class LinuxDatagrams implements Datagrams {
    private static final System.Logger LOG = System.getLogger(LinuxDatagrams.class.getName());

    /** Room for what arrives while the thread does something else, bytes; the system may give less. */
    private static final int BUFFER_BYTES = 4 << 20;

    /** Most sockets. */
    private static final int MAX_SOCKETS = 64;

    private static final int SOL_IP = 0;
    private static final int IP_MTU_DISCOVER = 10;
    private static final int DO_NOT_FRAGMENT = 2;
    static final int SOL_SOCKET = 1;
    private static final int SO_SNDBUF = 7;
    static final int SO_RCVBUF = 8;

    /** {@code struct pollfd}: file descriptor, what is waited for, what there is. */
    private static final int POLLFD_BYTES = 8;

    private static final int POLLFD_WANTED = 4;
    private static final int POLLFD_FOUND = 6;
    private static final short POLLIN = 1;
    private static final short POLLOUT = 4;
    private static final long SECOND = 1_000_000_000L;

    private final SocketCalls calls;
    private final LongSupplier nanoTime;
    private final Neighbours neighbours = new Neighbours(Path.of("/proc/net/arp"));
    private final Wakeup wakeup;
    private final List<LinuxSocket> sockets = new ArrayList<>();
    private final MemorySegment files = Arena.ofAuto().allocate((1 + MAX_SOCKETS) * POLLFD_BYTES, Long.BYTES);
    private final MemorySegment timeout = Arena.ofAuto().allocate(2 * Long.BYTES, Long.BYTES);

    LinuxDatagrams(SocketCalls calls, LongSupplier nanoTime) {
        this.calls = calls;
        this.nanoTime = nanoTime;
        int fd = calls.eventfd();
        if (fd < 0) {
            throw new ErrnoException(Errno.ofStatus(fd), "no eventfd for RoCE: " + Errno.describe(fd));
        }
        this.wakeup = new Wakeup(calls, fd);
    }

    /** Returns why there can be none here, as the end of a sentence; empty if {@link #open(LongSupplier)} works. */
    public static Optional<String> obstacle() {
        return Libc.obstacle();
    }

    /**
     * Makes one without sockets, where {@link #obstacle} finds none.
     *
     * @param nanoTime of the loop
     * @throws ErrnoException EMFILE or ENFILE if there is no file descriptor left
     */
    public static LinuxDatagrams open(LongSupplier nanoTime) {
        return new LinuxDatagrams(new Libc(), nanoTime);
    }

    @Override
    public Socket open(LocalInterface at, int udpPort, RoceCounters counters) {
        if (sockets.size() == MAX_SOCKETS) {
            throw new ErrnoException(Errno.EMFILE, "more than " + MAX_SOCKETS + " sockets for RoCE");
        }
        int fd = calls.socket();
        if (fd < 0) {
            throw failed(at, udpPort, fd);
        }
        int status = calls.setOption(fd, SOL_IP, IP_MTU_DISCOVER, DO_NOT_FRAGMENT);
        status = status < 0 ? status : bind(fd, at.ip(), udpPort);
        if (status < 0) {
            calls.close(fd);
            throw failed(at, udpPort, status);
        }
        // Less room than asked for, or none of these options, is slower at worst.
        calls.setOption(fd, SOL_SOCKET, SO_RCVBUF, BUFFER_BYTES);
        calls.setOption(fd, SOL_SOCKET, SO_SNDBUF, BUFFER_BYTES);
        int gro = calls.setOption(fd, MessageTable.SOL_UDP, MessageTable.UDP_GRO, 1);
        if (gro < 0) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "packets for " + LocalInterface.text(at.ip())
                            + " come one by one, many in a call: UDP_GRO was refused" + " with " + Errno.describe(gro)
                            + "; Linux has it from 5.0 on");
        }
        LinuxSocket socket = new LinuxSocket(this, calls, fd, new UdpRoute(0, 0, at.ip(), udpPort), counters);
        sockets.add(socket);
        return socket;
    }

    private int bind(int fd, int ip, int udpPort) {
        MessageTable address = new MessageTable(1);
        address.setPeer(0, ip, udpPort);
        try {
            return calls.bind(fd, address.peerAddress(0), MessageTable.ADDRESS_BYTES);
        } finally {
            // Its memory goes with it, and the call has only a number.
            Reference.reachabilityFence(address);
        }
    }

    private static ErrnoException failed(LocalInterface at, int udpPort, int status) {
        return new ErrnoException(
                Errno.ofStatus(status),
                "UDP port " + udpPort + " of " + LocalInterface.text(at.ip()) + " can not be had: "
                        + Errno.describe(status)
                        + (status == Errno.EADDRINUSE.status()
                                ? "; is a soft-RoCE device (rdma_rxe) or another provider using it?"
                                : ""));
    }

    LongSupplier nanoTime() {
        return nanoTime;
    }

    void closed(LinuxSocket socket) {
        sockets.remove(socket);
    }

    @Override
    public Link look(LocalInterface which) {
        return SystemInterfaces.look(which);
    }

    @Override
    public Reach reach(LocalInterface from, int ip) {
        return neighbours.reach(from, ip);
    }

    @Override
    public void attach(Runnable wake) {
        // It waits by itself.
    }

    @Override
    public boolean await(long nanos) {
        if (nanos <= 0) {
            // All sockets are asked in each turn.
            return true;
        }
        set(0, wakeup.fd(), POLLIN);
        int count = 1;
        for (int i = 0; i < sockets.size(); i++) {
            LinuxSocket each = sockets.get(i);
            set(count++, each.fd(), each.isBlocked() ? (short) (POLLIN | POLLOUT) : POLLIN);
        }
        timeout.set(ValueLayout.JAVA_LONG, 0, nanos / SECOND);
        timeout.set(ValueLayout.JAVA_LONG, Long.BYTES, nanos % SECOND);
        int ready = calls.poll(files.address(), count, timeout.address());
        if (ready > 0 && files.get(ValueLayout.JAVA_SHORT, POLLFD_FOUND) != 0) {
            wakeup.lower();
        }
        return true;
    }

    private void set(int place, int fd, short wanted) {
        long at = (long) place * POLLFD_BYTES;
        files.set(ValueLayout.JAVA_INT, at, fd);
        files.set(ValueLayout.JAVA_SHORT, at + POLLFD_WANTED, wanted);
        files.set(ValueLayout.JAVA_SHORT, at + POLLFD_FOUND, (short) 0);
    }

    @Override
    public void wakeup() {
        wakeup.raise();
    }

    @Override
    public void close() {
        wakeup.close();
    }
}
