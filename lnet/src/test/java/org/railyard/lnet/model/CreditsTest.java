package org.railyard.lnet.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CreditsTest {
    private final Credits credits = new Credits(2);
    private final Message[] messages = {new Message(), new Message(), new Message(), new Message(), new Message()};

    @Test
    void belowZeroMessagesWaitInLine() {
        assertThat(credits.take(messages[0])).isTrue();
        assertThat(credits.take(messages[1])).isTrue();
        assertThat(credits.take(messages[2])).isFalse();
        assertThat(credits.take(messages[3])).isFalse();
        assertThat(credits.value()).isEqualTo(-2);
        assertThat(credits.giveBack()).isSameAs(messages[2]);
        assertThat(credits.giveBack()).isSameAs(messages[3]);
        assertThat(credits.giveBack()).isNull();
        assertThat(credits.giveBack()).isNull();
        assertThat(credits.value()).isEqualTo(2);
        assertThat(credits.min()).isEqualTo(-2);
        assertThat(credits.max()).isEqualTo(2);
    }

    @Test
    void aPoolThatShrinksOrGrowsKeepsWhatIsInUse() {
        credits.take(messages[0]);
        credits.take(messages[1]);
        credits.take(messages[2]);
        credits.resize(0);
        assertThat(credits.value()).isEqualTo(-3);
        assertThat(credits.giveBack()).isSameAs(messages[2]);
        assertThat(credits.giveBack()).isNull();
        assertThat(credits.giveBack()).isNull();
        assertThat(credits.value()).isZero();
        credits.resize(8);
        assertThat(credits.value()).isEqualTo(8);
        assertThat(credits.max()).isEqualTo(8);
    }

    @Test
    void aQueueKeepsItsOrder() {
        MessageQueue queue = new MessageQueue();
        MessageQueue other = new MessageQueue();
        assertThat(queue.poll()).isNull();
        for (Message message : messages) {
            queue.add(message);
        }
        assertThat(queue.size()).isEqualTo(5);
        assertThat(queue.poll()).isSameAs(messages[0]);
        other.add(messages[0]);
        queue.drainTo(other);
        assertThat(queue.isEmpty()).isTrue();
        for (Message message : messages) {
            assertThat(other.poll()).isSameAs(message);
        }
        assertThat(other.size()).isZero();
    }
}
