package org.railyard.verbs.card.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.Access;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.Qp;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;

/** What a key gives access to, and when that ends. */
class RegionKeysTest {
    private static final int PAGE = 4096;
    private static final int MAX = 4;

    /** Of a key, the bits that tell one registration of a region from another. */
    private static final int VARIANTS = 256;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory = arena.allocate(2 * PAGE, PAGE);

    @AfterEach
    void close() {
        arena.close();
    }

    private static <T> T unused(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, _) -> {
            if (method.getName().equals("toString")) {
                return "a card";
            }
            throw new UnsupportedOperationException(method.toString());
        }));
    }

    private static CardMemory card(@Nullable RandomGenerator secrets) {
        return new CardMemory(unused(VerbsDevice.class), MemoryModel.OF_PROCESS, MAX, secrets, () -> false);
    }

    private DmaList map(CardMemory card, int page) {
        DmaList pieces = new DmaList(1);
        card.dma().map(memory.asSlice((long) page * PAGE, PAGE), pieces);
        return pieces;
    }

    private static boolean isOpen(CardPd pd, int key, long address) {
        return pd.region(key, address, 1, Access.REMOTE_WRITE) != null;
    }

    @Test
    @Requirement("sv-042")
    void aRegistrationShowsItsOwnPagesByItsOwnKeyOnly() {
        CardMemory card = card(null);
        CardPd pd = new CardPd(card);
        CardFastRegion region = new CardFastRegion(pd, 2, false);
        Qp qp = unused(Qp.class);
        long first = region.prepare(map(card, 0), qp);
        int firstKey = region.remoteKey();
        assertThat(isOpen(pd, firstKey, first)).as("not registered yet").isFalse();
        assertThat(pd.register(region, Access.REMOTE_WRITE)).isTrue();
        assertThat(isOpen(pd, firstKey, first)).isTrue();
        assertThat(pd.register(region, Access.REMOTE_WRITE)).as("twice").isFalse();
        assertThat(pd.invalidate(region)).isTrue();
        assertThat(isOpen(pd, firstKey, first)).isFalse();
        assertThat(pd.invalidate(region)).as("twice").isFalse();
        long second = region.prepare(map(card, 1), qp);
        int secondKey = region.remoteKey();
        assertThat(pd.register(region, Access.REMOTE_WRITE)).isTrue();
        assertThat(isOpen(pd, secondKey, second)).isTrue();
        assertThat(isOpen(pd, secondKey, first)).as("the page of before").isFalse();
        assertThat(isOpen(pd, firstKey, second)).as("the key of before").isFalse();
    }

    /** The higher bits are the place of the region, which others must not get. */
    @Test
    void theKeysOfARegionDifferInTheLowestEightBits() {
        CardMemory card = card(null);
        CardFastRegion region = new CardFastRegion(new CardPd(card), 2, false);
        DmaList pages = map(card, 0);
        Set<Integer> keys = new LinkedHashSet<>();
        for (int i = 0; i < VARIANTS; i++) {
            region.prepare(pages, unused(Qp.class));
            keys.add(region.remoteKey());
        }
        assertThat(keys).hasSize(VARIANTS);
        assertThat(keys).extracting(Region::place).containsOnly(Region.place(region.localKey()));
    }

    @Test
    @Requirement("sv-042")
    void aKeyOpensNothingInAnotherDomainAndNothingOnceItsOwnIsClosed() {
        CardMemory card = card(new SplittableRandom(1));
        CardPd pd = new CardPd(card);
        CardPd other = new CardPd(card);
        ArenaRegion region = pd.registerArena(memory, Access.REMOTE_WRITE);
        long address = region.addressOf(0);
        assertThat(isOpen(pd, region.remoteKey(), address)).isTrue();
        assertThat(isOpen(other, region.remoteKey(), address)).isFalse();
        pd.close();
        assertThat(isOpen(pd, region.remoteKey(), address)).isFalse();
        assertThat(isOpen(pd, 0, address)).isFalse();
    }

    /** A domain has one region of its own, for local access. */
    @Test
    void aPlaceIsUsedAgainWithAnotherKey() {
        CardMemory card = card(new SplittableRandom(2));
        CardPd pd = new CardPd(card);
        ArenaRegion gone = pd.registerArena(memory, Access.REMOTE_WRITE);
        long address = gone.addressOf(0);
        for (int i = 2; i < MAX; i++) {
            pd.registerArena(memory, 0);
        }
        assertThatThrownBy(() -> pd.registerArena(memory, 0))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.code()).isEqualTo(VerbsException.Code.ENOMEM));
        int key = gone.remoteKey();
        gone.close();
        ArenaRegion next = pd.registerArena(memory, Access.REMOTE_WRITE);
        assertThat(isOpen(pd, next.remoteKey(), address)).isTrue();
        assertThat(isOpen(pd, key, address)).as("the key of before").isFalse();
        gone.close();
        assertThat(isOpen(pd, next.remoteKey(), address)).as("closed twice").isTrue();
    }
}
