package org.railyard.o2iblnd.bond;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.lnet.nid.Nid;
import org.railyard.testkit.Requirement;

/** Which routes there are, and which is next (spec 21 §4, §5). */
class RoutePlanTest {
    private static final Nid NID = Nid.parse("10.1.1.5@o2ib");
    private static final int FIRST_IP = Ipv4.parse("10.1.2.100");

    private static List<RoutePlan.Pair> plan(int members, int addresses) {
        Target target = addresses == 0
                ? null
                : new Target(
                        NID,
                        IntStream.range(0, addresses)
                                .map(i -> FIRST_IP + i)
                                .boxed()
                                .toList());
        return RoutePlan.of(members, NID, target);
    }

    @Test
    @Requirement({"cb-041", "cb-042", "cb-300"})
    void everyMemberAndEveryAddressHasARoute() {
        for (int members = 1; members <= 16; members++) {
            for (int addresses = 0; addresses <= 16; addresses++) {
                List<RoutePlan.Pair> pairs = plan(members, addresses);
                assertThat(pairs).hasSize(Math.max(members, addresses));
                assertThat(pairs.stream().map(RoutePlan.Pair::member).distinct())
                        .hasSize(members);
                assertThat(pairs.stream().map(RoutePlan.Pair::ip).distinct()).hasSize(Math.max(1, addresses));
                for (int i = 0; i < pairs.size(); i++) {
                    int ip = addresses == 0 ? (int) NID.nid4() : FIRST_IP + i % addresses;
                    assertThat(pairs.get(i)).isEqualTo(new RoutePlan.Pair(i % members, ip));
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2, 3, 0→10.1.2.100 1→10.1.2.101 0→10.1.2.102",
        "2, 4, 0→10.1.2.100 1→10.1.2.101 0→10.1.2.102 1→10.1.2.103",
        "3, 2, 0→10.1.2.100 1→10.1.2.101 2→10.1.2.100"
    })
    @Requirement("cb-043")
    void notAllPairs(int members, int addresses, String expected) {
        assertThat(plan(members, addresses).stream().map(RoutePlan.Pair::toString))
                .containsExactly(expected.split(" "));
    }

    /** Routes whose states come from dice. */
    private static final class Dice implements RouteChoice.Routes {
        private final List<RouteState> states = new ArrayList<>();
        private final List<Boolean> usable = new ArrayList<>();
        private final List<Integer> recovered = new ArrayList<>();

        Dice(SplittableRandom random) {
            int count = random.nextInt(1, 17);
            for (int i = 0; i < count; i++) {
                states.add(RouteState.values()[random.nextInt(RouteState.values().length)]);
                usable.add(random.nextInt(3) > 0);
            }
        }

        boolean isReady(int route) {
            return usable.get(route)
                    && states.get(route) != RouteState.DISCONNECTED
                    && states.get(route) != RouteState.RECONNECTING;
        }

        boolean returns(int route) {
            return usable.get(route) && states.get(route) == RouteState.RECONNECTING;
        }

        @Override
        public int count() {
            return states.size();
        }

        @Override
        public RouteState state(int route) {
            return states.get(route);
        }

        @Override
        public boolean isUsable(int route) {
            return usable.get(route);
        }

        @Override
        public void recover(int route) {
            assertThat(usable.get(route)).isTrue();
            assertThat(states.get(route)).isEqualTo(RouteState.DISCONNECTED);
            recovered.add(route);
        }
    }

    @Test
    @Requirement({"cb-046", "cb-063"})
    void theNextRouteThatWorks() {
        SplittableRandom random = new SplittableRandom(21);
        for (int run = 0; run < 20_000; run++) {
            Dice dice = new Dice(random);
            int count = dice.count();
            int cursor = random.nextInt(count);
            int picked = RouteChoice.pick(cursor, dice);
            int[] order =
                    IntStream.range(0, count).map(i -> (cursor + i) % count).toArray();
            int first = IntStream.of(order).filter(dice::isReady).findFirst().orElse(RouteChoice.NONE);
            int coming = IntStream.of(order).filter(dice::returns).findFirst().orElse(RouteChoice.NONE);
            assertThat(picked).isEqualTo(first == RouteChoice.NONE ? coming : first);
            List<Integer> met = IntStream.of(order)
                    .takeWhile(route -> route != first)
                    .filter(route -> dice.isUsable(route) && dice.state(route) == RouteState.DISCONNECTED)
                    .boxed()
                    .toList();
            assertThat(dice.recovered).as("each that was met, once").isEqualTo(met);
        }
    }

    @Test
    @Requirement("cb-064")
    void pausesDoubleUpToAMinute() {
        Backoff backoff = new Backoff();
        assertThat(backoff.isOver(0)).isTrue();
        long now = 0;
        for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            backoff.failed(now);
            assertThat(backoff.isOver(now + seconds * Backoff.FIRST_NANOS - 1)).isFalse();
            now += seconds * Backoff.FIRST_NANOS;
            assertThat(backoff.isOver(now)).isTrue();
        }
        backoff.failed(now);
        backoff.reset();
        assertThat(backoff.isOver(now)).isTrue();
    }
}
