package org.railyard.verbs.card.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.VerbsException;

/** Who may have an address beside whom, and until when. */
class AddressBookTest {
    private static final int IP = 0x0A00_0001;
    private static final int FREE_PORTS = 32_768;

    private final AddressBook<String> book = new AddressBook<>("a machine");

    private static CmAddress at(int port) {
        return new CmAddress(IP, port);
    }

    private void assertTaken(CmAddress address, boolean reuse) {
        assertThatThrownBy(() -> book.bind(address, reuse))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.code()).isEqualTo(VerbsException.Code.EADDRINUSE));
    }

    @Test
    void anAddressIsSharedOnlyIfAllWantThat() {
        book.bind(at(987), false);
        assertTaken(at(987), true);
        assertTaken(at(987), false);
        book.bind(at(988), true);
        book.bind(at(988), true);
        assertTaken(at(988), false);
    }

    @Test
    void anAddressIsFreeWhenTheLastOneHasGivenItBack() {
        book.bind(at(987), true);
        book.bind(at(987), true);
        book.unbind(at(987));
        assertTaken(at(987), false);
        book.unbind(at(987));
        assertThat(book.bind(at(987), false)).isEqualTo(at(987));
        book.unbind(at(987));
        book.unbind(at(987));
        assertThat(book.bind(at(987), false)).as("given back once too often").isEqualTo(at(987));
    }

    @Test
    void portsThatNobodyHasComeFirstThenThoseThatMayBeShared() {
        CmAddress own = book.bind(at(0), false);
        for (int i = 1; i < FREE_PORTS; i++) {
            assertThat(book.bind(at(0), true)).isNotEqualTo(own);
        }
        assertTaken(at(0), false);
        CmAddress shared = book.bind(at(0), true);
        assertThat(shared.port()).isBetween(FREE_PORTS, 65_535);
        assertThat(shared).isNotEqualTo(own);
        assertThat(book.bind(at(0), true))
                .as("the next one")
                .isNotEqualTo(shared)
                .isNotEqualTo(own);
        book.unbind(own);
        assertThat(book.bind(at(0), true)).as("the one that is free").isEqualTo(own);
    }

    /** As sockets have it. */
    @Test
    void allAddressesOfAPortAreTakenAsOne() {
        book.bind(at(987), false);
        assertTaken(new CmAddress(0, 987), false);
        assertTaken(new CmAddress(0, 987), true);
        book.unbind(at(987));
        book.bind(new CmAddress(0, 987), true);
        assertTaken(at(987), false);
        book.bind(at(987), true);
        book.unbind(new CmAddress(0, 987));
        assertTaken(new CmAddress(0, 987), false);
        assertThat(book.bind(new CmAddress(IP + 1, 987), false)).isEqualTo(new CmAddress(IP + 1, 987));
    }

    private void assertListenedAt(CmAddress address) {
        assertThatThrownBy(() -> book.listen(address, "another"))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.code()).isEqualTo(VerbsException.Code.EADDRINUSE));
    }

    @Test
    void whoeverListensAtAllAddressesIsAloneAtThePort() {
        book.listen(new CmAddress(0, 987), "all");
        assertListenedAt(at(987));
        assertListenedAt(new CmAddress(0, 987));
        assertThat(book.listener(at(987))).isEqualTo("all");
        assertThat(book.listener(at(988))).isNull();
        book.forget("all");
        assertThat(book.listener(at(987))).isNull();
        book.listen(at(987), "one");
        book.listen(new CmAddress(IP + 1, 987), "other");
        assertListenedAt(new CmAddress(0, 987));
        book.listen(new CmAddress(0, 988), "all of the next port");
        assertThat(book.listener(at(987))).isEqualTo("one");
        assertThat(book.listener(new CmAddress(IP + 1, 987))).isEqualTo("other");
        book.forget("one");
        assertListenedAt(new CmAddress(0, 987));
        book.forget("other");
        book.listen(new CmAddress(0, 987), "all");
        assertThat(book.listener(new CmAddress(IP + 2, 987))).isEqualTo("all");
    }
}
