package org.railyard.roce.net.linux;

import org.jspecify.annotations.Nullable;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.net.Datagrams;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.UdpRoute;

/** A socket whose packets leave and come together. */
final class LinuxSocket implements Datagrams.Socket {
    private final LinuxDatagrams net;
    private final SocketCalls calls;
    private final int fd;
    private final SendStage stage;
    private final ReceiveSlots slots;
    private boolean closed;

    /**
     * Makes one over a file.
     *
     * @param here whom what comes is for
     */
    LinuxSocket(LinuxDatagrams net, SocketCalls calls, int fd, UdpRoute here, RoceCounters counters) {
        this.net = net;
        this.calls = calls;
        this.fd = fd;
        this.stage = new SendStage(calls, fd, counters, net.nanoTime());
        this.slots = new ReceiveSlots(calls, fd, here, counters);
    }

    int fd() {
        return fd;
    }

    /** Tells whether it waits for the network to take something. */
    boolean isBlocked() {
        return stage.isBlocked();
    }

    @Override
    public int room() {
        return Math.max(0, calls.option(fd, LinuxDatagrams.SOL_SOCKET, LinuxDatagrams.SO_RCVBUF));
    }

    @Override
    public Frame outgoing() {
        return stage.outgoing();
    }

    @Override
    public boolean fetchesPayload() {
        return true;
    }

    @Override
    public Datagrams.Sent send(UdpRoute route, Datagrams.Unsent unsent, int psn) {
        return stage.add(route, unsent, psn) ? Datagrams.Sent.YES : Datagrams.Sent.BUSY;
    }

    @Override
    public void flush() {
        // A queue pair may end behind its socket, whose number may be that of another file by then.
        if (!closed) {
            stage.flush();
        }
    }

    @Override
    public long flushes() {
        return stage.flushes();
    }

    @Override
    public int fullBytes() {
        return stage.fullBytes();
    }

    @Override
    public @Nullable UdpRoute receive(Frame into) {
        return slots.next(into);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            net.closed(this);
            calls.close(fd);
        }
    }
}
