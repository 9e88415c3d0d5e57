package org.railyard.lnet.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.railyard.base.wire.WireFormatException;

/** What the fuzz tests ask of the header in both forms. */
final class HeaderRoundTrip {
    private HeaderRoundTrip() {}

    /**
     * A header either is refused, or is read the same from what it writes. Missing bytes are zero, those behind the
     * header are ignored.
     */
    static void check(byte[] bytes, boolean large) throws WireFormatException {
        byte[] input = Arrays.copyOf(bytes, LNetHeader.bytes(large));
        LNetHeader header = new LNetHeader();
        try {
            header.read(MemorySegment.ofArray(input), 0, large);
        } catch (WireFormatException e) {
            assertThat(e).hasMessageMatching(".*(expected|limit).*");
            return;
        }
        byte[] once = written(header, large);
        LNetHeader again = new LNetHeader();
        again.read(MemorySegment.ofArray(once), 0, large);
        assertThat(again.type()).isEqualTo(header.type());
        assertThat(again.destNid()).isEqualTo(header.destNid());
        assertThat(again.srcNid()).isEqualTo(header.srcNid());
        assertThat(written(again, large)).isEqualTo(once);
    }

    private static byte[] written(LNetHeader header, boolean large) {
        byte[] bytes = new byte[LNetHeader.bytes(large)];
        header.write(MemorySegment.ofArray(bytes), 0, large);
        return bytes;
    }
}
