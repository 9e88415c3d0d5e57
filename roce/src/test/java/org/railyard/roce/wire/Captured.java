package org.railyard.roce.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/**
 * A datagram of kernel nodes, captured on a soft-RoCE network.
 *
 * @param route from where to where
 * @param identification in the IP header
 * @param bytes what was in the datagram
 */
public record Captured(UdpRoute route, int identification, byte[] bytes) {
    static final List<String> FILES =
            List.of("connect-ping.pcap", "connect-discover-selftest.pcap", "selftest-bulk.pcap");

    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int ETHERNET = 14;
    private static final int IP = 20;
    private static final int UDP = 8;

    /** Returns the datagrams of a capture, in their order. */
    public static List<Captured> read(String file) throws IOException {
        List<Captured> all = new ArrayList<>();
        try (InputStream in =
                new GZIPInputStream(Objects.requireNonNull(Captured.class.getResourceAsStream(file + ".gz"), file))) {
            byte[] bytes = in.readAllBytes();
            ByteBuffer lengths = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            int at = FILE_HEADER;
            while (at < bytes.length) {
                int length = lengths.getInt(at + 8);
                all.add(parse(ByteBuffer.wrap(bytes, at + RECORD_HEADER, length).slice()));
                at += RECORD_HEADER + length;
            }
        }
        return all;
    }

    private static Captured parse(ByteBuffer packet) {
        int udp = ETHERNET + IP;
        int length = (packet.getShort(udp + 4) & 0xFFFF) - UDP;
        byte[] bytes = new byte[length];
        packet.get(udp + UDP, bytes);
        return new Captured(
                new UdpRoute(
                        packet.getInt(ETHERNET + 12),
                        packet.getShort(udp) & 0xFFFF,
                        packet.getInt(ETHERNET + 16),
                        packet.getShort(udp + 2) & 0xFFFF),
                packet.getShort(ETHERNET + 4) & 0xFFFF,
                bytes);
    }
}
