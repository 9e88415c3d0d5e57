package org.railyard.lnet.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.RouterBufferInfo;
import org.railyard.lnet.api.RouterBufferSize;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.RouterBuffer;
import org.railyard.lnet.model.RouterPool;
import org.railyard.lnet.sim.HeldLock;

class RouterBuffersTest {
    private static final Settings SETTINGS =
            Settings.of(CompatProfile.LUSTRE).with(Tunable.SMALL_BUFFERS, 10).with(Tunable.LARGE_BUFFERS, 1);

    private final RouterBuffers buffers = new RouterBuffers(HeldLock.make(), 2);

    private static RouterBuffer take(RouterPool pool) {
        Message message = new Message();
        assertThat(pool.take(message)).isTrue();
        return Objects.requireNonNull(message.transit().buffer());
    }

    @Test
    void partitionsShareTheBuffers() {
        buffers.open(SETTINGS);
        assertThat(buffers.snapshot())
                .containsExactly(
                        new RouterBufferInfo(0, RouterBufferSize.TINY, 1024, 1024, 1024),
                        new RouterBufferInfo(0, RouterBufferSize.SMALL, 5, 5, 5),
                        new RouterBufferInfo(0, RouterBufferSize.LARGE, 1, 1, 1),
                        new RouterBufferInfo(1, RouterBufferSize.TINY, 1024, 1024, 1024),
                        new RouterBufferInfo(1, RouterBufferSize.SMALL, 5, 5, 5),
                        new RouterBufferInfo(1, RouterBufferSize.LARGE, 1, 1, 1));
    }

    @Test
    void aMessageWaitsInThePoolOfItsPartitionAndSize() {
        buffers.open(SETTINGS);
        assertThat(buffers.pool(1, 100)).isSameAs(buffers.pools()[4]);
        assertThat(buffers.pool(0, 4097)).isSameAs(buffers.pools()[2]);
        take(buffers.pool(1, 100));
        assertThat(buffers.snapshot().get(4).credits()).isEqualTo(4);
        assertThat(buffers.isIdle()).isFalse();
    }

    @Test
    void nothingIsFreeAfterTheEnd() {
        buffers.open(SETTINGS);
        RouterPool pool = buffers.pool(0, 100);
        RouterBuffer used = take(pool);
        buffers.close();
        assertThat(buffers.snapshot()).isEmpty();
        assertThat(buffers.isIdle()).isTrue();
        assertThat(pool.size()).as("the one in use").isEqualTo(1);
        assertThat(pool.giveBack(used)).isNull();
        assertThat(pool.size()).isZero();
    }

    @Test
    void eachPoolIsChecked() {
        buffers.open(SETTINGS);
        RouterPool last = buffers.pool(1, 4097);
        RouterBuffer buffer = take(last);
        last.giveBack(buffer);
        buffers.checkInvariants();
        last.giveBack(buffer);
        assertThatThrownBy(buffers::checkInvariants).isInstanceOf(AssertionError.class);
    }
}
