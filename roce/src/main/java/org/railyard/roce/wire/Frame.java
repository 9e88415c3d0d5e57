package org.railyard.roce.wire;

import static org.railyard.base.wire.Wire.LE32;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.card.memory.MemoryPiece;

/**
 * One packet in memory, to be written or read, again and again. A writer calls {@link #begin}, what the opcode needs of
 * {@link #reth}, {@link #aeth} and {@link #deth}, then {@link #payload}, then {@link #finish}. A reader puts a datagram
 * into {@link #datagram} and calls {@link #arrived}; the other methods mean something if it returns {@link Fault#NONE}.
 * It has memory of its own, and can be moved over other memory, where packets lie side by side ({@link #moveTo}). Makes
 * no garbage. Not thread-safe.
 */
public final class Frame {
    /** Largest payload of a packet, bytes. */
    public static final int MAX_PAYLOAD = 4096;

    /** Largest headers, padding and checksum of a packet, bytes. */
    public static final int MAX_OVERHEAD = Bth.BYTES + Reth.BYTES + 3 + Icrc.BYTES;

    private static final int ALIGNMENT = 4;

    /** What others may send in addition, which is read and turned down: immediate data of an RDMA WRITE, bytes. */
    private static final int UNUSED_HEADER = 4;

    /** Bytes that the memory of a packet has: one more than may come, so a datagram that is too long can be told. */
    public static final int ROOM = MAX_PAYLOAD + MAX_OVERHEAD + UNUSED_HEADER + 1;

    /** What is wrong with a datagram. */
    public enum Fault {
        /** Nothing. */
        NONE,
        /** It is shorter than its headers, longer than any packet, or not made of whole words. */
        LENGTH,
        /** The opcode is of another transport, or answers what is never asked. */
        OPCODE,
        /** The version of the header is another. */
        VERSION,
        /** It is for another partition. */
        PARTITION,
        /** The checksum is wrong. */
        CHECKSUM
    }

    private final Icrc icrc = new Icrc();
    private MemorySegment memory;
    private ByteBuffer bytes;
    private int start;
    private @Nullable Opcode opcode;
    private int length;
    private int guess;
    private int identification;

    /** Where the payload is that is to be sent; null if in its place. */
    private @Nullable MemoryPiece outside;

    /** Makes one with memory of its own. */
    public Frame() {
        memory = Arena.ofAuto().allocate(ROOM, Long.BYTES);
        bytes = memory.asByteBuffer();
    }

    /** Makes one that has no memory until it is moved. */
    public static Frame movable() {
        return new Frame(MemorySegment.NULL, ByteBuffer.allocate(0));
    }

    private Frame(MemorySegment memory, ByteBuffer bytes) {
        this.memory = memory;
        this.bytes = bytes;
    }

    /**
     * Moves it over other memory, to write a packet there.
     *
     * @param to memory with {@link #ROOM} bytes from the place on
     * @param same the same memory
     * @param place where the packet begins
     */
    public Frame moveTo(MemorySegment to, ByteBuffer same, int place) {
        memory = to;
        bytes = same;
        start = place;
        return this;
    }

    /**
     * Moves it over a datagram that arrived, to read it with {@link #arrived}.
     *
     * @param at memory of the datagram
     * @param same the same memory
     * @param place where the datagram begins
     * @param count its length, bytes
     * @param likely identification that its IP header is likely to have; tried first
     */
    public void moveTo(MemorySegment at, ByteBuffer same, int place, int count, int likely) {
        moveTo(at, same, place);
        same.clear().position(place + count);
        guess = likely;
    }

    /**
     * Returns the memory of the packet; its limits are those of what was written, or all of it after {@link #clear}.
     */
    public ByteBuffer datagram() {
        return bytes;
    }

    /** Makes room for a datagram that arrives. */
    public void clear() {
        bytes.clear().position(start);
    }

    /**
     * Begins a packet.
     *
     * @param destinationQp 24 bits
     * @param solicited whether the receiver's software is to be woken
     * @param wantsAck whether the receiver is to answer
     * @param psn 24 bits
     */
    public Frame begin(Opcode kind, int destinationQp, boolean solicited, boolean wantsAck, int psn) {
        opcode = kind;
        leave(null);
        Bth.write(memory, start, kind, solicited ? 0x80 : 0, destinationQp, wantsAck, psn);
        length = Bth.BYTES + kind.extraHeaderBytes();
        return this;
    }

    /** Writes the header of an RDMA WRITE. */
    public Frame reth(long address, int key, int total) {
        Reth.write(memory, start + Bth.BYTES, address, key, total);
        return this;
    }

    /** Writes the header of an acknowledgement. */
    public Frame aeth(int syndrome, int msn) {
        Aeth.write(memory, start + Bth.BYTES, syndrome, msn);
        return this;
    }

    /** Writes the header of a datagram. */
    public Frame deth(int key, int sourceQp) {
        Deth.write(memory, start + Bth.BYTES, key, sourceQp);
        return this;
    }

    /** Returns the memory of the whole frame, of which the payload is at {@link #payloadOffset}. */
    public MemorySegment memory() {
        return memory;
    }

    /** Returns where the payload begins in {@link #memory}. */
    public int payloadOffset() {
        return start + Bth.BYTES + opcode().extraHeaderBytes();
    }

    /**
     * Says how long the payload is that was put at {@link #payloadOffset}, 0 … {@link #MAX_PAYLOAD}, and pads it to
     * whole words.
     */
    public Frame payload(int payloadBytes) {
        int pad = -payloadBytes & ALIGNMENT - 1;
        if (pad > 0) {
            Bth.setFlags(memory, start, Bth.withPad(Bth.flags(memory, start), pad));
            for (int i = 0; i < pad; i++) {
                memory.set(ValueLayout.JAVA_BYTE, payloadOffset() + payloadBytes + i, (byte) 0);
            }
        }
        length = Bth.BYTES + opcode().extraHeaderBytes() + payloadBytes + pad;
        return this;
    }

    /**
     * Says where the payload is, which is not put at {@link #payloadOffset}. For sockets that can fetch it from there
     * ({@link #outside}); the checksum counts it.
     *
     * @param piece has to stay as it is until the packet is sent or begun anew
     */
    public Frame payload(MemoryPiece piece) {
        payload(piece.length());
        leave(piece);
        return this;
    }

    private void leave(@Nullable MemoryPiece piece) {
        outside = piece;
        icrc.outside(piece, piece == null ? 0 : payloadOffset());
    }

    /** Returns where the payload is that is to be sent; null if at {@link #payloadOffset}. */
    public @Nullable MemoryPiece outside() {
        return outside;
    }

    /** Returns how long the datagram becomes, with its checksum, bytes; once the payload is there. */
    public int datagramLength() {
        return length + Icrc.BYTES;
    }

    /** Writes the checksum of a packet whose IP header has identification 0; see {@link #finish(UdpRoute, int)}. */
    public ByteBuffer finish(UdpRoute route) {
        return finish(route, 0);
    }

    /**
     * Writes the checksum.
     *
     * @param inHeader identification that the IP header is going to have, 16 bits
     * @return memory with the packet between its limits
     */
    public ByteBuffer finish(UdpRoute route, int inHeader) {
        length += Icrc.BYTES;
        memory.set(LE32, start + length - Icrc.BYTES, icrc.of(memory, bytes, start, length, route, inHeader));
        return bytes.clear().limit(start + length).position(start);
    }

    /**
     * Writes another checksum into a packet that is finished, since its IP header is going to have identification 0.
     *
     * @param count length of the datagram, bytes
     */
    public void withoutIdentification(UdpRoute route, int count) {
        memory.set(LE32, start + count - Icrc.BYTES, icrc.of(memory, bytes, start, count, route, 0));
    }

    /** Looks at a datagram whose bytes end at the position of {@link #datagram}. */
    public Fault arrived(UdpRoute route) {
        length = bytes.position() - start;
        opcode = null;
        if (length < Bth.BYTES + Icrc.BYTES || length >= ROOM || length % ALIGNMENT != 0) {
            return Fault.LENGTH;
        }
        Opcode kind = Opcode.of(Bth.opcode(memory, start));
        if (kind == null) {
            return Fault.OPCODE;
        }
        int flags = Bth.flags(memory, start);
        if (Bth.version(flags) != 0) {
            return Fault.VERSION;
        }
        int payload = length - Bth.BYTES - kind.extraHeaderBytes() - Icrc.BYTES - Bth.pad(flags);
        if (payload < 0 || payload > MAX_PAYLOAD) {
            return Fault.LENGTH;
        }
        if (!Bth.isDefaultPartition(memory, start)) {
            return Fault.PARTITION;
        }
        int found = memory.get(LE32, start + length - Icrc.BYTES);
        int difference = Icrc.identification(icrc.of(memory, bytes, start, length, route, guess), found, length);
        bytes.clear().position(start + length);
        if (difference < 0) {
            return Fault.CHECKSUM;
        }
        identification = guess ^ difference;
        opcode = kind;
        return Fault.NONE;
    }

    /** Returns the identification in the IP header of what arrived, as the checksum tells it. */
    public int identification() {
        return identification;
    }

    /** Returns what it is. */
    public Opcode opcode() {
        return Objects.requireNonNull(opcode, "nothing was begun, and nothing good arrived");
    }

    /** Returns the queue pair that it is for. */
    public int destinationQp() {
        return Bth.destinationQp(memory, start);
    }

    /** Tells whether the receiver's software is to be woken. */
    public boolean isSolicited() {
        return (Bth.flags(memory, start) & 0x80) != 0;
    }

    /** Tells whether the sender wants an answer. */
    public boolean wantsAck() {
        return Bth.wantsAck(memory, start);
    }

    /** Returns its number. */
    public int psn() {
        return Bth.psn(memory, start);
    }

    /** Returns how many bytes of payload arrived. */
    public int payloadLength() {
        return length - Bth.BYTES - opcode().extraHeaderBytes() - Icrc.BYTES - Bth.pad(Bth.flags(memory, start));
    }

    /** Returns the address to write to, of the first packet of an RDMA WRITE. */
    public long remoteAddress() {
        return Reth.address(memory, start + Bth.BYTES);
    }

    /** Returns the key to write with, of the first packet of an RDMA WRITE. */
    public int remoteKey() {
        return Reth.key(memory, start + Bth.BYTES);
    }

    /** Returns how long the whole RDMA WRITE is, of its first packet: 0 … 2³² − 1. */
    public long writeLength() {
        return Reth.length(memory, start + Bth.BYTES);
    }

    /** Returns how it went, of an acknowledgement. */
    public int syndrome() {
        return Aeth.syndrome(memory, start + Bth.BYTES);
    }

    /** Returns how many messages are complete, 24 bits, of an acknowledgement. */
    public int msn() {
        return Aeth.msn(memory, start + Bth.BYTES);
    }

    /** Returns the key of a datagram. */
    public int datagramKey() {
        return Deth.key(memory, start + Bth.BYTES);
    }

    /** Returns the queue pair that a datagram is from. */
    public int sourceQp() {
        return Deth.sourceQp(memory, start + Bth.BYTES);
    }
}
