package org.railyard.roce.wire;

import static org.railyard.base.wire.Wire.LE32;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memory for one packet, to be written or read, again and again. A writer calls {@link #begin}, what the opcode needs
 * of {@link #reth}, {@link #aeth} and {@link #deth}, then {@link #payload}, then {@link #finish}. A reader puts a
 * datagram into {@link #datagram} and calls {@link #arrived}; the other methods mean something if it returns {@link
 * Fault#NONE}. Makes no garbage. Not thread-safe.
 */
public final class Frame {
    /** Largest payload of a packet, bytes. */
    public static final int MAX_PAYLOAD = 4096;

    /** Largest headers, padding and checksum of a packet, bytes. */
    public static final int MAX_OVERHEAD = Bth.BYTES + Reth.BYTES + 3 + Icrc.BYTES;

    private static final int ALIGNMENT = 4;
    private static final int START = Icrc.PREFIX;

    /** One more than may come: so a datagram that is too long can be told. */
    private static final int MAX_DATAGRAM = MAX_PAYLOAD + MAX_OVERHEAD + 1;

    /** What is wrong with a datagram. */
    public enum Fault {
        /** Nothing. */
        NONE,
        /** It is shorter than its headers, longer than any packet, or not made of whole words. */
        LENGTH,
        /** The opcode is unknown. */
        OPCODE,
        /** The version of the header is another. */
        VERSION,
        /** It is for another partition. */
        PARTITION,
        /** The checksum is wrong. */
        CHECKSUM
    }

    private final MemorySegment memory = Arena.ofAuto().allocate(START + MAX_DATAGRAM, Long.BYTES);
    private final ByteBuffer bytes = memory.asByteBuffer();
    private final ByteBuffer datagram = bytes.slice(START, MAX_DATAGRAM);
    private final Icrc icrc = new Icrc();
    private @Nullable Opcode opcode;
    private int length;
    private int identification;

    /** Makes memory for a packet. */
    public Frame() {
        Icrc.prepare(memory);
    }

    /**
     * Returns the memory of the packet; its limits are those of what was written, or all of it after {@link #clear}.
     */
    public ByteBuffer datagram() {
        return datagram;
    }

    /** Makes room for a datagram that arrives. */
    public void clear() {
        datagram.clear();
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
        Bth.write(memory, START, kind, solicited ? 0x80 : 0, destinationQp, wantsAck, psn);
        Bth.setVariant(memory, START, (byte) 0);
        length = Bth.BYTES + kind.extraHeaderBytes();
        return this;
    }

    /** Writes the header of an RDMA WRITE. */
    public Frame reth(long address, int key, int total) {
        Reth.write(memory, START + Bth.BYTES, address, key, total);
        return this;
    }

    /** Writes the header of an acknowledgement. */
    public Frame aeth(int syndrome, int msn) {
        Aeth.write(memory, START + Bth.BYTES, syndrome, msn);
        return this;
    }

    /** Writes the header of a datagram. */
    public Frame deth(int key, int sourceQp) {
        Deth.write(memory, START + Bth.BYTES, key, sourceQp);
        return this;
    }

    /** Returns the memory of the whole frame, of which the payload is at {@link #payloadOffset}. */
    public MemorySegment memory() {
        return memory;
    }

    /** Returns where the payload begins in {@link #memory}. */
    public int payloadOffset() {
        return START + Bth.BYTES + opcode().extraHeaderBytes();
    }

    /**
     * Says how long the payload is that was put at {@link #payloadOffset}, 0 … {@link #MAX_PAYLOAD}, and pads it to
     * whole words.
     */
    public Frame payload(int payloadBytes) {
        int pad = -payloadBytes & ALIGNMENT - 1;
        Bth.setFlags(memory, START, Bth.withPad(Bth.flags(memory, START), pad));
        for (int i = 0; i < pad; i++) {
            memory.set(ValueLayout.JAVA_BYTE, payloadOffset() + payloadBytes + i, (byte) 0);
        }
        length = Bth.BYTES + opcode().extraHeaderBytes() + payloadBytes + pad;
        return this;
    }

    /** Writes the checksum; the packet is then between the limits of {@link #datagram}. */
    public ByteBuffer finish(UdpRoute route) {
        length += Icrc.BYTES;
        memory.set(LE32, START + length - Icrc.BYTES, icrc.of(memory, bytes, length, route));
        return datagram.clear().limit(length);
    }

    /** Looks at a datagram whose bytes end at the position of {@link #datagram}. */
    public Fault arrived(UdpRoute route) {
        length = datagram.position();
        opcode = null;
        if (length < Bth.BYTES + Icrc.BYTES || length == MAX_DATAGRAM || length % ALIGNMENT != 0) {
            return Fault.LENGTH;
        }
        Opcode kind = Opcode.of(Bth.opcode(memory, START));
        if (kind == null) {
            return Fault.OPCODE;
        }
        int flags = Bth.flags(memory, START);
        if (Bth.version(flags) != 0) {
            return Fault.VERSION;
        }
        int payload = length - Bth.BYTES - kind.extraHeaderBytes() - Icrc.BYTES - Bth.pad(flags);
        if (payload < 0 || payload > MAX_PAYLOAD) {
            return Fault.LENGTH;
        }
        if (!Bth.isDefaultPartition(memory, START)) {
            return Fault.PARTITION;
        }
        int found = memory.get(LE32, START + length - Icrc.BYTES);
        identification = Icrc.identification(icrc.of(memory, bytes, length, route), found, length);
        if (identification < 0) {
            return Fault.CHECKSUM;
        }
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
        return Bth.destinationQp(memory, START);
    }

    /** Tells whether the receiver's software is to be woken. */
    public boolean isSolicited() {
        return (Bth.flags(memory, START) & 0x80) != 0;
    }

    /** Tells whether the sender wants an answer. */
    public boolean wantsAck() {
        return Bth.wantsAck(memory, START);
    }

    /** Returns its number. */
    public int psn() {
        return Bth.psn(memory, START);
    }

    /** Returns how many bytes of payload arrived. */
    public int payloadLength() {
        return length - Bth.BYTES - opcode().extraHeaderBytes() - Icrc.BYTES - Bth.pad(Bth.flags(memory, START));
    }

    /** Returns the address to write to, of the first packet of an RDMA WRITE. */
    public long remoteAddress() {
        return Reth.address(memory, START + Bth.BYTES);
    }

    /** Returns the key to write with, of the first packet of an RDMA WRITE. */
    public int remoteKey() {
        return Reth.key(memory, START + Bth.BYTES);
    }

    /** Returns how long the whole RDMA WRITE is, of its first packet: 0 … 2³² − 1. */
    public long writeLength() {
        return Reth.length(memory, START + Bth.BYTES);
    }

    /** Returns how it went, of an acknowledgement. */
    public int syndrome() {
        return Aeth.syndrome(memory, START + Bth.BYTES);
    }

    /** Returns how many messages are complete, 24 bits, of an acknowledgement. */
    public int msn() {
        return Aeth.msn(memory, START + Bth.BYTES);
    }

    /** Returns the key of a datagram. */
    public int datagramKey() {
        return Deth.key(memory, START + Bth.BYTES);
    }

    /** Returns the queue pair that a datagram is from. */
    public int sourceQp() {
        return Deth.sourceQp(memory, START + Bth.BYTES);
    }
}
