package org.railyard.lnet.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RouterPoolTest {
    private final RouterPool pool = new RouterPool(4096, 4);

    private Message take() {
        Message message = new Message();
        pool.take(message);
        return message;
    }

    private static RouterBuffer bufferOf(Message message) {
        RouterBuffer buffer = message.transit().buffer();
        if (buffer == null) {
            throw new AssertionError("no buffer");
        }
        return buffer;
    }

    @Test
    void theBufferThatWasUsedLastIsUsedNext() {
        RouterBuffer first = bufferOf(take());
        RouterBuffer second = bufferOf(take());
        pool.giveBack(first);
        pool.giveBack(second);
        assertThat(take().transit().buffer()).isSameAs(second);
        assertThat(take().transit().buffer()).isSameAs(first);
    }

    @Test
    void withoutMemoryThereAreFewer() {
        Message first = take();
        Message second = take();
        Message third = take();
        assertThat(pool.retract(third)).as("it waits").isTrue();
        assertThat(third.transit().buffer()).isNull();
        assertThat(pool.size()).isEqualTo(2);
        assertThat(pool.credits()).isEqualTo(-1);
        assertThat(pool.next()).isNull();
        assertThat(pool.giveBack(bufferOf(first))).isSameAs(third);
        pool.giveBack(bufferOf(second));
        pool.giveBack(bufferOf(third));
        assertThat(pool.credits()).isEqualTo(2);
    }

    @Test
    void withoutAnyMemoryNobodyWaits() {
        Message only = take();
        assertThat(pool.retract(only)).isFalse();
        assertThat(pool.size()).as("the next one tries again").isEqualTo(1);
        assertThat(take().transit().buffer()).isNotNull();
    }

    /** Otherwise a router that once was short of memory leaves buffers unused that it has, or drops messages. */
    @Test
    void aBufferThatCameBackMeanwhileIsNotLost() {
        Message first = take();
        Message second = take();
        Message third = take();
        RouterBuffer kept = bufferOf(first);
        pool.giveBack(kept);
        assertThat(pool.retract(third)).isTrue();
        assertThat(pool.size()).as("one in use, one free").isEqualTo(2);
        assertThat(pool.next()).isSameAs(third);
        assertThat(bufferOf(third)).isSameAs(kept);
        pool.giveBack(bufferOf(second));
        pool.giveBack(kept);
        assertThat(pool.isIdle()).isTrue();
        pool.checkInvariants();
    }

    /** The one buffer with memory is free again: the message waits for it, and is not dropped. */
    @Test
    void theOnlyBufferIsWaitedForEvenIfItIsFree() {
        Message first = take();
        Message second = take();
        pool.giveBack(bufferOf(first));
        assertThat(pool.retract(second)).isTrue();
        assertThat(pool.next()).isSameAs(second);
        assertThat(pool.size()).isEqualTo(1);
    }

    /** Else a router that was told to have fewer gets memory for as many as it had, one after the other. */
    @Test
    void ofTooManyThoseGoFirstThatNobodyNeeded() {
        pool.resize(1);
        RouterBuffer only = bufferOf(take());
        for (int left = 3; left >= 1; left--) {
            pool.giveBack(only);
            assertThat(pool.size()).isEqualTo(left);
            assertThat(bufferOf(take())).isSameAs(only);
            pool.checkInvariants();
        }
    }

    @Test
    void ofTooManyThatWereNeededEachGoesThatComesBack() {
        RouterBuffer first = bufferOf(take());
        RouterBuffer second = bufferOf(take());
        RouterBuffer third = bufferOf(take());
        RouterBuffer fourth = bufferOf(take());
        pool.resize(2);
        pool.giveBack(first);
        pool.giveBack(second);
        assertThat(pool.size()).isEqualTo(2);
        Message waits = take();
        pool.giveBack(third);
        assertThat(bufferOf(waits)).as("the first two are gone").isSameAs(third);
        pool.giveBack(fourth);
        pool.checkInvariants();
    }
}
