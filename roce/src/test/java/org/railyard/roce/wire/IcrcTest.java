package org.railyard.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.testkit.Requirement;

/** The identification in the IP header, found by what the checksum says, for packets of all lengths. */
class IcrcTest {
    private static final int MASKED_BYTES = 36;
    private static final int IDENTIFICATION_AT = 12;

    private static int crc(byte[] masked) {
        CRC32 crc = new CRC32();
        crc.update(masked);
        return (int) crc.getValue();
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 20, 256, 280, 1024, 1052, 2064, 4112, 4128, 8000})
    @Requirement("sv-041")
    void anyIdentificationIsFound(int datagram) {
        SplittableRandom random = new SplittableRandom(datagram);
        byte[] masked = new byte[MASKED_BYTES + datagram - Icrc.BYTES];
        for (int attempt = 0; attempt < 50; attempt++) {
            random.nextBytes(masked);
            ByteBuffer bytes = ByteBuffer.wrap(masked).putShort(IDENTIFICATION_AT, (short) 0);
            int computed = crc(masked);
            int identification = attempt == 0 ? 0 : attempt == 1 ? 0xFFFF : random.nextInt(0x1_0000);
            bytes.putShort(IDENTIFICATION_AT, (short) identification);
            assertThat(Icrc.identification(computed, crc(masked), datagram)).isEqualTo(identification);
        }
    }

    /**
     * Each difference is of one place and one value: a damaged byte elsewhere has no identification, but for one in 65
     * 536.
     */
    @Test
    void damageIsNotTakenForAnIdentification() {
        SplittableRandom random = new SplittableRandom(1);
        byte[] masked = new byte[MASKED_BYTES + 4108];
        random.nextBytes(masked);
        ByteBuffer.wrap(masked).putShort(IDENTIFICATION_AT, (short) 0);
        int computed = crc(masked);
        for (int at = MASKED_BYTES; at < masked.length; at += 97) {
            masked[at] ^= 0x10;
            assertThat(Icrc.identification(computed, crc(masked), masked.length - MASKED_BYTES + Icrc.BYTES))
                    .as("byte " + at)
                    .isEqualTo(-1);
            masked[at] ^= 0x10;
        }
    }
}
