package org.railyard.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.wire.WireFormatException;

/** Packets of kernel nodes: each is read, and written back byte for byte. */
class CapturedPacketsTest {
    private static Frame arrived(Captured captured, Frame frame) {
        frame.clear();
        frame.datagram().put(captured.bytes());
        assertThat(frame.arrived(captured.route())).isEqualTo(Frame.Fault.NONE);
        return frame;
    }

    /** Writes what was read into another frame. */
    private static Frame again(Frame read) throws WireFormatException {
        Frame frame =
                new Frame().begin(read.opcode(), read.destinationQp(), read.isSolicited(), read.wantsAck(), read.psn());
        switch (read.opcode()) {
            case WRITE_FIRST, WRITE_ONLY ->
                frame.reth(read.remoteAddress(), read.remoteKey(), (int) read.writeLength());
            case ACKNOWLEDGE -> frame.aeth(read.syndrome(), read.msn());
            case DATAGRAM -> frame.deth(read.datagramKey(), read.sourceQp());
            default -> {
                // Nothing between header and payload.
            }
        }
        if (read.opcode() == Opcode.DATAGRAM) {
            CmMessage.read(read.memory(), read.payloadOffset(), read.payloadLength())
                    .write(frame.memory(), frame.payloadOffset());
        } else {
            MemorySegment.copy(
                    read.memory(), read.payloadOffset(), frame.memory(), frame.payloadOffset(), read.payloadLength());
        }
        return frame.payload(read.payloadLength());
    }

    @ParameterizedTest
    @ValueSource(strings = {"connect-ping.pcap", "connect-discover-selftest.pcap", "selftest-bulk.pcap"})
    void everyPacketIsReadAndWrittenBack(String file) throws IOException, WireFormatException {
        Frame frame = new Frame();
        List<Captured> packets = Captured.read(file);
        assertThat(packets).hasSizeGreaterThan(6);
        for (Captured each : packets) {
            arrived(each, frame);
            assertThat(frame.identification())
                    .as("identification in the IP header")
                    .isEqualTo(each.identification());
            Frame written = again(frame);
            ByteBuffer bytes = written.finish(each.route());
            byte[] out = new byte[bytes.remaining()];
            bytes.get(out);
            // The checksum is that of identification 0: read again, it says so; everything else is the same.
            int end = out.length - Icrc.BYTES;
            assertThat(out).hasSameSizeAs(each.bytes());
            assertThat(Arrays.copyOf(out, end)).isEqualTo(Arrays.copyOf(each.bytes(), end));
            written.clear();
            written.datagram().put(out);
            assertThat(written.arrived(each.route())).isEqualTo(Frame.Fault.NONE);
            assertThat(written.identification()).isZero();
        }
    }

    @Test
    void theyShowEveryKindOfPacketAndMessage() throws IOException, WireFormatException {
        Frame frame = new Frame();
        Map<Opcode, Integer> opcodes = new EnumMap<>(Opcode.class);
        Set<CmAttribute> messages = EnumSet.noneOf(CmAttribute.class);
        for (String file : Captured.FILES) {
            for (Captured each : Captured.read(file)) {
                arrived(each, frame);
                opcodes.merge(frame.opcode(), 1, Integer::sum);
                if (frame.opcode() == Opcode.DATAGRAM) {
                    messages.add(CmMessage.read(frame.memory(), frame.payloadOffset(), frame.payloadLength())
                            .body()
                            .attribute());
                }
            }
        }
        assertThat(opcodes)
                .containsOnlyKeys(
                        Opcode.SEND_ONLY,
                        Opcode.WRITE_FIRST,
                        Opcode.WRITE_MIDDLE,
                        Opcode.WRITE_LAST,
                        Opcode.ACKNOWLEDGE,
                        Opcode.DATAGRAM);
        assertThat(messages).containsExactlyInAnyOrder(CmAttribute.REQUEST, CmAttribute.REPLY, CmAttribute.READY);
    }

    /**
     * 16 bits of the checksum can not be checked, so that one of 65536 damaged packets passes; a single wrong byte
     * never does.
     */
    @Test
    void aDamagedPacketIsNoticed() throws IOException {
        Captured good = Captured.read("connect-ping.pcap").get(3);
        Frame frame = new Frame();
        for (int i = 0; i < good.bytes().length; i++) {
            byte[] bad = good.bytes().clone();
            bad[i] ^= 0x08;
            frame.clear();
            frame.datagram().put(bad);
            boolean masked = i == 4;
            assertThat(frame.arrived(good.route()) == Frame.Fault.NONE)
                    .as("byte " + i)
                    .isEqualTo(masked);
        }
        UdpRoute elsewhere =
                new UdpRoute(good.route().sourceIp() + 1, 4791, good.route().destinationIp(), 4791);
        frame.clear();
        frame.datagram().put(good.bytes());
        assertThat(frame.arrived(elsewhere)).isEqualTo(Frame.Fault.CHECKSUM);
    }
}
