package org.railyard.lnet.portal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.model.MatchEntry;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Role;

class PortalTableTest {
    private final PortalTable portals = new PortalTable();

    private static MemoryDescriptor md() {
        return new MemoryDescriptor(MdConfig.of(Arena.global().allocate(1)), gone -> {});
    }

    /** Returns a PUT that waits at a portal. */
    private Message delayed(int portal) {
        Message message = new Message();
        message.become(Role.RECEIVED);
        portals.get(portal).delayed().add(message);
        portals.checkInvariants();
        return message;
    }

    @Test
    void thereAreAsManyAsTheWireHasNumbersFor() {
        assertThat(portals.find(0)).isSameAs(portals.get(0)).isNotNull();
        assertThat(portals.find(Wire.PORTALS - 1)).isNotNull().isNotSameAs(portals.get(0));
        for (int other : new int[] {-1, Wire.PORTALS, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThat(portals.find(other)).isNull();
            assertThatThrownBy(() -> portals.get(other))
                    .hasMessageContaining("EINVAL")
                    .hasMessageContaining("0…63");
        }
    }

    @Test
    void onlyTheReservedOneIsLazyFromTheStart() {
        for (int i = 0; i < Wire.PORTALS; i++) {
            assertThat(portals.get(i).parksUnmatched()).as("never used").isTrue();
            portals.get(i).attach(new MatchEntry(MeConfig.of(i, 1), md(), null));
            assertThat(portals.get(i).parksUnmatched()).isEqualTo(i == Wire.RESERVED_PORTAL);
            portals.get(i).setLazy(true);
            assertThat(portals.get(i).parksUnmatched()).isTrue();
        }
    }

    @Test
    void whatWaitsIsAPutWithoutADescriptor() {
        delayed(3);
        delayed(3).setPayload(md(), 0, 0);
        assertThatThrownBy(portals::checkInvariants)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a PUT without a descriptor on portal 3");
    }

    @Test
    void whatWaitsHasNotBeenSent() {
        delayed(Wire.PORTALS - 1).become(Role.RESPONSE);
        assertThatThrownBy(portals::checkInvariants)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a PUT without a descriptor on portal 63");
    }

    @Test
    void whatWaitsForAMatchWaitsForNothingElse() {
        delayed(7).waitFor(Message.Waiting.FOR_CREDIT);
        assertThatThrownBy(portals::checkInvariants)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("to wait for what its queue is for");
    }
}
