package org.railyard.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventQueueTest {
    private final EventQueue queue = new EventQueue();
    private final List<String> happened = new ArrayList<>();

    private SimEvent event(String name) {
        return new SimEvent() {
            @Override
            protected void run() {
                happened.add(name + "@" + queue.now());
            }
        };
    }

    private void runAll() {
        boolean more = true;
        while (more) {
            more = queue.runNext(1000);
        }
    }

    @Test
    void eventsHappenByTimeAndAtTheSameTimeInTheOrderOfScheduling() {
        queue.schedule(event("late"), 7);
        queue.schedule(event("first"), 5);
        queue.schedule(event("second"), 5);
        runAll();
        assertThat(happened).containsExactly("first@5", "second@5", "late@7");
        assertThat(queue.now()).isEqualTo(1000);
    }

    @Test
    void anEventMovesWhenScheduledAgainAndIsGoneWhenCancelled() {
        SimEvent moved = event("moved");
        SimEvent cancelled = event("cancelled");
        queue.schedule(moved, 3);
        queue.schedule(cancelled, 4);
        queue.schedule(event("fixed"), 5);
        queue.schedule(moved, 9);
        queue.cancel(cancelled);
        runAll();
        assertThat(happened).containsExactly("fixed@5", "moved@9");
    }

    @Test
    void thePastIsNow() {
        queue.at(10, () -> queue.schedule(event("late"), 2));
        runAll();
        assertThat(happened).containsExactly("late@10");
    }

    @Test
    void randomSchedulesMovesAndCancelsKeepTheOrder() {
        Random random = new Random(5);
        List<SimEvent> events = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            SimEvent event = new SimEvent() {
                @Override
                protected void run() {
                    happened.add(String.format("%04d", queue.now()));
                }
            };
            events.add(event);
            queue.schedule(event, random.nextInt(900));
        }
        int cancelled = 0;
        for (int i = 0; i < 2000; i++) {
            SimEvent event = events.get(random.nextInt(events.size()));
            if (random.nextInt(4) == 0) {
                cancelled += event.isScheduled() ? 1 : 0;
                queue.cancel(event);
            } else if (event.isScheduled()) {
                queue.schedule(event, random.nextInt(900));
            }
        }
        runAll();
        assertThat(happened).hasSize(3000 - cancelled).isSorted();
    }
}
