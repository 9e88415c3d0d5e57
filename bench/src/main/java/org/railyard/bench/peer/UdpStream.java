package org.railyard.bench.peer;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.railyard.bench.compare.Contender;
import org.railyard.bench.compare.Measure;
import org.railyard.bench.compare.RoundSettings;
import org.railyard.bench.compare.Sample;
import org.railyard.bench.compare.Side;

/**
 * Datagrams in one direction with nothing around them: a thread that sends, as fast as the socket takes them, and a
 * thread that receives. What is lost on the way is not sent again and does not count: an upper bound of what anything
 * on UDP can reach with two threads.
 */
public final class UdpStream implements Contender {
    private static final int BUFFER_BYTES = 4 << 20;

    /** Tells that there is no more; sent until it arrives. */
    private static final int END_BYTES = 1;

    private final Measure measure;
    private final int datagramBytes;
    private long sent;
    private long received;

    private UdpStream(Measure measure, int datagramBytes) {
        this.measure = measure;
        this.datagramBytes = datagramBytes;
    }

    /** Returns the contender that sends 64 bytes in each datagram. */
    public static UdpStream messages() {
        return new UdpStream(Measure.O2IB_RATE, Measure.MESSAGE_BYTES);
    }

    /** Returns the contender that sends as many bytes in each datagram as a packet over loopback has. */
    public static UdpStream blocks() {
        return new UdpStream(Measure.O2IB_BANDWIDTH, 4096);
    }

    @Override
    public String name() {
        return "udp " + datagramBytes + " bytes";
    }

    @Override
    public Measure measure() {
        return measure;
    }

    @Override
    public boolean isPeer() {
        return true;
    }

    @Override
    public Optional<String> note() {
        return sent == 0
                ? Optional.empty()
                : Optional.of(String.format(Locale.ROOT, "%.1f %% lost", 100.0 * (sent - received) / sent));
    }

    @Override
    public Sample run(RoundSettings settings) throws IOException, InterruptedException {
        try (ExecutorService threads = Threads.perTask("bench udp");
                DatagramChannel from = DatagramChannel.open();
                DatagramChannel to = DatagramChannel.open()) {
            to.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
            from.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
            to.bind(new InetSocketAddress(InetAddress.ofLiteral(LoopbackPort.ADDRESS), 0));
            from.connect(to.getLocalAddress());
            AtomicBoolean over = new AtomicBoolean();
            settings.placement().enter(Side.SENDER);
            long start = System.nanoTime();
            Future<Long> receiver = threads.submit(() -> {
                settings.placement().enter(Side.RECEIVER);
                return receive(to, over);
            });
            long count = send(from, start + settings.nanos(), settings.byteLimit() / datagramBytes, over);
            long arrived = Threads.result(receiver);
            long nanos = System.nanoTime() - start;
            sent += count;
            received += arrived;
            return measure == Measure.O2IB_RATE
                    ? new Sample.Rate(arrived, nanos)
                    : new Sample.Bandwidth(arrived * datagramBytes, nanos);
        }
    }

    private long send(DatagramChannel channel, long end, long limit, AtomicBoolean over) throws IOException {
        ByteBuffer datagram = ByteBuffer.allocateDirect(datagramBytes);
        long count = 0;
        while (count < limit && System.nanoTime() - end < 0) {
            channel.write(datagram.clear());
            count++;
        }
        while (!over.get()) {
            channel.write(datagram.clear().limit(END_BYTES));
        }
        return count;
    }

    private long receive(DatagramChannel channel, AtomicBoolean over) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            ByteBuffer datagram = arena.allocate(datagramBytes).asByteBuffer();
            long count = 0;
            while (true) {
                channel.receive(datagram.clear());
                if (datagram.position() == END_BYTES) {
                    return count;
                }
                count++;
            }
        } finally {
            over.set(true);
        }
    }
}
