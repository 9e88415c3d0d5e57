package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.railyard.conformance.TestMessage;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.LoopTimer;

/** The order of messages from the loop's thread and from others. */
class InboxTest {
    /** A loop that is run by hand; its thread is whoever says so. */
    private static final class ByHand implements EventLoop {
        final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        boolean here;

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public void call(Runnable task) {
            task.run();
        }

        @Override
        public LoopTimer schedule(long delayNanos, Runnable task) {
            throw new UnsupportedOperationException("no time passes here");
        }

        @Override
        public boolean isInLoop() {
            return here;
        }

        @Override
        public void close() {}

        void run() {
            here = true;
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
            here = false;
        }
    }

    private final ByHand loop = new ByHand();
    private final List<LndMessage> read = new ArrayList<>();
    private @Nullable Consumer<LndMessage> also;
    private final Inbox inbox = new Inbox(loop, message -> {
        read.add(message);
        if (also != null) {
            also.accept(message);
        }
    });
    private final List<LndMessage> sent = new ArrayList<>();

    private void add(boolean inLoop) {
        LndMessage message = new TestMessage();
        sent.add(message);
        loop.here = inLoop;
        inbox.add(message);
        loop.here = false;
    }

    @Test
    void whatTheLoopSendsStaysBehindWhatOthersSentBefore() {
        add(true);
        add(false);
        add(true);
        add(false);
        loop.run();
        assertThat(read).isEqualTo(sent);
    }

    @Test
    void whatIsSentMeanwhileFollows() {
        add(false);
        add(false);
        also = _ -> {
            if (sent.size() < 6) {
                LndMessage message = new TestMessage();
                sent.add(message);
                inbox.add(message);
            }
        };
        loop.run();
        assertThat(read).isEqualTo(sent).hasSize(6);
    }

    @Test
    void afterAFailureTheRestIsReadLater() {
        add(true);
        add(false);
        add(true);
        also = message -> {
            if (message == sent.getFirst()) {
                throw new IllegalStateException("the first one is bad");
            }
        };
        assertThatThrownBy(loop::run).hasMessage("the first one is bad");
        loop.run();
        assertThat(read).isEqualTo(sent);
    }
}
