package org.railyard.itest.talk;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.FrameChecksum;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;

/** Reads items from a stream of bytes, recorded or live. Not thread-safe. */
public final class ItemReader {
    private final InputStream in;
    private long position;

    /** Reads from the start of a stream. */
    public ItemReader(InputStream in) {
        this.in = in;
    }

    /** Returns how many bytes were read. */
    public long position() {
        return position;
    }

    /** Reads a connection request. */
    public Item.Request readRequest() throws IOException, WireFormatException {
        byte[] bytes = more(new byte[0], ConnectionRequest.PREFIX_BYTES);
        int version = ConnectionRequest.versionAt(MemorySegment.ofArray(bytes), 0, ByteOrder.LITTLE_ENDIAN);
        byte[] whole = more(bytes, Math.max(bytes.length, ConnectionRequest.bytes(version)));
        return new Item.Request(ConnectionRequest.read(MemorySegment.ofArray(whole), 0));
    }

    /** Reads a hello. */
    public Item.Greeting readHello() throws IOException, WireFormatException {
        byte[] bytes = more(new byte[0], Hello.PREFIX_BYTES);
        ProtocolVersion version = Hello.versionAt(MemorySegment.ofArray(bytes), 0);
        if (version == null) {
            throw new WireFormatException("hello of an unknown version");
        }
        bytes = more(bytes, version.helloBytes());
        MemorySegment view = MemorySegment.ofArray(bytes);
        bytes = more(bytes, Hello.bytesAt(view, 0, version, Hello.orderAt(view, 0)));
        return new Item.Greeting(Hello.read(MemorySegment.ofArray(bytes), 0));
    }

    /** Reads a frame, or the end of the stream where a frame could begin. */
    public Item readFrame(ProtocolVersion version) throws IOException, WireFormatException {
        int first = in.read();
        if (first < 0) {
            return new Item.End("end of stream");
        }
        position++;
        int prefix = version.hasFrameHeader() ? FrameHeader.BYTES : 0;
        byte[] head = more(new byte[] {(byte) first}, prefix > 0 ? prefix : version.messageHeadBytes());
        FrameHeader frame = new FrameHeader();
        if (version.hasFrameHeader()) {
            frame.read(MemorySegment.ofArray(head), 0, ByteOrder.LITTLE_ENDIAN);
            if (frame.type() == FrameHeader.NOOP) {
                verify(version, frame, head, new byte[0]);
                return new Item.Noop(version, frame.cookie0(), frame.cookie1(), frame.checksum() != 0);
            }
            head = more(head, version.messageHeadBytes());
        }
        LNetHeader header = new LNetHeader();
        header.read(MemorySegment.ofArray(head), prefix, version.largeNids());
        byte[] payload = more(new byte[0], header.payloadLength());
        verify(version, frame, head, payload);
        return new Item.Message(version, header, payload, frame.cookie0(), frame.cookie1(), frame.checksum() != 0);
    }

    private static void verify(ProtocolVersion version, FrameHeader frame, byte[] head, byte[] payload)
            throws WireFormatException {
        if (frame.checksum() == 0) {
            return;
        }
        FrameChecksum sum = new FrameChecksum();
        if (version.checksumCoversFrame()) {
            sum.addFrameHeader(MemorySegment.ofArray(head), 0);
            sum.add(MemorySegment.ofArray(head), FrameHeader.BYTES, head.length - FrameHeader.BYTES);
        }
        sum.add(MemorySegment.ofArray(payload), 0, payload.length);
        if (sum.value() != frame.checksum()) {
            throw new WireFormatException("frame has a wrong checksum");
        }
    }

    private byte[] more(byte[] have, int total) throws IOException {
        byte[] all = Arrays.copyOf(have, total);
        int read = in.readNBytes(all, have.length, total - have.length);
        position += read;
        if (read < total - have.length) {
            throw new EOFException("the stream ends within an item");
        }
        return all;
    }
}
