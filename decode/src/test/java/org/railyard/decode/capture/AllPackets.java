package org.railyard.decode.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** What the fuzz tests ask of both readers. */
final class AllPackets {
    private AllPackets() {}

    /** The reader comes to its end, forwards, with packets that are parts of the file, and complains within limits. */
    static void check(CaptureBuilder file) throws NotACaptureException {
        List<String> complaints = new ArrayList<>();
        CaptureReader reader = CaptureReader.open(
                CaptureBytes.of(MemorySegment.ofArray(file.bytes())), new CaptureProblems(complaints::add));
        long end = 0;
        long number = 0;
        for (CapturedPacket packet = reader.next(); packet != null; packet = reader.next()) {
            assertThat(packet.number()).isEqualTo(number++);
            assertThat(packet.offset()).isGreaterThanOrEqualTo(end);
            assertThat(packet.bytes().byteSize()).isLessThanOrEqualTo(CaptureReader.MAX_PACKET);
            end = packet.offset() + packet.bytes().byteSize();
        }
        assertThat(reader.next()).isNull();
        assertThat(complaints)
                .hasSizeLessThanOrEqualTo(CaptureProblems.MAX_SHOWN)
                .allMatch(line -> line.length() < 300);
    }
}
