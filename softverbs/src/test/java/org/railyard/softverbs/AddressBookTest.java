package org.railyard.softverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.card.cm.AddressBook;

/** Ports for those that take any. */
final class AddressBookTest {
    private static final int IP = 0x0A00_0001;
    private static final int PORTS = 32_768;
    private static final CmAddress ANY = new CmAddress(IP, 0);

    private final AddressBook<Object> book = new AddressBook<>("machine");

    @Test
    void whenNoPortIsFreeThoseThatMayShareOne() {
        Set<CmAddress> taken = new LinkedHashSet<>();
        for (int i = 0; i < PORTS; i++) {
            taken.add(book.bind(ANY, true));
        }
        assertThat(taken).hasSize(PORTS);
        CmAddress shared = book.bind(ANY, true);
        assertThat(taken).contains(shared);
        assertThatThrownBy(() -> book.bind(ANY, false))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.code()).isEqualTo(VerbsException.Code.EADDRINUSE))
                .hasMessageContaining("all ports from 32768 to 65535");
        book.unbind(shared);
        assertThatThrownBy(() -> book.bind(ANY, false)).isInstanceOf(VerbsException.class);
        book.unbind(shared);
        assertThat(book.bind(ANY, false)).as("free only when both have left").isEqualTo(shared);
    }
}
