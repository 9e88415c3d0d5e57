package org.railyard.o2iblnd.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.railyard.base.wire.WireFormatException;

/** Any bytes behind a CONNACK: no list, a list that is refused, or one that is written as it was. */
class AdvertisedAddressesFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void list(byte[] bytes) {
        List<Integer> ips;
        try {
            ips = AdvertisedAddresses.read(MemorySegment.ofArray(bytes));
        } catch (WireFormatException e) {
            return;
        }
        if (ips.isEmpty()) {
            return;
        }
        byte[] again = Arrays.copyOf(bytes, bytes.length);
        Arrays.fill(
                again, AdvertisedAddresses.OFFSET, AdvertisedAddresses.OFFSET + AdvertisedAddresses.bytesOf(ips), (byte)
                        0);
        AdvertisedAddresses.write(MemorySegment.ofArray(again), ips);
        if (!Arrays.equals(again, bytes)) {
            throw new AssertionError("not written back as it was: " + ips);
        }
    }
}
