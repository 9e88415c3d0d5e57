package org.railyard.o2iblnd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.railyard.base.wire.WireFormatException;
import org.railyard.testkit.Requirement;

/** Messages of kernel nodes, captured on a soft-RoCE network: each is read and written back byte for byte. */
class CapturedMessagesTest {
    private record Captured(String kind, byte[] bytes) {}

    private static List<Captured> captured() throws IOException {
        InputStream resource =
                Objects.requireNonNull(CapturedMessagesTest.class.getResourceAsStream("captured-messages.txt.gz"));
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(new GZIPInputStream(resource), StandardCharsets.US_ASCII))) {
            return lines.lines()
                    .map(line -> new Captured(
                            line.substring(0, line.indexOf(' ')),
                            HexFormat.of().parseHex(line.substring(line.indexOf(' ') + 1))))
                    .toList();
        }
    }

    @Test
    @Requirement("ibl-010")
    void everyMessageIsReadAndWrittenBack() throws IOException, WireFormatException {
        Map<KibType, Integer> found = new EnumMap<>(KibType.class);
        KibMessage message = new KibMessage();
        for (Captured each : captured()) {
            MemorySegment bytes = MemorySegment.ofArray(each.bytes);
            message.read(bytes, 0, each.bytes.length);
            message.verify(bytes, 0);
            byte[] again = new byte[each.bytes.length];
            int written = message.write(MemorySegment.ofArray(again), 0);
            if (message.type() == KibType.IMMEDIATE) {
                System.arraycopy(
                        each.bytes,
                        KibMessage.PAYLOAD_OFFSET,
                        again,
                        KibMessage.PAYLOAD_OFFSET,
                        message.immediateBytes());
                assertThat(message.lnet().payloadLength()).isEqualTo(message.immediateBytes());
            }
            assertThat(again).isEqualTo(each.bytes);
            assertThat(written).isEqualTo(message.header().bytes());
            found.merge(message.type(), 1, Integer::sum);
        }
        assertThat(found.keySet())
                .contains(
                        KibType.CONNREQ,
                        KibType.CONNACK,
                        KibType.NOOP,
                        KibType.IMMEDIATE,
                        KibType.PUT_REQ,
                        KibType.PUT_ACK,
                        KibType.PUT_DONE,
                        KibType.GET_REQ,
                        KibType.GET_DONE);
    }
}
