package org.railyard.o2iblnd.bond;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.PortAttributes;

/** What events make of an interface (spec 21 cb-060…062). */
class MemberStateTest {
    private static final int QDR = 4;
    private static final int FDR = 16;

    private static PortAttributes port(boolean active, int lanes, int speed) {
        return new PortAttributes(
                active ? PortAttributes.State.ACTIVE : PortAttributes.State.DOWN,
                1,
                PortAttributes.LinkLayer.INFINIBAND,
                4096,
                4096,
                PortAttributes.widthCode(lanes),
                speed);
    }

    private static final PortAttributes FULL = port(true, 4, QDR);
    private static final long RATE = FULL.linkRate();

    @Test
    @Requirement("cb-060")
    void numbersAndNames() {
        assertThat(MemberState.PORT_DOWN.number()).isZero();
        assertThat(MemberState.PORT_ACTIVE.number()).isEqualTo(1);
        assertThat(MemberState.FATAL.number()).isEqualTo(2);
        assertThat(MemberState.PORT_DEGRADE.number()).isEqualTo(3);
        assertThat(MemberState.PORT_DEGRADE.text()).isEqualTo("IBLND_DEV_PORT_DEGRADE");
    }

    @Test
    @Requirement({"cb-060", "cb-061"})
    void thePortDecides() {
        assertThat(MemberState.of(port(false, 4, QDR), RATE)).isEqualTo(MemberState.PORT_DOWN);
        assertThat(MemberState.of(FULL, RATE)).isEqualTo(MemberState.PORT_ACTIVE);
        // By the product of the codes, 1X FDR would be as fast as 4X QDR.
        assertThat(MemberState.of(port(true, 1, FDR), RATE)).isEqualTo(MemberState.PORT_DEGRADE);
    }

    @Test
    @Requirement({"cb-061", "cb-062"})
    void eventsChangeIt() {
        MemberState active = MemberState.PORT_ACTIVE;
        assertThat(active.after(AsyncEvent.Type.DEVICE_FATAL, FULL, RATE, false))
                .isEqualTo(MemberState.FATAL);
        assertThat(active.after(AsyncEvent.Type.DEVICE_REMOVED, FULL, RATE, false))
                .isEqualTo(MemberState.FATAL);
        assertThat(active.after(AsyncEvent.Type.PORT_ERROR, FULL, RATE, false)).isEqualTo(MemberState.PORT_DOWN);
        assertThat(active.after(AsyncEvent.Type.PORT_ACTIVE, port(true, 1, QDR), RATE, false))
                .isEqualTo(MemberState.PORT_DEGRADE);
        assertThat(MemberState.PORT_DOWN.after(AsyncEvent.Type.PORT_ACTIVE, FULL, RATE, true))
                .isEqualTo(active);
        assertThat(MemberState.FATAL.after(AsyncEvent.Type.PORT_ACTIVE, FULL, RATE, false))
                .isEqualTo(active);
        assertThat(MemberState.FATAL.after(AsyncEvent.Type.PORT_ACTIVE, FULL, RATE, true))
                .isEqualTo(MemberState.FATAL);
        assertThat(active.after(AsyncEvent.Type.QP_FATAL, FULL, RATE, false)).isEqualTo(active);
    }
}
