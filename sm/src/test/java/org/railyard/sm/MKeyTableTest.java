package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FormatException;

class MKeyTableTest {
    private static final String TEXT = """
        0x0000000000000011 0x0000000000000005

        0x0000000000000012 0x0000000000000006

        0x8000000000000013 0x0000000000000006

        0xfffffffffffffffe 0x0000000000000005

        0xffffffffffffffff 0x0000000000000007

        """;

    @Test
    void keysOfTheRingComeFirstAndThenThoseOfMostPorts() {
        MKeyTable table = MKeyTable.parse(TEXT);
        assertThat(table.likely()).containsExactly(7L, 5L, 6L);
        assertThat(table.hasOnlyOthers(7)).isTrue();
        assertThat(table.hasOnlyOthers(6)).isFalse();
        assertThat(new MKeyTable().likely()).isEmpty();
        assertThat(new MKeyTable().hasOnlyOthers(7)).isFalse();
    }

    /** OpenSM's file has ports only. */
    @Test
    void withoutARingTheKeyOfMostPortsIsTheFirst() {
        assertThat(MKeyTable.parse("0x1 0x8\n\n0x2 0x9\n\n0x3 0x9\n").likely()).containsExactly(9L, 8L);
    }

    @Test
    void itIsWrittenAsItIsRead() {
        MKeyTable table = MKeyTable.parse(TEXT);
        assertThat(table.text()).isEqualTo(TEXT);
        assertThat(table.isUnsaved()).isFalse();
        table.seen(0x11, 5);
        table.ring(List.of(7L, 0L, 5L));
        table.seen(0x99, 0);
        assertThat(table.isUnsaved()).isFalse();
        table.seen(0x11, 6);
        assertThat(table.isUnsaved()).isTrue();
        table.saved();
        table.ring(List.of(8L, 7L, 5L));
        assertThat(table.isUnsaved()).isTrue();
        assertThat(MKeyTable.parse(table.text()).likely()).containsExactly(8L, 7L, 5L, 6L);
    }

    /** Broken ports have such GUIDs. */
    @Test
    void portsWithoutGuidAreNotKept() {
        MKeyTable table = new MKeyTable();
        table.seen(0, 5);
        table.seen(-1, 5);
        table.seen(-3, 5);
        assertThat(table.text()).isEmpty();
    }

    @Test
    void thereIsAnEndToIt() {
        MKeyTable table = new MKeyTable();
        for (long guid = 1; guid <= MKeyTable.MAX_PORTS + 10; guid++) {
            table.seen(guid, 5);
        }
        assertThat(table.text().lines().filter(line -> !line.isBlank()).count()).isEqualTo(MKeyTable.MAX_PORTS);
        table.seen(1, 6);
        table.ring(List.of(7L));
        assertThat(MKeyTable.parse(table.text()).likely())
                .as("of the ring, too")
                .containsExactly(7L, 5L, 6L);
    }

    @Test
    void whatIsMalformedIsToldWithoutTheKey() {
        for (String bad : new String[] {
            "0x11 secret77",
            "0x11 0x5 secret77",
            "0x11",
            "0x11 0x5e5e5e5e5e5e5e5e5e",
            "11 0x5e5e",
            "0x11: 0x5e5e",
            "0x11,0x5e5e",
            "0x11111111111111111 0x5e5e",
            "port 0x5e5e"
        }) {
            assertThatThrownBy(() -> MKeyTable.parse("0x10 0x1\n" + bad + "\n"))
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining("line 2, column")
                    .hasMessageNotContainingAny("secret", "5e5e");
        }
    }
}
