package org.railyard.o2iblnd.tune;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.lnet.nid.Nid;
import org.railyard.testkit.Requirement;

/** Who gives way: the example of spec 20 §8, in which the two orders differ. */
class RaceOrderTest {
    private static final long ONE = Nid.parse("10.0.0.5@o2ib").nid4();
    private static final long OTHER = Nid.parse("10.0.1.1@o2ib").nid4();

    @Test
    @Requirement("ibl-030")
    void bothOrders() {
        assertThat(RaceOrder.of(1).isLower(ONE, OTHER)).isTrue();
        assertThat(RaceOrder.of(1).isLower(OTHER, ONE)).isFalse();
        assertThat(RaceOrder.of(0).isLower(ONE, OTHER)).isFalse();
        assertThat(RaceOrder.of(0).isLower(OTHER, ONE)).isTrue();
        assertThat(RaceOrder.HASH.isLower(ONE, ONE)).isFalse();
        assertThat(RaceOrder.NUMERIC.isLower(ONE, ONE)).isFalse();
    }

    @Test
    void theNetCounts() {
        long far = Nid.parse("10.0.0.5@o2ib7").nid4();
        assertThat(RaceOrder.NUMERIC.isLower(ONE, far)).isTrue();
    }
}
