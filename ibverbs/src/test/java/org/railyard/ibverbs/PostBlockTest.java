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

    /** Posts nothing: it counts on from a tag, and takes what has few gather entries. */
    private record Counter(long first, int most) implements PostBlock.Poster {
        @Override
        public boolean mayPost(WorkChain chain, int request) {
            return chain.gatherEnd(request) - chain.gatherStart(request) <= most;
        }

        @Override
        public long note(WorkChain chain, int request) {
            return first + request;
        }

        @Override
        public BoundWindows windows() {
            return new BoundWindows();
        }
    }

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
            assertThat(block.write(new Counter(10, 1), chain, chain.size())).isEqualTo(6);
            assertThat(block.written()).isEqualTo(3);
            assertThat(block.lastSignalled()).isEqualTo(5);
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

            assertThat(block.badTag()).as("nothing was refused").isEqualTo(-1);
            for (int bad = 0; bad < 3; bad++) {
                VerbsMemory.putLong(block.bad(), block.requests() + (long) bad * VerbsLayout.SEND_WR);
                assertThat(block.badTag()).isEqualTo(new long[] {12, 13, 15}[bad]);
            }
        }
    }

    @Test
    void aDriversWordForTheBadRequestIsNotFollowedAnywhere() {
        try (Arena arena = Arena.ofConfined()) {
            PostBlock block = new PostBlock(arena);
            block.write(new Counter(10, 1), new WorkChain().send(1, true).send(2, true), 2);
            for (long offset : new long[] {-VerbsLayout.SEND_WR, 8, 2L * VerbsLayout.SEND_WR, Long.MAX_VALUE}) {
                VerbsMemory.putLong(block.bad(), block.requests() + offset);
                assertThat(block.badTag())
                        .as("%s bytes behind the first", offset)
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void whatIsBehindARequestThatIsNotAllowedOrHasNoRoomIsNotWritten() {
        try (Arena arena = Arena.ofConfined()) {
            PostBlock block = new PostBlock(arena);
            WorkChain chain = new WorkChain()
                    .send(1, true)
                    .gather(4096, 1, 5)
                    .send(2, false)
                    .send(3, true)
                    .gather(4096, 1, 5)
                    .gather(8192, 1, 5)
                    .send(4, true);
            assertThat(block.write(new Counter(10, 1), chain, 4)).isEqualTo(2);
            assertThat(block.lastSignalled()).isZero();
            assertThat(places(block, 2)).containsExactly(10L, 11L);
            assertThat(block.write(new Counter(10, 2), chain, 3)).isEqualTo(3);
            assertThat(block.lastSignalled()).isEqualTo(2);
            assertThat(places(block, 3)).containsExactly(10L, 11L, 12L);
        }
    }

    @Test
    void aChainMayHaveNothingForTheCard() {
        try (Arena arena = Arena.ofConfined()) {
            PostBlock block = new PostBlock(arena);
            assertThat(block.write(new Counter(0, 1), new WorkChain().invalidate(1, false, REGION), 1))
                    .isOne();
            assertThat(block.written()).isZero();
            assertThat(block.lastSignalled()).isEqualTo(-1);
        }
    }
}
