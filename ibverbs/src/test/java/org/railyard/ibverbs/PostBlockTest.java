package org.railyard.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.verbs.Access;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.Qp;
import org.railyard.verbs.WorkChain;

/** Requests that a card needs not hear of are left out, and counted all the same. */
final class PostBlockTest {
    private static final FastRegion REGION = new FastRegion() {
        @Override
        public long prepare(DmaList pages, Qp qp) {
            return 0;
        }

        @Override
        public void close() {}

        @Override
        public int localKey() {
            return 1;
        }

        @Override
        public int remoteKey() {
            return 2;
        }
    };

    private static List<Long> places(PostBlock block, int count) {
        List<Long> places = new ArrayList<>();
        for (long at = block.requests(); at != 0; at = VerbsMemory.getLong(at + VerbsLayout.WR_NEXT)) {
            places.add(VerbsMemory.getLong(at));
        }
        assertThat(places).hasSize(count);
        return places;
    }

    @Test
    void registrationsAreLeftOutUnlessTheirEndIsToBeTold() {
        try (Arena arena = Arena.ofConfined()) {
            PostBlock block = new PostBlock(arena);
            WorkChain chain = new WorkChain();
            chain.invalidate(1, false, REGION)
                    .register(2, false, REGION, Access.REMOTE_WRITE)
                    .write(3, false, 4096, 7)
                    .gather(8192, 100, 5)
                    .register(4, true, REGION, Access.REMOTE_WRITE)
                    .invalidate(5, false, REGION)
                    .send(6, true)
                    .gather(8292, 50, 5);
            assertThat(block.write(new BoundWindows(), chain, chain.size(), 0, 10))
                    .isEqualTo(3);
            assertThat(places(block, 3)).containsExactly(12L, 13L, 15L);

            long told = block.requests() + VerbsLayout.SEND_WR;
            assertThat(VerbsMemory.getInt(told + VerbsLayout.WR_OPCODE))
                    .as("a write")
                    .isZero();
            assertThat(VerbsMemory.getInt(told + VerbsLayout.WR_NUM_SGE))
                    .as("of nothing")
                    .isZero();
            assertThat(VerbsMemory.getInt(told + VerbsLayout.WR_FLAGS)).isEqualTo(2);
            assertThat(VerbsMemory.getInt(told + VerbsLayout.WR_RKEY)).isZero();

            assertThat(block.takenBeforeBad(6)).as("nothing was refused").isEqualTo(6);
            for (int[] badAndTaken : new int[][] {{0, 2}, {1, 3}, {2, 5}}) {
                VerbsMemory.putLong(block.bad(), block.requests() + (long) badAndTaken[0] * VerbsLayout.SEND_WR);
                assertThat(block.takenBeforeBad(6)).isEqualTo(badAndTaken[1]);
            }
        }
    }

    @Test
    void aChainMayHaveNothingForTheCard() {
        try (Arena arena = Arena.ofConfined()) {
            PostBlock block = new PostBlock(arena);
            assertThat(block.write(new BoundWindows(), new WorkChain().invalidate(1, false, REGION), 1, 0, 0))
                    .isZero();
        }
    }
}
