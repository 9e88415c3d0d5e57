package org.railyard.socklnd.io;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ConnectionType;

/**
 * Socket options of connections (spec 02 §10).
 *
 * @param config the tunables
 * @param tos IP type of service, −1 to leave it alone
 */
public record SocketTuning(SockLndConfig config, int tos) {
    /**
     * Send buffer towards addresses of this machine unless the tunables say otherwise, bytes. The system would let it
     * grow to some MiB, which leave the cache of the CPU before they are read.
     */
    static final int LOCAL_SEND_BUFFER = 256 * 1024;

    /** Sets what has to be there before a connection is made: buffer sizes decide the window. */
    void beforeConnect(SocketChannel channel) throws IOException {
        int send = config.get(SockTunable.TX_BUFFER_SIZE);
        int receive = config.get(SockTunable.RX_BUFFER_SIZE);
        if (send > 0) {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, send);
        }
        if (receive > 0) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, receive);
        }
        setTypeOfService(channel);
    }

    private void setTypeOfService(SocketChannel channel) throws IOException {
        if (tos >= 0) {
            channel.setOption(StandardSocketOptions.IP_TOS, tos);
        }
    }

    /** Sets what accepted connections have from their listener: they offer their window with the first packet. */
    public void beforeListen(ServerSocketChannel channel) throws IOException {
        int receive = config.get(SockTunable.RX_BUFFER_SIZE);
        if (receive > 0) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, receive);
        }
    }

    /** Sets the rest, after the hello, for accepted connections too. */
    public void afterHello(SocketChannel channel, ConnectionType type) throws IOException {
        int send = config.get(SockTunable.TX_BUFFER_SIZE);
        if (send == 0
                && channel.getRemoteAddress() instanceof InetSocketAddress remote
                && isOfThisMachine(remote.getAddress())) {
            send = LOCAL_SEND_BUFFER;
        }
        if (send > 0) {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, send);
        }
        // Accepted ones do not have it yet: it is a matter of the NI, which is only known from the connection request.
        setTypeOfService(channel);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, !config.isOn(SockTunable.NAGLE));
        if (config.isOn(SockTunable.KEEPALIVE_IDLE)) {
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            set(channel, ExtendedSocketOptions.TCP_KEEPIDLE, config.get(SockTunable.KEEPALIVE_IDLE));
            set(channel, ExtendedSocketOptions.TCP_KEEPINTERVAL, config.get(SockTunable.KEEPALIVE_INTVL));
            set(channel, ExtendedSocketOptions.TCP_KEEPCOUNT, config.get(SockTunable.KEEPALIVE_COUNT));
        }
        if ((config.get(SockTunable.EAGER_ACK) & 1 << type.number()) != 0) {
            set(channel, ExtendedSocketOptions.TCP_QUICKACK, true);
        }
    }

    /** Tells whether an address is of this machine, as far as its network namespace goes. */
    static boolean isOfThisMachine(InetAddress address) throws SocketException {
        return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    }

    private static <T> void set(SocketChannel channel, java.net.SocketOption<T> option, T value) throws IOException {
        if (channel.supportedOptions().contains(option)) {
            channel.setOption(option, value);
        }
    }
}
