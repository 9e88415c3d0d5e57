package org.railyard.ibverbs;

import org.junit.jupiter.api.Nested;
import org.railyard.conformance.bond.ScarceCardContract;
import org.railyard.conformance.bond.ScarceCards;
import org.railyard.ibverbs.standin.StandIn.Scarce;

/** A card runs out of something while nodes use it; with what stands in for cards. */
final class ScarceCardTest {
    private static final int EAGAIN = 11;
    private static final int ENOMEM = 12;
    private static final int EINVAL = 22;
    private static final String NO_PAIR = "mlx5_0 does not make a queue pair of ";

    @Nested
    class QueuePairs extends ScarceCardContract {
        @Override
        protected ScarceCards open() {
            return new StandInScarce(Scarce.QUEUE_PAIRS, ENOMEM, "ENOMEM: " + NO_PAIR);
        }
    }

    /** As {@code rdma_rxe} says it. */
    @Nested
    class QueuePairsToldAsNotValid extends ScarceCardContract {
        @Override
        protected ScarceCards open() {
            return new StandInScarce(Scarce.QUEUE_PAIRS, EINVAL, "EINVAL: " + NO_PAIR);
        }
    }

    /** As the kernel says it for a cgroup. */
    @Nested
    class QueuePairsOfTheCgroup extends ScarceCardContract {
        @Override
        protected ScarceCards open() {
            return new StandInScarce(Scarce.QUEUE_PAIRS, EAGAIN, "EAGAIN: " + NO_PAIR);
        }
    }

    @Nested
    class CompletionQueues extends ScarceCardContract {
        @Override
        protected ScarceCards open() {
            return new StandInScarce(Scarce.COMPLETION_QUEUES, ENOMEM, "ENOMEM: mlx5_0: a completion queue of ");
        }
    }

    @Nested
    class Receives extends ScarceCardContract {
        @Override
        protected ScarceCards open() {
            return new StandInScarce(Scarce.RECEIVES, ENOMEM, "ENOMEM: the device takes no receive 0 of ");
        }
    }

    @Nested
    class Acceptances extends ScarceCardContract {
        @Override
        protected ScarceCards open() {
            return new StandInScarce(Scarce.ACCEPTANCES, ENOMEM, "ENOMEM: the request of 10.79.0.3:");
        }
    }

    /** Regions of the card, and memory that may be locked: the kernel says the same. */
    @Nested
    class Memory extends ScarceCardContract {
        @Override
        protected ScarceCards open() {
            return new StandInScarce(Scarce.REGIONS, ENOMEM, "ENOMEM: mlx5_0: ");
        }
    }
}
