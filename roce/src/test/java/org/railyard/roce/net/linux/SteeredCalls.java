package org.railyard.roce.net.linux;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.railyard.base.Errno;

/** The system, which refuses what it is told to, and keeps what was sent. */
final class SteeredCalls implements SocketCalls {
    /** {@code struct mmsghdr} on systems with addresses of 64 bits. */
    private static final int HEADER = 64;

    private static final int PIECES_AT = 16;

    /** {@code struct iovec}. */
    private static final int PIECE = 2 * Long.BYTES;

    private static final int CONTROL_AT = 40;
    private static final int NO_SUCH_OPTION = -92;

    private final SocketCalls system;
    private final List<Integer> messages = new ArrayList<>();
    private final List<Integer> pieceCounts = new ArrayList<>();
    private final List<byte[]> sent = new ArrayList<>();
    private int segmentStatus;
    private boolean refusesGro;
    private int status;
    private int most = Integer.MAX_VALUE;

    SteeredCalls() {
        this(new Libc());
    }

    SteeredCalls(SocketCalls system) {
        this.system = system;
    }

    /** Refuses UDP_GRO, as kernels before 5.0 do. */
    SteeredCalls withoutGro() {
        refusesGro = true;
        return this;
    }

    /** Refuses messages with segments, as a device that computes no checksums does. */
    SteeredCalls withoutSegments(Errno errno) {
        segmentStatus = errno.status();
        return this;
    }

    /** Takes messages with segments again. */
    void withSegments() {
        segmentStatus = 0;
    }

    /** Takes so many messages, and refuses the next one, and all behind it, with a status. */
    void takeOnly(int count, Errno errno) {
        most = count;
        status = errno.status();
    }

    void takeAll() {
        most = Integer.MAX_VALUE;
    }

    /** Returns the bytes of all messages that were sent, and forgets them. */
    List<byte[]> sent() {
        List<byte[]> copy = List.copyOf(sent);
        sent.clear();
        messages.clear();
        pieceCounts.clear();
        return copy;
    }

    /** Returns of how many pieces each message was that was sent. */
    List<Integer> pieces() {
        return List.copyOf(pieceCounts);
    }

    /** Returns the length of the segments of each message that was sent; 0 of those without. */
    List<Integer> segments() {
        return List.copyOf(messages);
    }

    @SuppressWarnings("restricted") // The system's own view of memory is what is looked at.
    private static MemorySegment memory(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    @Override
    public int socket() {
        return system.socket();
    }

    @Override
    public int bind(int fd, long address, int length) {
        return system.bind(fd, address, length);
    }

    @Override
    public int setOption(int fd, int level, int option, int value) {
        boolean isGro = level == MessageTable.SOL_UDP && option == MessageTable.UDP_GRO;
        return isGro && refusesGro ? NO_SUCH_OPTION : system.setOption(fd, level, option, value);
    }

    @Override
    public int option(int fd, int level, int option) {
        return system.option(fd, level, option);
    }

    @Override
    public int eventfd() {
        return system.eventfd();
    }

    @Override
    public int close(int fd) {
        return system.close(fd);
    }

    @Override
    public int sendMessages(int fd, long first, int count) {
        int taken = 0;
        while (taken < count) {
            MemorySegment header = memory(first + (long) taken * HEADER, HEADER);
            boolean segmented = header.get(ValueLayout.JAVA_LONG, CONTROL_AT) > 0;
            int refusal = most == 0 ? status : segmented ? segmentStatus : 0;
            int result = refusal != 0 ? refusal : system.sendMessages(fd, first + (long) taken * HEADER, 1);
            if (result < 0) {
                return taken > 0 ? taken : result;
            }
            most--;
            keep(header, segmented);
            taken++;
        }
        return taken;
    }

    private void keep(MemorySegment header, boolean segmented) {
        long count = header.get(ValueLayout.JAVA_LONG, PIECES_AT + Long.BYTES);
        MemorySegment pieces = memory(header.get(ValueLayout.JAVA_LONG, PIECES_AT), count * PIECE);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (long at = 0; at < pieces.byteSize(); at += PIECE) {
            long address = pieces.get(ValueLayout.JAVA_LONG, at);
            bytes.writeBytes(memory(address, pieces.get(ValueLayout.JAVA_LONG, at + Long.BYTES))
                    .toArray(ValueLayout.JAVA_BYTE));
        }
        sent.add(bytes.toByteArray());
        pieceCounts.add((int) count);
        MemorySegment control = memory(header.get(ValueLayout.JAVA_LONG, CONTROL_AT - Long.BYTES), HEADER);
        messages.add(segmented ? (int) control.get(ValueLayout.JAVA_SHORT, 2 * Long.BYTES) : 0);
    }

    @Override
    public int receiveMessages(int fd, long first, int count) {
        return system.receiveMessages(fd, first, count);
    }

    @Override
    public int poll(long files, int count, long timeout) {
        return system.poll(files, count, timeout);
    }

    @Override
    public int read(int fd, long to, int bytes) {
        return system.read(fd, to, bytes);
    }

    @Override
    public void write(int fd, long from, int bytes) {
        system.write(fd, from, bytes);
    }
}
