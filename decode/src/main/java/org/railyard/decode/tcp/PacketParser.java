package org.railyard.decode.tcp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.decode.capture.CaptureProblems;
import org.railyard.decode.capture.CapturedPacket;

/**
 * Finds the TCP segment in a captured packet. What is no TCP over IP is passed over; what is broken is reported.
 * Checksums are not looked at: with offloading, packets are captured before they are filled in. Not thread-safe.
 */
public final class PacketParser {
    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final int PROTOCOL_TCP = 6;
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int TCP_HEADER = 20;
    private static final int WORD = 4;

    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int FRAGMENT = 44;
    private static final int AUTHENTICATION = 51;
    private static final int DESTINATION_OPTIONS = 60;
    private static final int MAX_EXTENSIONS = 16;

    private final CaptureProblems problems;
    private final Set<Integer> unknownLinkTypes = new HashSet<>();

    /** Makes a parser that reports to {@code problems}. */
    public PacketParser(CaptureProblems problems) {
        this.problems = problems;
    }

    /** Returns the TCP segment of a packet, or null if it has none that can be used. */
    public @Nullable TcpSegment parse(CapturedPacket packet) {
        if (!LinkLayer.isKnown(packet.linkType())) {
            if (unknownLinkTypes.add(packet.linkType())) {
                problems.report(packet.offset(), "packets of link type " + packet.linkType(), LinkLayer.KNOWN);
            }
            return null;
        }
        MemorySegment bytes = packet.bytes();
        long ip = LinkLayer.ipOffset(packet.linkType(), bytes);
        if (ip < 0 || ip >= bytes.byteSize()) {
            return null;
        }
        return switch (u8(bytes, ip) >>> 4) {
            case 4 -> parseIpv4(packet, bytes.asSlice(ip));
            case 6 -> parseIpv6(packet, bytes.asSlice(ip));
            default -> {
                problems.report(packet.offset(), "an IP packet of version " + (u8(bytes, ip) >>> 4), "version 4 or 6");
                yield null;
            }
        };
    }

    private @Nullable TcpSegment parseIpv4(CapturedPacket packet, MemorySegment ip) {
        if (isShort(packet, ip, IPV4_HEADER, "an IPv4 header")) {
            return null;
        }
        if (u8(ip, 9) != PROTOCOL_TCP) {
            return null;
        }
        int header = (u8(ip, 0) & 0xf) * WORD;
        // Offloading may leave the length 0 where it does not fit; then the packet is as long as it is.
        int total = u16(ip, 2) == 0 ? Math.toIntExact(ip.byteSize()) : u16(ip, 2);
        if (header < IPV4_HEADER || total < header) {
            problems.report(
                    packet.offset(),
                    "an IPv4 header of " + header + " bytes in a packet of " + total,
                    "a header of 20 to 60 bytes");
            return null;
        }
        if ((u16(ip, 6) & 0x3fff) != 0) {
            problems.report(packet.offset(), "a fragment of an IPv4 packet", "whole packets");
            return null;
        }
        IpAddress source = new IpAddress(0, ip.get(U32, 12) & 0xffffffffL, false);
        IpAddress destination = new IpAddress(0, ip.get(U32, 16) & 0xffffffffL, false);
        return parseTcp(packet, ip, header, total, source, destination);
    }

    private @Nullable TcpSegment parseIpv6(CapturedPacket packet, MemorySegment ip) {
        if (isShort(packet, ip, IPV6_HEADER, "an IPv6 header")) {
            return null;
        }
        long total = u16(ip, 4) == 0 ? ip.byteSize() : IPV6_HEADER + u16(ip, 4);
        int next = u8(ip, 6);
        long at = IPV6_HEADER;
        for (int i = 0; next != PROTOCOL_TCP; i++) {
            boolean extension = switch (next) {
                case HOP_BY_HOP, ROUTING, FRAGMENT, AUTHENTICATION, DESTINATION_OPTIONS -> true;
                default -> false;
            };
            if (!extension || i == MAX_EXTENSIONS || isShort(packet, ip, at + 8, "an IPv6 extension header")) {
                return null;
            }
            if (next == FRAGMENT && (u16(ip, at + 2) & 0xfff9) != 0) {
                if (u8(ip, at) == PROTOCOL_TCP) {
                    problems.report(packet.offset(), "a fragment of an IPv6 packet", "whole packets");
                }
                return null;
            }
            int length = next == FRAGMENT
                    ? 8
                    : next == AUTHENTICATION ? (u8(ip, at + 1) + 2) * WORD : (u8(ip, at + 1) + 1) * 8;
            next = u8(ip, at);
            at += length;
        }
        IpAddress source = new IpAddress(ip.get(U64, 8), ip.get(U64, 16), true);
        IpAddress destination = new IpAddress(ip.get(U64, 24), ip.get(U64, 32), true);
        return parseTcp(packet, ip, at, total, source, destination);
    }

    /**
     * Reads the TCP header.
     *
     * @param tcp where it starts in the IP packet
     * @param total bytes of the IP packet as it was sent
     */
    private @Nullable TcpSegment parseTcp(
            CapturedPacket packet, MemorySegment ip, long tcp, long total, IpAddress source, IpAddress destination) {
        if (isShort(packet, ip, tcp + TCP_HEADER, "a TCP header")) {
            return null;
        }
        int header = (u8(ip, tcp + 12) >>> 4) * WORD;
        long payload = tcp + header;
        if (header < TCP_HEADER || payload > total) {
            problems.report(
                    packet.offset(),
                    "a TCP header of " + header + " bytes in an IP packet of " + total,
                    "20 to 60 bytes inside the packet");
            return null;
        }
        long captured = Math.max(0, Math.min(total, ip.byteSize()) - payload);
        return new TcpSegment(
                packet.number(),
                packet.offset(),
                packet.time(),
                new TcpEndpoint(source, u16(ip, tcp)),
                new TcpEndpoint(destination, u16(ip, tcp + 2)),
                ip.get(U32, tcp + 4),
                u8(ip, tcp + 13),
                captured == 0 ? MemorySegment.NULL : ip.asSlice(payload, captured),
                total - payload - captured);
    }

    private boolean isShort(CapturedPacket packet, MemorySegment ip, long bytes, String what) {
        if (ip.byteSize() >= bytes) {
            return false;
        }
        problems.report(
                packet.offset(),
                "an IP packet of which " + ip.byteSize() + " bytes were captured",
                what + " that ends at " + bytes);
        return true;
    }

    private static int u8(MemorySegment bytes, long at) {
        return bytes.get(ValueLayout.JAVA_BYTE, at) & 0xff;
    }

    private static int u16(MemorySegment bytes, long at) {
        return bytes.get(U16, at) & 0xffff;
    }
}
