package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.route.Routing;

/** Check and verifier beside walks of each flow, on networks of a few switches. */
final class FewFlowsTest {
    private static final CheckOptions UNICAST = CheckOptions.DEFAULT.withMulticast(false);
    private static final int ROUNDS = 25;

    private final EachFlow flows = new EachFlow();

    /** Everything right but for credit loops. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void shortestWays(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS; round++) {
            SmallNetwork network = new SmallNetwork(random, 3 + random.nextInt(5), 2 + random.nextInt(6));
            Routing routing = SmallNetwork.routing(
                    network.rows(0), network.sls(false), network.vls(1 + random.nextInt(6), false));
            CheckOptions options = UNICAST.withSwitchPorts(random.nextBoolean());
            flows.compare(network.fabric(), routing, options);
            assertThat(CreditLoopCheck.check(network.fabric(), routing, options).faultCount())
                    .isZero();
        }
    }

    /** Entries that lead elsewhere, VLs that are dropped, SLs that are missing. */
    @ParameterizedTest
    @ValueSource(ints = {5, 6, 7, 8})
    void rubbish(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS; round++) {
            SmallNetwork network = new SmallNetwork(random, 3 + random.nextInt(5), 2 + random.nextInt(6));
            int kind = random.nextInt(4);
            Routing routing = SmallNetwork.routing(
                    network.rows(kind == 0 ? 0 : random.nextInt(5)),
                    network.sls(kind == 1),
                    network.vls(1 + random.nextInt(6), kind == 2));
            CheckOptions options =
                    UNICAST.withSwitchPorts(random.nextBoolean()).withHostChannels(random.nextInt(4) == 0);
            flows.compare(network.fabric(), routing, options);
        }
    }
}
