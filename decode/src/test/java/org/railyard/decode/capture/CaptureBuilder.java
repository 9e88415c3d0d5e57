package org.railyard.decode.capture;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes captures for tests. */
public final class CaptureBuilder {
    private final ByteOrder order;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private CaptureBuilder(ByteOrder order) {
        this.order = order;
    }

    /** Starts a pcap file. */
    public static CaptureBuilder pcap(ByteOrder order, boolean nanoseconds, int linkType) {
        CaptureBuilder builder = new CaptureBuilder(order);
        ByteBuffer header = builder.buffer(24);
        header.putInt(nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4).putShort((short) 2).putShort((short) 4);
        header.putInt(0).putInt(0).putInt(262_144).putInt(linkType);
        return builder.raw(bytes(header));
    }

    /** Starts a pcapng file without a section. */
    public static CaptureBuilder pcapng(ByteOrder order) {
        return new CaptureBuilder(order);
    }

    /** Adds a pcap record. */
    public CaptureBuilder record(long second, long fraction, byte[] packet) {
        return record(second, fraction, packet.length, packet.length, packet);
    }

    /** Adds a pcap record with lengths that may be wrong. */
    public CaptureBuilder record(long second, long fraction, int captured, int original, byte[] packet) {
        raw(bytes(buffer(16)
                .putInt((int) second)
                .putInt((int) fraction)
                .putInt(captured)
                .putInt(original)));
        return raw(packet);
    }

    /** Adds a pcapng section header. */
    public CaptureBuilder section() {
        return block(
                0x0a0d0d0a,
                bytes(buffer(16)
                        .putInt(0x1a2b3c4d)
                        .putShort((short) 1)
                        .putShort((short) 0)
                        .putLong(-1)));
    }

    /** Adds a pcapng interface description; options are written as given. */
    public CaptureBuilder describe(int linkType, int snapLength, byte... options) {
        ByteBuffer body = buffer(8 + options.length);
        body.putShort((short) linkType).putShort((short) 0).putInt(snapLength).put(options);
        return block(1, bytes(body));
    }

    /** Returns a pcapng option, padded. */
    public byte[] option(int code, byte... value) {
        return bytes(buffer(4 + (value.length + 3 & ~3))
                .putShort((short) code)
                .putShort((short) value.length)
                .put(value));
    }

    /** Adds an enhanced packet. */
    public CaptureBuilder enhanced(int interfaceIndex, long ticks, byte[] packet) {
        return enhanced(interfaceIndex, ticks, packet.length, packet);
    }

    /** Adds an enhanced packet that may lie about its length. */
    public CaptureBuilder enhanced(int interfaceIndex, long ticks, int captured, byte[] packet) {
        ByteBuffer body = buffer(20 + (packet.length + 3 & ~3));
        body.putInt(interfaceIndex)
                .putInt((int) (ticks >>> 32))
                .putInt((int) ticks)
                .putInt(captured)
                .putInt(packet.length);
        return block(6, bytes(body.put(packet)));
    }

    /** Adds an old-style packet. */
    public CaptureBuilder old(int interfaceIndex, long ticks, byte[] packet) {
        ByteBuffer body = buffer(20 + (packet.length + 3 & ~3));
        body.putShort((short) interfaceIndex)
                .putShort((short) 0)
                .putInt((int) (ticks >>> 32))
                .putInt((int) ticks);
        return block(2, bytes(body.putInt(packet.length).putInt(packet.length).put(packet)));
    }

    /** Adds a simple packet. */
    public CaptureBuilder simple(int originalLength, byte[] captured) {
        return block(
                3,
                bytes(buffer(4 + (captured.length + 3 & ~3))
                        .putInt(originalLength)
                        .put(captured)));
    }

    /** Adds a pcapng block around a body. */
    public CaptureBuilder block(int type, byte[] body) {
        int length = 12 + body.length;
        raw(bytes(buffer(8).putInt(type).putInt(length)));
        raw(body);
        return raw(bytes(buffer(4).putInt(length)));
    }

    /** Adds bytes as they are. */
    public CaptureBuilder raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    /** Returns how many bytes there are so far. */
    public int size() {
        return out.size();
    }

    /** Returns the file. */
    public byte[] bytes() {
        return out.toByteArray();
    }

    /** Returns the file. */
    public MemorySegment segment() {
        return MemorySegment.ofArray(bytes());
    }

    /** Returns all bytes of a buffer, those not written as zeros. */
    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.capacity()];
        buffer.get(0, bytes);
        return bytes;
    }

    private ByteBuffer buffer(int size) {
        return ByteBuffer.allocate(size).order(order);
    }
}
