package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FormatException;

class KeyTableTest {
    private static final String TEXT = """
        0x0000000000000000 0x0000000000000007

        0x0000000000000011 0x0000000000000005

        0x0000000000000012 0x0000000000000006

        0x8000000000000013 0x0000000000000006

        """;

    @Test
    void theKeyOfMostPortsComesFirstAndTheOneThatIsGivenLast() {
        assertThat(KeyTable.parse(TEXT).byUse()).containsExactly(6L, 5L, 7L);
        assertThat(new KeyTable().byUse()).isEmpty();
    }

    @Test
    void itIsWrittenAsItIsRead() {
        KeyTable table = KeyTable.parse(TEXT);
        assertThat(table.text()).isEqualTo(TEXT);
        assertThat(table.isUnsaved()).isFalse();
        table.seen(0x11, 5);
        table.giving(7);
        table.seen(0x99, 0);
        assertThat(table.isUnsaved()).isFalse();
        table.seen(0x11, 6);
        assertThat(table.isUnsaved()).isTrue();
        table.saved();
        table.giving(0);
        assertThat(table.isUnsaved()).isTrue();
        assertThat(table.byUse()).containsExactly(6L);
    }

    /** GUID 0, which broken ports have, stands for something else. */
    @Test
    void aPortWithoutGuidIsNotKept() {
        KeyTable table = new KeyTable();
        table.seen(0, 5);
        assertThat(table.text()).isEmpty();
    }

    @Test
    void thereIsAnEndToIt() {
        KeyTable table = new KeyTable();
        for (long guid = 1; guid <= KeyTable.MAX_PORTS + 10; guid++) {
            table.seen(guid, 5);
        }
        assertThat(table.text().lines().filter(line -> !line.isBlank()).count()).isEqualTo(KeyTable.MAX_PORTS);
        table.seen(1, 6);
        assertThat(table.byUse()).containsExactly(5L, 6L);
    }

    @Test
    void whatIsMalformedIsToldWithoutTheKey() {
        for (String bad : new String[] {"0x11 secret77", "0x11 0x5 secret77", "0x11", "0x11 0x5e5e5e5e5e5e5e5e5e"}) {
            assertThatThrownBy(() -> KeyTable.parse("0x10 0x1\n" + bad + "\n"))
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining("line 2, column")
                    .hasMessageNotContainingAny("secret", "5e5e");
        }
        assertThatThrownBy(() -> KeyTable.parse("port 0x5\n")).hasMessageContaining("port GUID");
    }
}
