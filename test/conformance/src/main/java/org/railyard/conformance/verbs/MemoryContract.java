package org.railyard.conformance.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.railyard.verbs.Access;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.DmaSpace;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.FmrRegion;
import org.railyard.verbs.MemoryKeys;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.WorkStatus;

/** Memory: what is registered how, who may write where, and when that ends. */
public abstract class MemoryContract extends VerbsContract {
    private static final int PAGES = 16;

    /** For subclasses. */
    protected MemoryContract() {}

    private static DmaSpace dma(End end) {
        return Objects.requireNonNull(end.pd().dma());
    }

    private static MemorySegment pages(End end, int bytes) {
        return Arena.ofAuto().allocate(bytes, dma(end).pageBytes());
    }

    private static void assertBytes(MemorySegment memory, int length, int number) {
        for (int i = 0; i < length; i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, i) != End.byteOf(number, i)) {
                throw new AssertionError("byte " + i + " of " + length + " is wrong");
            }
        }
    }

    /** Writes to the other side and follows with a SEND; returns how the write, or the SEND, ended. */
    private WorkStatus write(Pair pair, long address, int key, int length) {
        End one = pair.one();
        int before = one.sends().size();
        one.post(chain -> chain.write(1, false, address, key)
                .gather(one.region().addressOf(End.SOURCE), length, one.region().localKey())
                .send(2, true));
        elapse("a completion", () -> one.sends().size() > before);
        return one.sends().get(before).status();
    }

    @Test
    void memoryOnTheHeapIsNotRegistered() {
        Pair pair = connect();
        End one = pair.one();
        assertThatThrownBy(() -> one.party()
                        .run(() -> one.pd().registerArena(MemorySegment.ofArray(new byte[100]), Access.REMOTE_WRITE)))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.code()).isEqualTo(VerbsException.Code.EINVAL));
    }

    @Test
    void anArenaEndsWithItsRegistration() {
        Pair pair = connect();
        End other = pair.other();
        pair.one().fill(End.SOURCE, 64, 3);
        assertThat(write(
                        pair, other.region().addressOf(End.SINK), other.region().remoteKey(), 64))
                .isEqualTo(WorkStatus.SUCCESS);
        assertThat(other.differs(End.SINK, 64, 3)).isEqualTo(-1);
        MemorySegment memory = Arena.ofAuto().allocate(64);
        ArenaRegion second =
                other.party().call(() -> other.pd().registerArena(memory, Access.LOCAL_WRITE | Access.REMOTE_WRITE));
        long address = second.addressOf(0);
        int key = second.remoteKey();
        assertThat(write(pair, address, key, 64)).isEqualTo(WorkStatus.SUCCESS);
        assertBytes(memory, 64, 3);
        other.party().run(second::close);
        assertThat(write(pair, address, key, 64)).isEqualTo(WorkStatus.REMOTE_ACCESS);
    }

    @Test
    void memoryWithoutTheRightIsNotWrittenTo() {
        Pair pair = connect();
        End other = pair.other();
        MemorySegment memory = Arena.ofAuto().allocate(64);
        ArenaRegion region = other.party().call(() -> other.pd().registerArena(memory, Access.LOCAL_WRITE));
        assertThat(write(pair, region.addressOf(0), region.remoteKey(), 64)).isEqualTo(WorkStatus.REMOTE_ACCESS);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 1)).isZero();
    }

    private FastRegion fastRegion(End of, MemorySegment memory, DmaList list) {
        return of.party().call(() -> {
            dma(of).map(memory, list);
            return of.pd().allocateFastRegion(PAGES, false);
        });
    }

    private void register(FastRegion region, End of) {
        of.post(chain -> chain.register(1, true, region, Access.LOCAL_WRITE | Access.REMOTE_WRITE));
        await("the registration", () -> of.sends().size() == 1);
    }

    @Test
    void aRegionIsOpenFromRegistrationToInvalidation() {
        need(VerbsCapability.DMA, VerbsCapability.FAST_REGIONS);
        Pair pair = connect();
        End other = pair.other();
        MemorySegment memory = pages(other, 3 * 4096);
        DmaList list = new DmaList(PAGES);
        FastRegion region = fastRegion(other, memory, list);
        long address = other.party().call(() -> region.prepare(list, other.qp()));
        register(region, other);
        pair.one().fill(End.SOURCE, 3 * 4096, 9);
        assertThat(write(pair, address, region.remoteKey(), 3 * 4096)).isEqualTo(WorkStatus.SUCCESS);
        assertBytes(memory, 3 * 4096, 9);
        int oldKey = region.remoteKey();
        other.post(chain -> chain.invalidate(2, true, region));
        await("the invalidation", () -> other.sends().size() == 2);
        long again = other.party().call(() -> region.prepare(list, other.qp()));
        assertThat(region.remoteKey()).isNotEqualTo(oldKey);
        assertThat(region.remoteKey() >>> 8).as("only the low 8 bits change").isEqualTo(oldKey >>> 8);
        other.post(chain -> chain.register(3, true, region, Access.LOCAL_WRITE | Access.REMOTE_WRITE));
        await("the registration", () -> other.sends().size() == 3);
        assertThat(other.sends()).allMatch(done -> done.status() == WorkStatus.SUCCESS);
        assertThat(write(pair, again, region.remoteKey(), 10)).isEqualTo(WorkStatus.SUCCESS);
        assertThat(write(pair, again, oldKey, 10)).as("with the old key").isEqualTo(WorkStatus.REMOTE_ACCESS);
    }

    /** Whatever address a peer says: one that runs over is behind the end as any other. */
    @Test
    void aRegionEndsBeforeAddressesRunOver() {
        need(VerbsCapability.DMA, VerbsCapability.FAST_REGIONS);
        Pair pair = connect();
        End other = pair.other();
        DmaList list = new DmaList(PAGES);
        MemorySegment memory = pages(other, 4096);
        FastRegion region = fastRegion(other, memory, list);
        other.party().call(() -> region.prepare(list, other.qp()));
        register(region, other);
        assertThat(write(pair, Long.MAX_VALUE - 15, region.remoteKey(), 64)).isEqualTo(WorkStatus.REMOTE_ACCESS);
    }

    @Test
    void aRegionThatIsNotRegisteredIsShut() {
        need(VerbsCapability.DMA, VerbsCapability.FAST_REGIONS);
        Pair pair = connect();
        End other = pair.other();
        DmaList list = new DmaList(PAGES);
        MemorySegment memory = pages(other, 4096);
        FastRegion region = fastRegion(other, memory, list);
        long address = other.party().call(() -> region.prepare(list, other.qp()));
        assertThat(write(pair, address, region.remoteKey(), 10)).isEqualTo(WorkStatus.REMOTE_ACCESS);
    }

    @Test
    void gapsNeedARegionThatAllowsThem() {
        need(VerbsCapability.DMA, VerbsCapability.FAST_REGIONS);
        Pair pair = connect();
        End other = pair.other();
        DmaList list = new DmaList(PAGES);
        MemorySegment first = pages(other, 4096 + 100);
        MemorySegment second = pages(other, 200);
        other.party().run(() -> {
            dma(other).map(first, list);
            dma(other).map(second, list);
        });
        assertThat(list.hasGaps(dma(other).pageBytes())).isTrue();
        FastRegion plain = other.party().call(() -> other.pd().allocateFastRegion(PAGES, false));
        assertThatThrownBy(() -> other.party().run(() -> plain.prepare(list, other.qp())))
                .isInstanceOf(VerbsException.class);
        need(VerbsCapability.GAPS);
        FastRegion gaps = other.party().call(() -> other.pd().allocateFastRegion(PAGES, true));
        long address = other.party().call(() -> gaps.prepare(list, other.qp()));
        other.post(chain -> chain.register(1, true, gaps, Access.LOCAL_WRITE | Access.REMOTE_WRITE));
        pair.one().fill(End.SOURCE, 4396, 2);
        assertThat(write(pair, address, gaps.remoteKey(), 4396)).isEqualTo(WorkStatus.SUCCESS);
        assertBytes(first, 4196, 2);
        for (int i = 0; i < 200; i++) {
            assertThat(second.get(ValueLayout.JAVA_BYTE, i)).isEqualTo(End.byteOf(2, 4196 + i));
        }
    }

    @Test
    void aListThatIsTooLongIsRefused() {
        need(VerbsCapability.DMA, VerbsCapability.FAST_REGIONS);
        Pair pair = connect();
        End one = pair.one();
        int limit = one.party().device().attributes().maxPageList();
        assertThatThrownBy(() -> one.party().run(() -> one.pd().allocateFastRegion(limit + 1, false)))
                .isInstanceOf(VerbsException.class);
        FastRegion region = one.party().call(() -> one.pd().allocateFastRegion(2, false));
        DmaList list = new DmaList(PAGES);
        one.party().run(() -> dma(one).map(pages(one, 3 * 4096), list));
        assertThatThrownBy(() -> one.party().run(() -> region.prepare(list, one.qp())))
                .isInstanceOf(VerbsException.class);
    }

    @Test
    void zeroBasedRegionsAreOpenWhileTheyAreMapped() {
        need(VerbsCapability.DMA, VerbsCapability.FMR);
        Pair pair = connect();
        End other = pair.other();
        MemorySegment memory = pages(other, 2 * 4096);
        DmaList list = new DmaList(PAGES);
        FmrRegion region = other.party().call(() -> {
            dma(other).map(memory.asSlice(0, 2 * 4096), list);
            FmrRegion made = other.pd().allocateFmr(PAGES);
            made.map(list);
            return made;
        });
        long address = list.address(0) & dma(other).pageBytes() - 1L;
        pair.one().fill(End.SOURCE, 2 * 4096, 6);
        assertThat(write(pair, address, region.remoteKey(), 2 * 4096)).isEqualTo(WorkStatus.SUCCESS);
        assertBytes(memory, 2 * 4096, 6);
        other.party().run(region::unmap);
        assertThat(write(pair, address, region.remoteKey(), 10)).isEqualTo(WorkStatus.REMOTE_ACCESS);
    }

    @Test
    void theGlobalRegionHasAllMappedMemoryAndNoOther() {
        need(VerbsCapability.DMA, VerbsCapability.GLOBAL_REGION);
        Pair pair = connect();
        End other = pair.other();
        MemorySegment memory = pages(other, 4096);
        DmaList list = new DmaList(PAGES);
        MemoryKeys global = other.party().call(() -> {
            dma(other).map(memory, list);
            return Objects.requireNonNull(other.pd().globalRegion());
        });
        pair.one().fill(End.SOURCE, 1000, 8);
        assertThat(write(pair, list.address(0), global.remoteKey(), 1000)).isEqualTo(WorkStatus.SUCCESS);
        assertBytes(memory, 1000, 8);
        other.party().run(() -> dma(other).unmap(list));
        assertThat(write(pair, list.address(0), global.remoteKey(), 1000)).isEqualTo(WorkStatus.REMOTE_ACCESS);
    }

    @Test
    void whatIsSentByDmaAddressIsWhatIsThere() {
        need(VerbsCapability.DMA, VerbsCapability.DMA_KEY);
        Pair pair = connect();
        End one = pair.one();
        MemorySegment memory = pages(one, 4096);
        for (int i = 0; i < 300; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, End.byteOf(4, i));
        }
        DmaList list = new DmaList(PAGES);
        one.party().run(() -> dma(one).map(memory, list));
        one.post(chain -> chain.send(1, true).gather(list.address(0), 300, dma(one).localKey()));
        await("the message", () -> pair.other().receives().size() == 1);
        assertThat(pair.other().differs(End.RECEIVES, 300, 4)).isEqualTo(-1);
    }
}
