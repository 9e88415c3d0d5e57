package org.railyard.o2iblnd.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.WorkChain;

/** RDMA writes of every shape: all bytes once, in few requests, never more than allowed. */
class RdmaChainTest {
    private static final int SPACING = 1 << 20;

    private static RdmaDescriptor descriptor(int key, int... lengths) {
        RdmaDescriptor descriptor = new RdmaDescriptor();
        descriptor.reset(key);
        for (int i = 0; i < lengths.length; i++) {
            descriptor.add((long) (i + 1) * SPACING, lengths[i]);
        }
        return descriptor;
    }

    private static int[] pages(int count) {
        int[] lengths = new int[count];
        Arrays.fill(lengths, 4096);
        return lengths;
    }

    /** Carries a chain out on made-up memory: the nth byte of the source must land at the nth of the sink. */
    private static void assertMoves(
            WorkChain chain, RdmaDescriptor source, RdmaDescriptor sink, long bytes, int gather) {
        long at = 0;
        for (int request = 0; request < chain.size(); request++) {
            assertThat(chain.gatherEnd(request) - chain.gatherStart(request)).isBetween(1, gather);
            assertThat(chain.isSignalled(request)).isFalse();
            long target = chain.remoteAddress(request);
            for (int piece = chain.gatherStart(request); piece < chain.gatherEnd(request); piece++) {
                for (int i : new int[] {0, chain.gatherLength(piece) - 1}) {
                    assertThat(chain.gatherAddress(piece) + i).isEqualTo(addressOf(source, at + i));
                    assertThat(target + i).isEqualTo(addressOf(sink, at + i));
                }
                target += chain.gatherLength(piece);
                at += chain.gatherLength(piece);
            }
        }
        assertThat(at).isEqualTo(bytes);
    }

    private static long addressOf(RdmaDescriptor descriptor, long position) {
        long left = position;
        for (int i = 0; i < descriptor.count(); i++) {
            if (left < descriptor.length(i)) {
                return descriptor.address(i) + left;
            }
            left -= descriptor.length(i);
        }
        throw new AssertionError("position " + position + " is behind the end");
    }

    private static int append(
            RdmaDescriptor source, RdmaDescriptor sink, long bytes, int gather, int max, WorkChain into) {
        return RdmaChain.append(source, sink, bytes, gather, max, 1, into);
    }

    @Test
    @Requirement("ibl-080")
    void fragmentsThatMatchTakeARequestEach() {
        WorkChain chain = new WorkChain();
        RdmaDescriptor source = descriptor(1, pages(34));
        RdmaDescriptor sink = descriptor(2, pages(34));
        assertThat(append(source, sink, 34 * 4096, 1, 34, chain)).isEqualTo(34);
        assertMoves(chain, source, sink, 34 * 4096, 1);
        assertThat(chain.key(0)).isEqualTo(2);
        assertThat(chain.gatherKey(0)).isEqualTo(1);
    }

    @Test
    @Requirement("mod-017")
    void moreRequestsThanAllowedAreNotPosted() {
        WorkChain chain = new WorkChain();
        chain.send(9, true);
        assertThat(append(descriptor(1, pages(34)), descriptor(2, pages(34)), 34 * 4096, 1, 32, chain))
                .isEqualTo(Errno.EMSGSIZE.status());
        assertThat(chain.size()).as("what was there before stays").isEqualTo(1);
        assertThat(RdmaChain.excess(descriptor(1, pages(34)), descriptor(2, pages(34)), 34 * 4096, 1, 32))
                .isEqualTo(
                        "a transfer of 139264 bytes takes more RDMA writes than the 32 fragments that were agreed on:"
                                + " they end before fragment 33 of 34 of the source and fragment 33 of 34 of the sink");
        assertThat(RdmaChain.excess(descriptor(1, 10, 20, 30), descriptor(2, 40, 20), 60, 3, 1))
                .endsWith("fragment 3 of 3 of the source and fragment 2 of 2 of the sink");
        assertThat(append(descriptor(1, 34 * 4096), descriptor(2, 34 * 4096), 34 * 4096, 1, 1, chain))
                .isEqualTo(1);
    }

    @Test
    @Requirement({"mod-034", "ibl-080"})
    void aShortTransferClosesItsLastRequest() {
        WorkChain chain = new WorkChain();
        RdmaDescriptor source = descriptor(1, 48);
        RdmaDescriptor sink = descriptor(2, 4096);
        assertThat(append(source, sink, 48, 2, 257, chain)).isEqualTo(1);
        assertMoves(chain, source, sink, 48, 2);
    }

    @Test
    @Requirement("mod-034")
    void aDescriptorThatEndsTooEarlyIsAnErrorOfProtocol() {
        WorkChain chain = new WorkChain();
        assertThat(append(descriptor(1, 100), descriptor(2, 200), 101, 2, 257, chain))
                .isEqualTo(Errno.EPROTO.status());
        assertThat(append(descriptor(1, 200), descriptor(2, 100), 101, 2, 257, chain))
                .isEqualTo(Errno.EPROTO.status());
        assertThat(append(descriptor(1, 200), descriptor(2), 1, 2, 257, chain)).isEqualTo(Errno.EPROTO.status());
        assertThat(chain.size()).isZero();
    }

    @Test
    void gatheringSavesRequests() {
        WorkChain chain = new WorkChain();
        RdmaDescriptor source = descriptor(1, 2048, 4096, 4096, 2048);
        RdmaDescriptor sink = descriptor(2, pages(3));
        assertThat(append(source, sink, 3 * 4096, 2, 3, chain)).isEqualTo(3);
        assertMoves(chain, source, sink, 3 * 4096, 2);
        chain.clear();
        assertThat(append(source, sink, 3 * 4096, 1, 257, chain)).isEqualTo(6);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 30})
    @Requirement("ibl-080")
    void anyShapes(int gather) {
        SplittableRandom random = new SplittableRandom(gather);
        for (int round = 0; round < 300; round++) {
            int[] from = random.ints(1 + random.nextInt(20), 1, 5000).toArray();
            int[] to = random.ints(1 + random.nextInt(20), 1, 5000).toArray();
            RdmaDescriptor source = descriptor(1, from);
            RdmaDescriptor sink = descriptor(2, to);
            long bytes = 1 + random.nextLong(Math.min(source.totalBytes(), sink.totalBytes()));
            WorkChain chain = new WorkChain();
            int requests = append(source, sink, bytes, gather, 257, chain);
            assertThat(requests).isEqualTo(chain.size());
            assertMoves(chain, source, sink, bytes, gather);
            if (requests > 1) {
                assertThat(append(source, sink, bytes, gather, requests - 1, new WorkChain()))
                        .isEqualTo(Errno.EMSGSIZE.status());
            }
        }
    }
}
