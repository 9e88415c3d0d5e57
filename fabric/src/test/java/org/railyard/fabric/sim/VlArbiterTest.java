package org.railyard.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.fabric.torus.qos.VlArbTable;

/** Turns of VLs, from tables as OpenSM writes them. */
class VlArbiterTest {
    private static final int PACKET = 64;
    private static final VlArbTable NOBODY = VlArbTable.parse("0:0");

    /** Lets the arbiter of one port choose, and says whom it chose. */
    private static String turns(Arbitration arbitration, int eligible, int packets) {
        VlArbiter arbiter = new VlArbiter(arbitration, 1);
        StringBuilder chosen = new StringBuilder();
        for (int i = 0; i < packets; i++) {
            int vl = arbiter.choose(0, eligible);
            chosen.append(vl);
            if (vl >= 0) {
                arbiter.sent(0, PACKET);
            }
        }
        return chosen.toString();
    }

    @Test
    void equalWeightsTakeTurns() {
        assertThat(turns(Arbitration.EQUAL, 0b1011, 7)).isEqualTo("0130130");
        assertThat(turns(Arbitration.EQUAL, 0b1000, 3)).isEqualTo("333");
    }

    @Test
    void weightsAreShares() {
        Arbitration threeToOne = new Arbitration(NOBODY, VlArbTable.parse("0:64,1:192"), 0);
        assertThat(turns(threeToOne, 0b11, 9)).isEqualTo("011101110");
    }

    @Test
    void highGoesFirstWithinItsLimit() {
        VlArbTable high = VlArbTable.parse("1:255");
        VlArbTable low = VlArbTable.parse("0:64");
        assertThat(turns(new Arbitration(high, low, Arbitration.UNLIMITED), 0b11, 5))
                .isEqualTo("11111");
        assertThat(turns(new Arbitration(high, low, 0), 0b11, 6)).isEqualTo("101010");
        assertThat(turns(new Arbitration(high, low, 2), 0b11, 6)).isEqualTo("110110");
        assertThat(turns(new Arbitration(high, low, 0), 0b10, 3))
                .as("nobody waits in the low table")
                .isEqualTo("111");
    }

    @Test
    void aLowVlGetsItsTurnHoweverMuchWasSentBefore() {
        int largest = SimSettings.MAX_BUFFER / SimSettings.CREDIT_BYTES;
        VlArbiter arbiter = new VlArbiter(new Arbitration(VlArbTable.parse("1:255"), VlArbTable.parse("0:64"), 2), 1);
        // More than 2 GiB.
        for (int i = 0; i < 10_000; i++) {
            assertThat(arbiter.choose(0, 0b10)).isEqualTo(1);
            arbiter.sent(0, largest);
        }
        assertThat(arbiter.choose(0, 0b11)).as("the limit was used up long ago").isZero();
    }

    @Test
    void aVlInNoTableIsNeverServed() {
        Arbitration only0 = new Arbitration(NOBODY, VlArbTable.parse("0:1"), 0);
        assertThat(turns(only0, 0b100, 2)).isEqualTo("-1-1");
        assertThat(turns(only0, 0b101, 2)).isEqualTo("00");
    }
}
