package org.railyard.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsFile;

/** The library that stands in for cards compiles, and the provider works over it. */
@NeedsCommand("gcc")
@NeedsFile({"/usr/include/infiniband/verbs.h", "/usr/include/rdma/rdma_cma.h"})
final class CardCallBenchmarkTest {
    @Test
    void whatIsPostedCompletesInJavaAndInC() throws Throwable {
        CardCallBenchmark benchmark = new CardCallBenchmark();
        benchmark.prepare();
        try {
            assertThat(benchmark.postAndPoll()).isEqualTo(10_000);
            assertThat(benchmark.pollNothing()).isZero();
            assertThat(benchmark.postAndPollInC()).isPositive();
            assertThat(benchmark.pollNothingInC()).isZero();
        } finally {
            benchmark.close();
        }
    }
}
