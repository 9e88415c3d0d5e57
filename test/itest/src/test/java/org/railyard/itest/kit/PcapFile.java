package org.railyard.itest.kit;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Writes a capture file of TCP segments, with IP as the link layer. Checksums are left out, as with offloading.
 * Thread-safe.
 */
public final class PcapFile implements AutoCloseable {
    static final int SYN = 0x02;
    static final int ACK = 0x10;
    static final int PUSH = 0x08;
    static final int FIN = 0x01;

    private static final int MAGIC_NANOS = 0xa1b23c4d;
    private static final int LINKTYPE_RAW = 101;
    private static final int SNAP_LENGTH = 65_535;
    private static final int TCP_HEADER = 20;
    private static final int PROTOCOL_TCP = 6;
    private static final int HOPS = 64;

    private final DataOutputStream out;

    /** Makes an empty capture. */
    public PcapFile(Path file) throws IOException {
        out = new DataOutputStream(Files.newOutputStream(file));
        out.writeInt(MAGIC_NANOS);
        out.writeShort(2);
        out.writeShort(4);
        out.writeLong(0);
        out.writeInt(SNAP_LENGTH);
        out.writeInt(LINKTYPE_RAW);
    }

    /** Adds a segment. */
    synchronized void add(
            InetSocketAddress from,
            InetSocketAddress to,
            int sequence,
            int acknowledged,
            int flags,
            byte[] data,
            int length)
            throws IOException {
        boolean v4 = from.getAddress() instanceof Inet4Address;
        int total = (v4 ? 20 : 40) + TCP_HEADER + length;
        ByteBuffer packet = ByteBuffer.allocate(total);
        if (v4) {
            packet.put((byte) 0x45)
                    .put((byte) 0)
                    .putShort((short) total)
                    .putInt(0)
                    .put((byte) HOPS)
                    .put((byte) PROTOCOL_TCP)
                    .putShort((short) 0);
        } else {
            packet.putInt(0x60000000)
                    .putShort((short) (total - 40))
                    .put((byte) PROTOCOL_TCP)
                    .put((byte) HOPS);
        }
        packet.put(from.getAddress().getAddress()).put(to.getAddress().getAddress());
        packet.putShort((short) from.getPort())
                .putShort((short) to.getPort())
                .putInt(sequence)
                .putInt(acknowledged);
        packet.put((byte) (TCP_HEADER / 4 << 4))
                .put((byte) flags)
                .putShort((short) 0xffff)
                .putInt(0);
        packet.put(data, 0, length);
        Instant now = Instant.now();
        out.writeInt((int) now.getEpochSecond());
        out.writeInt(now.getNano());
        out.writeInt(total);
        out.writeInt(total);
        out.write(packet.array());
    }

    @Override
    public synchronized void close() throws IOException {
        out.close();
    }
}
