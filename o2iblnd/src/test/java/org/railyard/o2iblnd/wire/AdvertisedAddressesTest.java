package org.railyard.o2iblnd.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.wire.WireFormatException;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.PrivateData;

/** Lists of addresses behind a CONNACK, byte by byte (spec 21 cb-090). */
class AdvertisedAddressesTest {
    private static MemorySegment data(String hex) {
        byte[] all = new byte[PrivateData.REPLY_BYTES];
        byte[] list = HexFormat.of().parseHex(hex);
        System.arraycopy(list, 0, all, AdvertisedAddresses.OFFSET, list.length);
        return MemorySegment.ofArray(all);
    }

    @Test
    @Requirement("cb-090")
    void aMarkerACountAndTheAddresses() throws WireFormatException {
        assertThat(AdvertisedAddresses.OFFSET).isEqualTo(56);
        assertThat(AdvertisedAddresses.BYTES).isEqualTo(69);
        byte[] bytes = new byte[PrivateData.REPLY_BYTES];
        AdvertisedAddresses.write(MemorySegment.ofArray(bytes), List.of(0x0A010105, 0x0A010206));
        assertThat(HexFormat.of().formatHex(bytes, 56, 70))
                .isEqualTo("4c4e4931" + "02" + "0a010105" + "0a010206" + "00");
        assertThat(AdvertisedAddresses.read(MemorySegment.ofArray(bytes))).containsExactly(0x0A010105, 0x0A010206);
    }

    @Test
    @Requirement("cb-090")
    void sixteenFitAndNoMore() throws WireFormatException {
        List<Integer> most =
                IntStream.range(0, 16).mapToObj(i -> 0x0A000001 + i).toList();
        byte[] bytes = new byte[AdvertisedAddresses.OFFSET + AdvertisedAddresses.bytesOf(most)];
        AdvertisedAddresses.write(MemorySegment.ofArray(bytes), most);
        assertThat(bytes).hasSizeLessThan(PrivateData.REPLY_BYTES);
        assertThat(AdvertisedAddresses.read(MemorySegment.ofArray(bytes))).isEqualTo(most);
        List<Integer> more =
                IntStream.range(0, 17).mapToObj(i -> 0x0A000001 + i).toList();
        assertThatThrownBy(() -> AdvertisedAddresses.write(MemorySegment.ofArray(new byte[200]), more))
                .hasMessageContaining("17 addresses to advertise, expected 1 to 16");
        assertThatThrownBy(() -> AdvertisedAddresses.write(MemorySegment.ofArray(new byte[200]), List.of()))
                .hasMessageContaining("0 addresses");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 56, 60})
    @Requirement("cb-090")
    void withoutAListThereIsNone(int bytes) throws WireFormatException {
        assertThat(AdvertisedAddresses.read(MemorySegment.ofArray(new byte[bytes])))
                .isEmpty();
        assertThat(AdvertisedAddresses.read(data("4c4e4932" + "01" + "0a010105")))
                .as("another marker")
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "4c4e493100, 0 advertised addresses",
        "4c4e493111, 17 advertised addresses",
        "4c4e4931ff, 255 advertised addresses",
        "4c4e4931020a0101050a010105, 0xa010105 is there twice",
        "4c4e49310100000000, 0x0 is none of a host",
        "4c4e4931017f000001, 0x7f000001 is none of a host",
        "4c4e493101e0000001, 0xe0000001 is none of a host",
        "4c4e493101ffffffff, 0xffffffff is none of a host"
    })
    @Requirement({"cb-090", "cb-092"})
    void aListThatCanNotBeUsed(String hex, String why) {
        assertThatThrownBy(() -> AdvertisedAddresses.read(data(hex)))
                .isInstanceOf(WireFormatException.class)
                .hasMessageContaining(why);
    }

    @Test
    @Requirement("cb-090")
    void aListThatIsCutShort() {
        byte[] bytes = data("4c4e4931" + "02" + "0a010105").asSlice(0, 69).toArray(ValueLayout.JAVA_BYTE);
        assertThatThrownBy(() -> AdvertisedAddresses.read(MemorySegment.ofArray(Arrays.copyOf(bytes, 65))))
                .isInstanceOf(WireFormatException.class)
                .hasMessageContaining("cut short");
    }
}
