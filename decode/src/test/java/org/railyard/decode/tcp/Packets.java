package org.railyard.decode.tcp;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.railyard.decode.capture.CapturedPacket;

/** Makes packets for tests: A and B are the two hosts, 10.0.0.1 and 10.0.0.2. */
public final class Packets {
    /** Host A. */
    public static final IpAddress A = new IpAddress(0, 0x0a000001, false);

    /** Host B. */
    public static final IpAddress B = new IpAddress(0, 0x0a000002, false);

    private Packets() {}

    /** Returns a TCP segment. */
    public static byte[] tcp(int fromPort, int toPort, int sequence, int flags, byte... payload) {
        ByteBuffer tcp = ByteBuffer.allocate(20 + payload.length);
        tcp.putShort((short) fromPort).putShort((short) toPort).putInt(sequence).putInt(0);
        tcp.put((byte) 0x50).put((byte) flags).putShort((short) 0).putInt(0).put(payload);
        return tcp.array();
    }

    /** Returns an IPv4 packet. */
    public static byte[] ipv4(IpAddress from, IpAddress to, int protocol, byte[] payload) {
        ByteBuffer ip = ByteBuffer.allocate(20 + payload.length);
        ip.put((byte) 0x45)
                .put((byte) 0)
                .putShort((short) ip.capacity())
                .putInt(0)
                .put((byte) 64)
                .put((byte) protocol);
        ip.putShort((short) 0).putInt((int) from.low()).putInt((int) to.low()).put(payload);
        return ip.array();
    }

    /** Returns an IPv6 packet; {@code payload} starts with what {@code next} says. */
    public static byte[] ipv6(IpAddress from, IpAddress to, int next, byte[] payload) {
        ByteBuffer ip = ByteBuffer.allocate(40 + payload.length);
        ip.putInt(0x60000000).putShort((short) payload.length).put((byte) next).put((byte) 64);
        ip.putLong(from.high())
                .putLong(from.low())
                .putLong(to.high())
                .putLong(to.low())
                .put(payload);
        return ip.array();
    }

    /** Returns a raw IP packet from A to B, or back. */
    public static byte[] fromA(boolean a, int portA, int portB, int sequence, int flags, byte... payload) {
        return a
                ? ipv4(A, B, 6, tcp(portA, portB, sequence, flags, payload))
                : ipv4(B, A, 6, tcp(portB, portA, sequence, flags, payload));
    }

    /** Returns bytes, one after the other. */
    public static byte[] join(byte[]... parts) {
        int size = 0;
        for (byte[] part : parts) {
            size += part.length;
        }
        ByteBuffer all = ByteBuffer.allocate(size);
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }

    /** Returns a packet as it was captured. */
    public static CapturedPacket captured(int linkType, byte[] bytes) {
        return new CapturedPacket(0, 24, 0, linkType, MemorySegment.ofArray(bytes));
    }
}
